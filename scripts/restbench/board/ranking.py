"""Puts the rows of a table in order, and finds the ranks that each row may have.

Rows that used their CPUs are in the order of their estimates, and compared by them. Other rows have no rank. They are
placed among the others by their measured throughput.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import log
from statistics import median

from restbench.board.estimates import estimates_of
from restbench.board.links import Links
from restbench.board.rows import Place, Row
from restbench.results.models import Limit
from restbench.stats.estimates import Estimate, certainly_faster, difference, ratio
from restbench.stats.intervals import Interval, Kind
from restbench.stats.rank_ranges import RankRange, rank_ranges


def in_order(rows: Sequence[Row], links: Links) -> list[Row]:
    """Rows in the order of a table: those with a throughput, the fastest first, then those without figures."""
    measured = [row for row in rows if row.throughput]
    found = {row.place: each for row, each in zip(measured, estimates_of(measured, links), strict=True)}
    estimates = {place: each for place, each in found.items() if isinstance(each, Estimate)}
    speeds = _log_speeds(measured, estimates)
    ordered = sorted(measured, key=lambda row: (-speeds[row.place], row.label.casefold()))
    ranks = _ranks([row.place for row in ordered if row.place in estimates], estimates)
    for number, row in enumerate(ordered):
        why, rank = found[row.place], ranks.get(row.place)
        ordered[number] = replace(
            row,
            unranked=why if isinstance(why, str) else None,
            rank_first=rank.first if rank else None,
            rank_last=rank.last if rank else None,
            share=_share(row, ordered[0], speeds, estimates),
        )
    return [*ordered, *sorted((row for row in rows if not row.throughput), key=lambda row: row.label.casefold())]


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


def _ranks(places: Sequence[Place], estimates: Mapping[Place, Estimate]) -> dict[Place, RankRange]:
    found = [estimates[place] for place in places]
    certain = certainly_faster(found)
    ranges = rank_ranges([each.log for each in found], lambda fast, slow: (fast, slow) in certain)
    return dict(zip(places, ranges, strict=True))


def _share(row: Row, first: Row, speeds: Mapping[Place, float], estimates: Mapping[Place, Estimate]) -> Interval:
    """The row's speed as a share of that of the first row. Its bounds are those of the comparison."""
    share, rounds = ratio(speeds[row.place] - speeds[first.place]), row.solo.count
    one, other = estimates.get(row.place), estimates.get(first.place)
    if one is None or other is None or one is other or one.scale != other.scale:
        return Interval(share, share, share, rounds, Kind.SINGLE)
    return Interval(share, *difference(one, other).interval(), rounds, Kind.INTERVAL)
