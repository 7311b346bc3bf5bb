"""Ranks that claim no more than is known: a range for each row.

The range of a row is 1 + the rows that are certainly faster … the rows − those that are certainly slower. Where all
claims hold together at some level, so do all ranges (M. Mogstad, J. P. Romano, A. M. Shaikh, D. Wilhelm, "Inference for
Ranks with Applications to Mobility across Neighbourhoods and Academic Achievement across Countries", Review of Economic
Studies 91, 2024).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import isfinite


@dataclass(frozen=True)
class RankRange:
    """The ranks that a row may have, 1 being the fastest. Both ends are included."""

    first: int
    last: int


def rank_ranges(speeds: Sequence[float], certainly_faster: Callable[[int, int], bool]) -> list[RankRange]:
    """The range of each row, in the order given.

    `certainly_faster(i, j)` says that row i is certainly faster than row j; it is asked only where row i has the higher
    speed, so a claim against the order of the speeds has no effect. It has to account for the number of comparisons.

    The ranges follow the speeds: a slower row has neither the lower `first` nor the lower `last`, and equal speeds have
    equal ranges. A row with much noise, of which little is certain, would break that order. Ranges are widened until
    they follow it and never narrowed, so they hold as often as the claims do.

    ValueError: a speed is not finite.
    """
    for speed in speeds:
        if not isfinite(speed):
            raise ValueError(f"expected finite speeds, got {speed}")
    rows = len(speeds)
    first, last = [1] * rows, [rows] * rows
    for fast, slow in permutations(range(rows), 2):
        if speeds[fast] > speeds[slow] and certainly_faster(fast, slow):
            first[slow] += 1
            last[fast] -= 1
    return [
        RankRange(
            min(first[other] for other in range(rows) if speeds[other] <= speed),
            max(last[other] for other in range(rows) if speeds[other] >= speed),
        )
        for speed in speeds
    ]


def leads(ranges: Sequence[RankRange]) -> int | None:
    """Which row is the fastest for certain: the one that can only be first while no other can be. None if there is
    none."""
    may_be_first = [row for row, ranks in enumerate(ranges) if ranks.first == 1]
    if len(may_be_first) == 1 and ranges[may_be_first[0]].last == 1:
        return may_be_first[0]
    return None
