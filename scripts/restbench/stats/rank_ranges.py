"""Finds a range of ranks for each row, so that ranks claim no more than is known.

The range of a row begins at 1 + the number of rows that are certainly faster. It ends at the number of rows − the
number of rows that are certainly slower. If all claims hold together at some level, so do all ranges (M. Mogstad, J. P.
Romano, A. M. Shaikh, D. Wilhelm, "Inference for Ranks with Applications to Mobility across Neighbourhoods and Academic
Achievement across Countries", Review of Economic Studies 91, 2024).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import isfinite


@dataclass(frozen=True)
class RankRange:
    """The ranks that a row may have. Rank 1 is the fastest. Both ends are included."""

    first: int
    last: int


def rank_ranges(speeds: Sequence[float], certainly_faster: Callable[[int, int], bool]) -> list[RankRange]:
    """Returns the range of each row, in the order given.

    `certainly_faster(i, j)` says whether row i is certainly faster than row j. It is called only if row i has the
    higher speed, so a claim against the order of the speeds has no effect. It has to account for the number of
    comparisons.

    The ranges follow the speeds: a slower row never has a lower `first` or a lower `last`, and equal speeds have equal
    ranges. Little is certain about a row with much noise, so its range would break that order. Ranges are therefore
    widened until they follow the order. They are never narrowed, so they hold as often as the claims do.

    Raises ValueError if a speed is not finite.
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
