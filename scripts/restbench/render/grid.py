"""A table as text: what README and report print alike, each in its own markup."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from restbench.render.formats import MISSING

R = TypeVar("R")


@dataclass(frozen=True)
class Text:
    """One cell. `detail` follows the text, which may be a link; `note` is the number of a note under the table."""

    text: str
    href: str | None = None
    detail: str = ""
    note: int | None = None


@dataclass(frozen=True)
class Column(Generic[R]):
    """A column and how a row's cell is made. Columns of numbers are aligned to the right."""

    title: str
    cell: Callable[[R], str | Text]
    number: bool = False
    required: bool = False


@dataclass(frozen=True)
class Line:
    """A row of cells. `muted` marks what is not ranked."""

    cells: list[Text]
    muted: bool = False


@dataclass(frozen=True)
class Grid:
    """Headers, lines of as many cells, and the notes that cells point to, numbered from 1."""

    headers: list[str]
    numbers: list[bool]
    lines: list[Line]
    notes: list[str] = field(default_factory=list)


def make_grid(
    columns: Sequence[Column[R]],
    rows: Sequence[R],
    notes: Sequence[str] = (),
    muted: Callable[[R], bool] = lambda _: False,
) -> Grid:
    """The rows in those columns. A column in which no row has anything is left out unless it is required."""
    made = [(column, [_text(column.cell(row)) for row in rows]) for column in columns]
    kept = [(column, cells) for column, cells in made if column.required or any(c.text != MISSING for c in cells)]
    lines = [Line([cells[i] for _, cells in kept], muted(row)) for i, row in enumerate(rows)]
    return Grid([c.title for c, _ in kept], [c.number for c, _ in kept], lines, list(notes))


def _text(cell: str | Text) -> Text:
    return cell if isinstance(cell, Text) else Text(cell)
