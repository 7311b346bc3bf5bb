"""Puts the rows of a table in order, and into groups, and the frameworks of each language into chains of groups.

Rows that used their CPUs are in the order of their estimates, and compared by them. Other rows are in no group. They
are placed among the others by their measured throughput, as are the rows of a language that nothing links to others.
Where nothing links any languages of a table, all rows are. A row that is not steady has the place of its estimate, and
is in no group.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log
from statistics import median

from restbench.board.estimates import estimates_of
from restbench.board.links import LINKED, Links, baseline_cell
from restbench.board.rows import Certain, Chain, Row, RowKey, best_rows
from restbench.results.models import Limit
from restbench.stats.estimates import Difference, Estimate, claims, differences, standings
from restbench.stats.intervals import Interval, Kind, ratio

Differences = Mapping[tuple[RowKey, RowKey], Difference]


@dataclass(frozen=True)
class Ordered:
    """Rows in the order of a table. `linked`: all that are compared can be compared with each other.

    `differences`: those of each pair of rows that is compared, the slower row first.
    """

    rows: list[Row]
    linked: bool
    certain: Certain
    differences: Differences


def in_order(rows: Sequence[Row], links: Links) -> Ordered:
    """Rows in the order of a table: those with a throughput, the fastest first, then those without figures."""
    measured = [row for row in rows if row.throughput]
    found = {row.key: each for row, each in zip(measured, estimates_of(measured, links), strict=True)}
    estimates = {place: each for place, each in found.items() if isinstance(each, Estimate)}
    scales = {each.scale for each in estimates.values()}
    linked = LINKED in scales or len(scales) <= 1
    here = {LINKED} if LINKED in scales else scales
    speeds = _log_speeds(measured, {place: each for place, each in estimates.items() if linked and each.scale in here})
    pairs = differences(dict(sorted(estimates.items(), key=lambda each: speeds[each[0]])))
    ordered = sorted(measured, key=lambda row: (-speeds[row.key], row.label.casefold()))
    for number, row in enumerate(ordered):
        why, base = found[row.key], row.cell.baseline
        link = links.cells.get(baseline_cell(row, base)) if base and row.is_baseline else None
        ordered[number] = replace(
            row,
            estimate=estimates.get(row.key),
            not_compared=why if isinstance(why, str) else _why_apart(row, why, links, linked),
            share=_share(row, ordered[0], speeds, pairs) if linked else None,
            linked_rate=link.rate or None if link else None,
        )
    compared = {row.key for row in ordered if row.compared}
    certain = frozenset(claims({pair: each for pair, each in pairs.items() if compared.issuperset(pair)}))
    without = sorted((row for row in rows if not row.throughput), key=lambda row: row.label.casefold())
    return Ordered([*(in_groups(ordered, certain) if linked else ordered), *without], linked, certain, pairs)


def _why_apart(row: Row, estimate: Estimate, links: Links, linked: bool) -> str | None:
    """Why a row with an estimate is in no comparison of its table. None where it is. `linked`: as `Ordered` has it."""
    base = row.cell.baseline
    assert base, "a row with an estimate has rounds of its baseline"
    if row.unsteady:
        return f"in no comparison, because {row.unsteady}"
    if not linked or estimate.scale == LINKED or links.run is None:
        return None
    if baseline_cell(row, base) in links.cold:
        return "not compared, because its baseline was not steady in the run that links the languages"
    return "not compared, because its baseline was not measured together with those of the other languages"


def in_groups(rows: Iterable[Row], certain: Certain) -> list[Row]:
    """The rows with the groups that they have among each other. They are in order, and have one scale."""
    rows = list(rows)
    places = {row.key: number for number, row in enumerate(row for row in rows if row.compared)}
    pairs = {(places[one], places[other]) for one, other in certain if one in places and other in places}
    found = standings(len(places), pairs)
    return [
        replace(row, group=found[places[row.key]].group, behind=found[places[row.key]].behind)
        if row.key in places
        else row
        for row in rows
    ]


def chains_of(rows: Sequence[Row], pairs: Differences) -> list[Chain]:
    """Returns a chain for each language, the language with the fastest framework first. `rows` are in order.

    Only the rows of a chain are compared for it, so it may tell apart what the whole table cannot. It needs no link to
    other languages.
    """
    chains = []
    estimated = [replace(row, not_compared=None) for row in rows if row.estimate and not row.unsteady]
    # a language of which no row is compared comes last, where there are chains at all
    others = [row for row in rows if row.throughput] if estimated else []
    for language in dict.fromkeys(row.language for row in [*estimated, *others]):
        own = sorted(
            (row for row in estimated if row.language == language),
            key=lambda row: -row.estimate.log if row.estimate else 0.0,
        )
        best = best_rows(own)
        places = {row.key for row in best.values()}
        certain = frozenset(claims({pair: each for pair, each in pairs.items() if places.issuperset(pair)}))
        grouped = in_groups(best.values(), certain)
        groups = [
            [row for row in grouped if row.group == number] for number in dict.fromkeys(row.group for row in grouped)
        ]
        left_out = best_rows(row for row in others if row.language == language and row.entry.id not in best)
        chains.append(Chain(language, groups, list(left_out.values()), certain))
    return chains


def _log_speeds(rows: Sequence[Row], estimates: Mapping[RowKey, Estimate]) -> dict[RowKey, float]:
    """Returns the logarithm of the speed of each row.

    A row without an estimate has its throughput, on the scale of the rows that have both.
    """
    full = [row for row in rows if row.key in estimates and row.limit == Limit.APP]
    offset = median([_log_rate(row) - estimates[row.key].log for row in full] or [0.0])
    return {row.key: estimates[row.key].log if row.key in estimates else _log_rate(row) - offset for row in rows}


def _log_rate(row: Row) -> float:
    assert row.throughput, "rows without a throughput are not placed"
    return log(row.throughput.middle)


def _share(row: Row, first: Row, speeds: Mapping[RowKey, float], pairs: Differences) -> Interval:
    """The row's speed as a share of that of the first row. Its bounds are those of the comparison."""
    share, rounds = ratio(speeds[row.key] - speeds[first.key]), row.cell.solo.count
    found = pairs.get((row.key, first.key))
    if found is None:
        return Interval(share, share, share, rounds, Kind.SINGLE)
    return Interval(share, *found.interval(), rounds, Kind.INTERVAL)
