"""Ranks as ranges: what they contain, and that they follow the speeds."""

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from restbench.stats.rank_ranges import RankRange, rank_ranges

Claims = set[tuple[int, int]]
"""Pairs (i, j): row i is certainly faster than row j."""


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[float], Claims]:
    """Speeds, some of them equal, with any claims, also contradictory ones."""
    speeds = draw(st.lists(st.integers(1, 12).map(float), min_size=1, max_size=10))
    row = st.integers(0, len(speeds) - 1)
    return speeds, draw(st.sets(st.tuples(row, row), max_size=60))


def ranges_of(speeds: Sequence[float], claims: Claims) -> list[RankRange]:
    return rank_ranges(speeds, lambda i, j: (i, j) in claims)


def valid(speeds: Sequence[float], claims: Claims) -> Claims:
    return {(i, j) for i, j in claims if speeds[i] > speeds[j]}


def test_the_range_is_from_the_rows_certainly_faster_to_those_certainly_slower() -> None:
    found = ranges_of([100, 90, 80, 10], {(0, 2), (0, 3), (1, 3), (2, 3)})
    assert found == [RankRange(1, 2), RankRange(1, 3), RankRange(2, 3), RankRange(4, 4)]


def test_where_nothing_is_certain_every_row_may_have_every_rank() -> None:
    assert ranges_of([3, 1, 2], set()) == [RankRange(1, 3)] * 3


def test_where_all_is_certain_ranks_are_single() -> None:
    assert ranges_of([1, 3, 2], {(1, 0), (1, 2), (2, 0)}) == [RankRange(3, 3), RankRange(1, 1), RankRange(2, 2)]


def test_a_noisy_slow_row_widens_the_first_rank_of_those_above_it() -> None:
    """The second row is certainly slower than the first. Of the third, slower still, nothing is known."""
    assert ranges_of([100, 90, 80], {(0, 1)}) == [RankRange(1, 2), RankRange(1, 3), RankRange(1, 3)]


def test_a_noisy_fast_row_widens_the_last_rank_of_those_below_it() -> None:
    assert ranges_of([100, 90, 80], {(1, 2)}) == [RankRange(1, 3), RankRange(1, 3), RankRange(2, 3)]


def test_a_claim_against_the_order_of_the_speeds_has_no_effect() -> None:
    assert ranges_of([2, 1], {(1, 0)}) == [RankRange(1, 2)] * 2
    assert ranges_of([2, 2], {(0, 1)}) == [RankRange(1, 2)] * 2


def test_no_rows_have_no_ranges_and_a_single_row_is_first() -> None:
    assert ranges_of([], set()) == []
    assert ranges_of([5], set()) == [RankRange(1, 1)]


@given(tables())
def test_a_slower_row_has_no_better_range_and_equal_speeds_have_the_same(table: tuple[list[float], Claims]) -> None:
    speeds, claims = table
    found = ranges_of(speeds, claims)
    for mine, ranks in zip(speeds, found, strict=True):
        for other, others in zip(speeds, found, strict=True):
            if mine >= other:
                assert ranks.first <= others.first
                assert ranks.last <= others.last
            if mine == other:
                assert ranks == others


@given(tables())
def test_a_range_is_never_narrower_than_the_rows_own_claims(table: tuple[list[float], Claims]) -> None:
    speeds, claims = table
    for row, ranks in enumerate(ranges_of(speeds, claims)):
        assert 1 <= ranks.first <= 1 + sum(slow == row for _, slow in valid(speeds, claims))
        assert len(speeds) - sum(fast == row for fast, _ in valid(speeds, claims)) <= ranks.last <= len(speeds)


@given(tables())
def test_a_range_contains_the_rank_by_speed(table: tuple[list[float], Claims]) -> None:
    speeds, claims = table
    for speed, ranks in zip(speeds, ranges_of(speeds, claims), strict=True):
        assert ranks.first <= 1 + sum(other > speed for other in speeds)
        assert ranks.last >= sum(other >= speed for other in speeds)


@given(tables(), st.randoms(use_true_random=False))
def test_a_range_contains_the_true_rank_where_no_claim_is_false(
    table: tuple[list[float], Claims], random: Random
) -> None:
    """The true speeds are in any order; only claims that they bear out are made."""
    speeds, claims = table
    true = [random.uniform(1, 12) for _ in speeds]
    right = {(i, j) for i, j in claims if true[i] > true[j]}
    for mine, ranks in zip(true, ranges_of(speeds, right), strict=True):
        assert ranks.first <= 1 + sum(other > mine for other in true) <= ranks.last


@given(tables(), st.randoms(use_true_random=False))
def test_the_order_in_which_rows_are_given_does_not_matter(table: tuple[list[float], Claims], random: Random) -> None:
    speeds, claims = table
    order = list(range(len(speeds)))
    random.shuffle(order)
    shuffled = ranges_of([speeds[i] for i in order], {(order.index(i), order.index(j)) for i, j in claims})
    before = ranges_of(speeds, claims)
    assert shuffled == [before[i] for i in order]


@given(tables())
def test_more_claims_widen_no_range(table: tuple[list[float], Claims]) -> None:
    speeds, claims = table
    fewer = set(sorted(claims)[::2])
    for narrow, wide in zip(ranges_of(speeds, claims), ranges_of(speeds, fewer), strict=True):
        assert wide.first <= narrow.first
        assert narrow.last <= wide.last


@pytest.mark.parametrize("speed", [float("nan"), float("inf")])
def test_speeds_are_finite(speed: float) -> None:
    with pytest.raises(ValueError, match="expected finite speeds"):
        ranges_of([1.0, speed], set())
