"""Tests whether two figures differ: p-values, and their adjustment for many comparisons.

A p-value says how often a difference at least as large would be seen between two equal figures. All tests are two-sided
and on logarithms. A sample that is too small gives 1.0, because it supports no claim. Samples without any spread differ
(0.0), unless they are the same constant (1.0).
"""

from collections.abc import Sequence
from math import sqrt

import numpy as np
from scipy.special import stdtr

from restbench.stats.intervals import ROUNDS_FOR_MEDIAN
from restbench.stats.logarithms import log_sample


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusts the p-values of all comparisons of a table by Holm's method. The order stays the same.

    Suppose that a table claims the differences whose adjusted p-value is at most 0.05. Then at most 5 % of the tables
    contain a false claim, even if the comparisons depend on each other (S. Holm, "A simple sequentially rejective
    multiple test procedure", Scandinavian Journal of Statistics 6, 1979). scipy has no such function.

    Raises ValueError if a p-value is not between 0 and 1.
    """
    p = np.asarray(p_values, dtype=float)
    if not np.all((p >= 0) & (p <= 1)):
        raise ValueError(f"expected p-values between 0 and 1, got {list(p_values)}")
    order = np.argsort(p, kind="stable")
    factors = np.arange(len(p), 0, -1)
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(np.maximum.accumulate(factors * p[order]), 1.0)
    return [float(each) for each in adjusted]


def different_medians(a: Sequence[float], b: Sequence[float]) -> float:
    """The p-value for the hypothesis that two rows have the same throughput or total, from their solo rounds.

    The p-value is 1.0 if either row has fewer than six rounds.

    The test is a t test that uses the larger of the two variances for both samples, and the degrees of freedom of the
    smaller sample. Even with each sample's own variance, these degrees of freedom give p-values that are never too
    small for normal figures (M. R. Mickey, M. B. Brown, "Bounds on the distribution functions of the Behrens-Fisher
    statistic", Annals of Mathematical Statistics 37, 1966). The larger variance guards against slow phases of a core:
    if all six rounds fall into one phase, their spread is far too small.

    The usual tests claim too much at the levels that a table of many rows needs. They were simulated with 6 to 16
    rounds of each row. Either a core was slower by a factor of 1.6 half of the time, or the spreads of the two rows
    differed by a factor of 4. This is how often each test called equal rows different in the worst case:

    - Welch's t: 6.2 % at the 5 % level, and 1.2 % at the 0.1 % level
    - Mann-Whitney's U: 15 % and 1.7 %
    - a permutation test of Welch's t: 9 % and 1 %
    - this test: 3.4 % and less than 0.1 %

    If the phases slow one row half as much as the other, this test stays within 4.1 % and 0.12 %. If they slow it even
    less, the test needs twelve rounds. With six rounds, and phases that do not slow one row at all, it calls equal rows
    different in 2 to 3 % of cases at the 0.1 % level.

    The test compares means of logarithms in place of medians. They are the same if noise is symmetric on that scale.

    Raises ValueError if there is no figure, or if a figure is not positive and finite.
    """
    one, other = log_sample(a), log_sample(b)
    smaller = min(one.n, other.n)
    if smaller < ROUNDS_FOR_MEDIAN:
        return 1.0
    error = sqrt(max(one.variance, other.variance) * (1 / one.n + 1 / other.n))
    return _two_sided(one.mean - other.mean, error, smaller - 1)


def _two_sided(difference: float, error: float, degrees: int) -> float:
    """The two-sided p-value of a difference with this standard error and these degrees of freedom, by Student's t."""
    if error == 0:
        return 1.0 if difference == 0 else 0.0
    return float(2 * stdtr(degrees, -abs(difference) / error))
