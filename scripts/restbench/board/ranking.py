"""Puts the rows of a table in order, and finds the ranks that each row may have.

Rows that used their CPUs are in the order of their estimates, and compared by them. Other rows have no rank. They are
placed among the others by their measured throughput.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import log
from statistics import median

from restbench.board.estimates import estimates_of
from restbench.board.links import Links
from restbench.board.rows import Place, Row
from restbench.results.models import Limit
from restbench.stats.estimates import Estimate, certainly_faster, difference, ratio
from restbench.stats.intervals import Interval, Kind
from restbench.stats.rank_ranges import rank_ranges


def in_order(rows: Sequence[Row], links: Links) -> list[Row]:
    """Rows in the order of a table: those with a throughput, the fastest first, then those without figures."""
    measured = [row for row in rows if row.throughput]
    without = [row for row in rows if not row.throughput]
    found = estimates_of(measured, links)
    estimates = {row.place: each for row, each in zip(measured, found, strict=True) if isinstance(each, Estimate)}
    reasons = {row.place: each for row, each in zip(measured, found, strict=True) if isinstance(each, str)}
    placed = _placed(measured, estimates)
    ordered = [replace(row, unranked=reasons.get(row.place)) for row in _sorted(measured, placed)]
    return [
        *_with_shares(_with_ranks(ordered, estimates), placed, estimates),
        *sorted(without, key=lambda row: row.label.casefold()),
    ]


def _sorted(rows: Iterable[Row], placed: dict[Place, float]) -> list[Row]:
    return sorted(rows, key=lambda row: (-placed[row.place], row.label.casefold()))


def _placed(rows: Sequence[Row], estimates: dict[Place, Estimate]) -> dict[Place, float]:
    """Returns the logarithm of the speed of each row, by its place.

    A row without an estimate has its throughput, on the scale of the rows that have both.
    """
    both = [
        log(_rate(row)) - estimates[row.place].log for row in rows if row.place in estimates and row.limit == Limit.APP
    ]
    offset = median(both) if both else 0.0
    return {row.place: estimates[row.place].log if row.place in estimates else log(_rate(row)) - offset for row in rows}


def _rate(row: Row) -> float:
    assert row.throughput, "rows without a throughput are not placed"
    return row.throughput.middle


def _with_ranks(rows: Sequence[Row], estimates: dict[Place, Estimate]) -> list[Row]:
    ranked = [row.place for row in rows if row.place in estimates]
    found = [estimates[place] for place in ranked]
    certain = certainly_faster(found)
    ranges = rank_ranges([each.log for each in found], lambda fast, slow: (fast, slow) in certain)
    by_place = dict(zip(ranked, ranges, strict=True))
    return [
        replace(row, rank_first=by_place[row.place].first, rank_last=by_place[row.place].last)
        if row.place in by_place
        else row
        for row in rows
    ]


def _with_shares(rows: Sequence[Row], placed: dict[Place, float], estimates: dict[Place, Estimate]) -> list[Row]:
    """The rows with their speed as a share of that of the first row. Its bounds are those of the comparison."""
    if not rows:
        return []
    first = rows[0].place
    found = []
    for row in rows:
        share = ratio(placed[row.place] - placed[first])
        bounds = Interval(share, share, share, row.solo.count, Kind.SINGLE)
        one, other = estimates.get(row.place), estimates.get(first)
        if one and other and one is not other and one.scale == other.scale:
            low, high = difference(one, other).interval()
            bounds = Interval(share, low, high, row.solo.count, Kind.INTERVAL)
        found.append(replace(row, share=bounds))
    return found
