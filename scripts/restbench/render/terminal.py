"""Prints the board on a terminal, or as plain columns when the output is piped."""

from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.measure import Measurement
from rich.table import Table as RichTable

from restbench.board import Board, Row, Section, Table
from restbench.render.columns import features_grid, matrix_grid
from restbench.render.formats import at_least, figure, interval, rank_range
from restbench.render.grid import Grid
from restbench.render.labels import agreement, ceiling, limited_by, reason, reference, rounds, speed
from restbench.results.models import Limit, RateKind

_COLUMNS = (
    "rank",
    "framework",
    "variant",
    "speed req/s",
    "relative cost",
    "measured req/s",
    "p99 ms",
    "CPU µs/req",
    "MB",
    "bottleneck",
)

_LEFT_OUT = ("MB", "CPU µs/req", "p99 ms", "measured req/s", "bottleneck", "relative cost", "variant")
"""Columns that are left out on a narrow terminal, in this order."""

_TEXTS = ("framework", "variant", "bottleneck")

_PIPED_WIDTH = 140
"""Width in characters when the output is piped. The 80 characters that rich assumes would cut columns in logs."""


def print_board(board: Board) -> None:
    """Prints one table per scenario on standard output, no wider than the terminal."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=_PIPED_WIDTH)
    left_out: set[str] = set()
    for section in board.sections:
        for suite in section.suites:
            for table in suite.tables:
                left_out |= _print_table(console, f"{suite.title}: {table.title}", table)
            for matrix in suite.matrices:
                _print_grid(console, f"{suite.title}: {matrix.title}, total seconds", matrix_grid(matrix))
            for features in suite.feature_tables:
                _print_grid(console, f"{suite.title}: {features.title}", features_grid(features))
            if suite.ceilings:
                console.print(ceiling(suite.ceilings), highlight=False)
        console.print(_summary(section), highlight=False)
    if left_out:
        names = ", ".join(name for name in _COLUMNS if name in left_out)
        console.print(f"This terminal is too narrow for: {names}. A wider terminal shows them.", highlight=False)


def _summary(section: Section) -> str:
    setting, counted = section.setting, rounds(section.solo_rounds, section.duet_rounds)
    lines = [f"{setting.target}, profile {setting.profile}, at most {counted} per cell, {setting.machine_class}"]
    if section.reference:
        lines.append(reference(section.reference))
    if section.agreement:
        lines.append(agreement(section.agreement))
    return "\n".join(lines)


def _print_table(console: Console, title: str, table: Table) -> set[str]:
    """Prints a table with its notes below. Returns the names of the columns that are left out."""
    notes = list(dict.fromkeys(said for row in table.rows if (said := reason(row))))
    left_out: set[str] = set()
    for name in _LEFT_OUT:
        if _width(console, _table(table, notes, left_out)) <= console.width:
            break
        left_out.add(name)
    _print(console, title, _table(table, notes, left_out), notes)
    return left_out


def _table(table: Table, notes: Sequence[str], left_out: Iterable[str]) -> RichTable:
    """The table without the columns that are left out.

    Note numbers are in the column "bottleneck", or in "framework" if that is left out.
    """
    rich = _empty()
    columns = [name for name in _COLUMNS if name not in left_out]
    for name in columns:
        rich.add_column(name, justify="left" if name in _TEXTS else "right", no_wrap=True)
    for row in table.rows:
        cells = _cells(row)
        if mark := _mark(notes.index(said) + 1 if (said := reason(row)) else None):
            marked = "bottleneck" if "bottleneck" in columns else "framework"
            cells[marked] = f"{cells[marked]} {escape(mark)}".strip()
        rich.add_row(*(cells[name] for name in columns), style="" if row.ranked else "dim")
    return rich


def _width(console: Console, table: RichTable) -> int:
    """The width of a table in characters when nothing is cut or wrapped."""
    return Measurement.get(console, console.options.update(max_width=10_000), table).maximum


def _empty() -> RichTable:
    return RichTable(box=box.SIMPLE_HEAD, pad_edge=False)


def _print(console: Console, title: str, table: RichTable, notes: Sequence[str]) -> None:
    """Prints a title, a table and its notes. The notes may be wider than the table, up to the terminal's width."""
    console.print(f"[bold]{escape(title)}[/]", highlight=False)
    console.print(table)
    for number, note in enumerate(notes, start=1):
        console.print(f"{number}. {escape(note)}", highlight=False)
    if notes:
        console.print()


def _print_grid(console: Console, title: str, grid: Grid) -> None:
    """Prints a matrix or feature table. Its headings wrap on a narrow terminal."""
    rich = _empty()
    for header, number in zip(grid.headers, grid.numbers, strict=True):
        rich.add_column(header, justify="right" if number else "left")
    for line in grid.lines:
        rich.add_row(
            *[escape(" ".join(filter(None, [cell.text, cell.detail, _mark(cell.note)]))) for cell in line.cells]
        )
    _print(console, title, rich, grid.notes)


def _mark(note: int | None) -> str:
    return f"[{note}]" if note else ""


def _cells(row: Row) -> dict[str, str]:
    """Column name → text. The text is empty if nothing was measured."""
    cells = dict.fromkeys(_COLUMNS, "") | {
        "framework": escape(f"{row.title} {row.version or ''}".strip()),
        "variant": row.variant or "",
        "relative cost": "1" if row.baseline else interval(row.relative_cost) if row.relative_cost else "",
        "bottleneck": limited_by(row),
    }
    if row.throughput is None or row.cpu_us is None:
        return cells | {"rank": "✗" if row.failure else ""}
    common = row.latency.get(RateKind.COMMON)
    return cells | {
        "rank": rank_range(row.rank_first, row.rank_last) if row.rank_first and row.rank_last else "",
        "speed req/s": speed(row),
        "measured req/s": at_least(figure(row.throughput.middle), row.limit == Limit.LOAD_GENERATOR),
        "p99 ms": f"{common.p99:.1f}" if common else "",
        "CPU µs/req": figure(row.cpu_us.middle),
        "MB": f"{(row.memory_bytes or 0) / 1e6:.0f}",
    }
