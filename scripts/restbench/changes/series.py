"""Series of relative costs: what each run found of an entry, without what change records explain.

A relative cost also changes when the baseline becomes faster. The records of the baseline explain that, so a better
baseline makes nobody look worse. A series ends where it cannot be continued: with another harness, another baseline, or
other code that was not compared with the code before.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, log

from restbench.changes.chain import cell_effect
from restbench.changes.records import ChangeRecord, Kind, cell_name
from restbench.results.history import History
from restbench.results.history_lines import CellFigures, EntryLine, Key, RunLine

Place = tuple[str, str, str, str]
"""Entry, target, profile, machine class: figures that differ in these are never compared."""

SHARE_WITH_CELL = 0.75
"""A cell counts if at least this share of the earlier runs has it. A cell that is new would leave too few runs."""


@dataclass(frozen=True)
class Point:
    """What a run found of an entry. `levels`: cell → logarithm of its relative cost, less what records explain."""

    run: RunLine
    line: EntryLine
    levels: dict[str, float]


def series_of(histories: Iterable[History], records: Sequence[ChangeRecord]) -> dict[Place, list[Point]]:
    """Returns the newest series of each place, in the order of time. Every point has at least one cell.

    `records` are in the order in which they were published. Entries without relative costs have no series.
    """
    lines: dict[Place, list[tuple[RunLine, EntryLine]]] = {}
    for history in histories:
        for line in history.entries:
            if _costs(line):
                run = history.runs[line.run]
                lines.setdefault((line.entry, run.target, run.profile, run.machine), []).append((run, line))
    found = {}
    for place, measured in lines.items():
        here = [record for record in records if _is_about(record, place)]
        own = [record for record in here if record.entry == place[0]]
        newest = _newest_segment(sorted(measured, key=lambda pair: pair[0].at), own)
        partner = [record for record in here if record.entry == newest[-1][1].baseline]
        variants = {key: cell.baseline_variant for _, line in newest for key, cell in _costs(line).items()}
        points = [
            Point(run, line, _levels(line, variants, effective(run, own), effective(run, partner)))
            for run, line in newest
        ]
        found[place] = [point for point in points if point.levels]
    return found


def means(points: Sequence[Point], newest: int) -> list[float]:
    """Returns the mean level of each point that can be compared with the newest ones."""
    return [level for _, level in comparable(points, newest)]


def comparable(points: Sequence[Point], newest: int) -> list[tuple[Point, float]]:
    """Returns points with their mean level over cells that do not change from point to point.

    These are the cells that all of the `newest` points have, and most of the earlier ones. A point that lacks one of
    them is left out, because the mean of other cells is another level. Empty where there are no such cells.
    """
    if len(points) <= newest:
        return []
    earlier = points[:-newest]
    common = set.intersection(*(set(point.levels) for point in points[-newest:]))
    fewest = SHARE_WITH_CELL * len(earlier)
    cells = sorted(cell for cell in common if sum(cell in point.levels for point in earlier) >= fewest)
    if not cells:
        return []
    return [
        (point, fsum(point.levels[cell] for cell in cells) / len(cells))
        for point in points
        if point.levels.keys() >= set(cells)
    ]


def effective(run: RunLine, records: Sequence[ChangeRecord]) -> list[ChangeRecord]:
    """Returns the records of one entry that the run's figures contain.

    A run of a commit that a record begins or ends with tells by its commit which changes it has, because each change
    begins where the one before it ends. For other runs, and for drifts, the clock decides.
    """
    changes = [record for record in records if record.kind is Kind.CHANGE]
    drifts = [record for record in records if record.kind is Kind.DRIFT and record.at <= run.at]
    for number in reversed(range(len(changes))):
        if run.commit == changes[number].after:
            return [*changes[: number + 1], *drifts]
        if run.commit == changes[number].before:
            return [*changes[:number], *drifts]
    return [*(record for record in changes if record.at <= run.at), *drifts]


def _is_about(record: ChangeRecord, place: Place) -> bool:
    """Whether a record explains figures of a place. A change is the same on every machine, a drift may not be."""
    _, target, profile, machine = place
    if record.kind is Kind.DRIFT:
        return (record.target, record.profile, record.machine) == (target, profile, machine)
    return record.target == target


def _newest_segment(
    ordered: Sequence[tuple[RunLine, EntryLine]], records: Sequence[ChangeRecord]
) -> list[tuple[RunLine, EntryLine]]:
    """Returns the lines from the last break of the series on."""
    segment: list[tuple[RunLine, EntryLine]] = []
    for run, line in ordered:
        if segment:
            before, earlier = segment[-1]
            compared = _changes(run, records) != _changes(before, records)
            # runs can overlap, so a run of older code may follow one of newer code
            known = line.files in {each.files for _, each in segment}
            if run.harness != before.harness or line.baseline != earlier.baseline or not (known or compared):
                segment = []
        segment.append((run, line))
    return segment


def _changes(run: RunLine, records: Sequence[ChangeRecord]) -> list[str]:
    return [record.id for record in effective(run, records) if record.kind is Kind.CHANGE]


def _costs(line: EntryLine) -> dict[Key, CellFigures]:
    """The cells that have a relative cost."""
    return {key: cell for key, cell in line.figures.items() if cell.relative_cost and cell.relative_cost > 0}


def _levels(
    line: EntryLine,
    variants: Mapping[Key, str | None],
    own: Sequence[ChangeRecord],
    partner: Sequence[ChangeRecord],
) -> dict[str, float]:
    """The levels of a line's cells. `variants` are the baseline's variants that count: those of the newest runs."""
    levels = {}
    for key, cell in _costs(line).items():
        assert cell.relative_cost is not None, "_costs returns cells with a relative cost"
        if cell.baseline_variant != variants[key]:
            continue
        suite, scenario, variant = key
        name, other = cell_name(key), cell_name((suite, scenario, cell.baseline_variant or variant))
        explained = fsum(cell_effect(record, name) for record in own)
        by_baseline = fsum(cell_effect(record, other) for record in partner)
        levels[name] = log(cell.relative_cost) - explained + by_baseline
    return levels
