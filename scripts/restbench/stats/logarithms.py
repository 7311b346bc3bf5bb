"""Mean and variance of the logarithms of positive figures.

Ratios and throughputs are compared as logarithms. Twice and half are then equally far from 1, and noise that slows by a
factor adds the same amount to every figure (P. J. Fleming, J. J. Wallace, "How not to lie with statistics: the correct
way to summarize benchmark results", Communications of the ACM 29, 1986).
"""

from collections.abc import Sequence
from math import fsum, isfinite, log
from typing import NamedTuple


class LogSample(NamedTuple):
    """A sample of `n` figures. `mean` and the unbiased `variance` are of their natural logarithms."""

    n: int
    mean: float
    variance: float


def log_sample(values: Sequence[float]) -> LogSample:
    """Summarises one or more positive figures. The variance of a single figure, or of equal figures, is exactly 0.

    Raises ValueError if there is no figure, or if a figure is not positive and finite.
    """
    if not values:
        raise ValueError("expected at least one figure, got none")
    for value in values:
        if not (isfinite(value) and value > 0):
            raise ValueError(f"expected positive and finite figures, got {value}")
    logs = [log(value) for value in values]
    n = len(logs)
    # otherwise rounding in the mean would give equal figures a variance
    if min(logs) == max(logs):
        return LogSample(n, logs[0], 0.0)
    mean = fsum(logs) / n
    return LogSample(n, mean, fsum([(each - mean) ** 2 for each in logs]) / (n - 1))
