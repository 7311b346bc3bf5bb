"""Judges a round: whether it counts, and what limited its throughput.

All functions are pure functions of one round's figures. docs/METHODOLOGY.md gives the reasons for the bounds.
"""

from dataclasses import dataclass

from restbench.results.models import Limit

IDLE_BOUND = 0.10
"""Share of the app's CPUs. An app that leaves a larger share idle did not limit the round."""
CONTENTION_BOUND = 0.10
"""Share of the app's CPUs, and of the load generator's CPUs, that other processes may take."""
TICKS_OF_CONTENTION = 3
"""The largest error of contention, in ticks of the kernel's counters.

Three counters may each be off by one tick: idle time, the app's user time and the app's system time. A batch of 30 ms
has only three ticks: Axum's contention was reported as 20 to 51 % although no other process ran.
"""
LOAD_CPU_BOUND = 0.90
"""Share of the load generator's CPUs. A load generator that is busier may itself be the limit."""

LITTLE_BOUNDS = (0.75, 2.0)
"""Bounds of rate × mean latency, as a share of the connections.

In a closed loop the two are equal (J. Little, 1961). A smaller product means that the load generator timed requests
that it had not sent. A larger product is possible, because wrk's latencies include requests that a stall kept from
being sent ("coordinated omission"). At twice the connections, the app stalled for most of the round.
"""

LITTLE_BOUNDS_OF_BATCH = (0.5, 2.0)
"""The same bounds for a batch, in which clients do not send a next request.

An app that answers the n requests of a batch one after the other has (n + 1) / 2 of them in flight on average.
Measured with 8 clients and bcrypt: net/http and Gin had 0.56 to 0.60 of the 8 in flight.
"""

CEILING_SHARE = 0.90
"""A throughput of at least this share of the backend's ceiling is limited by the backend."""

WAITING_SHARE = 0.80
"""A throughput of at least this share of the waiting ceiling is limited by waiting.

The share is below `CEILING_SHARE` because timers stretch the waiting: where they tick each millisecond, 20 ms last 21
to 22 ms. Measured: Actix, axum, Rocket and Jooby, at half a CPU, all gave 83 to 90 % of what 512 connections that wait
20 ms can give.
"""

SOURCE_SHARE = 0.25
"""An app that is not busy and reaches at least this share of the source ceiling is limited by the data source.

The share is low because timers that tick each millisecond make a fetch of 1 ms last 2 to 3 ms. Measured: with 64
connections Actix got 22,500 of 64,000 requests per second and left 67 % of its CPU idle. An app that gets less has too
few handlers: not enough requests can wait at the same time.
"""

BEYOND_CEILING = 1.05
"""A throughput of more than this share of the waiting ceiling or the source ceiling cannot be true.

Each request waits, and there are only so many connections. 5 % are left for the start and the end of a round.
"""

STARVED_SHARE = 0.25
"""In a duet round on busy CPUs, a side with less than this share of the CPU time was kept from running by the other."""

DUET_CONTENTION_BOUND = 0.60
"""Share of the app's CPUs that other processes may take in a duet round. They take it from both sides alike.

Measured: with 50 % taken, the ratio of two frameworks varied by 3.9 % from round to round.
"""

REACHED_SHARE = 0.95
"""The share of the requests of a rate that has to be answered. Otherwise the app did not sustain it."""

FEWEST_ANSWERS = 8
"""The fewest answers of each side in a duet round. Fewer answers say little about the cost per request."""


@dataclass(frozen=True)
class Observed:
    """The figures of a solo round that are judged. Shares are from 0 to 1, of all CPUs of a side.

    `backend_ceiling` and `backend_idle_share` are None where the cell asks no backend.
    `tick_share`: a tick of the kernel's counters, as a share of the round. `batch`: whether it is a batch.
    Ceilings are in requests per second.
    """

    throughput: float
    mean_latency_ms: float
    connections: int
    errors: dict[str, int]
    app_idle_share: float
    load_cpu_share: float
    contention: float
    load_contention: float
    pinned: bool
    source_ceiling: float | None
    waiting_ceiling: float | None
    backend_ceiling: float | None = None
    backend_idle_share: float | None = None
    tick_share: float = 0.0
    batch: bool = False

    @property
    def contention_bound(self) -> float:
        return max(CONTENTION_BOUND, TICKS_OF_CONTENTION * self.tick_share)

    @property
    def idle_bound(self) -> float:
        return max(IDLE_BOUND, self.tick_share)


@dataclass(frozen=True)
class ObservedDuet:
    """The figures of a duet round that are judged. `share`: the app's part of the CPU time that both sides used."""

    errors: dict[str, int]
    requests: int
    baseline_requests: int
    share: float
    idle_share: float
    contention: float
    tick_share: float = 0.0


@dataclass(frozen=True)
class ObservedAtRate:
    """The figures of a latency round that are judged. `rate`: the requests per second that were asked for."""

    rate: int
    seconds: float
    requests: int
    mean_latency_ms: float
    errors: dict[str, int]


def limit_of(seen: Observed) -> Limit:
    """Returns what limited the throughput of the round."""
    if seen.contention > seen.contention_bound:
        return Limit.NOISE
    if seen.backend_ceiling is not None and seen.throughput >= CEILING_SHARE * seen.backend_ceiling:
        return Limit.BACKEND
    if seen.load_cpu_share >= LOAD_CPU_BOUND or not seen.pinned:
        return Limit.LOAD_GENERATOR  # without CPUs of its own the load generator takes them from the app
    if seen.app_idle_share <= seen.idle_bound:
        return Limit.APP
    if seen.backend_idle_share is not None and seen.backend_idle_share <= seen.idle_bound:
        return Limit.BACKEND
    if seen.waiting_ceiling is not None:
        # neither side is busy and each request waits: either all connections are waiting, or all of the app's handlers
        return Limit.WAITING if seen.throughput >= WAITING_SHARE * seen.waiting_ceiling else Limit.HANDLERS
    if seen.source_ceiling is not None:
        return Limit.SOURCE if seen.throughput >= SOURCE_SHARE * seen.source_ceiling else Limit.HANDLERS
    return Limit.NOISE


def reasons_against(seen: Observed) -> list[str]:
    """Returns the reasons why a solo round does not count; an empty list where it counts.

    Reasons of the same kind have the same wording, so that they can be counted.
    """
    reasons = [f"errors: {', '.join(sorted(seen.errors))}"] if seen.errors else []
    if seen.contention > seen.contention_bound:
        reasons.append("others used the app's CPUs")
    if seen.load_contention > seen.contention_bound:
        reasons.append("others used the load generator's CPUs")
    in_flight = seen.throughput * seen.mean_latency_ms / 1e3
    bounds = LITTLE_BOUNDS_OF_BATCH if seen.batch else LITTLE_BOUNDS
    low, high = (bound * seen.connections for bound in bounds)
    # a load generator at its limit cannot time its requests well, and `limit_of` names that limit already
    if seen.load_cpu_share < LOAD_CPU_BOUND and not low <= in_flight <= high:
        reasons.append("rate × latency does not give the number of connections (Little's law)")
    ceilings = [ceiling for ceiling in (seen.waiting_ceiling, seen.source_ceiling) if ceiling is not None]
    if any(seen.throughput > BEYOND_CEILING * ceiling for ceiling in ceilings):
        reasons.append("more answers than requests that wait can get")
    return reasons


def reasons_against_duet(seen: ObservedDuet) -> list[str]:
    """Returns the reasons why a duet round does not count; an empty list where it counts."""
    reasons = [f"errors: {', '.join(sorted(seen.errors))}"] if seen.errors else []
    if min(seen.requests, seen.baseline_requests) < FEWEST_ANSWERS:
        reasons.append("too few answers")
    if seen.contention > DUET_CONTENTION_BOUND:
        reasons.append("others used most of the app's CPUs")
    # where CPU time was left over, a side with a small share did not need more
    starved = not STARVED_SHARE <= seen.share <= 1 - STARVED_SHARE
    if starved and seen.idle_share <= max(IDLE_BOUND, seen.tick_share):
        reasons.append("one side had less than a quarter of the CPU time")
    return reasons


def reasons_against_latency(seen: ObservedAtRate) -> list[str]:
    """Returns the reasons why a latency round does not count; an empty list where it counts.

    Requests that are due within the last mean latency cannot be answered before the round ends, and a rate is not a
    whole number of requests.
    """
    reasons = [f"errors: {', '.join(sorted(seen.errors))}"] if seen.errors else []
    due = seen.rate * (seen.seconds - seen.mean_latency_ms / 1e3)
    if seen.requests + 1 < REACHED_SHARE * due:
        reasons.append("the rate was not reached")
    return reasons


def source_ceiling(pool: int, latency_ms: float, workers: int, connections: int, fetches: int) -> float | None:
    """Returns the requests per second that the emulated data source can give; None for a scenario that does not ask it.

    By Little's law. At most `connections` requests are in flight. Each worker has a pool that serves `pool` fetches at
    a time, and each fetch takes `latency_ms`. A request makes `fetches` of them.
    """
    if fetches == 0 or latency_ms == 0:
        return None
    return min(pool * workers, connections) / (latency_ms / 1e3 * fetches)


def waiting_ceiling(connections: int, waits_ms: float) -> float | None:
    """Returns the requests per second of an app whose requests only wait. None for a scenario that does not wait.

    By Little's law. `waits_ms`: milliseconds that each request waits.
    """
    return connections / (waits_ms / 1e3) if waits_ms else None
