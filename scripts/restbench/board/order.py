"""Puts the rows of a table in order, and into groups, and the frameworks of each language into chains of groups.

Rows that used their CPUs are in the order of their estimates, and compared by them. Other rows are in no group. They
are placed among the others by their measured throughput.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import log
from statistics import median

from restbench.board.estimates import estimates_of
from restbench.board.links import Links
from restbench.board.rows import Chain, Place, Row, best_rows
from restbench.results.models import Limit
from restbench.stats.estimates import Estimate, difference, ratio
from restbench.stats.groups import group_numbers
from restbench.stats.intervals import Interval, Kind


def in_order(rows: Sequence[Row], links: Links) -> list[Row]:
    """Rows in the order of a table: those with a throughput, the fastest first, then those without figures."""
    measured = [row for row in rows if row.throughput]
    found = {row.place: each for row, each in zip(measured, estimates_of(measured, links), strict=True)}
    estimates = {place: each for place, each in found.items() if isinstance(each, Estimate)}
    speeds = _log_speeds(measured, estimates)
    ordered = sorted(measured, key=lambda row: (-speeds[row.place], row.label.casefold()))
    groups = groups_of(estimates[row.place] for row in ordered if row.place in estimates)
    numbers = dict(zip([row.place for row in ordered if row.place in estimates], groups, strict=True))
    for number, row in enumerate(ordered):
        why = found[row.place]
        ordered[number] = replace(
            row,
            estimate=estimates.get(row.place),
            not_compared=why if isinstance(why, str) else None,
            group=numbers.get(row.place),
            share=_share(row, ordered[0], speeds, estimates),
        )
    return [*ordered, *sorted((row for row in rows if not row.throughput), key=lambda row: row.label.casefold())]


def groups_of(estimates: Iterable[Estimate]) -> list[int | None]:
    """Returns the number of each group, of rows in order. All are None if not all rows can be compared."""
    found = list(estimates)
    return [None] * len(found) if len({each.scale for each in found}) > 1 else [*group_numbers(found)]


def chains_of(rows: Sequence[Row]) -> list[Chain]:
    """Returns a chain for each language, the language with the fastest framework first. `rows` are in order.

    Only the rows of a chain are compared for it, so it may tell apart what the whole table cannot.
    """
    chains = []
    for language in dict.fromkeys(row.language for row in rows if row.compared):
        own = [row for row in rows if row.language == language and row.throughput]
        best = best_rows(row for row in own if row.compared)
        numbers = group_numbers([row.estimate for row in best.values() if row.estimate])
        groups = [
            [row for row, mine in zip(best.values(), numbers, strict=True) if mine == number]
            for number in dict.fromkeys(numbers)
        ]
        left_out = best_rows(row for row in own if row.entry not in best)
        chains.append(Chain(language, groups, list(left_out.values())))
    return chains


def _log_speeds(rows: Sequence[Row], estimates: Mapping[Place, Estimate]) -> dict[Place, float]:
    """Returns the logarithm of the speed of each row.

    A row without an estimate has its throughput, on the scale of the rows that have both.
    """
    full = [row for row in rows if row.place in estimates and row.limit == Limit.APP]
    offset = median([_log_rate(row) - estimates[row.place].log for row in full] or [0.0])
    return {row.place: estimates[row.place].log if row.place in estimates else _log_rate(row) - offset for row in rows}


def _log_rate(row: Row) -> float:
    assert row.throughput, "rows without a throughput are not placed"
    return log(row.throughput.middle)


def _share(row: Row, first: Row, speeds: Mapping[Place, float], estimates: Mapping[Place, Estimate]) -> Interval:
    """The row's speed as a share of that of the first row. Its bounds are those of the comparison."""
    share, rounds = ratio(speeds[row.place] - speeds[first.place]), row.solo.count
    one, other = estimates.get(row.place), estimates.get(first.place)
    if one is None or other is None or one is other or one.scale != other.scale:
        return Interval(share, share, share, rounds, Kind.SINGLE)
    return Interval(share, *difference(one, other).interval(), rounds, Kind.INTERVAL)
