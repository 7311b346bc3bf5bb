"""Estimates of how fast apps are, with all of their errors, and the differences that they support.

An estimate is a logarithm, because noise slows by a factor. Its error has several parts: the rounds, what differs from
process to process and from machine to machine, and the measurements that it is relative to. The parts of two estimates
add up as squares, except for parts that both have in common, such as the rounds of one baseline: these cancel out.

The rounds of a cell are few, so their variance is moderated: the mean variance of the table counts as if it had been
observed with four degrees of freedom (G. K. Smyth, "Linear models and empirical Bayes methods for assessing
differential expression in microarray experiments", Statistical Applications in Genetics and Molecular Biology 3, 2004).
Of two cells, the larger variance counts for both: rounds that all fall into one phase of a machine differ too little.

The rows of a table are put into groups, so that their order claims no more than is known.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from math import log
from statistics import fmean
from typing import TypeVar

from scipy.special import stdtr, stdtrit

from restbench.stats.intervals import CONSTANT_DEGREES, LEVEL, LogSample, combined, ratio

K = TypeVar("K", bound=Hashable)

MARGIN = log(1.10)
"""Only a difference of certainly more than 10 % is claimed. It is the smallest margin at which no claim of one board
was contradicted by a board of another day or machine."""

SHARED_LEVEL = 0.05
"""Share of tables of equal rows that may contain one or more false claims."""

NOISIEST = 0.2
"""The standard deviation of the logarithm of a round on the noisiest machine that was met."""

PRIOR_DEGREES = 4
"""So many degrees of freedom does the mean variance of a table count."""


@dataclass(frozen=True)
class Spread:
    """The variance of the logarithm of one round, with its degrees of freedom, and the number of rounds."""

    variance: float
    degrees: float
    rounds: float


@dataclass(frozen=True)
class Part:
    """A part of an error: its variance, its degrees of freedom, and how many times it is in the estimate."""

    variance: float
    degrees: float = CONSTANT_DEGREES
    times: float = 1.0


@dataclass(frozen=True)
class Estimate:
    """How fast an app is: `log` is larger for a faster one.

    `own`: the spread of its own rounds. `parts`: the other parts of its error; estimates that have a key in common have
    that part in common. `scale`: estimates with different scales cannot be compared.
    """

    log: float
    own: Spread
    parts: Mapping[Hashable, Part] = field(default_factory=dict)
    scale: Hashable = None


@dataclass(frozen=True)
class Difference:
    """The logarithm of a ratio of speeds, with its standard error and the degrees of freedom of that error."""

    log: float
    error: float
    degrees: float

    @cached_property
    def p_value(self) -> float:
        """How often two apps that differ by just MARGIN would show a difference as large as this."""
        if self.error == 0:
            return 1.0  # figures without any spread count ticks, and say nothing about their error
        near, far = ((abs(self.log) + sign * MARGIN) / self.error for sign in (-1, 1))
        return min(1.0, float(stdtr(self.degrees, -near) + stdtr(self.degrees, -far)))

    def interval(self) -> tuple[float, float]:
        """Student's 95 % interval of the ratio."""
        reach = self.error * float(stdtrit(self.degrees, (1 + LEVEL) / 2)) if self.error else 0.0
        return ratio(self.log - reach), ratio(self.log + reach)


def usual_variance(samples: Iterable[LogSample]) -> float:
    """Returns the mean variance of a round in a table.

    Rounds of a cell that are all equal count ticks, and say nothing about it. Without two rounds that differ in any
    cell, a large one is assumed.
    """
    return fmean([sample.variance for sample in samples if sample.variance] or [NOISIEST**2])


def moderated(sample: LogSample, usual: float) -> Spread:
    """Returns the spread of a cell's rounds. `usual`: the mean variance of a round in the table.

    Rounds that are all equal count ticks: they say nothing about their spread.
    """
    known = sample.n - 1 if sample.variance else 0
    degrees = PRIOR_DEGREES + known
    variance = (PRIOR_DEGREES * usual + known * sample.variance) / degrees
    return Spread(variance, degrees, sample.n)


def difference(one: Estimate, other: Estimate) -> Difference:
    """Returns how much faster `one` is than `other`. Raises ValueError if the two have different scales."""
    if one.scale != other.scale:
        raise ValueError(f"estimates of two scales cannot be compared: {one.scale} and {other.scale}")
    rounds = max(one.own.variance, other.own.variance) * (1 / one.own.rounds + 1 / other.own.rounds)
    found = [(rounds, min(one.own.degrees, other.own.degrees))]
    for key in {**one.parts, **other.parts}:
        mine, theirs = one.parts.get(key), other.parts.get(key)
        part = mine or theirs
        assert part, "a key of either has a part"
        times = (mine.times if mine else 0.0) - (theirs.times if theirs else 0.0)
        if times:
            found.append((times**2 * part.variance, part.degrees))
    return Difference(one.log - other.log, *combined(found))


def differences(estimates: Mapping[K, Estimate]) -> dict[tuple[K, K], Difference]:
    """Returns the difference of each pair that has one scale. A pair is in the order of the estimates."""
    return {
        (i, j): difference(one, other)
        for (i, one), (j, other) in combinations(estimates.items(), 2)
        if one.scale == other.scale
    }


def certainly_faster(estimates: Sequence[Estimate]) -> set[tuple[int, int]]:
    """Returns the pairs of positions in which the first is certainly more than 10 % faster than the second."""
    return claims(differences(dict(enumerate(estimates))))


def claims(found: Mapping[tuple[K, K], Difference]) -> set[tuple[K, K]]:
    """Returns the pairs in which the first is certainly more than 10 % faster than the second.

    All pairs of the table share one level, by Holm's method.
    """
    adjusted = holm([each.p_value for each in found.values()])
    certain = [(pair, each) for (pair, each), p in zip(found.items(), adjusted, strict=True) if p <= SHARED_LEVEL]
    return {(i, j) if each.log > 0 else (j, i) for (i, j), each in certain}


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusts the p-values of all comparisons of a table by Holm's method. The order stays the same.

    Suppose that a table claims the differences whose adjusted p-value is at most 0.05. Then at most 5 % of the tables
    contain a false claim, even if the comparisons depend on each other (S. Holm, "A simple sequentially rejective
    multiple test procedure", Scandinavian Journal of Statistics 6, 1979). scipy has no such function.

    Raises ValueError if a p-value is not between 0 and 1.
    """
    if not all(0 <= p <= 1 for p in p_values):
        raise ValueError(f"expected p-values between 0 and 1, got {list(p_values)}")
    adjusted, least = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=lambda place: p_values[place])):
        least = max(least, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = least
    return adjusted


@dataclass(frozen=True)
class Standing:
    """Where a row stands: in which group, from 1 on, and whether it is certainly slower than the group's first row."""

    group: int
    behind: bool


def standings(rows: int, certain: Set[tuple[int, int]]) -> list[Standing]:
    """Returns where each row stands. The rows are in their order, the fastest first.

    `certain`: the pairs of positions in which the first is certainly more than 10 % faster than the second. Going down,
    a new group begins where all remaining rows are certainly slower than the first row of the present group. So each
    group is one claim, and at most 5 % of tables whose rows are all equal have more than one group, where the pairs of
    the table share that level (Holm). A row that is certainly slower than the first of its group, while one further
    down is not, stays in the group and is marked as `behind`.
    """
    found: list[Standing] = []
    first, group = 0, 1
    for row in range(rows):
        if row and all((first, later) in certain for later in range(row, rows)):
            first, group = row, group + 1
        found.append(Standing(group, (first, row) in certain))
    return found
