"""Computes the figures of a cell from its rounds as they were measured."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from restbench.results.models import CellResult, DuetRounds, LatencyRounds, Limit, RateKind
from restbench.stats.intervals import Interval, median_interval, ratio_interval

FEWEST_DUETS = 3
"""The fewest duet rounds that give a relative cost. Two say too little about their spread."""

_TIES = (
    Limit.LOAD_GENERATOR,
    Limit.BACKEND,
    Limit.SOURCE,
    Limit.WAITING,
    Limit.HANDLERS,
    Limit.APP,
    Limit.NOISE,
)
"""Where several limits are equally frequent, the first of this order counts: it says least about the app."""


@dataclass(frozen=True)
class AtRate:
    """Latency at a fixed rate, in milliseconds.

    Each percentile is the median over the rounds.
    """

    rate: int
    achieved: float
    p50: float
    p99: float


@dataclass(frozen=True)
class Figures:
    """The figures of a cell. `relative_cost` is None where the cell has too few duet rounds.

    `at_least`: whether the load generator was the limit, so that the app could do more than its throughput.
    """

    limit: Limit
    throughput: Interval
    seconds: Interval
    cpu_us: Interval
    relative_cost: Interval | None
    overhead: Interval | None
    latency: dict[RateKind, AtRate]
    memory_bytes: int
    refused: str | None

    @property
    def at_least(self) -> bool:
        return self.limit == Limit.LOAD_GENERATOR


def figures_of(cell: CellResult) -> Figures | None:
    """The figures of a cell; None where no solo round counts."""
    solo = cell.solo
    if not solo.count:
        return None
    return Figures(
        limit=limit_of(solo.limit),
        throughput=median_interval(solo.throughput),
        seconds=median_interval(solo.seconds),
        cpu_us=median_interval(solo.cpu_us),
        relative_cost=relative_cost(cell.duets),
        overhead=median_interval(solo.overhead_ms) if solo.overhead_ms else None,
        latency={rounds.kind: _at_rate(rounds) for rounds in cell.latency if rounds.count},
        memory_bytes=max(solo.memory_bytes),
        refused=refused(cell),
    )


def relative_cost(duets: DuetRounds | None) -> Interval | None:
    """CPU time per request divided by that of the baseline.

    It is a geometric mean with Student's t interval of the logarithms. None with fewer than FEWEST_DUETS rounds.
    """
    if duets is None or duets.count < FEWEST_DUETS:
        return None
    return ratio_interval(duets.relative_costs)


def limit_of(limits: Sequence[Limit]) -> Limit:
    """The most frequent limit of at least one round. It is noise only where every round has that limit."""
    counts = Counter([limit for limit in limits if limit != Limit.NOISE] or limits)
    most = max(counts.values())
    return next(limit for limit in _TIES if counts[limit] == most)


def refused(cell: CellResult) -> str | None:
    """How many rounds do not count, and the most frequent reason, as text; None where all rounds count."""
    parts = []
    for what, reasons, counted in (
        ("solo", cell.refused, cell.solo.count),
        ("duet", cell.refused_duets, cell.duets.count if cell.duets else 0),
    ):
        if reasons:
            total = sum(reasons.values())
            most = max(reasons, key=lambda reason: reasons[reason])
            parts.append(f"{total} of {total + counted} {what} rounds refused: {most}")
    return "; ".join(parts) or None


def _at_rate(rounds: LatencyRounds) -> AtRate:
    return AtRate(rounds.rate, median(rounds.achieved), median(rounds.p50), median(rounds.p99))
