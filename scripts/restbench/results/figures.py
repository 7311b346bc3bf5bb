"""Computes the figures of a cell from its rounds as they were measured."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum
from statistics import fmean

from pydantic import ValidationError

from restbench.results.models import CellResult, EarlierCost, Limit, RateKind, Run
from restbench.results.rounds import round_to
from restbench.stats.histograms import percentile
from restbench.stats.intervals import CostRatio, Interval, Kind, median_interval, quiet_sample, ratio_of_costs

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
    """Latency at a fixed rate, in milliseconds. A percentile is None where too few requests count for it.

    `requests`: how many count. `refused`: the most frequent reason of rounds that do not count.
    """

    rate: int
    requests: int
    p50: float | None
    p90: float | None
    p99: float | None
    refused: str | None = None


@dataclass(frozen=True)
class Figures:
    """The figures of a cell. `relative_cost` is of all runs of unchanged code, and None without rounds of a baseline.

    All others are of the newest run, but for the requests of `latency`.
    """

    limit: Limit
    throughput: Interval
    seconds: Interval | None
    cpu_us: Interval
    relative_cost: Interval | None
    overhead: Interval | None
    latency: dict[RateKind, AtRate]
    memory_bytes: int
    refused: str | None


def figures_of(entry: str, cell: CellResult) -> Figures | None:
    """The figures of a cell of that entry; None where no solo round counts."""
    solo = cell.solo
    if not solo.count:
        return None
    latency = {}
    for found in cell.latency:
        histogram = found.histogram
        p50, p90, p99 = (percentile(histogram, percent) for percent in (50, 90, 99))
        reason = max(found.refused, key=lambda reason: found.refused[reason], default=None)
        latency[found.kind] = AtRate(found.rate, histogram.total, p50, p90, p99, reason)
    return Figures(
        limit=limit_of(solo.limit),
        throughput=median_interval(solo.throughput),
        seconds=median_interval(solo.seconds) if solo.seconds else None,
        cpu_us=median_interval(solo.cpu_us),
        relative_cost=relative_cost(entry, cell),
        overhead=median_interval(solo.overhead_ms) if solo.overhead_ms else None,
        latency=latency,
        memory_bytes=solo.memory_bytes,
        refused=refused(cell),
    )


def relative_cost(entry: str, cell: CellResult) -> Interval | None:
    """CPU time per request ÷ that of the baseline, over this run and earlier ones of unchanged code.

    It is 1 for the baseline's own cell, and None where one of both has no round that counts.
    """
    found = cost_over_runs(cell)
    if found and is_own(entry, cell):
        return Interval(1.0, 1.0, 1.0, cell.solo.count, Kind.SINGLE)
    return found.interval() if found else None


def cost_over_runs(cell: CellResult) -> CostRatio | None:
    """The ratio of costs by which a row is placed and that is printed: the mean of its logarithms over all runs."""
    found = cost_of_run(cell)
    if found is None:
        return None
    runs = 1 + len(cell.earlier)
    mean = fsum([found.log, *(each.log_cost for each in cell.earlier)]) / runs
    return found._replace(log=mean, earlier=fsum(each.variance for each in cell.earlier), runs=runs)


def cost_of_run(cell: CellResult) -> CostRatio | None:
    """The ratio of costs of the cell's newest run alone. None where one of both has no round that counts."""
    if cell.baseline is None or not cell.solo.count or not cell.baseline.cpu_us:
        return None
    return ratio_of_costs(quiet_sample(cell.solo.cpu_us), cell.baseline.cost)


def is_own(entry: str, cell: CellResult) -> bool:
    """Whether the cell, of that entry, is one that others are compared with.

    Its rounds may be more than those that others are compared with: a baseline that is in several teams has the rounds
    of all of them, and each team those of its own.
    """
    return cell.baseline is not None and cell.baseline.is_of(entry, cell.variant)


def earlier_cost(entry: str, cell: CellResult, run: Run) -> EarlierCost | None:
    """The relative cost of a cell as a later run keeps it. None where it has none, and for a baseline's own cell.

    It has none to keep where the app or its baseline was not steady.
    """
    found = cost_of_run(cell)
    if found is None or is_own(entry, cell) or cell.unsteady or (cell.baseline and cell.baseline.unsteady):
        return None
    return _stored(run, found.log, found.variance)


def link_level(cells: Iterable[CellResult]) -> float:
    """The mean logarithm of the costs of all baselines' cells in a run: how slow its machine is."""
    known = [cell.baseline.cost.mean for cell in cells if cell.baseline and cell.baseline.cpu_us]
    return fmean(known or [0.0])


def link_cost(cell: CellResult, run: Run, level: float) -> EarlierCost | None:
    """The cost of a baseline's cell as later links keep it, relative to the `level` of its run. None without rounds.

    There is none either where the baseline was not steady.
    """
    if cell.baseline is None or not cell.baseline.cpu_us or cell.baseline.unsteady:
        return None
    own = cell.baseline.cost
    return _stored(run, own.mean - level, own.variance / own.n)


def _stored(run: Run, log_cost: float, variance: float) -> EarlierCost | None:
    """The cost as results keep it. None where it is beyond all that can be measured, as in a result that lies."""
    try:
        return EarlierCost(at=run.started, log_cost=round_to(log_cost), variance=round_to(variance))
    except ValidationError:
        return None


def limit_of(limits: Sequence[Limit]) -> Limit:
    """The most frequent limit of at least one round. It is noise only where every round has that limit."""
    counts = Counter([limit for limit in limits if limit != Limit.NOISE] or limits)
    most = max(counts.values())
    return next(limit for limit in _TIES if counts[limit] == most)


def refused(cell: CellResult) -> str | None:
    """How many rounds do not count, and the most frequent reason, as text; None where all rounds count."""
    if not cell.refused:
        return None
    total = sum(cell.refused.values())
    most = max(cell.refused, key=lambda reason: cell.refused[reason])
    return f"{total} of {total + cell.solo.count} rounds refused: {most}"
