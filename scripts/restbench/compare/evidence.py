"""Which differences between two versions are claimed, and which of them stand.

One in twenty intervals excludes 1 by chance, and a process may have luck that its next start has not. What a first
series of starts shows is therefore only worth a second look. Fresh processes are measured, and a difference stands
where they show it again, in the same direction, at a level that all that is looked at again shares by Holm. The second
series is independent of the first, so whatever was chosen for it, at most one comparison of a thing with itself in
twenty claims anything; the first series makes that rarer still.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from math import copysign, log1p

from restbench.stats.comparisons import holm
from restbench.stats.starts import Effect, StartSample, effect_of, luck_of, sample_of, together

ERROR_RATE = 0.05
FLOOR = 0.01
"""A difference smaller than this is not claimed, however certain. The two versions are in different folders, and the
length of a path alone makes such differences at each start (T. Mytkowicz, A. Diwan, M. Hauswirth, P. F. Sweeney,
"Producing wrong data without doing anything obviously wrong!", ASPLOS 2009)."""

Key = tuple[str, str, str | None]
"""Suite, scenario and variant: a cell of either version."""

Ratios = Mapping[Key, Sequence[Sequence[float]]]
"""Of each cell the ratios, head over base, of every start's rounds. A start in which it was not measured is empty."""

ALL_CELLS = None
"""Stands for all cells together where cells are told by their keys."""


class Standing(Enum):
    """What became of a difference."""

    NOT_SEEN = "not seen"
    SEEN_ONCE = "seen once"
    SEEN_TWICE = "seen twice"


@dataclass(frozen=True)
class Finding:
    """The ratio of all starts of both series, and whether it stands as a difference."""

    effect: Effect
    standing: Standing


def worth_a_second_look(ratios: Ratios) -> dict[Key | None, Effect]:
    """The differences that the first series shows, each at its own level; ALL_CELLS among them where all cells together
    differ."""
    effects = _effects(_samples(ratios))
    return {key: effect for key, effect in effects.items() if effect.p_value < ERROR_RATE and _is_enough(effect)}


def findings(first: Ratios, claimed: Mapping[Key | None, Effect], second: Ratios) -> dict[Key | None, Finding]:
    """What both series say of each cell, and of ALL_CELLS. Cells with too few rounds to say anything are left out."""
    count = max((len(starts) for starts in first.values()), default=0)
    samples = _samples({key: [*starts, *second.get(key, [])] for key, starts in first.items()})
    if ALL_CELLS not in claimed:
        # only some of the cells were measured again: together they are what the first series saw
        samples |= {key: sample for key, sample in _samples(first).items() if key is ALL_CELLS}
    effects = _effects(samples)
    again = _effects({key: later for key in claimed if (later := _since(samples.get(key), count))}, samples)
    adjusted = dict(zip(again, holm([effect.p_value for effect in again.values()]), strict=True))
    found = {}
    for key, effect in effects.items():
        standing = Standing.SEEN_ONCE if key in claimed else Standing.NOT_SEEN
        if key in again and adjusted[key] < ERROR_RATE and _agree(claimed[key], again[key]) and _is_enough(effect):
            standing = Standing.SEEN_TWICE
        found[key] = Finding(effect, standing)
    return found


def _samples(ratios: Ratios) -> dict[Key | None, StartSample]:
    cells: dict[Key | None, StartSample] = {}
    for key, starts in ratios.items():
        if sample := sample_of(starts):
            cells[key] = sample
    if everything := together(list(cells.values())):
        cells[ALL_CELLS] = everything
    return cells


def _effects(
    samples: Mapping[Key | None, StartSample], known: Mapping[Key | None, StartSample] | None = None
) -> dict[Key | None, Effect]:
    """`known`: the samples from which luck is estimated, where these are not all. That of all cells together is its
    own, as what one start does to every cell does not average out."""
    known = samples if known is None else known
    effects = {}
    for key, sample in samples.items():
        others = [other for name, other in known.items() if ALL_CELLS not in (key, name) and name != key]
        effects[key] = effect_of(sample, luck_of(known[key], others))
    return effects


def _since(sample: StartSample | None, number: int) -> StartSample | None:
    return sample.since(number) if sample else None


def _is_enough(effect: Effect) -> bool:
    return abs(effect.log) >= log1p(FLOOR)


def _agree(one: Effect, other: Effect) -> bool:
    return copysign(1, one.log) == copysign(1, other.log)
