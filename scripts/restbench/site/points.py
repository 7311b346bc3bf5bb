"""What each run found of a cell, as points of a trend."""

from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from math import exp, fsum, log, sqrt

from restbench.board.models import Setting
from restbench.catalog.load import Titles
from restbench.changes.records import ChangeRecord
from restbench.changes.regressions import ALL_CELLS
from restbench.render.formats import percent
from restbench.results.history import CellFigures, EntryLine, History, RunLine, suite_of
from restbench.stats.estimates import MARGIN

GAP = timedelta(days=18)
"""Points further apart are not joined: weekly runs between them are missing."""


@dataclass(frozen=True)
class RunOfEntry:
    """What a run found of an entry. `anew`: the suites of which the contract has changed since its first run."""

    run: RunLine
    line: EntryLine
    anew: Set[str] = frozenset()


@dataclass(frozen=True)
class Point:
    """A figure of a cell in one run, with its bounds.

    `changed` says what differs from the run before it, or why there is none before the first one. Else it is None.
    """

    at: datetime
    middle: float
    low: float
    high: float
    version: str | None
    changed: str | None = None


@dataclass(frozen=True)
class Trend:
    """The points of a cell, or of all cells together, in the order of time. `title` says what they are.

    `relative`: they are relative to a baseline of the same job, so they do not depend on the machine of each run.
    """

    cell: str
    title: str
    points: list[Point]
    relative: bool


RELATIVE, ABSOLUTE = "relative cost", "CPU µs per request"
OVERALL = "speed, % of the newest run"


EntrySetting = tuple[str, Setting]
"""An entry under a setting."""


def by_entry(histories: Iterable[History]) -> dict[EntrySetting, list[RunOfEntry]]:
    """What all runs found, by entry and setting, in the order of time.

    Figures of an earlier contract than the newest one of their suite are left out: they are of other work.
    """
    found: dict[EntrySetting, list[RunOfEntry]] = defaultdict(list)
    for history in histories:
        for line in history.entries:
            run = history.runs[line.run]
            found[line.entry, Setting(run.target, run.profile, run.machine)].append(RunOfEntry(run, line))
    return {key: _of_one_contract(sorted(measured, key=lambda each: each.run.at)) for key, measured in found.items()}


def _of_one_contract(measured: Sequence[RunOfEntry]) -> list[RunOfEntry]:
    """The runs of an entry, without figures of earlier contracts. What failed stays."""
    newest: dict[str, int] = {}
    anew: set[str] = set()
    for suite, number in (each for run in measured for each in run.line.contracts_of_suites.items()):
        if newest.setdefault(suite, number) != number:
            anew.add(suite)
        newest[suite] = max(newest[suite], number)

    def without_earlier(line: EntryLine) -> EntryLine:
        own = line.contracts_of_suites
        kept = {
            key: cell
            for key, cell in line.cells.items()
            if not isinstance(cell, CellFigures) or own[suite_of(key)] == newest[suite_of(key)]
        }
        return line.model_copy(update={"cells": kept})

    return [RunOfEntry(each.run, without_earlier(each.line), anew) for each in measured] if anew else list(measured)


def trends_of(measured: Iterable[RunOfEntry], titles: Titles) -> list[Trend]:
    """A trend for each cell that has figures. A failed cell leaves a gap."""
    figures: dict[str, list[tuple[RunOfEntry, CellFigures]]] = defaultdict(list)
    for each in measured:
        for key, cell in each.line.cells.items():
            if isinstance(cell, CellFigures):
                figures[key].append((each, cell))
    return [_trend(cell, found, titles) for cell, found in sorted(figures.items())]


def _trend(cell: str, found: list[tuple[RunOfEntry, CellFigures]], titles: Titles) -> Trend:
    """Relative costs where the newest run has one: they do not depend on the machine. Else CPU times."""
    suite = suite_of(cell)
    begins = f"the contract of {titles(suite)} changed: earlier figures are of other work"
    relative = found[-1][1].relative_cost is not None
    points: list[Point] = []
    before: RunOfEntry | None = None
    for each, figures in found:
        figure = figures.relative_cost_interval if relative else figures.cpu_us_interval
        if figure is None:
            continue
        changed = what_differs(before, each, relative, titles) if before else begins if suite in each.anew else None
        points.append(Point(each.run.at, figure.middle, figure.low, figure.high, each.line.version, changed))
        before = each
    return Trend(titles(cell), RELATIVE if relative else ABSOLUTE, points, relative)


def overall(trends: Iterable[Trend]) -> Trend | None:
    """The speed over all cells, as a share of that in the newest run. None without cells.

    It is the geometric mean over the cells that a run has figures of, each relative to its newest figure. Relative
    costs are taken where there are any, as they do not depend on the machine. The bounds are those of the cells' own
    rounds, taken as independent.
    """
    known = [trend for trend in trends if trend.points]
    cells = [trend for trend in known if trend.relative] or known
    by_run: dict[datetime, list[tuple[Point, float]]] = defaultdict(list)
    for trend in cells:
        for point in trend.points:
            by_run[point.at].append((point, log(trend.points[-1].middle)))
    points = [_together(by_run[at]) for at in sorted(by_run)]
    return Trend(ALL_CELLS, OVERALL, points, cells[0].relative) if points else None


def _together(found: list[tuple[Point, float]]) -> Point:
    """The mean of the speeds of several cells in one run. `found` has the logarithm of the newest cost beside each."""
    speed = fsum(newest - log(point.middle) for point, newest in found) / len(found)
    error = sqrt(fsum((log(point.high / point.low) / 2) ** 2 for point, _ in found)) / len(found)
    first = found[0][0]
    changed = "; ".join(dict.fromkeys(point.changed for point, _ in found if point.changed)) or None
    middle, low, high = (100 * exp(speed + reach) for reach in (0.0, -error, error))
    return Point(first.at, middle, low, high, first.version, changed)


@dataclass(frozen=True)
class Event:
    """What happened to a line at a run, in words. `is_version`: the version of the entry changed, among others.

    `unexplained`: the line made a step, and no comparison claims a difference at that time.
    """

    at: datetime
    version: str | None
    what: str
    is_version: bool
    unexplained: bool


def events_of(trend: Trend, records: Sequence[ChangeRecord]) -> list[Event]:
    """What happened to a line, newest first: its marks, its gaps and its steps. `records`: those of the entry.

    The line makes a step where the intervals of two runs in a row are more than 10 % apart, which is the margin of all
    claims. At a mark and after a gap any distance is a step. A step needs an explanation, unless it is a small one at a
    mark, which may be the reason. Absolute figures make no steps, as each machine has others. Nor do figures without an
    interval, of which nobody knows the error.
    """
    first = trend.points[0] if trend.points else None
    found = [Event(first.at, first.version, first.changed, False, False)] if first and first.changed else []
    for before, after in pairwise(trend.points):
        gap = after.at - before.at > GAP
        known = trend.relative and all(point.low < point.high for point in (before, after))
        apart = _apart(before, after) if known else 0.0
        large = apart > (0.0 if gap else MARGIN)
        step = large or (after.changed is not None and apart > 0)
        compared = any(before.at.date() < record.day <= after.at.date() for record in records if record.claims)
        remarks = [
            *([after.changed] if after.changed else []),
            *([f"no run since {before.at:%Y-%m-%d}"] if gap else []),
            *([f"a step of {percent(after.middle / before.middle)} %"] if step else []),
            *(["no comparison explains the step"] if large and not compared else []),
        ]
        if remarks:
            is_version = before.version != after.version
            found.append(Event(after.at, after.version, "; ".join(remarks), is_version, large and not compared))
    return found[::-1]


def _apart(one: Point, other: Point) -> float:
    """How far the intervals of two points are from each other, as a logarithm. Negative where they overlap."""
    return max(log(other.low / one.high), log(one.low / other.high))


def what_differs(before: RunOfEntry, after: RunOfEntry, relative: bool, titles: Titles) -> str | None:
    """What differs between two runs of an entry, as text. None if nothing does that could change a figure.

    `relative`: the figure is a relative cost, which changes with the baseline too.
    """

    def base(each: RunOfEntry) -> str | None:
        entry, _, code = (each.line.baseline or "").partition(" ")
        return f"{titles(entry)} {code}" if entry else None

    pairs = {
        "version": (before.line.version, after.line.version),
        "runtime": (before.line.runtime, after.line.runtime),
        "code": (before.line.files, after.line.files),
        "baseline": (base(before), base(after)) if relative else (None, None),
        "harness": (before.run.harness, after.run.harness),
        "CPU": (before.run.cpu, after.run.cpu),
        "kernel": (before.run.kernel, after.run.kernel),
    }
    parts = [f"{what} {old or 'unknown'} → {new or 'unknown'}" for what, (old, new) in pairs.items() if old != new]
    return "; ".join(parts) or None
