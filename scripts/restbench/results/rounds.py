"""Single rounds as they are measured, and the columns of rounds that results keep."""

from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import median

from pydantic import AwareDatetime, Field

from restbench.results.models import MOST_EARLIER, LatencyHistogram, Limit, RateKind, Record, SoloRounds
from restbench.stats.histograms import Histogram, thinned, together

DIGITS, DIGITS_OF_ROUND = 4, 3
"""Significant digits that results keep, and those of a single round, which differs from the others by percents.

With three in place of four, relative costs of 598 cells moved by 0.04 % in the median and by 0.34 % at most.
"""

ALIKE = 1.1
"""Rates that differ by up to this factor are alike. Half of an app's throughput is never twice the same."""

UNSTEADY = "its CPU time per request was not steady yet"
"""Why a round is refused in runs that start apps several times. What one start lacks is measured in a further one."""


class Use(Record):
    """What the CPUs did while there was load. Shares are from 0 to 1, of all CPUs of a side.

    `contention` and `load_contention`: what other processes took from the app's and from the load generator's CPUs.
    `tick`: a tick of the kernel's counters, as a share of the round. `throttled`: in how many periods a CPU quota kept
    the app, or this harness and its load generator, from running.
    """

    app_idle: float
    contention: float
    load_cpu: float = 0.0
    load_contention: float = 0.0
    backend_idle: float | None = None
    tick: float = 0.0
    throttled: int = 0


class SoloRound(Record):
    """A round in which the app was loaded alone. Units are those of `SoloRounds`. `start`: which start of the app."""

    index: int
    at: AwareDatetime
    start: int = 0
    requests: int
    connections: int
    seconds: float | None = None
    throughput: float
    cpu_us: float
    memory_bytes: int
    errors: dict[str, int] = Field({})
    overhead_ms: float | None = None
    use: Use
    limit: Limit
    invalid: list[str] = Field([])


class DuetRound(Record):
    """A round in which two versions of an app were loaded at the same time on the same CPUs."""

    index: int
    at: AwareDatetime
    requests: int
    baseline_requests: int
    cpu_us: float
    baseline_cpu_us: float
    invalid: list[str] = Field([])

    @property
    def ratio(self) -> float:
        """CPU time per request of the app over that of the other side."""
        return self.cpu_us / self.baseline_cpu_us


class LatencyRound(Record):
    """A round in which the app got requests at a fixed rate."""

    index: int
    at: AwareDatetime
    kind: RateKind
    rate: int
    achieved: float
    first: int
    counts: list[int]
    errors: dict[str, int] = Field({})
    invalid: list[str] = Field([])


Round = SoloRound | DuetRound | LatencyRound


def solo_columns(rounds: Iterable[SoloRound]) -> SoloRounds:
    """The columns of the rounds that count."""
    valid = [r for r in rounds if not r.invalid]
    return SoloRounds(
        seconds=column(r.seconds for r in valid if r.seconds is not None) or None,
        throughput=column(r.throughput for r in valid),
        cpu_us=column(r.cpu_us for r in valid),
        memory_bytes=round(round_to(max((r.memory_bytes for r in valid), default=0))),
        overhead_ms=column(r.overhead_ms for r in valid if r.overhead_ms is not None) or None,
        limit=[r.limit for r in valid],
        connections=valid[-1].connections or None if valid else None,
    )


def latency_histograms(rounds: Sequence[LatencyRound]) -> list[LatencyHistogram]:
    """One record for each kind of rate that was measured, with the requests of the rounds that count."""
    found = []
    for kind in RateKind:
        alike = [r for r in rounds if r.kind == kind]
        if alike:
            first, counts = together(Histogram(r.first, tuple(r.counts)) for r in alike if not r.invalid)
            record = LatencyHistogram(
                kind=kind, rate=alike[0].rate, first=first, counts=list(counts), refused=refusals(alike)
            )
            found.append(record)
    return found


def with_earlier_latencies(
    before: Iterable[LatencyHistogram], after: Iterable[LatencyHistogram], run: str
) -> list[LatencyHistogram]:
    """Adds the requests of earlier runs of unchanged code to those of the newest `run`, where the rates are alike."""
    known, most = {each.kind: each for each in before}, MOST_EARLIER + 1
    found = []
    for new in after:
        old = known.get(new.kind)
        if old and 1 / ALIKE <= new.rate / old.rate <= ALIKE:
            earlier = thinned(old.histogram, MOST_EARLIER, most, run) if old.runs == most else old.histogram
            first, counts = together([earlier, new.histogram])
            sums = {"first": first, "counts": list(counts), "runs": min(most, old.runs + 1)}
            found.append(new.model_copy(update=sums))
        else:
            found.append(new)
    return found


def refusals(rounds: Iterable[SoloRound | DuetRound | LatencyRound]) -> dict[str, int]:
    """How many rounds do not count, by the first reason of each.

    Reasons have no figures of their round, so that equal reasons are counted together.
    """
    return dict(Counter(r.invalid[0] for r in rounds if r.invalid))


def disturbed_throughput(rounds: Sequence[SoloRound]) -> float | None:
    """The median throughput of rounds of which none counts. None where one counts, and where there is none."""
    found = [each.throughput for each in rounds if each.throughput > 0]
    return round_to(median(found)) if found and all(each.invalid for each in rounds) else None


def round_to(value: float, digits: int = DIGITS) -> float:
    """The value rounded to so many significant digits."""
    return float(f"{value:.{digits}g}")


def column(values: Iterable[float]) -> list[float]:
    """A figure of some rounds, as results keep it."""
    return [round_to(value, DIGITS_OF_ROUND) for value in values]
