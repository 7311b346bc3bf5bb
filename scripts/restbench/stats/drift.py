"""Whether a figure changed while it was measured: its last rounds against its first."""

from collections.abc import Sequence
from math import exp, log
from statistics import fmean

from scipy.stats import ttest_ind

FEWEST = 6
"""Rounds that are needed: two in each third."""

LEVEL = 0.02
"""The largest share of unchanged figures that are said to have changed: one in fifty.

With six rounds, a smaller level would hardly ever find a change.
"""

LEAST = 0.05
"""A smaller change than this is not told, however certain it is."""


def drift(figures: Sequence[float]) -> float | None:
    """Returns the last third of positive figures ÷ the first third, as means of their logarithms.

    None where the two agree within what their noise allows, and where there are too few figures. The test is Welch's
    (B. L. Welch, "The generalization of 'Student's' problem when several different population variances are involved",
    Biometrika 34, 1947), on logarithms, because the noise of CPU times is a factor.
    """
    third = len(figures) // 3
    if len(figures) < FEWEST:
        return None
    first, last = ([log(value) for value in part] for part in (figures[:third], figures[-third:]))
    change = fmean(last) - fmean(first)
    if abs(change) < log(1 + LEAST) or ttest_ind(first, last, equal_var=False).pvalue > LEVEL:
        return None
    return exp(change)
