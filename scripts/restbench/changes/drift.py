"""Changes that nobody made, as records of kind drift: the weekly runs show them, and no other record explains them."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from math import exp
from statistics import median

from restbench.changes.records import CellCost, ChangeRecord, Kind, identifier
from restbench.changes.rule import MOST_BEFORE, Alarm, alarm
from restbench.changes.series import Place, Point, means, series_of
from restbench.compare.causes import runtime_differences
from restbench.compare.models import Cause, CauseKind, Verdict, clipped_name
from restbench.results.history import History

NEWEST = 2
"""How many runs have to show a drift."""

FEWEST_TOGETHER = 3
"""If at least so many entries of a baseline, and more than half of them, drift in one direction at once, the baseline
drifts the other way."""

SAME_RUN = timedelta(days=1)
"""Each entry is measured by a job of its own. The jobs of one weekly run start within this time of each other."""

NO_COMMIT = "0" * 40
"""The commit of runs that did not record one."""

MOST = 20.0
"""The largest logarithm of a ratio that a record can have. No real ratio comes near it, but made results may."""


def drifts_of(histories: Iterable[History], records: Sequence[ChangeRecord]) -> list[ChangeRecord]:
    """Returns the drifts that the newest two runs of each series show, as records that are not known yet.

    `records` are in the order in which they were published. A drift that is among them is explained by its record, so
    it is found once.
    """
    series = {place: points[-MOST_BEFORE - NEWEST :] for place, points in series_of(histories, records).items()}
    alarms = {place: found for place, points in series.items() if (found := alarm(means(points, NEWEST)))}
    groups: dict[tuple[object, ...], list[Place]] = {}
    for place, found in alarms.items():
        groups.setdefault((*place[1:], series[place][-1].line.baseline, found.change > 0), []).append(place)
    return [record for group in groups.values() for record in _records(group, series, alarms)]


def _records(
    group: Sequence[Place], series: Mapping[Place, Sequence[Point]], alarms: Mapping[Place, Alarm]
) -> list[ChangeRecord]:
    """Returns the records of the series of one baseline that changed in one direction: their own, or its."""
    baseline = series[group[0]][-1].line.baseline
    first = min(series[place][-NEWEST].run.at for place in group)
    alike = [
        points
        for place, points in series.items()
        if place[1:] == group[0][1:] and points[-1].line.baseline == baseline and points[-1].run.at >= first - SAME_RUN
    ]
    if baseline is None or len(group) < FEWEST_TOGETHER or 2 * len(group) <= len(alike):
        return [_record(place[0], series[place], alarms[place]) for place in group]
    typical = sorted(group, key=lambda place: alarms[place].change)[len(group) // 2]
    return [_of_baseline(baseline, series[typical], alarms[typical], alike)]


def _of_baseline(
    baseline: str, typical: Sequence[Point], found: Alarm, alike: Sequence[Sequence[Point]]
) -> ChangeRecord:
    """The drift of a baseline, from that of a typical entry, which is the inverse. It concerns all entries alike."""
    since = typical[-NEWEST].run.at - SAME_RUN
    first = min(point.run.at for points in alike for point in points if point.run.at >= since)
    record = _record(baseline, typical, Alarm(-found.change, found.error, found.before))
    return record.model_copy(update={"at": first, "cells": {}, "version_before": None, "version": None})


def _record(entry: str, points: Sequence[Point], found: Alarm) -> ChangeRecord:
    before, first = points[-NEWEST - 1], points[-NEWEST]
    low, high = found.bounds()
    verdict = Verdict.SLOWER if found.change > 0 else Verdict.FASTER
    return ChangeRecord(
        id=identifier(Kind.DRIFT, entry, first.run.target, first.run.run),
        kind=Kind.DRIFT,
        at=first.run.at,
        entry=entry,
        target=first.run.target,
        profile=clipped_name(first.run.profile),
        machine=clipped_name(first.run.machine),
        before=before.run.commit or NO_COMMIT,
        after=first.run.commit or NO_COMMIT,
        version_before=before.line.version and clipped_name(before.line.version),
        version=first.line.version and clipped_name(first.line.version),
        causes=_causes(before, first),
        together=CellCost(verdict, _ratio(found.change), _ratio(low), _ratio(high), NEWEST),
        cells=_cells(points),
    )


def _cells(points: Sequence[Point]) -> dict[str, CellCost]:
    """The ratio of each cell that all newest runs have. The rule judges all cells together, so no cell is claimed."""
    newest, before = points[-NEWEST:], points[:-NEWEST]
    cells = {}
    for cell in newest[-1].levels:
        earlier = [point.levels[cell] for point in before if cell in point.levels]
        if earlier and all(cell in point.levels for point in newest):
            change = sum(point.levels[cell] for point in newest) / NEWEST - median(earlier)
            cells[cell] = CellCost(Verdict.SAME, _ratio(change))
    return cells


def _causes(before: Point, after: Point) -> list[Cause]:
    """What the runs before and after the drift recorded differently. One of these things may have caused it."""
    old, new = before.run, after.run
    recorded = [
        (CauseKind.HARNESS, "load generators", ", ".join(old.load_generators), ", ".join(new.load_generators)),
        (CauseKind.MACHINE, "CPU", old.cpu, new.cpu),
        (CauseKind.MACHINE, "kernel", old.kernel, new.kernel),
        (CauseKind.MACHINE, "runner", old.runner, new.runner),
        (CauseKind.MACHINE, "Docker", old.docker, new.docker),
    ]
    around = [
        Cause(kind=kind, name=name, before=was and clipped_name(was), after=now and clipped_name(now))
        for kind, name, was, now in recorded
        if was != now
    ]
    return [*runtime_differences(before.line, after.line), *around]


def _ratio(change: float) -> float:
    return float(f"{exp(max(-MOST, min(MOST, change))):.5g}")
