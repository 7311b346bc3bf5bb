"""Prints the answer of a run on a terminal, or as plain columns where that is piped, and warnings about the run."""

from collections import Counter
from collections.abc import Iterable
from functools import partial
from io import StringIO

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.measure import Measurement
from rich.table import Table as RichTable

from restbench.board import Board, Row, Section, Table
from restbench.board.models import SuiteTables
from restbench.measure.gate import THROTTLED
from restbench.render.answer import RunAnswer
from restbench.render.columns import COLUMNS, reasons_of
from restbench.render.formats import MISSING, sentence
from restbench.render.grid import Column, Grid, Text, make_grid, noted
from restbench.render.labels import ceiling, chain, reason, reference
from restbench.render.tables import features_grid, matrix_grid
from restbench.results.models import EntryResult, Limit
from restbench.system.advice import command_line, option
from restbench.system.quotas import REMEDY

_COLUMNS = (
    *("group", "framework", "variant", "speed, % of the first", "relative cost", "req/s measured", "p50 / p90 / p99"),
    *("CPU µs per request", "peak memory", "bottleneck"),
)

_PIPED_WIDTH = 140
"""Width in characters when the output is piped. The 80 characters that rich assumes would cut columns in logs."""

_TEXT_WIDTH = 200
"""Width in characters of a text that can be scrolled."""

_NARROWEST = 18
"""The least width in characters of the titles of scenarios, which wrap."""

_BAR_WIDTH = 12
_BLOCKS = " ▏▎▍▌▋▊▉"
"""Eighths of a character."""


def print_answer(answer: RunAnswer) -> None:
    """Prints an answer on standard output, no wider than the terminal."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=_PIPED_WIDTH)
    _print_answer(console, answer)


def answer_text(answer: RunAnswer, board: Board) -> str:
    """Returns an answer and all tables of the board as text."""
    console = Console(file=StringIO(), width=_TEXT_WIDTH, force_terminal=False)
    with console.capture() as printed:
        _print_answer(console, answer)
        for section in board.sections:
            for suite in section.suites:
                _print_suite(console, suite)
            console.print(_summary(section), highlight=False)
    return printed.get()


def _print_answer(console: Console, answer: RunAnswer) -> None:
    for each in answer.sentences:
        console.print(escape(each), highlight=False)
    if answer.command:
        console.print(f"  {answer.command}", highlight=False, markup=False, soft_wrap=True)
    if answer.grid:
        left_out = _print_fitting(console, answer.grid)
        narrow = [f"this terminal is too narrow for {', '.join(left_out)}"] if left_out else []
        if legend := "; ".join(filter(None, [answer.legend, *narrow])):
            console.print(f"[dim]{escape(legend)}[/]", highlight=False)
    for line in answer.lacking:
        console.print(escape(line), highlight=False)


def _print_fitting(console: Console, grid: Grid) -> list[str]:
    """Prints a table with as many columns as there is room for. Returns the headers of the others.

    The first column may wrap. The last one has bars beside it where there is room for them.
    """
    every, unlimited = len(grid.headers), console.options.update(max_width=10_000)
    for count, bars in [(every, True), *((count, False) for count in range(every, 1, -1))]:
        rich = _of_answer(grid, count, bars)
        if Measurement.get(console, unlimited, rich).minimum <= console.width:
            break
    console.print(rich)
    return grid.headers[count:]


def _of_answer(grid: Grid, count: int, bars: bool) -> RichTable:
    """The first `count` columns of a table."""
    rich = RichTable(box=box.SIMPLE_HEAD, pad_edge=False)
    widths = [max([len(line.cells[i].text) for line in grid.lines], default=0) for i in range(count)]
    rich.add_column(grid.headers[0], min_width=min(widths[0], _NARROWEST))
    for header, width in zip(grid.headers[1:count], widths[1:], strict=True):
        rich.add_column(header, justify="right", min_width=width)
    if bars and any(line.cells[-1].bar for line in grid.lines):
        rich.add_column("", min_width=_BAR_WIDTH, no_wrap=True)
    for line in grid.lines:
        cells = [escape(cell.text) for cell in line.cells[:count]]
        rich.add_row(*cells, *([_bar(line.cells[-1].bar or 0.0)] if len(rich.columns) > count else []))
    return rich


def _bar(share: float) -> str:
    eighths = round(8 * _BAR_WIDTH * share)
    return "█" * (eighths // 8) + _BLOCKS[eighths % 8].strip()


def _print_suite(console: Console, suite: SuiteTables) -> None:
    for table in suite.tables:
        if not table.unmeasured:
            _print(console, f"{suite.title}: {table.title}", _grid(table))
            for found in table.chains:
                if len(found.groups) > 1:
                    line = f"{found.language}, fastest first: {chain(table, found)}"
                    console.print(line, highlight=False, markup=False)
    for matrix in suite.matrices:
        if matrix.columns:
            _print(console, f"{suite.title}: {matrix.title}, total seconds", matrix_grid(matrix))
    for features in suite.feature_tables:
        _print(console, f"{suite.title}: {features.title}", features_grid(features))
    if suite.ceilings:
        console.print(ceiling(suite.ceilings), highlight=False)


def _summary(section: Section) -> str:
    setting, most = section.setting, section.rounds
    how = f"{setting.target}, profile {setting.profile}, at most {most} rounds per cell, {setting.machine_class}"
    driven = reference(section.reference) if section.reference else None
    return "\n".join(filter(None, [how, driven]))


def _grid(table: Table) -> Grid:
    reasons = reasons_of(table.rows, [])

    def cell(name: str, row: Row) -> str | Text:
        text = COLUMNS[name].brief[1](row) or MISSING
        return noted(text, reason(row), reasons) if name == "bottleneck" else text

    columns = [Column(COLUMNS[name].brief[0], partial(cell, name), COLUMNS[name].number) for name in _COLUMNS]
    return make_grid(columns, table.rows, reasons, muted=lambda row: not row.compared)


def _print(console: Console, title: str, grid: Grid) -> None:
    """Prints a title, a table and its notes. The notes may be wider than the table, up to the width of the text."""
    console.print(f"[bold]{escape(title)}[/]", highlight=False)
    rich = RichTable(box=box.SIMPLE_HEAD, pad_edge=False)
    for header, is_number in zip(grid.headers, grid.numbers, strict=True):
        rich.add_column(header, justify="right" if is_number else "left")
    for line in grid.lines:
        parts = [(cell.text, cell.detail, f"[{cell.note}]" if cell.note else "") for cell in line.cells]
        rich.add_row(*(escape(" ".join(filter(None, each))) for each in parts))
    console.print(rich)
    for number, note in enumerate(grid.notes, start=1):
        console.print(f"{number}. {escape(note)}", highlight=False)
    if grid.notes:
        console.print()


_MANY = 0.25
"""Share of refused rounds above which a warning is given."""


def warnings_of(results: list[EntryResult]) -> Iterable[str]:
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
        usual = f"Stop other programs, or take a profile with more rounds, such as {option('profile', 'full')}"
        yield (
            f"{refused.total()} of {rounds} rounds were refused, {count} of them because: {reason}. "
            f"{sentence(REMEDY) if reason == THROTTLED else usual}."
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
