"""A table as text. README and report print the same tables, each in its own markup."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from restbench.render.formats import MISSING

R = TypeVar("R")

MOST_COLUMNS = 8
"""The most columns of a table on GitHub. A wider one has to be scrolled sideways there."""


@dataclass(frozen=True)
class Badge:
    """A few words beside a name. `href` leads to the sentence that explains them."""

    text: str
    href: str


@dataclass(frozen=True)
class Text:
    """One table cell. `href` links the text, `detail` follows it, and `note` is the number of a note of the table.

    `badges` follow the detail. On screens `bar` is the length of a bar below the text, as a share of the longest one in
    its column, in `colour`, and `bounds` is its interval, in the same unit. `heat`, a share too, gives the cell a
    background. `tone` is the name of a colour, such as "slower".
    """

    text: str
    href: str | None = None
    detail: str = ""
    note: int | None = None
    badges: tuple[Badge, ...] = ()
    bar: float | None = None
    bounds: tuple[float, float] | None = None
    colour: str | None = None
    heat: float | None = None
    tone: str = ""

    @property
    def plain(self) -> bool:
        """Whether it is only text. Most are, and a page is made faster if each is not given to a macro."""
        return self.bar is None and not (self.href or self.detail or self.badges or self.note)

    def kinds(self, number: bool) -> str:
        """Its classes on screens, in a column of numbers or of texts."""
        heat = "" if self.heat is None else f"heat-{int(self.heat * 9)}"
        return " ".join(filter(None, ("number" if number else "", heat, self.tone)))


def noted(text: str, note: str | None, notes: Sequence[str], detail: str = "") -> Text:
    """A cell that refers to a note of its table, if it has one."""
    return Text(text, detail=detail, note=notes.index(note) + 1 if note else None)


@dataclass(frozen=True)
class Column(Generic[R]):
    """A column of a table. `cell` makes the cell of a row. Columns with `number` are aligned to the right.

    On screens a `folded` column is hidden until a reader asks for it.
    """

    title: str
    cell: Callable[[R], str | Text]
    number: bool = False
    required: bool = False
    folded: bool = False


@dataclass(frozen=True)
class Line:
    """One line of a table. `muted` lines are shown in a quiet colour, because they are not compared."""

    cells: list[Text]
    muted: bool = False


@dataclass(frozen=True)
class Grid:
    """A table: headers, lines with one cell per header, and notes. Cells refer to notes by number, from 1.

    The first `repeated` columns say what a line is about. `folded` has the headers of folded columns.
    """

    headers: list[str]
    numbers: list[bool]
    lines: list[Line]
    notes: list[str] = field(default_factory=list)
    repeated: int = 1
    folded: Collection[str] = ()


def make_grid(
    columns: Sequence[Column[R]],
    rows: Sequence[R],
    notes: Sequence[str] = (),
    muted: Callable[[R], bool] = lambda _: False,
    counts: Callable[[R], bool] = lambda _: False,
) -> Grid:
    """Makes a table of the rows. A column that is empty in every row is left out, unless it is `required`.

    One that is empty in most of the rows that count is folded, and a note says so.
    """
    made = [(column, [c if isinstance(c := column.cell(row), Text) else Text(c) for row in rows]) for column in columns]
    visible = [(column, cells) for column, cells in made if column.required or any(c.text != MISSING for c in cells)]
    lines = [Line([cells[i] for _, cells in visible], muted(row)) for i, row in enumerate(rows)]
    counted = [i for i, row in enumerate(rows) if counts(row)]
    rare = [
        column.title
        for column, cells in visible
        if not (column.required or column.folded) and 2 * sum(cells[i].text == MISSING for i in counted) > len(counted)
    ]
    folded = [column.title for column, _ in visible if column.folded or column.title in rare]
    every_note = [*notes, *([f"folded away, as most rows have no figure there: {'; '.join(rare)}"] if rare else [])]
    return Grid([c.title for c, _ in visible], [c.number for c, _ in visible], lines, every_note, folded=folded)


def split(grid: Grid, most: int = MOST_COLUMNS) -> list[Grid]:
    """Splits a table into tables of at most `most` columns, each with the `repeated` ones. The last has the notes."""
    names, others = range(grid.repeated), range(grid.repeated, len(grid.headers))
    step = most - grid.repeated
    parts = []
    for start in range(0, len(others) or 1, step):
        places = [*names, *others[start : start + step]]
        lines = [Line([line.cells[i] for i in places], line.muted) for line in grid.lines]
        headers, numbers = [grid.headers[i] for i in places], [grid.numbers[i] for i in places]
        parts.append(Grid(headers, numbers, lines, repeated=grid.repeated))
    return [*parts[:-1], replace(parts[-1], notes=grid.notes)]
