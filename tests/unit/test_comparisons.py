"""Comparisons: p-values of two figures, and their adjustment for the number of comparisons."""

import math
from collections.abc import Callable, Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import mannwhitneyu, ttest_ind
from scipy.stats import t as student

from restbench.stats.comparisons import different_medians, holm

SIMULATIONS = 8000
ROUNDS = [(6, 6), (6, 7), (7, 7), (6, 12), (6, 16), (8, 16), (12, 12), (16, 16)]
SLOW = 1.6
"""By what factor a core is slower in its slow phase."""

Comparison = Callable[[Sequence[float], Sequence[float]], float]
Samples = NDArray[np.float64]
"""Throughputs, simulations × rounds."""

p_values = st.lists(st.floats(0, 1), max_size=40)


def throughputs(rng: np.random.Generator, n: int, sd: float, sensitivity: float) -> Samples:
    """A core is in its slow phase half of the time, and slows the row by 1.6 to the power of its sensitivity. The
    median is 1."""
    phase = rng.integers(0, 2, (SIMULATIONS, n)) - 0.5
    return np.exp(rng.normal(0, sd, (SIMULATIONS, n)) - phase * sensitivity * math.log(SLOW))


def false_alarms(one: Samples, other: Samples, compare: Comparison) -> tuple[float, float]:
    """How often two equal rows are called different at the 5 % and at the 0.1 % level."""
    found = np.array([compare(a, b) for a, b in zip(one.tolist(), other.tolist(), strict=True)])
    return float(np.mean(found <= 0.05)), float(np.mean(found <= 0.001))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((0.2, 0), (0.2, 0)),
        ((0.05, 0), (0.2, 0)),
        ((0.05, 1), (0.05, 1)),
        ((0.02, 1), (0.1, 1)),
        ((0.05, 1), (0.2, 0)),
        ((0.05, 1), (0.05, 0.5)),
    ],
    ids=[
        "lognormal",
        "lognormal 4:1",
        "bimodal",
        "bimodal 5:1",
        "bimodal and lognormal",
        "bimodal, one half as sensitive",
    ],
)
def test_rows_with_equal_medians_are_seldom_called_different(
    one: tuple[float, float], other: tuple[float, float]
) -> None:
    rng = np.random.default_rng(1)
    found = {}
    for n, m in {rounds for pair in ROUNDS for rounds in (pair, pair[::-1])}:
        found[n, m] = false_alarms(throughputs(rng, n, *one), throughputs(rng, m, *other), different_medians)
    at_5_percent, at_1_permille = (max(rates) for rates in zip(*found.values(), strict=True))
    print(f"\ndifferent_medians, {one} and {other}: {at_5_percent:.2%} at 5 %, {at_1_permille:.3%} at 0.1 %")
    assert at_5_percent <= 0.06, found
    assert at_1_permille <= 0.003, found


def test_why_medians_are_compared_by_neither_of_the_usual_tests() -> None:
    """Welch's t trusts six rounds that fell into one phase of the core; ranks take unequal spread for a difference."""
    rng = np.random.default_rng(2)
    phases = throughputs(rng, 6, 0.05, 1), throughputs(rng, 16, 0.05, 1)
    welch = ttest_ind(np.log(phases[0]), np.log(phases[1]), axis=1, equal_var=False).pvalue
    assert np.mean(welch <= 0.001) > 0.005
    spreads = throughputs(rng, 6, 0.2, 0), throughputs(rng, 16, 0.05, 0)
    assert np.mean(mannwhitneyu(*spreads, axis=1).pvalue <= 0.05) > 0.1


def test_what_differs_clearly_is_found() -> None:
    rng = np.random.default_rng(5)
    one, other = rng.lognormal(0, 0.03, 12).tolist(), rng.lognormal(0.2, 0.03, 12).tolist()
    assert different_medians(one, other) < 1e-6


def test_medians_of_rows_ten_times_apart_differ_however_slow_the_core_was() -> None:
    rng = np.random.default_rng(6)
    one, other = throughputs(rng, 7, 0.05, 1), throughputs(rng, 7, 0.05, 1) * 10
    found = [different_medians(a, b) for a, b in zip(one[:500].tolist(), other.tolist(), strict=False)]
    assert np.mean(np.array(found) <= 1e-4) > 0.95


@pytest.mark.parametrize("n", [6, 12])
def test_medians_of_equally_noisy_rows_are_compared_with_the_degrees_of_freedom_of_one(n: int) -> None:
    one = np.random.default_rng(n).lognormal(0, 0.1, n)
    other = one[::-1] * 1.1
    statistic = ttest_ind(np.log(one), np.log(other)).statistic
    assert different_medians(one.tolist(), other.tolist()) == pytest.approx(2 * student.sf(abs(statistic), n - 1))


@given(st.lists(st.floats(0.1, 10), min_size=1, max_size=20), st.lists(st.floats(0.1, 10), min_size=1, max_size=20))
def test_the_order_of_the_two_does_not_matter(a: list[float], b: list[float]) -> None:
    assert 0 <= different_medians(a, b) <= 1
    assert different_medians(a, b) == pytest.approx(different_medians(b, a), abs=1e-12)


@pytest.mark.filterwarnings("error")
def test_samples_without_spread() -> None:
    compare, enough = different_medians, 6
    assert compare([1.1] * enough, [1.1] * (enough + 1)) == 1.0
    assert compare([1.1] * enough, [1.2] * enough) == 0.0
    assert compare([1.1] * enough, [1.2] * (enough - 1)) == 1.0
    assert compare([1.1] * (enough - 1), [1.2] * enough) == 1.0
    one_varies = compare([1.0] * enough, [1.1, 1.2, 1.3, *[1.2] * enough])
    assert 0 < one_varies < 0.05
    barely = [1.1, math.nextafter(1.1, 2), *[1.1] * enough]
    assert 0 <= compare(barely, [1.1] * enough) <= 1
    assert compare(barely, barely) == 1.0


@pytest.mark.parametrize("bad", [[], [1.0, 0.0], [-1.0], [math.nan], [math.inf]])
def test_figures_are_positive_and_finite(bad: list[float]) -> None:
    with pytest.raises(ValueError, match="expected"):
        different_medians([1.0] * 6, bad)


def test_holms_example() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_one_comparison_needs_no_adjustment_and_none_gives_none() -> None:
    assert holm([0.04]) == [0.04]
    assert holm([]) == []


@given(p_values)
def test_adjusted_values_are_between_the_raw_and_those_of_bonferroni(raw: list[float]) -> None:
    for p, adjusted in zip(raw, holm(raw), strict=True):
        assert p <= adjusted <= min(1.0, p * len(raw) * (1 + 1e-12))


@given(p_values)
def test_adjusted_values_keep_the_order(raw: list[float]) -> None:
    adjusted = holm(raw)
    assert [adjusted[i] for i in np.argsort(raw, kind="stable")] == sorted(adjusted)


@given(p_values, st.randoms())
def test_equal_values_are_adjusted_alike_wherever_they_are(raw: list[float], random: Random) -> None:
    order = list(range(len(raw)))
    random.shuffle(order)
    adjusted = holm(raw)
    assert holm([raw[i] for i in order]) == [adjusted[i] for i in order]


@given(p_values, st.floats(0.001, 0.5))
def test_the_claims_are_those_of_the_stepwise_procedure(raw: list[float], level: float) -> None:
    """Holm's own wording: claim from the smallest on while p × (comparisons left) is within the level."""
    claimed: set[int] = set()
    for i in sorted(range(len(raw)), key=lambda i: raw[i]):
        if raw[i] * (len(raw) - len(claimed)) > level:
            break
        claimed.add(i)
    assert {i for i, adjusted in enumerate(holm(raw)) if adjusted <= level} == claimed


def test_holm_makes_a_false_claim_in_at_most_one_table_of_twenty() -> None:
    """40 rows are compared with one and the same baseline, so the comparisons depend on each other."""
    rng = np.random.default_rng(7)
    wrong = 0
    for _ in range(500):
        baseline, *rows = rng.lognormal(0, 0.05, (41, 12)).tolist()
        wrong += min(holm([float(ttest_ind(np.log(row), np.log(baseline)).pvalue) for row in rows])) <= 0.05
    assert 0 < wrong <= 0.07 * 500


@pytest.mark.parametrize("bad", [-0.1, 1.1, math.nan])
def test_p_values_are_between_0_and_1(bad: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        holm([0.5, bad])
