"""Does a round count, and what kept the cell from being faster?

Pure functions of one round's figures. The bounds are in docs/METHODOLOGY.md with the reasons.
"""

from dataclasses import dataclass

from restbench.results.models import Limit

IDLE_BOUND = 0.10
"""An app that leaves more of its CPUs idle than this was not what limited the round."""
CONTENTION_BOUND = 0.10
"""Share of either side's CPUs that others may take."""
TICKS_OF_CONTENTION = 3
"""By how many ticks of the kernel's counters it may be off: idle time, and the app's in user and in system mode, each
by one. A batch of 30 ms has three: others were said to take 20 to 51 % of Axum's CPU when nobody was there."""
LOAD_CPU_BOUND = 0.90
"""A load generator busier than this may itself be what is measured."""
LITTLE_BOUNDS = (0.75, 2.0)
"""What rate × mean latency may be, as a share of the connections. They are equal in a closed loop (J. Little, 1961), so
less means that the load generator timed what it had not sent. More is possible: wrk counts the requests that a stall
kept from being sent ("coordinated omission") into its latencies; twice as much is a round that mostly stalled."""
CEILING_SHARE = 0.90
"""Throughput this near to what a backend or waiting can give is limited by it."""

WAITING_SHARE = 0.80
"""The same of waiting, which timers stretch: where they tick each millisecond 20 ms last 21 to 22. Measured: Actix,
axum, Rocket and Jooby, at half a CPU, all gave 83 to 90 % of what 512 connections that wait 20 ms can give."""

SOURCE_SHARE = 0.25
"""An app that is not busy, and gets this much of what the data source can give, waits for it: timers that tick each
millisecond make a fetch of 1 ms last 2 to 3. Measured: with 64 connections Actix got 22,500 of 64,000 requests per
second and left 67 % of its CPU idle. One that gets less has too few handlers for more to wait at a time."""

STARVED_SHARE = 0.25
"""In a duet round on busy CPUs, a side with less of the CPU time than this was kept from running by the other."""

DUET_CONTENTION_BOUND = 0.60
"""Share of the app's CPUs that others may take in a duet round: they take it from both sides alike. Measured: with 50 %
taken the ratio of two frameworks varied by 3.9 % from round to round."""

FEWEST_ANSWERS = 8
"""A duet round in which a side answered less often says little of its cost per request."""


@dataclass(frozen=True)
class Observed:
    """What the gate looks at in a solo round. Shares are of all CPUs of that side, 0 to 1.

    `backend_ceiling` and `backend_idle_share` are None where the cell asks no backend.
    `tick_share`: a tick of the kernel's counters, as a share of the round.
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

    @property
    def contention_bound(self) -> float:
        return max(CONTENTION_BOUND, TICKS_OF_CONTENTION * self.tick_share)

    @property
    def idle_bound(self) -> float:
        return max(IDLE_BOUND, self.tick_share)


@dataclass(frozen=True)
class ObservedDuet:
    """What the gate looks at in a duet round. `share`: of the CPU time that both used, the app's."""

    errors: dict[str, int]
    requests: int
    baseline_requests: int
    share: float
    idle_share: float
    contention: float
    tick_share: float = 0.0


def limit_of(seen: Observed) -> Limit:
    """What limited the round."""
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
        # neither side is busy, and each request waits: either all connections do, or all of the app's handlers
        return Limit.WAITING if seen.throughput >= WAITING_SHARE * seen.waiting_ceiling else Limit.HANDLERS
    if seen.source_ceiling is not None:
        return Limit.SOURCE if seen.throughput >= SOURCE_SHARE * seen.source_ceiling else Limit.HANDLERS
    return Limit.NOISE


def reasons_against(seen: Observed) -> list[str]:
    """Why a solo round does not count; empty where it does. Alike reasons read alike, so that they can be counted."""
    reasons = [f"errors: {', '.join(sorted(seen.errors))}"] if seen.errors else []
    if seen.contention > seen.contention_bound:
        reasons.append("others used the app's CPUs")
    if seen.load_contention > seen.contention_bound:
        reasons.append("others used the load generator's CPUs")
    in_flight = seen.throughput * seen.mean_latency_ms / 1e3
    low, high = (bound * seen.connections for bound in LITTLE_BOUNDS)
    # a load generator at its limit cannot time what it sends, which is named already
    if seen.load_cpu_share < LOAD_CPU_BOUND and not low <= in_flight <= high:
        reasons.append("rate × latency does not give the number of connections (Little's law)")
    return reasons


def reasons_against_duet(seen: ObservedDuet) -> list[str]:
    """Why a duet round does not count; empty where it does."""
    reasons = [f"errors: {', '.join(sorted(seen.errors))}"] if seen.errors else []
    if min(seen.requests, seen.baseline_requests) < FEWEST_ANSWERS:
        reasons.append("too few answers")
    if seen.contention > DUET_CONTENTION_BOUND:
        reasons.append("others used most of the app's CPUs")
    # where CPU time was left over, a side that used little asked for little
    starved = not STARVED_SHARE <= seen.share <= 1 - STARVED_SHARE
    if starved and seen.idle_share <= max(IDLE_BOUND, seen.tick_share):
        reasons.append("one side had less than a quarter of the CPU time")
    return reasons


def source_ceiling(pool: int, latency_ms: float, workers: int, connections: int, fetches: int) -> float | None:
    """Requests per second that the emulated data source can give; None for a scenario that does not ask it.

    By Little's law, with at most `connections` requests in flight, of which each pool serves `pool` at a time.
    """
    if fetches == 0 or latency_ms == 0:
        return None
    return min(pool * workers, connections) / (latency_ms / 1e3 * fetches)


def waiting_ceiling(connections: int, waits_ms: float) -> float | None:
    """Requests per second when all that a request takes is waiting; None for a scenario without. By Little's law."""
    return connections / (waits_ms / 1e3) if waits_ms else None
