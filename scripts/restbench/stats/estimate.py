"""A median with its 95 % bootstrap interval.

Percentile bootstrap (B. Efron, R. Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13): rounds are drawn
anew with replacement, and the interval holds the middle 95 % of the medians. With a few rounds it is close to the range
from the second lowest to the second highest or wider, which is honest: a few rounds know no more.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

CONFIDENCE = 0.95
RESAMPLES = 2000
_SEED = 20  # the same rounds give the same interval


@dataclass(frozen=True)
class Estimate:
    """A figure from several rounds. `low` and `high` bound the median; both are the median itself for one round."""

    median: float
    low: float
    high: float
    mean: float
    sd: float
    rounds: int

    @property
    def has_interval(self) -> bool:
        return self.rounds > 1


def estimate(values: Sequence[float]) -> Estimate:
    """The estimate from at least one round."""
    sample = np.asarray(values, dtype=float)
    median, mean = float(np.median(sample)), float(np.mean(sample))
    if len(sample) == 1 or np.ptp(sample) == 0:
        return Estimate(median, median, median, mean, 0.0, len(sample))
    ordered = np.sort(sample)
    lower, upper = _middles(len(sample))
    medians = (ordered[lower] + ordered[upper]) / 2
    low, high = np.quantile(medians, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return Estimate(median, float(low), float(high), mean, float(np.std(sample, ddof=1)), len(sample))


@lru_cache
def _middles(count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Which of `count` rounds, counted from the smallest, are in the middle of each resample; twice the same for an odd
    number. The draws are the same for all samples of a size, so a board of thousands of cells draws and sorts once."""
    drawn = np.sort(np.random.default_rng(_SEED).integers(count, size=(RESAMPLES, count)), axis=1)
    return drawn[:, (count - 1) // 2], drawn[:, count // 2]
