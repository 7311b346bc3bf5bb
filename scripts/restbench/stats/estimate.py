"""A median with its 95 % bootstrap interval.

Percentile bootstrap (B. Efron, R. Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13): rounds are drawn
anew with replacement, and the interval holds the middle 95 % of the medians. With a few rounds it is close to the range
from the second lowest to the second highest or wider, which is honest: a few rounds know no more.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import bootstrap

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
    result = bootstrap(
        (sample,),
        np.median,
        n_resamples=RESAMPLES,
        confidence_level=CONFIDENCE,
        method="percentile",
        rng=np.random.default_rng(_SEED),
    )
    interval = result.confidence_interval
    return Estimate(median, float(interval.low), float(interval.high), mean, float(np.std(sample, ddof=1)), len(sample))
