"""Weekly series on made levels, and the shapes of made comparisons."""

from collections.abc import Sequence
from statistics import fmean, median
from types import SimpleNamespace
from typing import cast

import pytest
from numpy.random import default_rng

from restbench.catalog.profiles import find_profile
from restbench.changes.rule import FEWEST_BEFORE, LEAST_MEAN, Alarm, alarm
from restbench.compare.series import FIRST_SHARE, SECONDS, Series, Shape
from restbench.trust.simulated_bumps import DESIGNS, FEW, Design
from restbench.trust.simulated_weeks import (
    YEAR,
    Rule,
    made_levels,
    simulate_hindsight,
    simulate_weeks,
    watch,
    with_step,
)

YEARS = 10
QUIET = [0.004, -0.004] * 8


def of_one_run(levels: Sequence[float]) -> Alarm | None:
    """The rule, as if one run were enough."""
    return alarm([*levels, levels[-1]])


def without_spread(levels: Sequence[float]) -> Alarm | None:
    """A rule that looks at the mean of two runs, and not at how much runs differ."""
    change = fmean(levels[-2:]) - median(levels[:-2]) if len(levels) > FEWEST_BEFORE + 2 else 0.0
    return Alarm(change, 0.01, len(levels) - 2) if abs(change) >= LEAST_MEAN else None


@pytest.mark.parametrize(("rule", "spread"), [(of_one_run, 0.01), (without_spread, 0.02)])
def test_a_simpler_rule_raises_several_times_as_many_alarms(rule: Rule, spread: float) -> None:
    levels = made_levels(YEARS * YEAR, spread, default_rng(1))
    assert len(watch(levels, rule)) > 3 * len(watch(levels))


def test_a_step_is_recorded_once() -> None:
    assert watch(with_step(QUIET * 3, 30, 0.05)) == [30]


def test_a_step_and_its_end_are_two_drifts() -> None:
    levels = with_step(QUIET * 3, 20, 0.05)[:30] + QUIET
    assert watch(levels) == [20, 30]


def test_levels_without_a_step_are_quiet() -> None:
    assert watch(QUIET * 3) == []


def test_larger_steps_are_found_more_often_and_later_ones_too() -> None:
    found = simulate_weeks(0.015, 40, default_rng(3)).within
    assert found[0.03][0] < found[0.05][0] <= found[0.10][0]
    assert all(soon <= later for soon, later in found.values())


def test_change_points_are_found_in_hindsight() -> None:
    found = simulate_hindsight(0.01, 20, default_rng(1))
    assert found.found[0.10] == 1
    assert found.found[0.03] >= 0.5
    assert found.false[0.0] <= 0.5


@pytest.mark.parametrize("design", DESIGNS)
def test_made_comparisons_have_the_starts_and_rounds_of_real_ones(design: Design) -> None:
    rest = (1 - FIRST_SHARE) * SECONDS
    assert planned(design.cells, FIRST_SHARE * SECONDS) == design.first
    assert planned(min(FEW, design.cells), rest) == design.few
    assert planned(design.cells, rest) == design.every


def planned(cells: int, seconds: float) -> Shape:
    """What a real series of so many cells has at profile pr, for an entry that does not compile while it runs."""
    series = SimpleNamespace(
        plan=SimpleNamespace(tools=SimpleNamespace(profile=find_profile("pr"))),
        head=SimpleNamespace(language=SimpleNamespace(manifest=SimpleNamespace(compiles_at_run_time=False))),
        baseline="an entry",
    )
    return Series._shape(cast(Series, series), {("made", str(number), None) for number in range(cells)}, seconds)
