"""Comparisons of two versions on made rounds: how often equal versions are called different, and what is found.

The rounds have the noise that real ones have: every round differs, some rounds differ more, and each start of a process
has luck that all of its rounds share. The verdicts are those of `compare.evidence`, which judges real comparisons too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import log1p, sqrt

import numpy as np

from restbench.compare.evidence import ALL_CELLS, Finding, Key, Standing, findings, worth_a_second_look
from restbench.compare.series import Shape

FEW = 5
"""If so many cells or fewer are looked at again, each has the starts and rounds of a cell that is alone."""

ODD_ROUNDS, ODD_SPREAD = 0.05, 3.0
"""The share of rounds that were disturbed, and how many times the usual spread these have."""

SHARED_LUCK = 0.5
"""The share of a start's variance that is the luck of the whole process. The rest is that of each cell."""

LUCKS = (0.005, 0.01, 0.02)
"""Standard deviations of the logarithm of a ratio between starts."""

SPREADS = (0.02, 0.03, 0.06)
"""Standard deviations of the logarithm of a ratio between the rounds of a start."""

CHANGES = (0.03, 0.05, 0.10)
"""How much slower the new version is, where it is slower."""

SHARE_FOR_POWER = 5
"""Each change has this many times fewer comparisons than equal versions have. How often a change is found need not be
as exact as how often nothing is called a change."""


@dataclass(frozen=True)
class Design:
    """The starts and rounds of a comparison of an entry with so many cells, as `compare.series` plans profile pr.

    `first` is the first series. The second series has the shape `few` for up to FEW cells, and `every` for more.
    """

    cells: int
    first: Shape
    few: Shape
    every: Shape


ONE_CELL = Design(1, Shape(4, 8), Shape(4, 8), Shape(4, 8))
MANY_CELLS = Design(17, Shape(2, 7), Shape(4, 8), Shape(2, 6))
DESIGNS = (ONE_CELL, MANY_CELLS)


@dataclass(frozen=True)
class Noise:
    """Standard deviations of the logarithm of a ratio: `luck` between starts, `spread` between rounds of a start."""

    luck: float
    spread: float


@dataclass(frozen=True)
class Bumps:
    """What comparisons of an entry with so many cells claimed.

    `claims` counts those of `comparisons` of equal versions in which any difference was claimed. `found` and
    `found_in_one` have, for each of CHANGES, the share of comparisons that found it: in all cells, and in one cell.
    """

    cells: int
    noise: Noise
    comparisons: int
    claims: int
    found: dict[float, float]
    found_in_one: dict[float, float]


def simulate_bumps(
    luck: float, spread: float, comparisons: int, rng: np.random.Generator, design: Design = MANY_CELLS
) -> Bumps:
    """Makes so many comparisons of equal versions with that noise, and a part of as many of each change."""
    noise = Noise(luck, spread)

    def count(change: float, changed: int, times: int) -> int:
        """How many of so many comparisons find that the first `changed` cells are slower by `change`."""
        effects = {_key(number): log1p(change) if number < changed else 0.0 for number in range(design.cells)}
        return sum(_finds(_compared(design, noise, effects, rng), changed) for _ in range(times))

    times = max(1, comparisons // SHARE_FOR_POWER)
    return Bumps(
        design.cells,
        noise,
        comparisons,
        claims=count(0.0, 0, comparisons),
        found={change: count(change, design.cells, times) / times for change in CHANGES},
        found_in_one={change: count(change, 1, times) / times for change in CHANGES},
    )


def simulate_all_bumps(comparisons: int, rng: np.random.Generator) -> list[Bumps]:
    """Returns a result for each design and noise."""
    return [
        simulate_bumps(luck, spread, comparisons, rng, design)
        for design in DESIGNS
        for luck, spread in product(LUCKS, SPREADS)
    ]


def _compared(
    design: Design, noise: Noise, effects: Mapping[Key, float], rng: np.random.Generator
) -> dict[Key | None, Finding]:
    """The findings of one comparison. As a real one, it has a second series if the first one shows a difference."""
    first = _made(list(effects.values()), list(effects), design.first, noise, rng)
    claimed = worth_a_second_look(first)
    again = list(effects) if ALL_CELLS in claimed else [key for key in effects if key in claimed]
    shape = design.few if len(again) <= FEW else design.every
    second = _made([effects[key] for key in again], again, shape, noise, rng) if again else {}
    return findings(first, claimed, second)


def _made(
    effects: Sequence[float], keys: Sequence[Key], shape: Shape, noise: Noise, rng: np.random.Generator
) -> dict[Key, list[list[float]]]:
    """Ratios of each cell, start and round. `effects` are the logarithms of the true ratios."""
    size = (len(keys), shape.starts)
    of_process = sqrt(SHARED_LUCK) * rng.standard_normal((1, shape.starts))
    of_cell = sqrt(1 - SHARED_LUCK) * rng.standard_normal(size)
    odd = np.where(rng.random((*size, shape.rounds)) < ODD_ROUNDS, ODD_SPREAD, 1.0)
    # the odd rounds add variance, and the spread is that of all rounds
    usual = noise.spread / sqrt(1 + ODD_ROUNDS * (ODD_SPREAD**2 - 1))
    rounds = usual * odd * rng.standard_normal((*size, shape.rounds))
    logs = np.asarray(effects)[:, None, None] + noise.luck * (of_process + of_cell)[..., None] + rounds
    return dict(zip(keys, np.exp(logs).tolist(), strict=True))


def _finds(found: Mapping[Key | None, Finding], changed: int) -> bool:
    """Whether a changed cell, or all cells together where several changed, is called slower.

    Without a changed cell: whether any difference is claimed.
    """
    claims = {key: finding.effect.log > 0 for key, finding in found.items() if finding.standing is Standing.SEEN_TWICE}
    if changed == 0:
        return bool(claims)
    expected = [_key(number) for number in range(changed)]
    if changed > 1:
        return claims.get(ALL_CELLS, False) or any(claims.get(key, False) for key in expected)
    return claims.get(expected[0], False)


def _key(number: int) -> Key:
    return "made", str(number), None
