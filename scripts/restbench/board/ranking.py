"""Puts the rows of a table in order, and finds the ranks that each row may have.

A row is certainly faster than another if a test finds a difference at a level that all comparisons of the table share.
Rows with the same partner, and a row and its partner, are compared by duet rounds. All others are compared by solo
rounds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from statistics import geometric_mean
from typing import NamedTuple

from restbench.board.rows import Row
from restbench.results.models import Limit
from restbench.stats.comparisons import different_from_one, different_medians, different_ratios, holm
from restbench.stats.intervals import ROUNDS_FOR_MEDIAN
from restbench.stats.rank_ranges import rank_ranges

SHARED_LEVEL = 0.05
"""Share of tables of equal rows that may contain one or more false claims."""

Pair = tuple[int, int]


class Comparison(NamedTuple):
    """The p-value of the difference of two rows, and whether the first row is the faster one."""

    p: float
    first_is_faster: bool


def in_order(rows: Sequence[Row]) -> list[Row]:
    """Rows with speeds, in the order of a table: ranked rows, then other measured rows, then rows without figures."""
    others = [row for row in rows if not can_rank(row)]
    measured = [row for row in others if row.speed]
    without = [row for row in others if not row.speed]
    return [
        *_ranked([row for row in rows if can_rank(row)]),
        *sorted(measured, key=_by_speed),
        *sorted(without, key=lambda row: row.label.casefold()),
    ]


def can_rank(row: Row) -> bool:
    """Whether the row's speed describes the app, so that it can have a rank.

    The speed does if the app was the limit of the solo rounds. With another limit it does only if it comes from
    relative cost (a derived row or the baseline), and never if the limit was noise.
    """
    if row.speed is None or row.limit is None:
        return False
    return row.limit == Limit.APP or (row.limit != Limit.NOISE and (row.derived or row.baseline))


def certain_claims(p_values: Mapping[Pair, float]) -> set[Pair]:
    """The pairs that differ at the level that all of them share. Uses Holm's method."""
    adjusted = holm(list(p_values.values()))
    return {pair for pair, p in zip(p_values, adjusted, strict=True) if p <= SHARED_LEVEL}


def compare(one: Row, other: Row) -> Comparison | None:
    """Compares two rows. None if their rounds cannot support any claim, whatever the figures are."""
    if one.duets and one.relative_cost:
        if one.partner == other.place:
            return Comparison(different_from_one(one.duets.relative_costs), one.relative_cost.middle < 1)
        if other.duets and other.relative_cost and one.partner == other.partner:
            p = different_ratios(one.duets.relative_costs, other.duets.relative_costs)
            return Comparison(p, one.relative_cost.middle < other.relative_cost.middle)
    if other.partner == one.place and other.duets and other.relative_cost:
        return Comparison(different_from_one(other.duets.relative_costs), other.relative_cost.middle > 1)
    return _compare_solo(one, other)


def _compare_solo(one: Row, other: Row) -> Comparison | None:
    """Compares two rows by measured throughput. None if a row has too few rounds or if both could do more.

    A row that could do more may be certainly faster than another, but never certainly slower.
    """
    if min(one.solo.count, other.solo.count) < ROUNDS_FOR_MEDIAN or (one.could_do_more and other.could_do_more):
        return None
    # the test is on logarithms, so it compares the geometric means
    faster = geometric_mean(one.solo.throughput) > geometric_mean(other.solo.throughput)
    slower = other if faster else one
    p = 1.0 if slower.could_do_more else different_medians(one.solo.throughput, other.solo.throughput)
    return Comparison(p, faster)


def _ranked(rows: Sequence[Row]) -> list[Row]:
    """The rows in the order of their speeds, with rank ranges, percent of the best, and times the slowest."""
    ordered = sorted(rows, key=_by_speed)
    speeds = [_speed(row) for row in ordered]
    certain = _certainly_faster(ordered)
    ranges = rank_ranges(speeds, lambda fast, slow: (fast, slow) in certain)
    return [
        replace(
            row,
            rank_first=ranks.first,
            rank_last=ranks.last,
            percent_of_best=100 * speed / speeds[0],
            times_slowest=speed / speeds[-1],
        )
        for row, speed, ranks in zip(ordered, speeds, ranges, strict=True)
    ]


def _certainly_faster(rows: Sequence[Row]) -> set[Pair]:
    """The pairs of positions in which the first row is certainly faster than the second."""
    found = {
        pair: comparison
        for pair in combinations(range(len(rows)), 2)
        if (comparison := compare(rows[pair[0]], rows[pair[1]]))
    }
    certain = certain_claims({pair: comparison.p for pair, comparison in found.items()})
    return {(a, b) if found[a, b].first_is_faster else (b, a) for a, b in certain}


def _by_speed(row: Row) -> tuple[float, str]:
    return -_speed(row), row.label.casefold()


def _speed(row: Row) -> float:
    return row.speed.middle if row.speed else 0.0
