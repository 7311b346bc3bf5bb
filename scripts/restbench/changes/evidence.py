"""Decides which differences between two versions are claimed.

One in twenty intervals excludes 1 by chance. A process may also be faster by chance, and slower at its next start. A
difference in a first series of starts is therefore only worth a second look: a second series measures fresh processes.
A difference is claimed where the second series shows it too, in the same direction, and where it stays significant
after Holm's adjustment for everything that was looked at again.

The second series is independent of the first, so the choice of what is measured again does not matter. If two versions
are the same, at most one comparison in 500 claims any difference. The first series makes that rarer still.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from math import copysign, log1p

from restbench.catalog import CellKey
from restbench.stats.estimates import holm
from restbench.stats.starts import Effect, StartSample, effect_of, sample_of, start_variance_of, together

ERROR_RATE = 0.05
"""The level of the first series. It only chooses what is measured again."""

CONFIRMED_RATE = 0.002
"""The level of the second series. About 500 changes are compared in a year, and what is claimed of one stays in its
record. At this level, a year of changes that change nothing is expected to have at most one claim
(`tests/unit/test_evidence.py`)."""

FLOOR = 0.01
"""A difference smaller than this is not claimed, however certain it is. The two versions are in different folders, and
the length of a path alone causes such differences at each start (T. Mytkowicz, A. Diwan, M. Hauswirth, P. F. Sweeney,
"Producing wrong data without doing anything obviously wrong!", ASPLOS 2009)."""

Ratios = Mapping[CellKey, Sequence[Sequence[float]]]
"""Cell → for each start, the ratios of its rounds, head over base. Empty for a start that did not measure the cell."""

ALL_CELLS = None
"""The key of all cells together, in mappings whose other keys are cells."""


class Seen(Enum):
    """Whether a difference was seen, and in how many of the two series."""

    NOT_SEEN = "not seen"
    SEEN_ONCE = "seen once"
    SEEN_TWICE = "seen twice"


@dataclass(frozen=True)
class Finding:
    """The ratio over all starts of both series, and how often the difference was seen."""

    effect: Effect
    standing: Seen


def worth_a_second_look(ratios: Ratios) -> dict[CellKey | None, Effect]:
    """Returns the differences that the first series shows: of at least FLOOR, with a p-value below ERROR_RATE.

    The p-values are not adjusted. ALL_CELLS is among the keys where all cells together differ.
    """
    effects = _effects(_samples(ratios))
    return {key: effect for key, effect in effects.items() if effect.p_value < ERROR_RATE and _is_enough(effect)}


def findings(first: Ratios, claimed: Mapping[CellKey | None, Effect], second: Ratios) -> dict[CellKey | None, Finding]:
    """Returns the finding of both series for each cell and for ALL_CELLS. Cells with too few rounds are left out.

    `claimed` has the differences that the first series shows, from worth_a_second_look().
    """
    count = max((len(starts) for starts in first.values()), default=0)
    samples = _samples({key: [*starts, *second.get(key, [])] for key, starts in first.items()})
    if ALL_CELLS not in claimed:
        # only some cells were measured again, so all cells together are known only from the first series
        samples |= {key: sample for key, sample in _samples(first).items() if key is ALL_CELLS}
    effects = _effects(samples)
    later = {key: samples[key].since(count) for key in claimed if key in samples}
    again = _effects({key: sample for key, sample in later.items() if sample}, samples)
    adjusted = dict(zip(again, holm([effect.p_value for effect in again.values()]), strict=True))
    found = {}
    for key, effect in effects.items():
        standing = Seen.SEEN_ONCE if key in claimed else Seen.NOT_SEEN
        confirmed = key in again and adjusted[key] < CONFIRMED_RATE and _is_enough(effect)
        if confirmed and copysign(1, claimed[key].log) == copysign(1, again[key].log):
            standing = Seen.SEEN_TWICE
        found[key] = Finding(effect, standing)
    return found


def _samples(ratios: Ratios) -> dict[CellKey | None, StartSample]:
    cells: dict[CellKey | None, StartSample] = {}
    for key, starts in ratios.items():
        if sample := sample_of(starts):
            cells[key] = sample
    if everything := together(list(cells.values())):
        cells[ALL_CELLS] = everything
    return cells


def _effects(
    samples: Mapping[CellKey | None, StartSample], known: Mapping[CellKey | None, StartSample] | None = None
) -> dict[CellKey | None, Effect]:
    """Returns the ratio of each sample with its error.

    A cell's variance between starts is estimated from the other cells too. `known` has the samples for that, where
    `samples` are not all of them. That of ALL_CELLS is estimated without other cells, because the effect of one start
    on every cell does not average out.
    """
    known = samples if known is None else known
    effects = {}
    for key, sample in samples.items():
        others = [other for name, other in known.items() if ALL_CELLS not in (key, name) and name != key]
        effects[key] = effect_of(sample, start_variance_of(known[key], others))
    return effects


def _is_enough(effect: Effect) -> bool:
    return abs(effect.log) >= log1p(FLOOR)
