"""Figures from several rounds, with the intervals that the rounds support.

An interval is called a 95 % interval only if it covers the true figure in 95 % of cases. Too few rounds have a range
instead, which claims nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from math import comb, exp, isfinite, sqrt
from statistics import median

from scipy.special import stdtrit

from restbench.stats.logarithms import quiet_sample

LEVEL = 0.95
LARGEST_LOG = 100.0
"""The largest logarithm of a ratio. A result file may claim more, and bounds have to stay finite."""
ROUNDS_FOR_MEDIAN = 6
"""Number of rounds that a 95 % interval of a median needs. With n rounds the true median lies between the smallest and
the largest round in 1 − 2 / 2ⁿ of cases: 93.75 % for five rounds, 96.9 % for six."""
ROUNDS_FOR_RATIO = 3
"""Number of rounds of either cost that an interval of their ratio needs."""


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


def ratio_of_costs(ones: Sequence[float], others: Sequence[float]) -> Interval:
    """The ratio of two costs that were measured in turn, each as `quiet_sample` has it.

    The interval is Welch's (B. L. Welch, "The generalization of 'Student's' problem when several different population
    variances are involved", Biometrika 34, 1947). With fewer than three figures of either, the bounds are the ratio
    itself. So they are for a figure that is compared with itself.

    Raises ValueError if there is no figure, or if a figure is not positive and finite.
    """
    one, other = quiet_sample(ones), quiet_sample(others)
    n, ratio = min(one.n, other.n), exp(one.mean - other.mean)
    parts = [(sample.variance / sample.n, sample.n - 1) for sample in (one, other)]
    variance = sum(part for part, _ in parts)
    if n < ROUNDS_FOR_RATIO or not variance or list(ones) == list(others):
        return Interval(ratio, ratio, ratio, n, Kind.SINGLE)
    degrees = variance**2 / sum(part**2 / degrees for part, degrees in parts)
    reach = min(LARGEST_LOG, sqrt(variance) * float(stdtrit(degrees, (1 + LEVEL) / 2)))
    return Interval(ratio, ratio / exp(reach), ratio * exp(reach), n, Kind.INTERVAL)


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
