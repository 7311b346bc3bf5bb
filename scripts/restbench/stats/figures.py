"""One cell's rounds → its figures."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from restbench.results.models import CellResult, FixedRate, Latencies, Limit, Round
from restbench.stats.estimate import Estimate, estimate

ENOUGH = 2
"""Rounds that a cell needs for an interval. Where fewer were at the CPUs' best pace, slower ones count too, scaled."""


@dataclass(frozen=True)
class Figures:
    """What a cell's rounds say. `counted` are the rounds that the figures come from."""

    limit: Limit
    counted: list[Round]
    throughput: Estimate
    seconds: Estimate
    overhead: Estimate | None
    ratio: Estimate | None
    cpu_us: Estimate
    saturated: Latencies
    fixed_rate: FixedRate | None
    memory_bytes: int
    remark: str | None


def figures_of(cell: CellResult) -> Figures:
    """The figures of a cell with at least one round.

    Rounds that the gate refused do not count while others do, nor do rounds in which neither side was busy while in
    others one was. Of the rest, those with the cell's most frequent limit count, as an app-bound cell is described by
    its app-bound rounds alone; and of these, those on slow CPUs do not while there are enough others. Each is scaled to
    the best pace of the CPUs. Where no round is valid, all of them are shown as what they are, noise.
    """
    right = [r for r in cell.rounds if not r.invalid]
    limits = Counter(r.limit for r in right if r.limit != Limit.NOISE)
    limit = limits.most_common(1)[0][0] if limits else Limit.NOISE
    alike = [r for r in right if r.limit == limit]
    fast = [r for r in alike if not r.slow]
    counted = (fast if len(fast) >= min(ENOUGH, len(alike)) else alike) or cell.rounds
    ratios = [r.paced_throughput / r.reference_throughput for r in counted if r.reference_throughput]
    overheads = [r.overhead_ms for r in counted if r.overhead_ms is not None]
    return Figures(
        limit=limit,
        counted=counted,
        throughput=estimate([r.paced_throughput for r in counted]),
        seconds=estimate([r.paced_seconds for r in counted]),
        overhead=estimate(overheads) if overheads else None,
        ratio=estimate(ratios) if ratios else None,
        cpu_us=estimate([r.paced_cpu_us for r in counted]),
        saturated=_median_latencies([r.saturated for r in counted]),
        fixed_rate=_median_fixed_rate([r.fixed_rate for r in counted if r.fixed_rate]),
        memory_bytes=max(r.memory_peak_bytes for r in cell.rounds),
        remark=_remark(cell.rounds, counted, right),
    )


def _remark(rounds: list[Round], counted: list[Round], right: list[Round]) -> str | None:
    """Why rounds were left out, most frequent reason first, and whether the rest is of the second choice."""
    if not right:
        return f"no valid round: {rounds[-1].invalid[0]}"
    left_out = [r for r in rounds if r not in counted]
    remarks = []
    if left_out:
        reasons = Counter(map(_why_not, left_out))
        remarks.append(f"{len(left_out)} of {len(rounds)} rounds left out: {reasons.most_common(1)[0][0]}")
    if slow := [r.pace for r in counted if r.slow and r.pace]:
        scaled = "1 round" if len(slow) == 1 else f"{len(slow)} rounds"
        remarks.append(f"{scaled} scaled, as the CPUs ran up to {max(slow):.1f} times slower than they can")
    return "; ".join(remarks) or None


def _why_not(left_out: Round) -> str:
    if left_out.invalid:
        return left_out.invalid[0]
    return "the app's CPUs ran slower than they can" if left_out.slow else f"limited by {left_out.limit}"


def _median_latencies(all_rounds: Sequence[Latencies]) -> Latencies:
    """The median over rounds of each figure; the worst of the maxima."""

    def median(figure: Callable[[Latencies], float]) -> float:
        return float(np.median([figure(latencies) for latencies in all_rounds]))

    return Latencies(
        mean=median(lambda x: x.mean),
        p50=median(lambda x: x.p50),
        p75=median(lambda x: x.p75),
        p90=median(lambda x: x.p90),
        p99=median(lambda x: x.p99),
        p999=median(lambda x: x.p999),
        max=max(latencies.max for latencies in all_rounds),
    )


def _median_fixed_rate(rounds: list[FixedRate]) -> FixedRate | None:
    if not rounds:
        return None
    errors: Counter[str] = Counter()
    for each in rounds:
        errors.update(each.errors)
    achieved = float(np.median([each.achieved for each in rounds]))
    latency = _median_latencies([each.latency for each in rounds])
    return FixedRate(rate=rounds[0].rate, achieved=achieved, latency=latency, errors=dict(errors))
