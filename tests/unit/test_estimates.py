"""Estimates: what two of them have in common cancels out, and only certain differences are claimed."""

from math import exp, log

import pytest

from restbench.stats.estimates import (
    MARGIN,
    Estimate,
    Part,
    Spread,
    certainly_faster,
    difference,
    moderated,
    usual_variance,
)
from restbench.stats.intervals import log_sample

ROUNDS = Spread(0.04**2, 13, 10)


def estimate(speed: float, own: Spread = ROUNDS, scale: str = "linked", **parts: Part) -> Estimate:
    return Estimate(log(speed), own, dict(parts.items()), scale)


def test_errors_add_up_as_squares() -> None:
    one, other = (estimate(1, process=Part(0.02**2)), estimate(2, another=Part(0.03**2)))
    found = difference(one, other)
    assert found.log == pytest.approx(log(0.5))
    assert found.error == pytest.approx((2 * 0.04**2 / 10 + 0.02**2 + 0.03**2) ** 0.5)


def test_a_part_that_both_have_cancels_out() -> None:
    alone, shared = (estimate(1), estimate(1, baseline=Part(0.5**2)))
    assert difference(shared, shared).error == pytest.approx(difference(alone, alone).error)
    assert difference(shared, alone).error > 0.5


def test_a_part_counts_as_often_as_it_is_in_the_difference() -> None:
    once, back = (estimate(1, baseline=Part(0.1**2, times=times)) for times in (1.0, -1.0))
    assert difference(once, back).error == pytest.approx((2 * 0.04**2 / 10 + 4 * 0.1**2) ** 0.5)


def test_of_two_spreads_the_larger_counts_for_both() -> None:
    quiet = estimate(1, Spread(0.001**2, 13, 10))
    assert difference(quiet, estimate(1)).error == pytest.approx(difference(estimate(1), estimate(1)).error)


def test_few_rounds_have_the_usual_spread() -> None:
    lucky = moderated(log_sample([100.0, 100.0]), usual=0.05**2)
    assert lucky.variance == pytest.approx(0.05**2 * 4 / 5)
    assert lucky.degrees == 5
    single = moderated(log_sample([100.0]), usual=0.05**2)
    assert (single.variance, single.degrees, single.rounds) == (0.05**2, 4, 1)


def test_the_usual_spread_is_the_mean_of_the_cells_with_two_rounds() -> None:
    samples = [log_sample([1.0, exp(0.1)]), log_sample([1.0, exp(0.3)]), log_sample([5.0])]
    assert usual_variance(samples) == pytest.approx((0.1**2 / 2 + 0.3**2 / 2) / 2)
    assert usual_variance([log_sample([5.0])]) == pytest.approx(0.2**2)


def test_only_more_than_the_margin_is_claimed() -> None:
    sure = Spread(1e-8, 100, 100)
    assert certainly_faster([estimate(1.09, sure), estimate(1, sure)]) == set()
    assert certainly_faster([estimate(1, sure), estimate(1.12, sure)]) == {(1, 0)}


def test_the_p_value_is_that_of_a_difference_by_the_margin() -> None:
    at_the_margin = difference(estimate(1.1), estimate(1))
    assert at_the_margin.log == pytest.approx(MARGIN)
    assert at_the_margin.p_value == pytest.approx(0.5, abs=0.01)
    assert difference(estimate(1.0), estimate(1)).p_value > 0.99


def test_the_pairs_of_a_table_share_a_level() -> None:
    rows = [estimate(1.16), estimate(1.0)]
    assert certainly_faster(rows) == {(0, 1)}
    assert certainly_faster([*rows, *(estimate(1.1) for _ in range(20))]) == set()


def test_scales_are_not_mixed() -> None:
    one, other = estimate(9), estimate(1, scale="Java")
    assert certainly_faster([one, other]) == set()
    with pytest.raises(ValueError, match="two scales"):
        difference(one, other)


def test_nothing_has_no_claims() -> None:
    assert certainly_faster([]) == set()
    assert certainly_faster([estimate(1)]) == set()


def test_rounds_without_any_spread_differ_or_not() -> None:
    exact = Spread(0.0, 10, 10)
    assert certainly_faster([estimate(2, exact), estimate(1, exact)]) == {(0, 1)}
    assert certainly_faster([estimate(1, exact), estimate(1, exact)]) == set()
