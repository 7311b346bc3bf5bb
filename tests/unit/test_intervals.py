"""Intervals of medians and of paired ratios: what they are, and how often they hold."""

import math
import statistics
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import quantile_test, ttest_1samp

from restbench.stats.intervals import Interval, Kind, median_interval, ratio_interval

SIMULATIONS = 5000
LEAST_COVERAGE = 0.93
SLOW = 1.6
"""By what factor a core is slower in its slow phase."""

ROUNDS_OF_MEDIANS = range(6, 25)
ROUNDS_OF_RATIOS = range(3, 37)

Noise = Callable[[np.random.Generator, int], NDArray[np.float64]]
"""Simulations × rounds."""

figures = st.lists(st.floats(min_value=0.001, max_value=1e6), min_size=1, max_size=30)


def own_noise(rng: np.random.Generator, n: int, sd: float) -> NDArray[np.float64]:
    return rng.standard_normal((SIMULATIONS, n)) * sd


def phases(rng: np.random.Generator, n: int) -> NDArray[np.float64]:
    """Logarithm of how much slower the core is in each round: a slow phase half of the time."""
    return np.where(rng.random((SIMULATIONS, n)) < 0.5, math.log(SLOW), 0.0)


def lognormal(rng: np.random.Generator, n: int) -> NDArray[np.float64]:
    return np.exp(own_noise(rng, n, 0.2))


def bimodal(rng: np.random.Generator, n: int) -> NDArray[np.float64]:
    return np.exp(phases(rng, n) + own_noise(rng, n, 0.05))


def duets(rng: np.random.Generator, n: int, slows: bool = True, exponent: float = 1.0) -> NDArray[np.float64]:
    """Ratios of two apps that cost the same on a quiet core, whose baseline suffers from the core's phase with this
    exponent."""
    core = phases(rng, n) if slows else np.zeros((SIMULATIONS, n))
    app = core + own_noise(rng, n, 0.03)
    baseline = exponent * core + own_noise(rng, n, 0.03)
    return np.exp(app - baseline)


def coverage(interval: Callable[[Sequence[float]], Interval], samples: NDArray[np.float64], truth: float) -> float:
    covered = [(found := interval(sample)).low <= truth <= found.high for sample in samples.tolist()]
    return sum(covered) / len(covered)


def show(name: str, by_rounds: dict[int, float]) -> None:
    worst = min(by_rounds, key=lambda n: by_rounds[n])
    print(f"\n{name}: lowest coverage {by_rounds[worst]:.2%} with {worst} rounds")


@pytest.mark.parametrize(
    ("noise", "truth"),
    # both halves of the bimodal distribution are symmetric on the logarithmic scale, so its median is in their middle
    [(lognormal, 1.0), (bimodal, math.sqrt(SLOW))],
    ids=["lognormal", "bimodal"],
)
def test_the_interval_of_a_median_covers_it_with_any_number_of_rounds(noise: Noise, truth: float) -> None:
    rng = np.random.default_rng(1)
    by_rounds = {n: coverage(median_interval, noise(rng, n), truth) for n in ROUNDS_OF_MEDIANS}
    show(f"median_interval, {noise.__name__}", by_rounds)
    assert min(by_rounds.values()) >= LEAST_COVERAGE, by_rounds


@pytest.mark.parametrize(
    ("slows", "exponent"),
    [(False, 1.0), (True, 1.0), (True, 0.97)],
    ids=["lognormal", "shared phases", "shared phases, unequal sensitivity"],
)
def test_the_interval_of_a_ratio_covers_it_with_any_number_of_rounds(slows: bool, exponent: float) -> None:
    rng = np.random.default_rng(2)
    truth = SLOW ** ((1 - exponent) / 2)
    by_rounds = {n: coverage(ratio_interval, duets(rng, n, slows, exponent), truth) for n in ROUNDS_OF_RATIOS}
    show(f"ratio_interval, {'phases' if slows else 'no phases'}, exponent {exponent}", by_rounds)
    assert min(by_rounds.values()) >= LEAST_COVERAGE, by_rounds


@given(figures)
def test_the_middle_is_the_median_and_within_the_bounds_and_they_are_figures(values: list[float]) -> None:
    result = median_interval(values)
    assert result.middle == statistics.median(values)
    assert result.low <= result.middle <= result.high
    assert {result.low, result.high} <= set(values)
    assert result.n == len(values)


@given(figures)
def test_the_middle_of_ratios_is_their_geometric_mean_and_within_the_bounds(ratios: list[float]) -> None:
    result = ratio_interval(ratios)
    assert result.middle == pytest.approx(statistics.geometric_mean(ratios))
    assert result.low <= result.middle <= result.high
    assert result.n == len(ratios)


@given(figures)
def test_the_order_of_the_rounds_does_not_matter(values: list[float]) -> None:
    assert median_interval(values[::-1]) == median_interval(values)
    assert ratio_interval(values[::-1]) == ratio_interval(values)


@pytest.mark.parametrize("n", ROUNDS_OF_MEDIANS)
def test_the_interval_of_a_median_is_scipys(n: int) -> None:
    values = np.random.default_rng(n).normal(size=n).tolist()
    expected: object = quantile_test(values).confidence_interval(0.95)
    found = median_interval(values)
    assert (found.low, found.high) == expected
    assert found.certain


@pytest.mark.parametrize("level", [0.9, 0.95, 0.999])
@pytest.mark.parametrize("n", [3, 6, 12, 36])
def test_the_interval_of_a_ratio_is_scipys_on_logarithms(n: int, level: float) -> None:
    ratios = np.random.default_rng(n).lognormal(0.1, 0.05, n).tolist()
    low, high = ttest_1samp(np.log(ratios), 0).confidence_interval(level)
    found = ratio_interval(ratios, level)
    assert (found.low, found.high) == pytest.approx((math.exp(low), math.exp(high)))


@pytest.mark.parametrize(("n", "kind"), [(1, Kind.SINGLE), (2, Kind.RANGE), (5, Kind.RANGE), (6, Kind.INTERVAL)])
def test_fewer_than_six_rounds_give_the_range_of_a_median(n: int, kind: Kind) -> None:
    values = [5.0, 1.0, 4.0, 2.0, 3.0, 6.0][:n]
    result = median_interval(values)
    assert (result.kind, result.certain) == (kind, kind is Kind.INTERVAL)
    assert (result.low, result.high) == (min(values), max(values))


@pytest.mark.parametrize(("n", "kind"), [(1, Kind.SINGLE), (2, Kind.RANGE), (3, Kind.INTERVAL)])
def test_fewer_than_three_rounds_give_the_range_of_ratios(n: int, kind: Kind) -> None:
    ratios = [1.1, 0.9, 1.0][:n]
    result = ratio_interval(ratios)
    assert (result.kind, result.certain) == (kind, kind is Kind.INTERVAL)
    if kind is not Kind.INTERVAL:
        assert (result.low, result.high) == (min(ratios), max(ratios))


@pytest.mark.parametrize("n", [1, 2, 3, 6, 24])
def test_equal_rounds_have_no_width(n: int) -> None:
    for result in (median_interval([1.1] * n), ratio_interval([1.1] * n)):
        assert result.low == result.middle == result.high == pytest.approx(1.1)
        assert result.half_width == 0


def test_a_higher_level_is_wider() -> None:
    ratios = [1.0, 1.02, 0.99, 1.01]
    assert ratio_interval(ratios, 0.999).half_width > ratio_interval(ratios).half_width > 0


def test_the_half_width_is_relative() -> None:
    interval = Interval(100, 80, 125, 7, Kind.INTERVAL)
    assert interval.half_width == pytest.approx(0.25)
    assert interval.scaled(1000).half_width == pytest.approx(0.25)
    assert interval.inverted().half_width == pytest.approx(0.25)


def test_the_half_width_of_an_interval_that_reaches_zero_is_infinite() -> None:
    assert Interval(1, 0, 2, 7, Kind.INTERVAL).half_width == math.inf


def test_scaling_keeps_what_the_bounds_are() -> None:
    assert Interval(100, 80, 130, 3, Kind.RANGE).scaled(2) == Interval(200, 160, 260, 3, Kind.RANGE)


def test_inverting_swaps_the_bounds() -> None:
    assert Interval(2, 1, 4, 6, Kind.INTERVAL).inverted() == Interval(0.5, 0.25, 1, 6, Kind.INTERVAL)


@pytest.mark.parametrize("by", [0.0, -1.0, math.inf, math.nan])
def test_a_scale_is_positive(by: float) -> None:
    with pytest.raises(ValueError, match="expected a positive and finite scale"):
        Interval(2, 1, 4, 6, Kind.INTERVAL).scaled(by)


def test_what_may_be_zero_has_no_inverse() -> None:
    with pytest.raises(ValueError, match="expected positive bounds, got 0"):
        Interval(2, 0, 4, 6, Kind.INTERVAL).inverted()


@pytest.mark.parametrize("values", [[], [1.0, math.nan], [1.0, math.inf]])
def test_a_median_is_of_finite_figures(values: list[float]) -> None:
    with pytest.raises(ValueError, match="expected"):
        median_interval(values)


@pytest.mark.parametrize("ratios", [[], [1.0, 0.0], [-1.0], [1.0, math.nan], [1.0, math.inf]])
def test_ratios_are_positive_and_finite(ratios: list[float]) -> None:
    with pytest.raises(ValueError, match="expected"):
        ratio_interval(ratios)
