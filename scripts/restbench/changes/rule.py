"""The rule for changes that nobody made: are the newest two levels of a series another level than those before?

A level is the natural logarithm of a relative cost, so a difference of two levels is the logarithm of a ratio. Weekly
runs are disturbed now and then, which makes one run an outlier. So the rule compares with a median, estimates the
spread by the median absolute deviation, and asks for two runs that say the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log1p, pi, sqrt
from statistics import median

from scipy.special import stdtrit

FEWEST_BEFORE, MOST_BEFORE = 8, 20
"""How many runs before the newest two the rule needs, and how many it looks at."""

LEAST_OF_BOTH = log1p(0.02)
"""Both newest runs have to be this far from the median: 2 %."""

LEAST_MEAN = log1p(0.03)
"""The mean of both newest runs has to be this far from the median: 3 %."""

SPREADS = 3.0
"""Both newest runs have to be this many spreads from the median."""

LEAST_SPREAD = 0.005
"""Lower bound of the spread, for series whose runs happen to be alike."""

MAD_TO_DEVIATION = 1.4826
"""The standard deviation of a normal distribution over its median absolute deviation (P. J. Rousseeuw, C. Croux,
"Alternatives to the median absolute deviation", Journal of the American Statistical Association 88, 1993)."""


@dataclass(frozen=True)
class Alarm:
    """A change of level. `change` is the mean of the newest two levels minus the median of the `before` earlier ones.

    `error` is the standard error of `change`.
    """

    change: float
    error: float
    before: int

    def bounds(self) -> tuple[float, float]:
        """The 95 % interval of the change, by Student's t. Its degrees of freedom are the earlier runs, less one."""
        reach = float(stdtrit(self.before - 1, 0.975)) * self.error
        return self.change - reach, self.change + reach


def alarm(levels: Sequence[float]) -> Alarm | None:
    """Returns the change of level that the newest two levels show. `levels` are in the order of time.

    None where they show no change, or where there are too few levels before them.
    """
    before, newest = levels[-MOST_BEFORE - 2 : -2], levels[-2:]
    if len(before) < FEWEST_BEFORE:
        return None
    middle = median(before)
    spread = max(LEAST_SPREAD, MAD_TO_DEVIATION * median(abs(level - middle) for level in before))
    changes = [level - middle for level in newest]
    if changes[0] * changes[1] <= 0:
        return None
    mean = sum(changes) / 2
    if min(map(abs, changes)) < max(LEAST_OF_BOTH, SPREADS * spread) or abs(mean) < LEAST_MEAN:
        return None
    # the variance of a median of n normal values is π/2 times that of their mean (H. Cramér, Mathematical Methods of
    # Statistics, 1946, section 28.5)
    return Alarm(mean, spread * sqrt(1 / 2 + pi / 2 / len(before)), len(before))
