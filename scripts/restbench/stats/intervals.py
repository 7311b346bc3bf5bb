"""Figures from several rounds, with the intervals that the rounds support.

An interval is called a 95 % interval only if it covers the true figure in 95 % of cases. Too few rounds have a range
instead, which claims nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from math import exp, inf, isfinite, sqrt
from statistics import median

from scipy.stats import binom
from scipy.stats import t as student

from restbench.stats.logarithms import log_sample

LEVEL = 0.95
LARGEST_LOG = 100.0
"""The largest logarithm of a ratio. A result file may claim more, and bounds have to stay finite."""
ROUNDS_FOR_MEDIAN = 6
"""Number of rounds that a 95 % interval of a median needs. With n rounds the true median lies between the smallest and
the largest round in 1 − 2 / 2ⁿ of cases: 93.75 % for five rounds, 96.9 % for six."""
ROUNDS_FOR_RATIO = 3
"""Number of rounds that an interval of paired ratios needs. With two rounds the interval would reach nine standard
deviations to each side."""


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

    @property
    def half_width(self) -> float:
        """Half of the width as a share of the geometric mean of the bounds: 0.05 is ±5 %.

        Infinite if the lower bound is not positive, because the bounds have no positive geometric mean then.
        """
        return sqrt(self.high / self.low) - 1 if self.low > 0 else inf

    def scaled(self, by: float) -> "Interval":
        """The interval of the figure × a positive constant, for example to change the unit.

        Raises ValueError if the constant is not positive and finite.
        """
        if not (isfinite(by) and by > 0):
            raise ValueError(f"expected a positive and finite scale, got {by}")
        return Interval(self.middle * by, self.low * by, self.high * by, self.n, self.kind)

    def inverted(self) -> "Interval":
        """The interval of 1 / figure, for example to get a speed from a cost.

        Raises ValueError if the lower bound is not positive.
        """
        if self.low <= 0:
            raise ValueError(f"expected positive bounds, got {self.low}")
        return Interval(1 / self.middle, 1 / self.high, 1 / self.low, self.n, self.kind)


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
        return Interval(median(ordered), ordered[0], ordered[-1], n, _without_level(n))
    return Interval(median(ordered), ordered[bounds[0]], ordered[bounds[1]], n, Kind.INTERVAL)


def ratio_interval(ratios: Sequence[float], level: float = LEVEL) -> Interval:
    """The geometric mean of one or more positive ratios, with Student's t interval on the logarithms.

    Both figures of a ratio come from one round, so a slowdown of both cancels out (D. C. Montgomery, Design and
    Analysis of Experiments, chapter 2, "The Paired Comparison Problem"). The interval is the same as
    `scipy.stats.ttest_1samp(...).confidence_interval(level)` of the logarithms, but without the 0.4 ms of that call.
    With fewer than three ratios the bounds are their range. A `level` other than 0.95 changes the width, but not the
    name of the kind.

    Raises ValueError if there is no ratio, or if a ratio is not positive and finite.
    """
    n, mean, variance = log_sample(ratios)
    if n < ROUNDS_FOR_RATIO:
        low, high = min(ratios), max(ratios)
        # exp(log(x)) may differ from x in the last digit, and the mean must not lie outside the range
        return Interval(min(max(exp(mean), low), high), low, high, n, _without_level(n))
    reach = _student_quantile(n, level) * sqrt(variance / n)
    return Interval(exp(mean), exp(mean - reach), exp(mean + reach), n, Kind.INTERVAL)


def ratio_of_means(ones: Sequence[float], others: Sequence[float]) -> Interval:
    """The ratio of two costs that were measured in turn: the difference of the means of their logarithms.

    The interval is Welch's (B. L. Welch, "The generalization of 'Student's' problem when several different population
    variances are involved", Biometrika 34, 1947). With fewer than three figures of either, the bounds are the ratio
    itself. So they are for a figure that is compared with itself.

    Raises ValueError if there is no figure, or if a figure is not positive and finite.
    """
    one, other = log_sample(ones), log_sample(others)
    n, ratio = min(one.n, other.n), exp(one.mean - other.mean)
    parts = [(sample.variance / sample.n, sample.n - 1) for sample in (one, other)]
    variance = sum(part for part, _ in parts)
    if n < ROUNDS_FOR_RATIO or not variance or list(ones) == list(others):
        return Interval(ratio, ratio, ratio, n, Kind.SINGLE)
    degrees = variance**2 / sum(part**2 / degrees for part, degrees in parts)
    reach = min(LARGEST_LOG, sqrt(variance) * float(student.ppf((1 + LEVEL) / 2, degrees)))
    return Interval(ratio, ratio / exp(reach), ratio * exp(reach), n, Kind.INTERVAL)


def _without_level(n: int) -> Kind:
    return Kind.SINGLE if n == 1 else Kind.RANGE


@lru_cache
def _bounds_of_median(n: int) -> tuple[int, int] | None:
    """The positions of the two of `n` ascending figures that bound the median, from 0. None if no two reach the level.

    The number of figures below the median has a binomial distribution. `scipy.stats.quantile_test(...)
    .confidence_interval()` uses the same bounds. It takes 0.9 ms for each sample, although they depend on `n` alone.
    """
    low = int(binom.ppf((1 - LEVEL) / 2, n, 0.5)) - 1
    return None if low < 0 else (low, n - 1 - low)


@lru_cache
def _student_quantile(n: int, level: float) -> float:
    return float(student.ppf((1 + level) / 2, n - 1))
