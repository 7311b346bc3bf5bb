"""What each run found of a cell, as points of a trend."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from math import exp, fsum, log, sqrt

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
    """The points of a cell, or of all cells together, in the order of time. `title` says what they are."""

    cell: str
    title: str
    points: list[Point]


RELATIVE, ABSOLUTE = "relative cost", "CPU µs per request"
OVERALL = "speed, % of the newest run"


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
    return Trend(cell, RELATIVE if relative else ABSOLUTE, points)


def overall(trends: Iterable[Trend]) -> Trend | None:
    """The speed over all cells, as a share of that in the newest run. None without cells.

    It is the geometric mean over the cells that a run has figures of, each relative to its newest figure. Relative
    costs are taken where there are any, as they do not depend on the machine. The bounds are those of the cells' own
    rounds, taken as independent.
    """
    known = [trend for trend in trends if trend.points]
    cells = [trend for trend in known if trend.title == RELATIVE] or known
    by_run: dict[datetime, list[tuple[Point, float]]] = defaultdict(list)
    for trend in cells:
        for point in trend.points:
            by_run[point.at].append((point, log(trend.points[-1].middle)))
    points = [_together(by_run[at]) for at in sorted(by_run)]
    return Trend("all cells together", OVERALL, points) if points else None


def _together(found: list[tuple[Point, float]]) -> Point:
    """The mean of the speeds of several cells in one run. `found` has the logarithm of the newest cost beside each."""
    speed = fsum(newest - log(point.middle) for point, newest in found) / len(found)
    error = sqrt(fsum((log(point.high / point.low) / 2) ** 2 for point, _ in found)) / len(found)
    first = found[0][0]
    changed = next((point.changed for point, _ in found if point.changed), None)
    middle, low, high = (100 * exp(speed + reach) for reach in (0.0, -error, error))
    return Point(first.at, middle, low, high, first.version, changed)


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
