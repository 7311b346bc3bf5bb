"""Whether two figures differ: p-values, and their adjustment where many are looked at.

A p-value says how often a difference at least as large would be seen between two that are equal. All tests are
two-sided and on logarithms. A sample that is too small gives 1.0: nothing can be claimed of it. Samples without any
spread differ (0.0) unless they are the same constant (1.0).
"""

from collections.abc import Sequence
from math import sqrt

import numpy as np
from scipy.special import stdtr
from scipy.stats import ttest_ind_from_stats

from restbench.stats.intervals import ROUNDS_FOR_MEDIAN, ROUNDS_FOR_RATIO
from restbench.stats.logarithms import log_sample


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusted p-values, in the order given.

    Where the differences with an adjusted value of at most 0.05 are claimed, at most 5 % of the tables have any false
    claim, even if the comparisons depend on each other (S. Holm, "A simple sequentially rejective multiple test
    procedure", Scandinavian Journal of Statistics 6, 1979). scipy has no such function.

    ValueError: a value is not between 0 and 1.
    """
    p = np.asarray(p_values, dtype=float)
    if not np.all((p >= 0) & (p <= 1)):
        raise ValueError(f"expected p-values between 0 and 1, got {list(p_values)}")
    order = np.argsort(p, kind="stable")
    factors = np.arange(len(p), 0, -1)
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(np.maximum.accumulate(factors * p[order]), 1.0)
    return [float(each) for each in adjusted]


def different_ratios(a: Sequence[float], b: Sequence[float]) -> float:
    """p-value that two entries cost the same, from each one's ratios to the same baseline.

    Welch's t, which lets the variances differ (B. L. Welch, "The generalization of 'Student's' problem when several
    different population variances are involved", Biometrika 34, 1947). Fewer than three ratios of either give 1.0.

    ValueError: there is no ratio, or one is not positive and finite.
    """
    one, other = log_sample(a), log_sample(b)
    if min(one.n, other.n) < ROUNDS_FOR_RATIO:
        return 1.0
    if one.variance == other.variance == 0:
        return _two_sided(one.mean - other.mean, 0.0, 1)
    test = ttest_ind_from_stats(
        one.mean, sqrt(one.variance), one.n, other.mean, sqrt(other.variance), other.n, equal_var=False
    )
    return float(test.pvalue)


def different_from_one(ratios: Sequence[float]) -> float:
    """p-value that the two figures of which the ratios were taken are the same.

    Student's t of one sample, `scipy.stats.ttest_1samp` of the logarithms. Fewer than three ratios give 1.0.

    ValueError: there is no ratio, or one is not positive and finite.
    """
    n, mean, variance = log_sample(ratios)
    if n < ROUNDS_FOR_RATIO:
        return 1.0
    return _two_sided(mean, sqrt(variance / n), n - 1)


def different_medians(a: Sequence[float], b: Sequence[float]) -> float:
    """p-value that the throughputs of two rows are the same, from solo rounds. Fewer than six of either give 1.0.

    A t statistic in which both samples have the larger of the two variances, with the degrees of freedom of the smaller
    sample. Already with each sample's own variance these degrees of freedom give p-values that are never too small for
    normal figures (M. R. Mickey, M. B. Brown, "Bounds on the distribution functions of the Behrens-Fisher statistic",
    Annals of Mathematical Statistics 37, 1966). The larger variance guards against slow phases of a core: six rounds
    that all fell into one phase show a spread that is far too small.

    The usual tests claim too much at the levels that a table of many rows needs. They were simulated with 6 to 16
    rounds each, where a core is slower by a factor 1.6 half of the time or where the spreads of the two rows differ by
    a factor of 4. In the worst case they call equal rows different, at the 5 % and at the 0.1 % level, this often:
    Welch's t 6.2 % and 1.2 %, Mann-Whitney's U 15 % and 1.7 %, a permutation test of Welch's t 9 % and 1 %, and this
    test 3.4 % and less than 0.1 %. A row that suffers half as much from the phases as the other stays within 4.1 % and
    0.12 %. Beyond that it takes twelve rounds: with six, a row that does not suffer at all is called different from one
    that does in 2 to 3 % of cases at the 0.1 % level.

    The mean of logarithms stands for the median: they are the same where noise is symmetric on that scale.

    ValueError: there is no figure, or one is not positive and finite.
    """
    one, other = log_sample(a), log_sample(b)
    smaller = min(one.n, other.n)
    if smaller < ROUNDS_FOR_MEDIAN:
        return 1.0
    error = sqrt(max(one.variance, other.variance) * (1 / one.n + 1 / other.n))
    return _two_sided(one.mean - other.mean, error, smaller - 1)


def _two_sided(difference: float, error: float, degrees: int) -> float:
    """p-value of a difference with this standard error."""
    if error == 0:
        return 1.0 if difference == 0 else 0.0
    return float(2 * stdtr(degrees, -abs(difference) / error))
