"""How much one of two things that were measured in pairs is of the other.

The two of a pair follow each other at once, so what the machine did to one it did to the other. Their ratio is taken
in logarithms, where twice and half are equally far from the same, and its mean gets Student's t interval for paired
samples (D. C. Montgomery, Design and Analysis of Experiments, chapter 2, "Comparing Means: Paired Designs").

Where many ratios are looked at together, one in twenty would show a difference that is not there. A difference is
therefore claimed only where the interval at a level shared among all of them excludes 1 (O. J. Dunn, Multiple
Comparisons among Means, Journal of the American Statistical Association 56, 1961): of a hundred comparisons of a thing
with itself, about five claim anything at all.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, inf, log

import numpy as np
from scipy.stats import t as student

ERROR_RATE = 0.05
ENOUGH = 3
"""Pairs below which no difference is claimed: a spread that two know of is no spread."""


@dataclass(frozen=True)
class Ratio:
    """The ratio of the second to the first of each pair, with its 95 % interval; `pairs` is how many there were.

    `certain`: 1 is outside of the interval at the level that is shared among all ratios looked at together.
    """

    middle: float
    low: float
    high: float
    pairs: int
    certain: bool


def ratio_of_pairs(pairs: Sequence[tuple[float, float]], looked_at: int = 1) -> Ratio:
    """The ratio of at least one pair of positive figures. `looked_at` is how many ratios share the error rate."""
    logs = np.log([second / first for first, second in pairs])
    mean, count = float(np.mean(logs)), len(logs)
    if count < 2:
        return Ratio(exp(mean), 0.0, inf, count, certain=False)
    spread = float(np.std(logs, ddof=1)) / count**0.5
    usual = spread * _quantile(count, ERROR_RATE)
    shared = spread * _quantile(count, ERROR_RATE / looked_at)
    return Ratio(exp(mean), exp(mean - usual), exp(mean + usual), count, count >= ENOUGH and abs(mean) > shared)


def geometric_mean(values: Sequence[float]) -> float:
    """Of at least one positive figure."""
    return exp(sum(map(log, values)) / len(values))


def _quantile(count: int, error_rate: float) -> float:
    return float(student.ppf(1 - error_rate / 2, count - 1))
