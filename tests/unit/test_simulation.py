"""The error rates of the rules for changes, on made figures."""

from numpy.random import default_rng

from restbench.trust.simulated_weeks import YEAR
from restbench.trust.simulation import simulate, simulate_bumps, simulate_weeks


def test_equal_versions_are_hardly_ever_called_different() -> None:
    found = simulate_bumps(0.01, 0.03, 60, default_rng(1))
    assert found.claims <= 2
    assert found.found[0.10] == 1


def test_larger_changes_are_found_more_often() -> None:
    found = simulate_bumps(0.01, 0.03, 60, default_rng(2))
    assert found.found[0.03] <= found.found[0.05] <= found.found[0.10]
    assert found.found_in_one[0.10] >= found.found_in_one[0.03]


def test_quiet_weeks_raise_few_alarms_and_steps_are_found() -> None:
    """5 % of runs are disturbed: a rule that took one run for two, or the mean for the median, would raise tens.

    The rule may alarm in 1 % of the runs without a change.
    """
    found = simulate_weeks(0.01, 20, default_rng(1))
    assert found.alarms <= 0.01 * 20 * YEAR
    soon, later = found.within[0.10]
    assert 0.85 <= soon <= later


def test_the_same_seed_gives_the_same_tables() -> None:
    assert simulate(2, 10, 7) == simulate(2, 10, 7)
    assert simulate(2, 10, 7) != simulate(2, 10, 8)
