"""The board on a terminal; plain columns when piped."""

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable

from restbench.board import Board, Row, Section, Table
from restbench.columns import grades_grid, matrix_grid
from restbench.grid import Grid
from restbench.words import ceiling

_COLUMNS = (
    "rank",
    "framework",
    "variant",
    "req/s",
    "interval",
    "% of best",
    "p99 ms",
    "CPU µs/req",
    "MB",
    "limited by",
)

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
    setting = section.setting
    rounds = f"{section.rounds} round{'s' if section.rounds > 1 else ''}"
    return f"{setting.target}, profile {setting.profile}, {rounds}, {setting.machine_class}"


def _table(title: str, table: Table) -> RichTable:
    rich = RichTable(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for name in _COLUMNS:
        rich.add_column(
            name, justify="left" if name in ("framework", "variant", "limited by") else "right", no_wrap=True
        )
    tied = {row.rank for row in table.rows if sum(other.rank == row.rank for other in table.rows) > 1}
    for row in table.rows:
        rich.add_row(*_cells(row, tied), style="dim" if row.rank is None else "")
    return rich


def _grid(title: str, grid: Grid) -> RichTable:
    rich = RichTable(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    rich.caption = "\n".join(f"{number}. {escape(note)}" for number, note in enumerate(grid.notes, start=1))
    rich.caption_justify = "left"
    for header, number in zip(grid.headers, grid.numbers, strict=True):
        rich.add_column(header, justify="right" if number else "left")
    for line in grid.lines:
        rich.add_row(
            *[escape(" ".join(filter(None, [cell.text, cell.detail, _mark(cell.note)]))) for cell in line.cells]
        )
    return rich


def _mark(note: int | None) -> str:
    return f"[{note}]" if note else ""


def _cells(row: Row, tied: set[int | None]) -> list[str]:
    name = f"{row.title} {row.version or ''}".strip()
    if row.throughput is None or row.cpu_us is None:
        return [
            "" if row.not_run else "✗",
            escape(name),
            row.variant or "",
            *[""] * 6,
            escape((row.failure or row.not_run or "")[:80]),
        ]
    rank = "" if row.rank is None else f"{row.rank}{'=' if row.rank in tied else ''}"
    speed = row.throughput
    return [
        rank,
        escape(name),
        row.variant or "",
        f"{speed.median:,.0f}",
        f"{speed.low:,.0f}–{speed.high:,.0f}" if speed.has_interval else "",
        f"{row.percent_of_best:.0f}" if row.percent_of_best is not None else "",
        f"{row.fixed_rate.latency.p99:.1f}" if row.fixed_rate else "",
        f"{row.cpu_us.median:.0f}",
        f"{(row.memory_bytes or 0) / 1e6:.0f}",
        str(row.limit or ""),
    ]
