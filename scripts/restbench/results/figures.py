"""One cell's rounds → its figures, each as it was measured."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from restbench.results.models import CellResult, DuetRounds, Latencies, LatencyRounds, Limit, RateKind
from restbench.stats.intervals import Interval, median_interval, ratio_interval

FEWEST_DUETS = 3
"""Duet rounds below which a relative cost is not told: two know nothing of their spread."""

_TIES = (
    Limit.LOAD_GENERATOR,
    Limit.BACKEND,
    Limit.SOURCE,
    Limit.WAITING,
    Limit.HANDLERS,
    Limit.APP,
    Limit.NOISE,
)
"""Of limits that are equally frequent, the one that says least about the app is the cell's."""


@dataclass(frozen=True)
class AtRate:
    """Latency at a fixed rate: the median over rounds of each percentile, the worst of the maxima. Milliseconds."""

    rate: int
    achieved: float
    latency: Latencies


@dataclass(frozen=True)
class Figures:
    """What a cell's rounds say. `relative_cost` is None without duet rounds.

    `at_least`: the load generator was the limit, so the app could do more than its throughput.
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
    """CPU time per request over the baseline's, as a geometric mean with Student's t interval of the logarithms."""
    if duets is None or duets.count < FEWEST_DUETS:
        return None
    return ratio_interval(duets.relative_costs)


def limit_of(limits: Sequence[Limit]) -> Limit:
    """The most frequent limit of at least one round. Noise is it only where there is no other."""
    counts = Counter([limit for limit in limits if limit != Limit.NOISE] or limits)
    most = max(counts.values())
    return next(limit for limit in _TIES if counts[limit] == most)


def refused(cell: CellResult) -> str | None:
    """How many rounds do not count, and the most frequent reason; None where all do."""
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
    latency = Latencies(
        mean=median(rounds.mean),
        p50=median(rounds.p50),
        p75=median(rounds.p75),
        p90=median(rounds.p90),
        p99=median(rounds.p99),
        p999=median(rounds.p999),
        max=max(rounds.max),
    )
    return AtRate(rounds.rate, median(rounds.achieved), latency)
