"""Figures from several rounds, with the intervals that the rounds support.

An interval is called a 95 % interval only if it covers the true figure in 95 % of cases. Too few rounds have a range
instead, which claims nothing.

Ratios and throughputs are compared as logarithms. Twice and half are then equally far from 1, and noise that slows by a
factor adds the same amount to every figure (P. J. Fleming, J. J. Wallace, "How not to lie with statistics: the correct
way to summarize benchmark results", Communications of the ACM 29, 1986).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from math import comb, exp, fsum, isfinite, log, sqrt
from statistics import fmean, median
from typing import NamedTuple

from scipy.special import stdtrit

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


def quiet_starts(starts: Sequence[Sequence[float]]) -> LogSample:
    """Summarises the costs of rounds of one or more starts of an app. Each start counts as much as each other one.

    The variance is the mean of those within the starts. Raises ValueError as `log_sample` does.
    """
    samples = [quiet_sample(costs) for costs in starts]
    if not samples:
        raise ValueError("expected at least one start, got none")
    degrees = sum(sample.n - 1 for sample in samples)
    variance = fsum((sample.n - 1) * sample.variance for sample in samples) / max(1, degrees)
    return LogSample(sum(sample.n for sample in samples), fmean(sample.mean for sample in samples), variance)


@cache
def _quiet_sample(costs: tuple[float, ...]) -> LogSample:
    """The same rounds are asked for again and again: those of a baseline by each row that is compared with it."""
    every = log_sample(costs)
    return every._replace(mean=log_sample(sorted(costs)[: max(1, round(QUIET_SHARE * every.n))]).mean)


LEVEL = 0.95
LARGEST_LOG = 100.0
"""The largest logarithm of a ratio. A result file may claim more, and bounds have to stay finite."""
ROUNDS_FOR_MEDIAN = 6
"""Number of rounds that a 95 % interval of a median needs. With n rounds the true median lies between the smallest and
the largest round in 1 − 2 / 2ⁿ of cases: 93.75 % for five rounds, 96.9 % for six."""
ROUNDS_FOR_RATIO = 3
"""Number of rounds of either cost that an interval of their ratio needs."""
CONSTANT_DEGREES = 20
"""The degrees of freedom of a variance that is known from other measurements."""


class Kind(StrEnum):
    """The kind of bounds that an interval has. Readers see the values."""

    INTERVAL = "95 % interval"
    RANGE = "range"
    SINGLE = "single value"


@dataclass(frozen=True)
class Interval:
    """A figure from `n` rounds, with its bounds `low` and `high`.

    `kind` says what the bounds are. In a RANGE they are the smallest and the largest round. In a SINGLE value both are
    equal to `middle`.
    """

    middle: float
    low: float
    high: float
    n: int
    kind: Kind

    @property
    def certain(self) -> bool:
        """Whether the bounds cover the true figure in 95 % of cases."""
        return self.kind is Kind.INTERVAL

    def scaled(self, by: float) -> "Interval":
        """The interval of the figure × a positive constant, for example to change the unit.

        Raises ValueError if the constant is not positive and finite.
        """
        if not (isfinite(by) and by > 0):
            raise ValueError(f"expected a positive and finite scale, got {by}")
        return Interval(self.middle * by, self.low * by, self.high * by, self.n, self.kind)


def median_interval(values: Sequence[float]) -> Interval:
    """The median of one or more figures. Two of the figures are the bounds of its 95 % interval.

    The interval holds for every continuous distribution of independent figures (W. R. Thompson, "On confidence ranges
    for the median", Annals of Mathematical Statistics 7, 1936; W. J. Conover, Practical Nonparametric Statistics, 3rd
    edition 1999, section 3.2). With fewer than six figures the bounds are their range.

    Raises ValueError if there is no figure, or if a figure is not finite.
    """
    if not values:
        raise ValueError("expected at least one figure, got none")
    for value in values:
        if not isfinite(value):
            raise ValueError(f"expected finite figures, got {value}")
    ordered, n = sorted(values), len(values)
    bounds = _bounds_of_median(n)
    if bounds is None:
        return Interval(median(ordered), ordered[0], ordered[-1], n, Kind.SINGLE if n == 1 else Kind.RANGE)
    return Interval(median(ordered), ordered[bounds[0]], ordered[bounds[1]], n, Kind.INTERVAL)


def ratio(log_ratio: float) -> float:
    """Returns the ratio of a logarithm. It stays finite whatever a result file claims."""
    return exp(max(-LARGEST_LOG, min(LARGEST_LOG, log_ratio)))


class CostRatio(NamedTuple):
    """The ratio of two costs that were measured in turn, as the mean of its logarithms over `runs` runs.

    `one`, `other`: the rounds of the newest run, as `quiet_sample` has them. `earlier`: the sum of the variances that
    the rounds of each earlier run give its logarithm.
    """

    log: float
    one: LogSample
    other: LogSample
    earlier: float = 0.0
    runs: int = 1

    @property
    def variance(self) -> float:
        """The variance of the logarithm that the rounds of all runs bring."""
        return (self.one.variance / self.one.n + self.other.variance / self.other.n + self.earlier) / self.runs**2

    def interval(self) -> Interval:
        """The ratio with its 95 % interval, which is Welch's for one run.

        With fewer than three figures of either cost, or without a spread of both, the bounds are the ratio itself.
        """
        n, middle = min(self.one.n, self.other.n), ratio(self.log)
        if n < ROUNDS_FOR_RATIO or not (self.one.variance or self.other.variance):
            return Interval(middle, middle, middle, n, Kind.SINGLE)
        rounds = [(sample.variance / sample.n, sample.n - 1) for sample in (self.one, self.other)]
        error, degrees = combined([*rounds, (self.earlier, CONSTANT_DEGREES)])
        reach = min(LARGEST_LOG, error / self.runs * float(stdtrit(degrees, (1 + LEVEL) / 2)))
        return Interval(middle, middle / exp(reach), middle * exp(reach), n, Kind.INTERVAL)


def ratio_of_costs(one: LogSample, other: LogSample) -> CostRatio:
    """The ratio of two costs in one run."""
    return CostRatio(one.mean - other.mean, one, other)


def combined(parts: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Returns the standard error of a sum of independent parts, and its degrees of freedom.

    `parts`: the variance of each, with its degrees of freedom. F. E. Satterthwaite, "An approximate distribution of
    estimates of variance components", Biometrics Bulletin 2, 1946. Without any variance, the error is known exactly.
    """
    variance = fsum(each for each, _ in parts)
    weights = fsum(each**2 / degrees for each, degrees in parts)
    return sqrt(variance), variance**2 / weights if weights else CONSTANT_DEGREES


@lru_cache
def _bounds_of_median(n: int) -> tuple[int, int] | None:
    """The positions of the two of `n` ascending figures that bound the median, from 0. None if no two reach the level.

    The number of figures below the median has a binomial distribution, as that of heads in `n` throws of a coin.
    `scipy.stats.quantile_test(...).confidence_interval()` uses the same bounds. To import it takes a second.
    """
    number, cases = 0, 1
    while cases < (1 - LEVEL) / 2 * 2**n:
        number += 1
        cases += comb(n, number)
    return (number - 1, n - number) if number else None
