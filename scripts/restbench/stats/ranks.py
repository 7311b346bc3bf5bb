"""Ranks with ties: entries whose intervals overlap share a rank.

An entry's rank is one more than the number of entries that are certainly better: whose whole interval lies above its
own. So a rank never claims a difference that the rounds do not show, and a chain of overlaps does not tie everything.
"""

from collections.abc import Sequence

from restbench.stats.estimate import Estimate


def shared_ranks(estimates: Sequence[Estimate]) -> list[int]:
    """The rank of each, 1 being best; more is better."""
    return [1 + sum(other.low > mine.high for other in estimates) for mine in estimates]
