"""Shows the progress of a run: a live table on a terminal, and lines of text elsewhere."""

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

from rich import box
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from restbench.catalog import Cell
from restbench.measure.events import (
    Building,
    Built,
    Disturbed,
    Event,
    Failed,
    Missing,
    Observer,
    Planned,
    Remarked,
    Throttled,
    Verifying,
    Visited,
)
from restbench.render.labels import busiest, throttling
from restbench.results.rounds import DuetRound, LatencyRound, Round, SoloRound
from restbench.system.text import harmless, one_line

_RECENT = 12
"""Number of cells in the live table. The table has to fit on a screen."""

MOST_OF_A_FAILURE = 5000
"""Characters. A failure has a request and two answers, which results shorten already."""

_COLUMNS = ("cell", "rounds", "refused", "req/s", "ratio", "bottleneck")


@contextmanager
def progress_on(stream: TextIO, quiet: bool = False) -> Iterator[Observer]:
    """Yields an observer that shows progress on the stream until the context ends; with `quiet`, only failures."""
    console = Console(file=stream)
    if quiet:
        yield FailureProgress(console).observe
    elif console.is_terminal:
        with LiveProgress(console) as live:
            yield live.observe
    else:
        yield LineProgress(console).observe


def _note(event: Event) -> str | None:
    """The line for a new build, other programs, a remark or a failure. None for other events."""
    match event:
        case Disturbed(others, refused):
            why = f"{refused} rounds in a row were refused" if refused else "rounds may be refused"
            return f"[yellow]![/] {why}: other programs use the CPUs ({escape(busiest(others))})"
        case Throttled(quota, refused):
            return f"[yellow]![/] {refused} rounds in a row were refused: {escape(throttling(quota))}"
        case Built(entry, float(seconds), cached) if not cached:
            return f"{entry}: built in {seconds:.1f} s"
        case Remarked(entry, text):
            return f"{entry}: {escape(one_line(text))}"
        case Missing(where, reason):
            named = reason if reason.startswith(f"{where}: ") else f"{where}: {reason}"
            return f"[yellow]-[/] {escape(one_line(named))}"
        case Failed(entry, cell, failure, detail):
            where = str(cell) if cell else entry
            log = f"\n{escape(harmless(detail))}" if detail else ""
            return f"[red]✗[/] {where}: {escape(one_line(str(failure), MOST_OF_A_FAILURE))}{log}"
        case _:
            return None


class FailureProgress:
    """Progress with --quiet: one line per failure."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def observe(self, event: Event) -> None:
        if isinstance(event, Failed | Missing) and (note := _note(event)):
            self._console.print(note, highlight=False, soft_wrap=True)


class TimeLeft:
    """How much of a run is over, and the time that is left: as announced, corrected by what its rounds really take."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began = clock()
        self.visits = self.done = 0
        self._announced = self._since = 0.0
        self._ahead = 0

    def plan(self, planned: Planned) -> None:
        self.visits, self._announced, self._since = planned.visits, planned.seconds, self._clock()
        self._ahead = planned.visits - self.done

    def visited(self) -> None:
        """Counts a round. The first one ends what comes before the load, which says nothing about rounds."""
        if self.done == self.visits - self._ahead:
            now = self._clock()
            self._announced, self._since = max(0.0, self._announced - (now - self._since)), now
        self.done += 1

    @property
    def passed(self) -> float:
        return self._clock() - self._began

    @property
    def seconds(self) -> float:
        """The seconds that are left. What was announced counts like the first tenth of the rounds."""
        passed, over = self._clock() - self._since, self.done - (self.visits - self._ahead)
        if over == 0 or self._ahead == 0:  # as before the first announcement
            return max(0.0, self._announced - passed)
        pace = (self._announced / 10 + passed) / (self._ahead / 10 + over - 1)
        return max(0, self.visits - self.done) * pace


class LineProgress:
    """Progress for logs: a line for each build, remark and failure, and one line a minute about the rounds."""

    def __init__(self, console: Console, clock: Callable[[], float] = time.monotonic) -> None:
        self._console = console
        self._left = TimeLeft(clock)
        self._lines = 0

    def observe(self, event: Event) -> None:
        if note := _note(event):
            self._say(note)
        match event:
            case Planned(visits, seconds):
                self._left.plan(event)
                self._say(f"{visits} rounds, about {minutes(seconds)} in all, with builds, verification and warm-up")
            case Visited():
                self._left.visited()
            case _:
                pass
        if (passed := int(self._left.passed / 60)) > self._lines and (done := self._left.done):
            self._lines = passed
            # repeated rounds are not part of the planned number
            rounds = f"{done} of {max(done, self._left.visits)} rounds after {minutes(self._left.passed)}"
            self._say(f"{rounds}, about {minutes(self._left.seconds)} left")

    def _say(self, text: str) -> None:
        self._console.print(text, highlight=False, soft_wrap=True)


class LiveProgress:
    """Progress on a terminal: a bar, and the medians so far of the latest cells. A context manager."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._bar = Progress(
            TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"), TimeElapsedColumn(),
            TextColumn("about {task.fields[left]} left"), console=console,
        )  # fmt: skip
        self._task = self._bar.add_task("preparing", total=None, left="?")
        self._rounds: dict[Cell, list[Round]] = {}
        self._left = TimeLeft()
        self._live = Live(self._drawing(), console=console, refresh_per_second=4, transient=True)

    def __enter__(self) -> "LiveProgress":
        self._live.__enter__()
        return self

    def __exit__(self, *raised: object) -> None:
        self._live.__exit__(None, None, None)

    def observe(self, event: Event) -> None:
        if note := _note(event):
            self._console.print(note, highlight=False)
        match event:
            case Planned(visits, seconds):
                self._left.plan(event)
                self._bar.update(self._task, total=visits, left=minutes(seconds))
            case Building(entry):
                self._bar.update(self._task, description=f"building {entry}")
            case Verifying(entry):
                self._bar.update(self._task, description=f"verifying {entry}")
            case Visited():
                self._visited(event)
            case _:
                pass
        self._live.update(self._drawing())

    def _visited(self, event: Visited) -> None:
        self._left.visited()
        self._bar.update(self._task, advance=1, description=_doing(event), left=minutes(self._left.seconds))
        if event.result is not None:
            # moves the cell to the end, as the table shows the latest cells
            self._rounds[event.cell] = [*self._rounds.pop(event.cell, []), event.result]

    def _drawing(self) -> RenderableType:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for name in _COLUMNS:
            table.add_column(name, justify="left" if name in ("cell", "bottleneck") else "right", no_wrap=True)
        for cell, rounds in list(self._rounds.items())[-_RECENT:]:
            table.add_row(str(cell), *_figures(rounds))
        return Group(table, self._bar) if self._rounds else self._bar


def _doing(event: Visited) -> str:
    """Describes a finished round by its kind and cell."""
    match event.result:
        case SoloRound():
            return f"solo {event.cell}"
        case DuetRound():
            return f"duet {event.cell}"
        case LatencyRound(rate=rate):
            return f"{rate:,}/s {event.cell}"
        case None:
            return f"{event.kind} {event.cell}"


def _figures(rounds: Sequence[Round]) -> list[str]:
    """Medians of the rounds that count, in the order of the columns."""
    solo = [r for r in rounds if isinstance(r, SoloRound) and not r.invalid]
    duets = [r for r in rounds if isinstance(r, DuetRound) and not r.invalid]
    refused = sum(bool(r.invalid) for r in rounds if not isinstance(r, LatencyRound))
    costs = [r.cpu_us / r.baseline_cpu_us for r in duets if r.baseline_cpu_us > 0]
    return [
        str(len(solo) + len(duets)),
        str(refused or ""),
        f"{statistics.median(r.throughput for r in solo):,.0f}" if solo else "",
        f"{statistics.median(costs):.2f}" if costs else "",
        str(solo[-1].limit) if solo else "",
    ]


def minutes(seconds: float) -> str:
    """A duration in minutes and seconds: 3:07 min."""
    whole = max(0, round(seconds))
    return f"{whole // 60}:{whole % 60:02d} min"
