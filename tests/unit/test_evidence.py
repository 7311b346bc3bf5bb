"""Which differences are claimed: simulated with noise and luck as they were measured, and step by step."""

from dataclasses import dataclass
from math import log

import numpy as np
import pytest

from restbench.catalog import CellKey
from restbench.changes.evidence import ALL_CELLS, FLOOR, Finding, Ratios, Seen, findings, worth_a_second_look

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
    cells: dict[CellKey, list[list[float]]] = {
        CellKey("issue-tracker", f"scenario-{i}", None): steady(1.0) for i in range(19)
    }
    first = {CELL: steady(1.05), **cells}
    claimed = worth_a_second_look(first)
    assert set(claimed) == {CELL}
    found = findings(first, claimed, {CELL: steady(1.05)})
    assert found[CELL].standing is Seen.SEEN_TWICE
    assert found[ALL_CELLS].effect.starts == 2
    assert found[ALL_CELLS].standing is Seen.NOT_SEEN


def test_a_cell_with_too_few_rounds_is_told_nothing_of() -> None:
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
    """One round in twenty has three times the noise; half of the luck is that of the whole process; the first cell
    alone differs."""
    spread, luck = noise
    size = (shape.cells, shape.starts)
    shared = np.sqrt(0.5) * rng.standard_normal((1, shape.starts)) + np.sqrt(0.5) * rng.standard_normal(size)
    rounds = rng.standard_normal((*size, shape.rounds)) * np.where(rng.random((*size, shape.rounds)) < 0.05, 3, 1)
    logs = luck * shared[..., None] + spread * rounds / np.sqrt(1.4)
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
def test_three_times_the_usual_luck_does_little_harm(shapes: tuple[Shape, Shape]) -> None:
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
