"""A ratio of two programs that were started several times.

A process keeps its luck with memory layout and hash seeds until it ends, so the rounds of one start are alike, and
many of them do not make up for few starts (T. Kalibera, R. Jones, "Rigorous benchmarking in reasonable time", ISMM
2013). The variance of a ratio's logarithm therefore has two parts: that of the rounds, and that of the luck between
starts.

A few starts hardly know the second part. It is estimated from all cells together, and what is usual for a process takes
part as if it had been observed a few times more (G. K. Smyth, "Linear models and empirical Bayes methods for assessing
differential expression in microarray experiments", Statistical Applications in Genetics and Molecular Biology 3, 2004).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, fsum, sqrt

from scipy.special import stdtr, stdtrit

from restbench.stats.intervals import LEVEL
from restbench.stats.logarithms import log_sample

USUAL_LUCK = 0.01
"""Standard deviation, between starts, of the logarithm of the ratio of two processes that run the same program: 0.5 to
1 % for those that do not compile while they run. The larger figure keeps intervals at 95 %."""

LUCK_OBSERVED = 4
"""How many observed differences between starts the usual luck counts as. With more of them, programs whose luck is
several times the usual get false claims; with fewer, real differences are missed."""

LEAST_LUCK = USUAL_LUCK / 2
"""What starts that happen to be alike may lower the estimate to."""

FEWEST_STARTS = 2
FEWEST_ROUNDS = 2
"""Of a start, for it to count: one round knows nothing of its spread."""


@dataclass(frozen=True)
class StartMean:
    """One start. `number` counts from 0; `mean` is of the logarithms of its ratios, and `error` the variance that the
    rounds give that mean."""

    number: int
    mean: float
    error: float


@dataclass(frozen=True)
class StartSample:
    """The starts of one cell that count. `degrees` are those of freedom behind the errors; `rounds` counts them all."""

    starts: tuple[StartMean, ...]
    degrees: float
    rounds: int

    def since(self, number: int) -> "StartSample | None":
        """The starts from that number on, with errors still estimated from all; None where they are too few."""
        later = tuple(start for start in self.starts if start.number >= number)
        if len(later) < FEWEST_STARTS:
            return None
        return StartSample(later, self.degrees, self.rounds * len(later) // len(self.starts))

    @property
    def error(self) -> float:
        """The variance that the rounds give the mean of a start, on average."""
        return fsum(start.error for start in self.starts) / len(self.starts)

    @property
    def luck(self) -> float:
        """Variance between starts above what the rounds explain; negative where they happen to be alike."""
        means = [start.mean for start in self.starts]
        middle = fsum(means) / len(means)
        return fsum((mean - middle) ** 2 for mean in means) / (len(means) - 1) - self.error


@dataclass(frozen=True)
class Luck:
    """The variance between starts of a ratio's logarithm, with the degrees of freedom behind it."""

    variance: float
    degrees: float


@dataclass(frozen=True)
class Effect:
    """A ratio: its logarithm, the standard error of that, and the degrees of freedom behind the error."""

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
        """How often a ratio at least as far from 1 would be seen of two programs that are the same."""
        return float(2 * stdtr(self.degrees, -abs(self.log) / self.error))

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """Student's t interval of the ratio."""
        reach = self.error * float(stdtrit(self.degrees, (1 + level) / 2))
        return exp(self.log - reach), exp(self.log + reach)


def sample_of(starts: Sequence[Sequence[float]]) -> StartSample | None:
    """The ratios of each start's rounds, all positive. None where fewer than two starts have two rounds or more.

    ValueError: a ratio is not positive and finite.
    """
    known = [(number, log_sample(ratios)) for number, ratios in enumerate(starts) if len(ratios) >= FEWEST_ROUNDS]
    if len(known) < FEWEST_STARTS:
        return None
    degrees = sum(sample.n - 1 for _, sample in known)
    variance = fsum((sample.n - 1) * sample.variance for _, sample in known) / degrees
    means = tuple(StartMean(number, sample.mean, variance / sample.n) for number, sample in known)
    return StartSample(means, degrees, sum(sample.n for _, sample in known))


def together(cells: Sequence[StartSample]) -> StartSample | None:
    """All cells as one: the mean over the cells that have every start. None where fewer than two have."""
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


def luck_of(sample: StartSample, others: Iterable[StartSample] = ()) -> Luck:
    """The luck of one cell, from its own starts and from what is usual for the entry.

    What is usual for the entry is estimated from its other cells, and from what is usual for any. A cell whose rounds
    are noisy tells little about luck, and weighs accordingly: by the inverse variance of what it says.
    """
    degrees, total = float(LUCK_OBSERVED), LUCK_OBSERVED * USUAL_LUCK**2
    for other in others:
        knows = (USUAL_LUCK**2 / (USUAL_LUCK**2 + other.error)) ** 2 * (len(other.starts) - 1)
        degrees += knows
        total += knows * other.luck
    usual = max(total / degrees, LEAST_LUCK**2)
    own = len(sample.starts) - 1
    variance = (LUCK_OBSERVED * usual + own * sample.luck) / (LUCK_OBSERVED + own)
    return Luck(max(variance, LEAST_LUCK**2), LUCK_OBSERVED + own)


def effect_of(sample: StartSample, luck: Luck) -> Effect:
    """The mean over starts, each weighted by how well it is known.

    Degrees of freedom after F. E. Satterthwaite, "An approximate distribution of estimates of variance components",
    Biometrics Bulletin 2, 1946.
    """
    weights = [1 / (luck.variance + start.error) for start in sample.starts]
    total = fsum(weights)
    shares = [weight / total for weight in weights]
    by_luck = luck.variance * fsum(share**2 for share in shares)
    by_rounds = fsum(share**2 * start.error for share, start in zip(shares, sample.starts, strict=True))
    variance = by_luck + by_rounds
    return Effect(
        log=fsum(share * start.mean for share, start in zip(shares, sample.starts, strict=True)),
        error=sqrt(variance),
        degrees=variance**2 / (by_luck**2 / luck.degrees + by_rounds**2 / sample.degrees),
        starts=len(sample.starts),
        rounds=sample.rounds,
    )
