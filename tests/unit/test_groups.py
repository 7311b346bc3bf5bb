"""Claims of a table and its groups: what two estimates have in common cancels out, and differences are certain."""

import math
from math import exp, log
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from restbench.stats.estimates import (
    MARGIN,
    Estimate,
    Part,
    Spread,
    Standing,
    certainly_faster,
    difference,
    holm,
    moderated,
    standings,
    usual_variance,
)
from restbench.stats.intervals import log_sample


def estimate(log: float, error: float = 0.01, number: int = 0) -> Estimate:
    """A row with that error beside its rounds, which have none."""
    return Estimate(log, Spread(0.0, 10, 10), {number: Part(error**2)})


def standings_of(rows: list[Estimate]) -> list[Standing]:
    return standings(len(rows), certainly_faster(rows))


def numbers(*logs: float, **errors: float) -> list[int]:
    """The groups of rows with these logarithms. `errors`: the error of the row of that number, such as r2."""
    return [row.group for row in found(*logs, **errors)]


def found(*logs: float, **errors: float) -> list[Standing]:
    return standings_of([estimate(log, errors.get(f"r{row}", 0.01), row) for row, log in enumerate(logs)])


@st.composite
def tables(draw: st.DrawFn) -> list[Estimate]:
    rows = draw(st.lists(st.tuples(st.floats(-2, 2), st.sampled_from([0.01, 0.05, 0.3])), max_size=12))
    ordered = sorted(rows, reverse=True)
    return [estimate(log, error, number) for number, (log, error) in enumerate(ordered)]


def test_a_group_begins_where_all_that_remains_is_certainly_slower_than_the_first_of_the_group() -> None:
    assert numbers(0, -0.05, -0.5, -0.55, -1) == [1, 1, 2, 2, 3]


def test_a_group_is_compared_with_its_first_row_and_not_with_its_last() -> None:
    """Rows that follow each other closely still part where the first one is far enough away."""
    assert numbers(0, -0.1, -0.2, -0.3, -0.4, -0.5) == [1, 1, 2, 2, 3, 3]


def test_a_noisy_row_holds_those_before_it_together_and_who_is_certainly_slower_is_marked() -> None:
    assert numbers(0, -0.5, -0.6, -3, r2=0.5) == [1, 1, 1, 2]
    assert [row.behind for row in found(0, -0.5, -0.6, -3, r2=0.5)] == [False, True, False, False]


def test_one_row_and_none() -> None:
    assert numbers(0) == [1]
    assert numbers() == []


@given(tables())
def test_numbers_rise_by_one_and_the_first_of_a_group_is_claimed_to_beat_all_of_the_next_ones(
    table: list[Estimate],
) -> None:
    rows, certain = standings_of(table), certainly_faster(table)
    groups = [row.group for row in rows]
    assert groups == sorted(groups)
    assert set(groups) == set(range(1, max(groups, default=0) + 1))
    for place, row in enumerate(rows):
        if row.group > 1:
            assert (groups.index(row.group - 1), place) in certain
        assert row.behind == ((groups.index(row.group), place) in certain)


@given(tables(), st.randoms(use_true_random=False))
def test_the_same_rows_have_the_same_groups_in_whatever_order_they_came(table: list[Estimate], random: Random) -> None:
    def by_row(rows: list[Estimate]) -> dict[object, Standing]:
        return {next(iter(row.parts)): standing for row, standing in zip(rows, standings_of(rows), strict=True)}

    shuffled = random.sample(table, len(table))
    assert by_row(sorted(shuffled, key=lambda row: (-row.log, next(iter(row.parts))))) == by_row(table)


ROUNDS = Spread(0.04**2, 13, 10)


def an_estimate(speed: float, own: Spread = ROUNDS, scale: str = "linked", **parts: Part) -> Estimate:
    return Estimate(log(speed), own, dict(parts.items()), scale)


def test_errors_add_up_as_squares() -> None:
    one, other = (an_estimate(1, process=Part(0.02**2)), an_estimate(2, another=Part(0.03**2)))
    found = difference(one, other)
    assert found.log == pytest.approx(log(0.5))
    assert found.error == pytest.approx((2 * 0.04**2 / 10 + 0.02**2 + 0.03**2) ** 0.5)


def test_a_part_that_both_have_cancels_out() -> None:
    own, shared = (an_estimate(1), an_estimate(1, baseline=Part(0.5**2)))
    assert difference(shared, shared).error == pytest.approx(difference(own, own).error)
    assert difference(shared, own).error > 0.5


def test_a_part_counts_as_often_as_it_is_in_the_difference() -> None:
    once, back = (an_estimate(1, baseline=Part(0.1**2, times=times)) for times in (1.0, -1.0))
    assert difference(once, back).error == pytest.approx((2 * 0.04**2 / 10 + 4 * 0.1**2) ** 0.5)


def test_of_two_spreads_the_larger_counts_for_both() -> None:
    quiet = an_estimate(1, Spread(0.001**2, 13, 10))
    assert difference(quiet, an_estimate(1)).error == pytest.approx(difference(an_estimate(1), an_estimate(1)).error)


def test_few_rounds_have_the_usual_spread() -> None:
    spread = moderated(log_sample([100.0, 100.0 * exp(0.01)]), usual=0.05**2)
    assert spread.variance == pytest.approx((0.05**2 * 4 + 0.01**2 / 2) / 5)
    assert spread.degrees == 5
    for same in ([100.0], [100.0, 100.0]):
        found = moderated(log_sample(same), usual=0.05**2)
        assert (found.variance, found.degrees, found.rounds) == (0.05**2, 4, len(same))


def test_the_usual_spread_is_the_mean_of_the_cells_with_two_rounds() -> None:
    samples = [log_sample([1.0, exp(0.1)]), log_sample([1.0, exp(0.3)]), log_sample([5.0])]
    assert usual_variance(samples) == pytest.approx((0.1**2 / 2 + 0.3**2 / 2) / 2)
    assert usual_variance([log_sample([5.0])]) == pytest.approx(0.2**2)
    assert usual_variance([log_sample([5.0, 5.0]), log_sample([7.0] * 9)]) == pytest.approx(0.2**2)


def test_only_more_than_the_margin_is_claimed() -> None:
    sure = Spread(1e-8, 100, 100)
    assert certainly_faster([an_estimate(1.09, sure), an_estimate(1, sure)]) == set()
    assert certainly_faster([an_estimate(1, sure), an_estimate(1.12, sure)]) == {(1, 0)}


def test_the_p_value_is_that_of_a_difference_by_the_margin() -> None:
    at_the_margin = difference(an_estimate(1.1), an_estimate(1))
    assert at_the_margin.log == pytest.approx(MARGIN)
    assert at_the_margin.p_value == pytest.approx(0.5, abs=0.01)
    assert difference(an_estimate(1.0), an_estimate(1)).p_value > 0.99


def test_the_pairs_of_a_table_share_a_level() -> None:
    rows = [an_estimate(1.16), an_estimate(1.0)]
    assert certainly_faster(rows) == {(0, 1)}
    assert certainly_faster([*rows, *(an_estimate(1.1) for _ in range(20))]) == set()


def test_scales_are_not_mixed() -> None:
    one, other = an_estimate(9), an_estimate(1, scale="Java")
    assert certainly_faster([one, other]) == set()
    with pytest.raises(ValueError, match="two scales"):
        difference(one, other)


def test_nothing_has_no_claims() -> None:
    assert certainly_faster([]) == set()
    assert certainly_faster([an_estimate(1)]) == set()


def test_rounds_without_any_spread_claim_nothing() -> None:
    exact = Spread(0.0, 10, 10)
    assert certainly_faster([an_estimate(2, exact), an_estimate(1, exact)]) == set()
    assert certainly_faster([an_estimate(1, exact), an_estimate(1, exact)]) == set()


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


@pytest.mark.parametrize("bad", [-0.1, 1.1, math.nan])
def test_p_values_are_between_0_and_1(bad: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        holm([0.5, bad])
