"""Estimates the ratio of two programs that were started several times.

Memory layout and hash seeds make a process faster or slower by chance, and stay the same until it ends. The rounds of
one start are therefore alike, and many rounds do not make up for few starts (T. Kalibera, R. Jones, "Rigorous
benchmarking in reasonable time", ISMM 2013). So the variance of a ratio's logarithm has two parts: the variance of the
rounds, and the variance between starts.

A few starts tell little about the second part. It is estimated from all cells together. The usual variance between
starts is added as if it had been observed a few more times (G. K. Smyth, "Linear models and empirical Bayes methods for
assessing differential expression in microarray experiments", Statistical Applications in Genetics and Molecular Biology
3, 2004).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, fsum, sqrt

from scipy.special import stdtr, stdtrit

from restbench.stats.intervals import LEVEL, log_sample

USUAL_SPREAD = 0.01
"""Standard deviation, between starts, of the logarithm of the ratio of two processes that run the same program. It is
0.5 to 1 % for programs that do not compile while they run. The larger value is used, as it keeps intervals at 95 %."""

PRIOR_DEGREES = 4
"""The usual variance counts as this number of observed differences between starts. A higher number gives false claims
for programs whose starts spread several times as much as usual. With a lower number, real differences are missed."""

LEAST_SPREAD = USUAL_SPREAD / 2
"""Lower bound of the estimated standard deviation, for starts that happen to be alike."""

FEWEST_STARTS = 2
FEWEST_ROUNDS = 2
"""A start with fewer rounds does not count, because one round tells nothing about its spread."""


@dataclass(frozen=True)
class StartMean:
    """The rounds of one start. `number` counts starts from 0.

    `mean` is the mean of the logarithms of its ratios. `error` is the variance of that mean due to the rounds.
    """

    number: int
    mean: float
    error: float


@dataclass(frozen=True)
class StartSample:
    """The starts of one cell that count.

    `degrees` are the degrees of freedom of the errors. `rounds` is the number of rounds of all these starts.
    """

    starts: tuple[StartMean, ...]
    degrees: float
    rounds: int

    def since(self, number: int) -> "StartSample | None":
        """The starts from that number on. None if they are fewer than two.

        Their errors are still estimated from all starts.
        """
        later = tuple(start for start in self.starts if start.number >= number)
        if len(later) < FEWEST_STARTS:
            return None
        return StartSample(later, self.degrees, self.rounds * len(later) // len(self.starts))

    @property
    def error(self) -> float:
        """The variance of a start's mean due to its rounds, averaged over the starts."""
        return fsum(start.error for start in self.starts) / len(self.starts)

    @property
    def between_starts(self) -> float:
        """The variance between starts that the rounds do not explain. Negative if the starts happen to be alike."""
        means = [start.mean for start in self.starts]
        middle = fsum(means) / len(means)
        return fsum((mean - middle) ** 2 for mean in means) / (len(means) - 1) - self.error


@dataclass(frozen=True)
class StartVariance:
    """The variance of a ratio's logarithm between starts, with the degrees of freedom of that variance."""

    variance: float
    degrees: float


@dataclass(frozen=True)
class Effect:
    """A ratio: its logarithm `log`, with the standard error of `log` and the degrees of freedom of that error."""

    log: float
    error: float
    degrees: float
    starts: int
    rounds: int

    @property
    def ratio(self) -> float:
        return exp(self.log)

    @property
    def p_value(self) -> float:
        """How often two equal programs would show a ratio at least as far from 1."""
        return float(2 * stdtr(self.degrees, -abs(self.log) / self.error))

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """Student's t interval of the ratio."""
        reach = self.error * float(stdtrit(self.degrees, (1 + level) / 2))
        return exp(self.log - reach), exp(self.log + reach)


def sample_of(starts: Sequence[Sequence[float]]) -> StartSample | None:
    """Makes the sample of a cell from the ratios of each start's rounds.

    None if fewer than two starts have two rounds or more. Raises ValueError if a ratio is not positive and finite.
    """
    known = [(number, log_sample(ratios)) for number, ratios in enumerate(starts) if len(ratios) >= FEWEST_ROUNDS]
    if len(known) < FEWEST_STARTS:
        return None
    degrees = sum(sample.n - 1 for _, sample in known)
    variance = fsum((sample.n - 1) * sample.variance for _, sample in known) / degrees
    means = tuple(StartMean(number, sample.mean, variance / sample.n) for number, sample in known)
    return StartSample(means, degrees, sum(sample.n for _, sample in known))


def together(cells: Sequence[StartSample]) -> StartSample | None:
    """Combines cells into one sample: the mean over the cells with the most starts.

    None if fewer than two cells have that number of starts.
    """
    most = max((len(cell.starts) for cell in cells), default=0)
    whole = [cell for cell in cells if len(cell.starts) == most]
    if len(whole) < 2:
        return None
    count = len(whole)
    means = tuple(
        StartMean(same[0].number, fsum(s.mean for s in same) / count, fsum(s.error for s in same) / count**2)
        for same in zip(*(cell.starts for cell in whole), strict=True)
    )
    return StartSample(means, sum(cell.degrees for cell in whole), sum(cell.rounds for cell in whole))


def start_variance_of(sample: StartSample, others: Iterable[StartSample] = ()) -> StartVariance:
    """Estimates the variance between the starts of one cell from these starts, and from what is usual for its entry.

    What is usual for the entry is estimated from the samples of its other cells (`others`), and from what is usual for
    any process. A cell with noisy rounds tells little about its starts. Each cell is therefore weighted by the inverse
    variance of its estimate.
    """
    degrees, total = float(PRIOR_DEGREES), PRIOR_DEGREES * USUAL_SPREAD**2
    for other in others:
        knows = (USUAL_SPREAD**2 / (USUAL_SPREAD**2 + other.error)) ** 2 * (len(other.starts) - 1)
        degrees += knows
        total += knows * other.between_starts
    usual = max(total / degrees, LEAST_SPREAD**2)
    own = len(sample.starts) - 1
    variance = (PRIOR_DEGREES * usual + own * sample.between_starts) / (PRIOR_DEGREES + own)
    return StartVariance(max(variance, LEAST_SPREAD**2), PRIOR_DEGREES + own)


def effect_of(sample: StartSample, between: StartVariance) -> Effect:
    """The mean over the starts. Each start is weighted by the inverse variance of its mean.

    The degrees of freedom are computed after F. E. Satterthwaite, "An approximate distribution of estimates of variance
    components", Biometrics Bulletin 2, 1946.
    """
    weights = [1 / (between.variance + start.error) for start in sample.starts]
    total = fsum(weights)
    shares = [weight / total for weight in weights]
    by_starts = between.variance * fsum(share**2 for share in shares)
    by_rounds = fsum(share**2 * start.error for share, start in zip(shares, sample.starts, strict=True))
    variance = by_starts + by_rounds
    return Effect(
        log=fsum(share * start.mean for share, start in zip(shares, sample.starts, strict=True)),
        error=sqrt(variance),
        degrees=variance**2 / (by_starts**2 / between.degrees + by_rounds**2 / sample.degrees),
        starts=len(sample.starts),
        rounds=sample.rounds,
    )
