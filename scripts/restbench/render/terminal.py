"""Prints the board on a terminal, or as plain columns when the output is piped, and warnings about the run."""

from collections import Counter
from collections.abc import Collection, Iterable
from functools import partial
from io import StringIO

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.measure import Measurement
from rich.table import Table as RichTable

from restbench.board import Board, Row, Section, Table
from restbench.catalog.profiles import Profile
from restbench.loadgen import OHA
from restbench.render.columns import COLUMNS, reasons_of
from restbench.render.grid import Column, Grid, Text, make_grid, noted
from restbench.render.labels import ceiling, chain, reason, reference
from restbench.render.tables import features_grid, matrix_grid
from restbench.results.models import EntryResult, Limit
from restbench.system.advice import command_line, option

_COLUMNS = (
    *("group", "framework", "variant", "speed, % of the first", "relative cost", "req/s measured", "p50 / p90 / p99"),
    *("CPU µs per request", "peak memory", "bottleneck"),
)

_LEFT_OUT = (
    *("peak memory", "CPU µs per request", "p50 / p90 / p99", "bottleneck", "relative cost", "req/s measured"),
    "variant",
)
"""Columns that are left out on a narrow terminal, in this order."""

_PIPED_WIDTH = 140
"""Width in characters when the output is piped. The 80 characters that rich assumes would cut columns in logs."""

_TEXT_WIDTH = 200
"""Width in characters of a text that can be scrolled."""


def print_board(board: Board) -> None:
    """Prints one table per scenario on standard output, no wider than the terminal."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=_PIPED_WIDTH)
    _print_board(console, board)


def board_text(board: Board) -> str:
    """Returns the same tables as text."""
    console = Console(file=StringIO(), width=_TEXT_WIDTH, force_terminal=False)
    with console.capture() as printed:
        _print_board(console, board)
    return printed.get()


def _print_board(console: Console, board: Board) -> None:
    left_out: set[str] = set()
    for section in board.sections:
        for suite in section.suites:
            for table in suite.tables:
                left_out |= _print_table(console, f"{suite.title}: {table.title}", table)
            for matrix in suite.matrices:
                _print(console, f"{suite.title}: {matrix.title}, total seconds", matrix_grid(matrix))
            for features in suite.feature_tables:
                _print(console, f"{suite.title}: {features.title}", features_grid(features))
            if suite.ceilings:
                console.print(ceiling(suite.ceilings), highlight=False)
        console.print(_summary(section), highlight=False)
    if left_out:
        names = ", ".join(COLUMNS[name].brief[0] for name in _COLUMNS if name in left_out)
        console.print(f"This terminal is too narrow for: {names}. A wider terminal shows them.", highlight=False)


def _summary(section: Section) -> str:
    setting, most = section.setting, section.rounds
    how = f"{setting.target}, profile {setting.profile}, at most {most} rounds per cell, {setting.machine_class}"
    driven = reference(section.reference) if section.reference else None
    return "\n".join(filter(None, [how, driven, section.link_remark]))


def _print_table(console: Console, title: str, table: Table) -> set[str]:
    """Prints a table with its notes below. Returns the names of the columns that are left out."""
    left_out: set[str] = set()
    unlimited = console.options.update(max_width=10_000)  # nothing is cut or wrapped
    for name in _LEFT_OUT:
        if Measurement.get(console, unlimited, _rich(_grid(table, left_out), no_wrap=True)).maximum <= console.width:
            break
        left_out.add(name)
    _print(console, title, _grid(table, left_out), no_wrap=True)
    for found in table.chains:
        if len(found.groups) > 1:
            console.print(f"{found.language}, fastest first: {chain(table, found)}", highlight=False, markup=False)
    return left_out


def _grid(table: Table, left_out: Collection[str]) -> Grid:
    """The table without the columns that are left out.

    Note numbers are in the column "bottleneck", or in "framework" if that is left out.
    """
    reasons = reasons_of(table.rows, [])
    marked = "framework" if "bottleneck" in left_out else "bottleneck"

    def cell(name: str, row: Row) -> str | Text:
        text = COLUMNS[name].brief[1](row)
        return noted(text, reason(row), reasons) if name == marked else text

    columns = [
        Column(COLUMNS[name].brief[0], partial(cell, name), COLUMNS[name].number)
        for name in _COLUMNS
        if name not in left_out
    ]
    return make_grid(columns, table.rows, reasons, muted=lambda row: not row.compared)


def _print(console: Console, title: str, grid: Grid, no_wrap: bool = False) -> None:
    """Prints a title, a table and its notes. The notes may be wider than the table, up to the terminal's width.

    Unless `no_wrap`, headings and cells wrap on a narrow terminal.
    """
    console.print(f"[bold]{escape(title)}[/]", highlight=False)
    console.print(_rich(grid, no_wrap))
    for number, note in enumerate(grid.notes, start=1):
        console.print(f"{number}. {escape(note)}", highlight=False)
    if grid.notes:
        console.print()


def _rich(grid: Grid, no_wrap: bool) -> RichTable:
    rich = RichTable(box=box.SIMPLE_HEAD, pad_edge=False)
    for header, number in zip(grid.headers, grid.numbers, strict=True):
        rich.add_column(header, justify="right" if number else "left", no_wrap=no_wrap)
    for line in grid.lines:
        parts = [(cell.text, cell.detail, f"[{cell.note}]" if cell.note else "") for cell in line.cells]
        texts = [escape(" ".join(filter(None, each))) for each in parts]
        rich.add_row(*texts, style="dim" if line.muted else "")
    return rich


_MANY = 0.25
"""Share of refused rounds above which a warning is given."""


def warnings_of(results: list[EntryResult], profile: Profile) -> Iterable[str]:
    """Yields one line for each problem of the run, with its remedy."""
    cells = [cell for result in results for cell in result.cells]
    refused = Counter[str]()
    for cell in cells:
        refused.update(cell.refused)
    rounds = refused.total() + sum(cell.solo.count for cell in cells)
    if not rounds:
        return
    machines = [run.machine for result in results for run in result.runs.values()]
    if any(not machine.pinned for machine in machines):
        yield (
            "one CPU only: app and load generator share it, so every throughput is a lower bound. "
            "Use a machine with two or more CPUs."
        )
    if refused.total() > _MANY * rounds:
        reason, count = refused.most_common(1)[0]
        yield (
            f"{refused.total()} of {rounds} rounds were refused, {count} of them because: {reason}. "
            f"Stop other programs, or take a profile with more rounds, such as {option('profile', 'full')}."
        )
    if noisy := sum(set(cell.solo.limit) == {Limit.NOISE} for cell in cells):
        yield (
            f"{noisy} of {len(cells)} cells were limited by something other than the app and are not compared. "
            "Stop other programs and measure again."
        )
    if slow := sum(any("no PGO" in (run.runtime_build or "") for run in result.runs.values()) for result in results):
        yield (
            f"{slow} of {len(results)} entries ran on an interpreter that was compiled without profile-guided "
            f"optimisation (PGO), and are slower than elsewhere. {command_line('doctor')} names the remedy."
        )
    if profile.latency_rounds and not all(machine.had(OHA.name) for machine in machines):
        yield f"latency at a fixed rate was not measured: {OHA.name} is missing: {OHA.remedy}."
