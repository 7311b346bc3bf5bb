"""The rule for changes that nobody made: which levels are another level than those before."""

from math import log1p
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from restbench.changes.rule import FEWEST_BEFORE, MOST_BEFORE, alarm

QUIET = [0.004, -0.004] * 10
"""Twenty runs with a spread of 0.6 %."""


def test_two_runs_that_are_five_per_cent_slower_are_an_alarm() -> None:
    found = alarm([*QUIET, log1p(0.05), log1p(0.05)])
    assert found is not None
    assert found.change == pytest.approx(log1p(0.05))
    assert found.before == MOST_BEFORE
    low, high = found.bounds()
    assert 0 < low < found.change < high < 2 * found.change


def test_becoming_faster_is_an_alarm_too() -> None:
    found = alarm([*QUIET, -0.06, -0.04])
    assert found is not None
    assert found.change == pytest.approx(-0.05)


@pytest.mark.parametrize(
    ("newest", "what"),
    [
        ([0.0, 0.08], "one run alone may be disturbed"),
        ([0.08, -0.08], "the runs say opposite things"),
        ([0.019, 0.08], "one of both is less than 2 % away"),
        ([0.025, 0.030], "the mean is less than 3 % away"),
    ],
)
def test_anything_less_is_none(newest: list[float], what: str) -> None:
    assert alarm([*QUIET, *newest]) is None, what


def test_the_spread_of_the_runs_before_decides() -> None:
    noisy = [5 * level for level in QUIET]
    assert alarm([*noisy, 0.06, 0.06]) is None
    assert alarm([*noisy, 0.12, 0.12]) is not None


def test_a_disturbed_run_before_hardly_matters() -> None:
    assert alarm([*QUIET[:10], 0.20, *QUIET[11:], 0.05, 0.05]) is not None


def test_too_few_runs_tell_nothing() -> None:
    assert alarm([*QUIET[: FEWEST_BEFORE - 1], 0.5, 0.5]) is None
    assert alarm([*QUIET[:FEWEST_BEFORE], 0.5, 0.5]) is not None
    assert alarm([]) is None


def test_only_the_newest_runs_before_count() -> None:
    """After a year on the new level, the old one is forgotten."""
    assert alarm([*[0.5] * 30, *QUIET, 0.001, 0.002]) is None


@given(st.floats(-5, 5), st.integers(0, 2**32))
def test_the_level_itself_does_not_matter(level: float, seed: int) -> None:
    rng = Random(seed)
    levels = [rng.gauss(0, 0.01) for _ in range(MOST_BEFORE)] + [rng.choice([0.0, 0.1]) for _ in range(2)]
    assert (alarm(levels) is None) == (alarm([each + level for each in levels]) is None)
