"""The board on a terminal; plain columns when piped."""

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable

from restbench.board import Board, Row, Section, Table
from restbench.columns import grades_grid, matrix_grid
from restbench.grid import Grid
from restbench.numbers import at_least, figure, interval, rank_range
from restbench.results.models import Limit, RateKind
from restbench.words import agreement, ceiling, limited_by, reason, reference, rounds, speed

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
    "limited by",
)

_TEXTS = ("framework", "variant", "limited by")

_PIPED_WIDTH = 140
"""Nobody wants a log's columns cut to the 80 characters that rich assumes."""


def print_board(board: Board) -> None:
    """One table per scenario on standard output."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=_PIPED_WIDTH)
    for section in board.sections:
        for suite in section.suites:
            for table in suite.tables:
                console.print(_table(f"{suite.title}: {table.title}", table))
            for matrix in suite.matrices:
                console.print(_grid(f"{suite.title}: {matrix.title}, total seconds", matrix_grid(matrix)))
            for grades in suite.grades:
                console.print(_grid(f"{suite.title}: {grades.title}", grades_grid(grades)))
            if suite.ceilings:
                console.print(ceiling(suite.ceilings), highlight=False)
        console.print(_summary(section), highlight=False)


def _summary(section: Section) -> str:
    setting, counted = section.setting, rounds(section.solo_rounds, section.duet_rounds)
    lines = [f"{setting.target}, profile {setting.profile}, at most {counted} per cell, {setting.machine_class}"]
    if section.reference:
        lines.append(reference(section.reference))
    if section.agreement:
        lines.append(agreement(section.agreement))
    return "\n".join(lines)


def _table(title: str, table: Table) -> RichTable:
    notes = list(dict.fromkeys(said for row in table.rows if (said := reason(row))))
    rich = _empty(title, notes)
    for name in _COLUMNS:
        rich.add_column(name, justify="left" if name in _TEXTS else "right", no_wrap=True)
    for row in table.rows:
        rich.add_row(*_cells(row, notes), style="" if row.ranked else "dim")
    return rich


def _empty(title: str, notes: list[str]) -> RichTable:
    rich = RichTable(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    rich.caption = "\n".join(f"{number}. {escape(note)}" for number, note in enumerate(notes, start=1))
    rich.caption_justify = "left"
    return rich


def _grid(title: str, grid: Grid) -> RichTable:
    rich = _empty(title, grid.notes)
    for header, number in zip(grid.headers, grid.numbers, strict=True):
        rich.add_column(header, justify="right" if number else "left")
    for line in grid.lines:
        rich.add_row(
            *[escape(" ".join(filter(None, [cell.text, cell.detail, _mark(cell.note)]))) for cell in line.cells]
        )
    return rich


def _mark(note: int | None) -> str:
    return f"[{note}]" if note else ""


def _cells(row: Row, notes: list[str]) -> list[str]:
    name = [escape(f"{row.title} {row.version or ''}".strip()), row.variant or ""]
    said = reason(row)
    limit = f"{limited_by(row)} {escape(_mark(notes.index(said) + 1 if said else None))}".strip()
    cost = "1" if row.baseline else interval(row.relative_cost) if row.relative_cost else ""
    if row.throughput is None or row.cpu_us is None:
        return ["✗" if row.failure else "", *name, "", cost, *[""] * 4, limit]
    common = row.latency.get(RateKind.COMMON)
    return [
        rank_range(row.rank_first, row.rank_last) if row.rank_first and row.rank_last else "",
        *name,
        speed(row),
        cost,
        at_least(figure(row.throughput.middle), row.limit == Limit.LOAD_GENERATOR),
        f"{common.latency.p99:.1f}" if common else "",
        figure(row.cpu_us.middle),
        f"{(row.memory_bytes or 0) / 1e6:.0f}",
        limit,
    ]
