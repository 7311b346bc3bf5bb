"""Holm's method: p-values that are adjusted for the number of comparisons."""

import math
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_ind

from restbench.stats.estimates import holm

p_values = st.lists(st.floats(0, 1), max_size=40)


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
