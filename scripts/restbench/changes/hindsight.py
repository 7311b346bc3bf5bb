"""Change points of a whole series, as they look in hindsight.

The rule for drifts sees the newest two runs alone. When a series is longer, all of its runs together tell better where
its level changed. PELT finds the levels that fit the series best, where each further level has to be worth a penalty
(R. Killick, P. Fearnhead, I. A. Eckley, "Optimal detection of changepoints with a linear computational cost", Journal
of the American Statistical Association 107, 2012). The library ruptures has it.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import log, sqrt
from statistics import median

import numpy as np
import ruptures

from restbench.changes.rule import LEAST_SPREAD, MAD_TO_DEVIATION

FEWEST = 2
"""The fewest runs between two change points. One run may be disturbed."""

PENALTY = 4.0
"""The penalty of a change point is this times the logarithm of the number of runs, in units of the variance. It is
twice what the Bayesian information criterion has for independent normal values (Y.-C. Yao, "Estimating the number of
change-points via Schwarz' criterion", Statistics and Probability Letters 6, 1988), because some runs are disturbed."""


def change_points(levels: Sequence[float]) -> list[int]:
    """Returns the positions of the levels with which a new level begins, in rising order. `levels` are logarithms."""
    if len(levels) < 2 * FEWEST:
        return []
    steps = [abs(after - before) for before, after in pairwise(levels)]
    # the difference of two values has √2 times their spread; a change of level is one step of many
    spread = max(LEAST_SPREAD, MAD_TO_DEVIATION * median(steps) / sqrt(2))
    # KernelCPD with a linear kernel is PELT with squared errors, written in C
    signal = np.asarray(_without_single_outliers(levels)) / spread
    found = ruptures.KernelCPD(kernel="linear", min_size=FEWEST).fit(signal).predict(pen=PENALTY * log(len(levels)))
    return [int(position) for position in found[:-1]]


def _without_single_outliers(levels: Sequence[float]) -> list[float]:
    """Returns running medians of three, which remove a single disturbed run and leave a change of level where it is.

    J. W. Tukey, Exploratory Data Analysis, 1977, chapter 7. Both ends have the medians of their neighbours.
    """
    middle = [median(levels[start : start + 3]) for start in range(len(levels) - 2)]
    return [middle[0], *middle, middle[-1]]
