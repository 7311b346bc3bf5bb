"""Intervals of medians and of paired ratios: they are scipy's where scipy has them, so they hold as often."""

import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import quantile_test, ttest_ind

from restbench.stats.intervals import Interval, Kind, median_interval, quiet_sample, ratio_of_costs

ROUNDS_OF_MEDIANS = range(6, 25)

figures = st.lists(st.floats(min_value=0.001, max_value=1e6), min_size=1, max_size=30)


@given(figures)
def test_the_middle_is_the_median_and_within_the_bounds_and_they_are_figures(values: list[float]) -> None:
    result = median_interval(values)
    assert result.middle == statistics.median(values)
    assert result.low <= result.middle <= result.high
    assert {result.low, result.high} <= set(values)
    assert result.n == len(values)


@given(figures)
def test_the_order_of_the_rounds_does_not_matter(values: list[float]) -> None:
    assert median_interval(values[::-1]) == median_interval(values)


@pytest.mark.parametrize("n", ROUNDS_OF_MEDIANS)
def test_the_interval_of_a_median_is_scipys(n: int) -> None:
    values = np.random.default_rng(n).normal(size=n).tolist()
    expected: object = quantile_test(values).confidence_interval(0.95)
    found = median_interval(values)
    assert (found.low, found.high) == expected
    assert found.certain


@pytest.mark.parametrize(("n", "kind"), [(1, Kind.SINGLE), (2, Kind.RANGE), (5, Kind.RANGE), (6, Kind.INTERVAL)])
def test_fewer_than_six_rounds_give_the_range_of_a_median(n: int, kind: Kind) -> None:
    values = [5.0, 1.0, 4.0, 2.0, 3.0, 6.0][:n]
    result = median_interval(values)
    assert (result.kind, result.certain) == (kind, kind is Kind.INTERVAL)
    assert (result.low, result.high) == (min(values), max(values))


def test_scaling_keeps_what_the_bounds_are() -> None:
    assert Interval(100, 80, 130, 3, Kind.RANGE).scaled(2) == Interval(200, 160, 260, 3, Kind.RANGE)


@pytest.mark.parametrize("by", [0.0, -1.0, math.inf, math.nan])
def test_a_scale_is_positive(by: float) -> None:
    with pytest.raises(ValueError, match="expected a positive and finite scale"):
        Interval(2, 1, 4, 6, Kind.INTERVAL).scaled(by)


@pytest.mark.parametrize("values", [[], [1.0, math.nan], [1.0, math.inf]])
def test_a_median_is_of_finite_figures(values: list[float]) -> None:
    with pytest.raises(ValueError, match="expected"):
        median_interval(values)


@pytest.mark.parametrize("n", [1, 2, 3, 6, 24])
def test_equal_rounds_have_no_width(n: int) -> None:
    result = median_interval([1.1] * n)
    assert result.low == result.middle == result.high == pytest.approx(1.1)


@pytest.mark.parametrize(("n", "m"), [(3, 3), (3, 12), (10, 20)])
def test_the_interval_of_a_ratio_is_as_wide_as_welchs_on_logarithms(n: int, m: int) -> None:
    rng = np.random.default_rng(n)
    one, other = rng.lognormal(0.1, 0.05, n), rng.lognormal(0, 0.1, m)
    low, high = ttest_ind(np.log(one), np.log(other), equal_var=False).confidence_interval(0.95)
    found = ratio_of_costs(quiet_sample(one.tolist()), quiet_sample(other.tolist())).interval()
    assert found.high / found.low == pytest.approx(math.exp(high - low))
    cheap_one, cheap_other = (np.log(np.sort(each)[: round(0.6 * len(each))]).mean() for each in (one, other))
    assert found.middle == pytest.approx(math.exp(cheap_one - cheap_other))


def test_a_slow_phase_in_some_rounds_changes_no_ratio() -> None:
    quiet, disturbed = [100.0] * 10, [160.0] * 4 + [100.0] * 6
    assert ratio_of_costs(quiet_sample(disturbed), quiet_sample(quiet)).interval().middle == pytest.approx(1.0)


@pytest.mark.parametrize(("one", "other"), [([1.0], [2.0, 2.1, 2.2]), ([2.0, 2.1], [1.0, 1.1]), ([1.0] * 3, [2.0] * 3)])
def test_too_few_rounds_and_equal_ones_give_a_ratio_without_bounds(one: list[float], other: list[float]) -> None:
    found = ratio_of_costs(quiet_sample(one), quiet_sample(other)).interval()
    assert (found.kind, found.low, found.high) == (Kind.SINGLE, found.middle, found.middle)


@pytest.mark.parametrize("bad", [[], [1.0, 0.0], [-1.0], [1.0, math.nan], [1.0, math.inf]])
def test_costs_are_positive_and_finite(bad: list[float]) -> None:
    with pytest.raises(ValueError, match="expected"):
        quiet_sample(bad)
