"""Tables as text that people can review."""

from collections.abc import Iterable, Iterator

from restbench.render.grid import Grid, Text

ALL = ("",)
"""What the titles of all columns begin with."""


def columns(grid: Grid, begin: tuple[str, ...] = ALL) -> Iterator[str]:
    """Each column that begins so as a line, from the first row to the last, and the notes."""
    for place, header in enumerate(grid.headers):
        if header.startswith(begin):
            cells = [line.cells[place] for line in grid.lines]
            yield f"  {header}{', folded' if header in grid.folded else ''}: {' | '.join(map(_cell, cells))}"
    yield from (f"  {number}. {note}" for number, note in enumerate(grid.notes, 1))


def cases_text(cases: Iterable[tuple[str, Grid]], begin: tuple[str, ...] = ALL) -> str:
    """Tables below what they are examples of."""
    return "\n".join("\n".join([title, *columns(grid, begin), ""]) for title, grid in cases)


def _cell(cell: Text) -> str:
    return " ".join(filter(None, [cell.text, cell.detail, f"[{cell.note}]" if cell.note else ""]))
