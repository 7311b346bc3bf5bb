"""What each run found of a cell, as points of a trend."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from restbench.board.models import Setting
from restbench.results.history import History
from restbench.results.history_lines import CellFigures, EntryLine, RunLine


@dataclass(frozen=True)
class Measured:
    """What a run found of an entry."""

    run: RunLine
    line: EntryLine


@dataclass(frozen=True)
class Point:
    """A figure of a cell in one run, with its bounds.

    `changed` says what differs from the run before it, or is None.
    """

    at: datetime
    middle: float
    low: float
    high: float
    version: str | None
    changed: str | None = None


@dataclass(frozen=True)
class Trend:
    """The points of a cell in the order of time. They are relative costs, or CPU times per request in microseconds."""

    cell: str
    relative: bool
    points: list[Point]

    @property
    def title(self) -> str:
        return "relative cost" if self.relative else "CPU µs per request"


Place = tuple[str, Setting]
"""An entry under a setting."""


def by_entry(histories: Iterable[History]) -> dict[Place, list[Measured]]:
    """What all runs found, by entry and setting, in the order of time."""
    found: dict[Place, list[Measured]] = defaultdict(list)
    for history in histories:
        for line in history.entries:
            run = history.runs[line.run]
            found[line.entry, Setting(run.target, run.profile, run.machine)].append(Measured(run, line))
    for measured in found.values():
        measured.sort(key=lambda each: each.run.at)
    return dict(found)


def trends_of(measured: Iterable[Measured]) -> list[Trend]:
    """A trend for each cell that has figures. A failed cell leaves a gap."""
    figures: dict[str, list[tuple[Measured, CellFigures]]] = defaultdict(list)
    for each in measured:
        for key, cell in each.line.cells.items():
            if isinstance(cell, CellFigures):
                figures[key].append((each, cell))
    return [_trend(cell, found) for cell, found in sorted(figures.items())]


def _trend(cell: str, found: list[tuple[Measured, CellFigures]]) -> Trend:
    """Relative costs where the newest run has one: they do not depend on the machine. Else CPU times."""
    relative = found[-1][1].relative_cost is not None
    points: list[Point] = []
    before: Measured | None = None
    for each, figures in found:
        figure = figures.relative_cost_interval if relative else figures.cpu_us_interval
        if figure is None:
            continue
        changed = what_differs(before, each, relative) if before else None
        points.append(Point(each.run.at, figure.middle, figure.low, figure.high, each.line.version, changed))
        before = each
    return Trend(cell, relative, points)


def what_differs(before: Measured, after: Measured, relative: bool) -> str | None:
    """What differs between two runs of an entry, as text. None if nothing does that could change a figure.

    `relative`: the figure is a relative cost, which changes with the baseline too.
    """
    pairs = {
        "version": (before.line.version, after.line.version),
        "runtime": (before.line.runtime, after.line.runtime),
        "code": (before.line.files, after.line.files),
        "baseline": (before.line.baseline, after.line.baseline) if relative else (None, None),
        "harness": (before.run.harness, after.run.harness),
        "CPU": (before.run.cpu, after.run.cpu),
        "kernel": (before.run.kernel, after.run.kernel),
    }
    told = [f"{what} {old} → {new}" for what, (old, new) in pairs.items() if old != new]
    return "; ".join(told) or None
