"""Weekly series on made levels: how often the rule for drifts alarms without a change, and which steps are found.

A level is the mean over an entry's cells of the logarithm of relative cost. Some runs are disturbed, and cost more.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log1p

import numpy as np

from restbench.changes.hindsight import change_points
from restbench.changes.rule import MOST_BEFORE, Alarm, alarm

YEAR = 52
SPREADS = (0.005, 0.01, 0.015, 0.02)
"""Standard deviations of the levels of undisturbed runs."""

STEPS = (0.03, 0.05, 0.10)
"""How much slower an entry becomes, where it does."""

DISTURBED = 0.05
"""The share of runs that are disturbed."""

LEAST_DISTURBANCE, MOST_DISTURBANCE = 0.05, 0.20
"""How much more an entry costs in a disturbed run: evenly spread between these."""

SOON, LATER = 2, 4
"""The numbers of runs after a step within which it is to be found. The rule needs two."""

NEAR = 2
"""A change point at most so many runs from the step is that of the step."""

Rule = Callable[[Sequence[float]], Alarm | None]


@dataclass(frozen=True)
class Weeks:
    """What the rule says of series with that spread of their runs.

    `alarms` counts those of a series of so many `years` without a change. `within` has, for each of STEPS, the shares
    of series that raised an alarm within SOON runs after the step, and within LATER runs.
    """

    spread: float
    years: int
    alarms: int
    within: dict[float, tuple[float, float]]


@dataclass(frozen=True)
class Hindsight:
    """What change points say of so many series of one year, whose runs have that spread.

    `found` has, for each of STEPS in the middle of the year, the share of series with a change point there. `false` has
    the share with a change point elsewhere, for each of STEPS and for 0.0, which is no step.
    """

    spread: float
    series: int
    found: dict[float, float]
    false: dict[float, float]


def made_levels(weeks: int, spread: float, rng: np.random.Generator) -> list[float]:
    """Levels of weekly runs without a change. Some are disturbed."""
    extra = np.log1p(rng.uniform(LEAST_DISTURBANCE, MOST_DISTURBANCE, weeks))
    levels = rng.normal(0.0, spread, weeks) + np.where(rng.random(weeks) < DISTURBED, extra, 0.0)
    return [float(level) for level in levels]


def with_step(levels: Sequence[float], position: int, step: float) -> list[float]:
    """The levels, from that position on slower by `step`, 0.05 for 5 %."""
    return [level + (log1p(step) if number >= position else 0.0) for number, level in enumerate(levels)]


def watch(levels: Sequence[float], rule: Rule = alarm) -> list[int]:
    """Returns the positions of the first runs of the drifts that are recorded while a series grows run by run.

    A drift that was recorded is explained from then on, so the later levels are compared as if it had not happened.
    """
    known: list[float] = []
    explained = 0.0
    found = []
    for level in levels:
        known.append(level - explained)
        if drift := rule(known[-MOST_BEFORE - 2 :]):
            explained += drift.change
            known[-2:] = [each - drift.change for each in known[-2:]]
            found.append(len(known) - 2)
    return found


def simulate_weeks(spread: float, years: int, rng: np.random.Generator, rule: Rule = alarm) -> Weeks:
    """Watches one series of so many years without a change, and as many series with each of STEPS."""
    alarms = len(watch(made_levels(YEAR * years, spread, rng), rule))
    return Weeks(spread, years, alarms, {step: _within(spread, step, years, rng, rule) for step in STEPS})


def simulate_hindsight(spread: float, series: int, rng: np.random.Generator) -> Hindsight:
    """Looks for change points in so many series of a year without a step, and in as many with each of STEPS."""
    counts = {step: _points(spread, step, series, rng) for step in (0.0, *STEPS)}
    return Hindsight(
        spread,
        series,
        found={step: counts[step][0] / series for step in STEPS},
        false={step: count / series for step, (_, count) in counts.items()},
    )


def _within(spread: float, step: float, series: int, rng: np.random.Generator, rule: Rule) -> tuple[float, float]:
    """The shares of series in which the step is found soon, and later. So many runs precede it as the rule uses."""
    soon = later = 0
    for _ in range(series):
        levels = with_step(made_levels(MOST_BEFORE + LATER, spread, rng), MOST_BEFORE, step)
        alarms = [rule(levels[:end]) for end in range(MOST_BEFORE + SOON, MOST_BEFORE + LATER + 1)]
        slower = [found is not None and found.change > 0 for found in alarms]
        soon += slower[0]
        later += any(slower)
    return soon / series, later / series


def _points(spread: float, step: float, series: int, rng: np.random.Generator) -> tuple[int, int]:
    """How many series have a change point at the step, and how many have one elsewhere."""
    middle = YEAR // 2
    found = false = 0
    for _ in range(series):
        points = change_points(with_step(made_levels(YEAR, spread, rng), middle, step))
        near = [point for point in points if step and abs(point - middle) <= NEAR]
        found += bool(near)
        false += len(points) > len(near)
    return found, false
