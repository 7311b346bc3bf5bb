"""Single rounds as they are measured, and the columns of rounds that results keep."""

from collections import Counter
from collections.abc import Iterable, Sequence

from pydantic import AwareDatetime, Field

from restbench.results.models import Latencies, LatencyRounds, Limit, RateKind, Record, SoloRounds

DIGITS = 4
"""Significant digits that results keep. No round is precise enough to tell a difference of one in a thousand."""


class SoloRound(Record):
    """A round in which the app was loaded alone. Units are those of `SoloRounds`."""

    index: int
    at: AwareDatetime
    requests: int
    connections: int
    seconds: float
    throughput: float
    cpu_us: float
    memory_bytes: int
    errors: dict[str, int] = Field({})
    overhead_ms: float | None = None
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
    latency: Latencies
    errors: dict[str, int] = Field({})


Round = SoloRound | DuetRound | LatencyRound


def solo_columns(rounds: Iterable[SoloRound]) -> SoloRounds:
    """The columns of the rounds that count."""
    kept = [r for r in rounds if not r.invalid]
    return SoloRounds(
        seconds=_column(r.seconds for r in kept),
        throughput=_column(r.throughput for r in kept),
        cpu_us=_column(r.cpu_us for r in kept),
        memory_bytes=[round(round_to(r.memory_bytes)) for r in kept],
        overhead_ms=_column(r.overhead_ms for r in kept if r.overhead_ms is not None) or None,
        limit=[r.limit for r in kept],
        connections=kept[-1].connections or None if kept else None,
    )


def latency_columns(rounds: Sequence[LatencyRound]) -> list[LatencyRounds]:
    """One record for each kind of rate that was measured."""
    found = []
    for kind in RateKind:
        alike = [r for r in rounds if r.kind == kind]
        if not alike:
            continue
        found.append(
            LatencyRounds(
                kind=kind,
                rate=alike[0].rate,
                achieved=_column(r.achieved for r in alike),
                p50=_column(r.latency.p50 for r in alike),
                p99=_column(r.latency.p99 for r in alike),
            )
        )
    return found


def refusals(rounds: Iterable[SoloRound | DuetRound]) -> dict[str, int]:
    """How many rounds do not count, by the first reason of each.

    Reasons have no figures of their round, so that equal reasons are counted together.
    """
    return dict(Counter(r.invalid[0] for r in rounds if r.invalid))


def round_to(value: float, digits: int = DIGITS) -> float:
    """The value rounded to so many significant digits."""
    return float(f"{value:.{digits}g}")


def _column(values: Iterable[float]) -> list[float]:
    return [round_to(value) for value in values]
