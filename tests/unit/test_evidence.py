"""Which differences are claimed: simulated with the spread of rounds and starts that was measured, and step by step."""

from dataclasses import dataclass
from math import exp, log, sqrt

import numpy as np
import pytest

from restbench.catalog import CellKey
from restbench.changes.evidence import ALL_CELLS, FLOOR, Finding, Ratios, Seen, findings, worth_a_second_look
from restbench.stats.starts import (
    PRIOR_DEGREES,
    USUAL_SPREAD,
    StartSample,
    StartVariance,
    effect_of,
    sample_of,
    start_variance_of,
    together,
)

CELL = CellKey("hello", "hello_world", None)
OTHER = CellKey("workload", "simple", None)


def steady(ratio: float, starts: int = 2, rounds: int = 6) -> list[list[float]]:
    """Starts whose rounds differ by a per mille."""
    return [[ratio * (1 + 0.001 * (-1) ** i) for i in range(rounds)] for _ in range(starts)]


def standing(first: float, second: float | None) -> Seen:
    """What becomes of a cell with that ratio in the first series, and, where it is looked at again, in the second."""
    claimed = worth_a_second_look({CELL: steady(first)})
    again = {} if second is None else {CELL: steady(second)}
    return findings({CELL: steady(first)}, claimed, again)[CELL].standing


def test_a_difference_stands_when_fresh_processes_show_it_again() -> None:
    assert standing(1.05, 1.05) is Seen.SEEN_TWICE
    assert standing(0.95, 0.96) is Seen.SEEN_TWICE


@pytest.mark.parametrize("second", [1.0, 0.95, 1.004, None])
def test_it_does_not_where_they_show_none_or_another_or_cannot_be_measured(second: float | None) -> None:
    assert standing(1.05, second) is Seen.SEEN_ONCE


def test_what_is_too_small_for_anybody_to_act_on_is_not_looked_at_again() -> None:
    many = {CELL: steady(1 + 0.9 * FLOOR, starts=20, rounds=50)}
    assert not worth_a_second_look(many)
    assert findings(many, {}, {})[CELL].standing is Seen.NOT_SEEN


def test_the_ratio_is_that_of_all_starts() -> None:
    claimed = worth_a_second_look({CELL: steady(1.06)})
    found = findings({CELL: steady(1.06)}, claimed, {CELL: steady(1.04, starts=4)})[CELL]
    assert found.effect.ratio == pytest.approx((1.06**2 * 1.04**4) ** (1 / 6), rel=1e-3)
    assert (found.effect.starts, found.effect.rounds) == (6, 36)


def test_all_cells_together_are_a_difference_of_their_own() -> None:
    first = {CELL: steady(1.03), OTHER: steady(1.03)}
    claimed = worth_a_second_look(first)
    assert set(claimed) == {CELL, OTHER, ALL_CELLS}
    found = findings(first, claimed, first)
    assert found[ALL_CELLS].standing is Seen.SEEN_TWICE
    assert found[ALL_CELLS].effect.starts == 4


def test_all_cells_together_are_of_the_first_series_where_only_some_were_looked_at_again() -> None:
    """Together they would be a mean over cells that were chosen for their difference."""
    others = [CellKey("issue-tracker", f"scenario-{i}", None) for i in range(19)]
    cells = {key: steady(1.0) for key in others}
    first = {CELL: steady(1.05), **cells}
    claimed = worth_a_second_look(first)
    assert set(claimed) == {CELL}
    found = findings(first, claimed, {CELL: steady(1.05)})
    assert found[CELL].standing is Seen.SEEN_TWICE
    assert found[ALL_CELLS].effect.starts == 2
    assert found[ALL_CELLS].standing is Seen.NOT_SEEN


def test_a_cell_with_too_few_rounds_has_no_finding() -> None:
    assert findings({CELL: [[1.0]], OTHER: steady(1.0)}, {}, {}).keys() == {OTHER}


@dataclass(frozen=True)
class Shape:
    """What a series of an entry of so many cells is at profile `pr`."""

    cells: int
    starts: int
    rounds: int


FEW = (Shape(1, 4, 12), Shape(1, 4, 12))
MANY = (Shape(17, 2, 6), Shape(17, 4, 12))
"""Of 17 cells the few that are looked at again have time for more starts and rounds."""

Noise = tuple[float, float]
"""Standard deviations: of one duet round, and between starts."""
QUIET, USUAL, LOUD = (0.012, 0.005), (0.02, 0.007), (0.026, 0.01)


def simulated(shape: Shape, noise: Noise, effect: float, rng: np.random.Generator) -> dict[CellKey, list[list[float]]]:
    """One round in twenty has three times the noise; half of the variance between starts is that of the whole
    process; only the first cell differs."""
    spread, between = noise
    size = (shape.cells, shape.starts)
    shared = np.sqrt(0.5) * rng.standard_normal((1, shape.starts)) + np.sqrt(0.5) * rng.standard_normal(size)
    rounds = rng.standard_normal((*size, shape.rounds)) * np.where(rng.random((*size, shape.rounds)) < 0.05, 3, 1)
    logs = between * shared[..., None] + spread * rounds / np.sqrt(1.4)
    logs[0] += effect
    return {CellKey("suite", str(i), None): cell for i, cell in enumerate(np.exp(logs).tolist())}


def compared(
    shapes: tuple[Shape, Shape], noise: Noise, effect: float, rng: np.random.Generator
) -> dict[CellKey | None, Finding]:
    first = simulated(shapes[0], noise, effect, rng)
    claimed = worth_a_second_look(first)
    second = simulated(shapes[1], noise, effect, rng) if claimed else {}
    again: Ratios = {key: starts for key, starts in second.items() if key in claimed or ALL_CELLS in claimed}
    return findings(first, claimed, again)


def share_found(shapes: tuple[Shape, Shape], noise: Noise, change: float, trials: int = 200) -> float:
    """How often the change is found in the first cell; without a change, how often anything is claimed."""
    rng, seen = np.random.default_rng(17), 0
    for _ in range(trials):
        found = compared(shapes, noise, log(1 + change), rng)
        claims = {key for key, finding in found.items() if finding.standing is Seen.SEEN_TWICE}
        first = ("suite", "0", None)
        seen += (first in claims and found[first].effect.log > 0) if change else bool(claims)
    return seen / trials


@pytest.mark.parametrize("noise", [QUIET, USUAL, LOUD])
@pytest.mark.parametrize("shapes", [FEW, MANY])
def test_nothing_is_claimed_of_a_thing_and_itself_in_19_of_20(shapes: tuple[Shape, Shape], noise: Noise) -> None:
    assert share_found(shapes, noise, 0) <= 0.05


@pytest.mark.parametrize("shapes", [FEW, MANY])
def test_three_times_the_usual_spread_of_starts_does_little_harm(shapes: tuple[Shape, Shape]) -> None:
    """Taking all rounds for independent would claim something in more than half of these."""
    assert share_found(shapes, (0.03, 0.03), 0) <= 0.08


@pytest.mark.parametrize(
    ("shapes", "noise", "change", "least"),
    [
        (FEW, QUIET, 0.02, 0.95),
        (FEW, USUAL, 0.02, 0.6),
        (FEW, LOUD, 0.02, 0.35),
        (FEW, LOUD, 0.05, 0.95),
        (MANY, QUIET, 0.02, 0.85),
        (MANY, USUAL, 0.02, 0.4),
        (MANY, USUAL, 0.05, 0.95),
        (MANY, LOUD, 0.05, 0.95),
    ],
)
def test_how_often_a_difference_is_found(
    shapes: tuple[Shape, Shape], noise: Noise, change: float, least: float
) -> None:
    assert share_found(shapes, noise, change) >= least


ALIKE = [1.00, 1.01, 0.99, 1.00]


def shifted(by: float) -> list[float]:
    return [ratio * by for ratio in ALIKE]


def sampled(*starts: list[float]) -> StartSample:
    """The sample of starts that say something."""
    sample = sample_of(list(starts))
    assert sample
    return sample


def test_rounds_of_one_start_are_not_independent() -> None:
    """Many rounds make the mean of a start sure, and not that of all starts."""
    sample = sampled(shifted(1.02) * 100, shifted(1.02) * 100)
    effect = effect_of(sample, start_variance_of(sample))
    assert effect.ratio == pytest.approx(1.02, rel=1e-3)
    assert effect.error > USUAL_SPREAD / 2 / sqrt(2)
    assert (effect.starts, effect.rounds) == (2, 800)


def test_the_variance_between_starts_is_what_that_of_their_rounds_does_not_explain() -> None:
    sample = sampled(shifted(1.0), shifted(exp(0.04)))
    variance = np.var(np.log(ALIKE), ddof=1)
    assert sample.between_starts == pytest.approx(0.04**2 / 2 - variance / 4)


def far_apart(spread: float = 0.01) -> StartSample:
    """Two starts 6 % apart, whose rounds differ by the given share."""
    rounds = [1 + spread, 1 - spread] * 3
    return sampled(rounds, [ratio * exp(0.06) for ratio in rounds])


def test_two_starts_hardly_change_what_is_usual() -> None:
    between = start_variance_of(far_apart())
    assert between.degrees == PRIOR_DEGREES + 1
    assert USUAL_SPREAD < sqrt(between.variance) < 0.025


def test_the_other_cells_of_an_entry_tell_what_is_usual_for_it() -> None:
    alike = sampled(shifted(1.0), shifted(1.0))
    assert start_variance_of(alike).variance < USUAL_SPREAD**2
    assert 3 * USUAL_SPREAD < sqrt(start_variance_of(alike, [far_apart()] * 20).variance) < 0.06 / sqrt(2)


def test_a_cell_whose_rounds_are_noisy_tells_little_of_its_starts() -> None:
    alike = sampled(shifted(1.0), shifted(1.0))
    quiet, noisy = (start_variance_of(alike, [far_apart(spread)]) for spread in (0.01, 0.2))
    assert noisy.variance < quiet.variance


def test_starts_that_happen_to_be_alike_do_not_prove_that_others_are() -> None:
    sample = sampled(*[shifted(1.0)] * 50)
    assert start_variance_of(sample).variance == pytest.approx((USUAL_SPREAD / 2) ** 2)


def test_a_start_with_few_rounds_weighs_less() -> None:
    noisy = [0.9, 1.1, 0.95, 1.05]
    sample = sampled(noisy * 25, [1.2 * ratio for ratio in noisy[:2]])
    effect = effect_of(sample, StartVariance(1e-6, 10))
    assert effect.ratio < 1.02


def test_a_start_of_one_round_and_a_single_start_say_nothing() -> None:
    assert sample_of([ALIKE]) is None
    assert sample_of([ALIKE, [1.0], []]) is None


def test_later_starts_are_known_by_their_numbers() -> None:
    sample = sampled(shifted(1.0), [], shifted(1.1), shifted(1.2))
    later = sample.since(2)
    assert later
    assert [start.number for start in later.starts] == [2, 3]
    assert (later.rounds, later.degrees) == (8, sample.degrees)
    assert sample.since(3) is None


def test_all_cells_together_are_the_geometric_mean_of_those_with_every_start() -> None:
    known = [sampled(shifted(by), shifted(by)) for by in (1.02, 0.98)]
    both = together(known)
    assert both
    effect = effect_of(both, start_variance_of(both))
    assert effect.ratio == pytest.approx(sqrt(1.02 * 0.98), rel=1e-3)
    assert both.starts[0].error == pytest.approx(known[0].starts[0].error / 2)
    assert together([*known, sampled(*[shifted(9.0)] * 3)]) is None  # only one has every start


def test_the_interval_and_the_p_value_agree() -> None:
    sample = sampled(shifted(1.012), shifted(1.02), shifted(1.03))
    effect = effect_of(sample, start_variance_of(sample))
    low, high = effect.interval(1 - effect.p_value)
    assert low == pytest.approx(1.0)
    assert low < effect.ratio < high
    assert log(high) - effect.log == pytest.approx(effect.log - log(low))


@pytest.mark.parametrize("noise", ["lognormal", "bimodal"])
@pytest.mark.parametrize("starts", [2, 3, 4, 8])
def test_a_95_percent_interval_covers_the_truth_in_at_least_93_of_100(noise: str, starts: int) -> None:
    """Of a single cell, which knows least of its starts, with starts that spread as is usual."""
    rng = np.random.default_rng(starts)
    trials, rounds, spread = 5000, 6, 0.02
    draws = rng.standard_normal((trials, starts, rounds))
    if noise == "bimodal":
        draws = 0.9 * rng.choice([-1, 1], draws.shape) + sqrt(1 - 0.9**2) * draws
    logs = USUAL_SPREAD * rng.standard_normal((trials, starts, 1)) + spread * draws
    covered = 0
    for trial in np.exp(logs).tolist():
        sample = sampled(*trial)
        low, high = effect_of(sample, start_variance_of(sample)).interval()
        covered += low <= 1 <= high
    assert covered / trials >= 0.93
