"""Single rounds as they are measured, and the columns of rounds that results keep."""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import floor, log, log10, sqrt
from statistics import stdev

from pydantic import AwareDatetime, Field

from restbench.results.models import DuetRounds, Latencies, LatencyRounds, Limit, RateKind, Record, SoloRounds
from restbench.stats.intervals import ROUNDS_FOR_MEDIAN

_DIGITS = 4
"""Significant digits that results keep. No round is precise enough to tell a difference of one in a thousand."""

_FEW_DIGITS = 3
"""Significant digits of shares, memory, latencies and achieved rates. Tables show no more, and every digit makes the
repository grow. The median latency at the common rate keeps all digits, because the overhead of a waiting scenario is
a small part of it."""

_STEP = 0.5
"""The largest step between rounded values, in standard deviations of the figure that is made of each round.

Such a step adds 2 % (_STEP² ÷ 12) to their variance, so intervals are 1 % wider. A much larger one would make rounds
equal that are not, and a table would then call two rows different that happened to be rounded to different values.
"""

_LARGEST_STEP = 0.02
"""The largest step as a share of a value, however far its column is spread."""


class SoloRound(Record):
    """A round in which the app was loaded alone. Units are those of `SoloRounds`.

    `contention` is the share of the app's CPUs that other processes took. `load_contention` is the same share of the
    load generator's CPUs.
    """

    index: int
    at: AwareDatetime
    requests: int
    connections: int
    seconds: float
    throughput: float
    saturated: Latencies
    cpu_us: float
    app_cpu: float
    load_cpu: float
    contention: float
    load_contention: float
    memory_bytes: int
    errors: dict[str, int] = Field({})
    overhead_ms: float | None = None
    limit: Limit
    invalid: list[str] = Field([])


class DuetRound(Record):
    """A round in which the app and its baseline were loaded at the same time on the same CPUs."""

    index: int
    at: AwareDatetime
    seconds: float
    connections: int
    requests: int
    baseline_requests: int
    cpu_us: float
    baseline_cpu_us: float
    share: float
    contention: float
    invalid: list[str] = Field([])


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
    with_overhead = [r.overhead_ms for r in kept if r.overhead_ms is not None]
    return SoloRounds(
        seconds=_by_own_spread([r.seconds for r in kept]),
        throughput=_by_own_spread([r.throughput for r in kept]),
        cpu_us=_by_own_spread([r.cpu_us for r in kept]),
        memory_bytes=[round(brief(r.memory_bytes)) for r in kept],
        overhead_ms=_rounded(with_overhead, _FEW_DIGITS) or None,
        limit=[r.limit for r in kept],
        connections=kept[-1].connections or None if kept else None,
    )


def duet_columns(
    rounds: Iterable[DuetRound], baseline: str, variant: str | None, throughput: float | None
) -> DuetRounds:
    """The columns of the rounds that count. `baseline` and `variant` are those of the cell's partner.

    `throughput`: the median of the baseline's solo rounds in the same group, in requests per second.
    """
    kept = [r for r in rounds if not r.invalid]
    app, other = [r.cpu_us for r in kept], [r.baseline_cpu_us for r in kept]
    # a slow phase makes both sides slow, so their ratio varies less than they do, and has the rounding of both
    spread = _spread([a / b for a, b in zip(app, other, strict=True) if b > 0]) / sqrt(2)
    return DuetRounds(
        baseline=baseline,
        baseline_variant=variant,
        cpu_us=_in_steps(app, spread),
        baseline_cpu_us=_in_steps(other, spread),
        baseline_throughput=None if throughput is None else brief(throughput),
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
                achieved=_rounded((r.achieved for r in alike), _FEW_DIGITS),
                p50=_rounded((r.latency.p50 for r in alike), _DIGITS if kind is RateKind.COMMON else _FEW_DIGITS),
                p99=_rounded((r.latency.p99 for r in alike), _FEW_DIGITS),
            )
        )
    return found


def refusals(rounds: Iterable[SoloRound | DuetRound]) -> dict[str, int]:
    """How many rounds do not count, by the first reason of each.

    Reasons have no figures of their round, so that equal reasons are counted together.
    """
    return dict(Counter(r.invalid[0] for r in rounds if r.invalid))


def short(value: float, digits: int = _DIGITS) -> float:
    """The value rounded to the significant digits that results keep."""
    return float(f"{value:.{digits}g}")


def brief(value: float) -> float:
    """The value with the significant digits that tables show, for facts that nothing more precise is computed of."""
    return short(value, _FEW_DIGITS)


def _rounded(values: Iterable[float], digits: int = _DIGITS) -> list[float]:
    return [short(value, digits) for value in values]


def _by_own_spread(values: Sequence[float]) -> list[float]:
    return _in_steps(values, _spread(values))


def _spread(values: Sequence[float]) -> float:
    """The standard deviation on a logarithmic scale. It is 0 if fewer than ROUNDS_FOR_MEDIAN values are known."""
    if len(values) < ROUNDS_FOR_MEDIAN or min(values) <= 0:
        return 0.0
    return stdev(map(log, values))


def _in_steps(values: Sequence[float], spread: float) -> list[float]:
    """The values in the largest steps that the spread supports: 1, 2 or 5 units of a digit, none beyond _DIGITS."""
    share = min(_STEP * spread, _LARGEST_STEP)
    return _rounded(_in_step(value, share * value) if share * value > 0 else value for value in values)


def _in_step(value: float, largest: float) -> float:
    """The value in the largest step of 1, 2 or 5 units of a digit that is not above `largest`."""
    places = -floor(log10(largest))
    units = next(units for units in (5, 2, 1) if units <= largest * 10.0**places or units == 1)
    return units * round(value / units, places)
