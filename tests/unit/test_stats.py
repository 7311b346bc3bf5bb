"""Intervals, ranks with ties, spread."""

import random
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from restbench.stats import Estimate, coefficient_of_variation, estimate, shared_ranks

figures = st.lists(st.floats(min_value=1, max_value=1e6), min_size=1, max_size=20)


def interval(low: float, high: float) -> Estimate:
    return Estimate((low + high) / 2, low, high, (low + high) / 2, 0.0, 5)


@given(figures)
def test_the_interval_holds_the_median_and_stays_within_the_rounds(values: list[float]) -> None:
    result = estimate(values)
    assert result.median == pytest.approx(statistics.median(values))
    assert min(values) <= result.low * (1 + 1e-12)
    assert result.low <= result.median * (1 + 1e-12)
    assert result.median <= result.high * (1 + 1e-12)
    assert result.high <= max(values) * (1 + 1e-12)


def test_the_same_rounds_give_the_same_interval() -> None:
    values = [100.0, 103.0, 99.0, 120.0, 101.0]
    assert estimate(values) == estimate(values)


def test_one_round_has_no_interval() -> None:
    assert not estimate([5.0]).has_interval


def test_the_interval_covers_the_true_median_about_as_often_as_it_says() -> None:
    """15 rounds of a skewed figure, 300 times. 95 % is nominal; the percentile bootstrap falls a little short of it."""
    rng = random.Random(7)
    true_median = 1.0
    hits = 0
    for _ in range(300):
        result = estimate([rng.lognormvariate(0, 0.2) for _ in range(15)])
        hits += result.low <= true_median <= result.high
    assert 0.88 <= hits / 300 <= 1.0


def test_overlapping_intervals_share_a_rank() -> None:
    assert shared_ranks([interval(100, 110), interval(105, 120), interval(50, 60)]) == [1, 1, 3]


def test_a_chain_of_overlaps_does_not_tie_its_ends() -> None:
    assert shared_ranks([interval(100, 110), interval(90, 101), interval(80, 91)]) == [1, 1, 2]


@given(st.lists(st.tuples(st.floats(1, 1e6), st.floats(0, 1e5)), min_size=1, max_size=15))
def test_the_best_is_first_and_nobody_is_ahead_of_one_who_is_certainly_better(pairs: list[tuple[float, float]]) -> None:
    estimates = [interval(low, low + width) for low, width in pairs]
    ranks = shared_ranks(estimates)
    assert min(ranks) == 1
    for mine, rank in zip(estimates, ranks, strict=True):
        for other, theirs in zip(estimates, ranks, strict=True):
            if mine.low > other.high:
                assert rank < theirs


def test_coefficient_of_variation() -> None:
    assert coefficient_of_variation([90, 100, 110]) == pytest.approx(0.1)
