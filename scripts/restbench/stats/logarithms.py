"""Mean and variance of the logarithms of positive figures.

Ratios and throughputs are compared as logarithms: twice and half are then equally far from 1, and noise that slows by a
factor adds the same amount to every figure (P. J. Fleming, J. J. Wallace, "How not to lie with statistics: the correct
way to summarize benchmark results", Communications of the ACM 29, 1986).
"""

from collections.abc import Sequence
from math import fsum, isfinite, log
from typing import NamedTuple


class LogSample(NamedTuple):
    """`n` figures. `mean` and the unbiased `variance` are those of their natural logarithms."""

    n: int
    mean: float
    variance: float


def log_sample(values: Sequence[float]) -> LogSample:
    """Summarise at least one positive figure. The variance of a single figure, and of equal ones, is exactly 0.

    ValueError: there is no figure, or one is not positive and finite.
    """
    if not values:
        raise ValueError("expected at least one figure, got none")
    for value in values:
        if not (isfinite(value) and value > 0):
            raise ValueError(f"expected positive and finite figures, got {value}")
    logs = [log(value) for value in values]
    n = len(logs)
    # rounding in the mean would give equal figures a variance
    if min(logs) == max(logs):
        return LogSample(n, logs[0], 0.0)
    mean = fsum(logs) / n
    return LogSample(n, mean, fsum([(each - mean) ** 2 for each in logs]) / (n - 1))
