"""Mean and variance of the logarithms of positive figures.

Ratios and throughputs are compared as logarithms. Twice and half are then equally far from 1, and noise that slows by a
factor adds the same amount to every figure (P. J. Fleming, J. J. Wallace, "How not to lie with statistics: the correct
way to summarize benchmark results", Communications of the ACM 29, 1986).
"""

from collections.abc import Sequence
from functools import cache
from math import fsum, isfinite, log
from typing import NamedTuple

QUIET_SHARE = 0.6
"""The share of the rounds of a cell that its cost is the mean of."""


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


def quiet_sample(costs: Sequence[float]) -> LogSample:
    """Summarises the costs of rounds. The mean is that of the cheapest 60 %, the variance that of all.

    Noise of a machine makes a request dearer and never cheaper, so the cheap rounds repeat best. The variance of all
    rounds is too large for that mean rather than too small. docs/METHODOLOGY.md compares the ways to estimate a cost.
    Raises ValueError as `log_sample` does.
    """
    return _quiet_sample(tuple(costs))


@cache
def _quiet_sample(costs: tuple[float, ...]) -> LogSample:
    """The same rounds are asked for again and again: those of a baseline by each row that is compared with it."""
    every = log_sample(costs)
    return every._replace(mean=log_sample(sorted(costs)[: max(1, round(QUIET_SHARE * every.n))]).mean)
