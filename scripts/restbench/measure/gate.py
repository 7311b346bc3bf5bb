"""Judges a round: whether it counts, and what limited its throughput.

All functions are pure functions of one round's figures. docs/METHODOLOGY.md gives the reasons for the bounds.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from restbench.loadgen import LoadResult
from restbench.loadgen.interface import IMPOSSIBLE
from restbench.results.models import Limit
from restbench.results.rounds import Use

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

UNCOUNTED = "no CPU time of the app was counted"
"""Where CPU time is known in ticks of 10 ms, a short round may have none."""
THROTTLED = "the CPU quota of this machine throttled it"
OTHERS_USED_APP = "others used the app's CPUs"
OTHERS_USED_LOAD = "others used the load generator's CPUs"
OTHERS_USED_DUET = "others used most of the app's CPUs"
CONTENTION = frozenset({OTHERS_USED_APP, OTHERS_USED_LOAD, OTHERS_USED_DUET})
"""The reasons of rounds that do not count because of other programs."""
DISTURBANCES = CONTENTION | {THROTTLED}
"""The reasons of rounds that do not count because of what else happens on the machine."""

LOST_SHARE = 0.1
"""A cell fails where answers were lost in more than one of its rounds, and in more than this share of them."""

FEWEST_ANSWERS = 8
"""The fewest answers of each side in a duet round. Fewer answers say little about the cost per request."""


@dataclass(frozen=True)
class Conditions:
    """Under which conditions a cell is loaded alone. Ceilings are in requests per second; None where there is none."""

    pinned: bool
    batch: bool = False
    source_ceiling: float | None = None
    waiting_ceiling: float | None = None
    backend_ceiling: float | None = None


def limit_of(load: LoadResult, use: Use, conditions: Conditions) -> Limit:
    """Returns what limited the throughput of a solo round."""
    if use.throttled or use.contention > _contention_bound(use):
        return Limit.NOISE
    backend_ceiling = conditions.backend_ceiling
    if backend_ceiling is not None and load.throughput >= CEILING_SHARE * backend_ceiling:
        return Limit.BACKEND
    if not conditions.pinned:
        return Limit.LOAD_GENERATOR  # without CPUs of its own the load generator takes them from the app
    idle_bound = max(IDLE_BOUND, use.tick)
    if use.app_idle <= idle_bound:
        return Limit.APP  # a load generator that is busy too could not get much more from it
    if use.load_cpu >= LOAD_CPU_BOUND:
        return Limit.LOAD_GENERATOR
    if use.backend_idle is not None and use.backend_idle <= idle_bound:
        return Limit.BACKEND
    if conditions.waiting_ceiling is not None:
        # neither side is busy and each request waits: either all connections are waiting, or all of the app's handlers
        return Limit.WAITING if load.throughput >= WAITING_SHARE * conditions.waiting_ceiling else Limit.HANDLERS
    if conditions.source_ceiling is not None:
        return Limit.SOURCE if load.throughput >= SOURCE_SHARE * conditions.source_ceiling else Limit.HANDLERS
    return Limit.NOISE


def reasons_against(load: LoadResult, use: Use, conditions: Conditions) -> list[str]:
    """Returns the reasons why a solo round does not count; an empty list where it counts.

    Reasons of the same kind have the same wording, so that they can be counted.
    """
    reasons = _throttled(use.throttled) + _errors(load.errors)
    if use.contention > _contention_bound(use):
        reasons.append(OTHERS_USED_APP)
    if use.load_contention > _contention_bound(use):
        reasons.append(OTHERS_USED_LOAD)
    in_flight = load.throughput * load.mean_ms / 1e3
    low, high = LITTLE_BOUNDS_OF_BATCH if conditions.batch else LITTLE_BOUNDS
    # a load generator at its limit cannot time its requests well
    if use.load_cpu < LOAD_CPU_BOUND and not low * load.connections <= in_flight <= high * load.connections:
        reasons.append("rate × latency does not give the number of connections (Little's law)")
    ceilings = (conditions.waiting_ceiling, conditions.source_ceiling)
    if any(ceiling is not None and load.throughput > BEYOND_CEILING * ceiling for ceiling in ceilings):
        reasons.append("more answers than requests that wait can get")
    return reasons


def reasons_against_duet(errors: Mapping[str, int], requests: Sequence[int], share: float, use: Use) -> list[str]:
    """Returns the reasons why a duet round does not count; an empty list where it counts.

    `requests`: those of each side. `share`: the app's part, from 0 to 1, of the CPU time that both sides used.
    """
    reasons = _throttled(use.throttled) + _errors(errors)
    if min(requests) < FEWEST_ANSWERS:
        reasons.append("too few answers")
    if use.contention > DUET_CONTENTION_BOUND:
        reasons.append(OTHERS_USED_DUET)
    # where CPU time was left over, a side with a small share did not need more
    if not STARVED_SHARE <= share <= 1 - STARVED_SHARE and use.app_idle <= max(IDLE_BOUND, use.tick):
        reasons.append("one side had less than a quarter of the CPU time")
    return reasons


def uncounted(*cpu_us: float) -> list[str]:
    """Returns the reason against a round in which an app has no CPU time; an empty list where each has some."""
    return [] if min(cpu_us) > 0 else [UNCOUNTED]


def reasons_against_latency(load: LoadResult, rate: int, throttled: int = 0) -> list[str]:
    """Returns the reasons why a latency round does not count; an empty list where it counts.

    `rate`: the requests per second that were asked for. `throttled`: as `Use` has it. Requests that are due within the
    last mean latency cannot be answered before the round ends, and a rate is not a whole number of requests.
    """
    due = rate * (load.seconds - load.mean_ms / 1e3)
    reasons = _throttled(throttled) + _errors(load.errors)
    return reasons + ["the rate was not reached"] * (load.requests + 1 < REACHED_SHARE * due)


def lost_answers(errors: Mapping[str, int], invalid: Collection[str]) -> bool:
    """Whether requests of a round got no answer, which nothing else that happened on the machine explains.

    `errors`: how many there were of each kind. `invalid`: the reasons why the round does not count.
    """
    lost = any(not kind.startswith("status") and kind != IMPOSSIBLE for kind in errors)
    return lost and DISTURBANCES.isdisjoint(invalid)


def loses_answers(lost: int, rounds: int) -> bool:
    """Whether an app loses answers again and again: in `lost` of so many rounds."""
    return lost > 1 and lost > LOST_SHARE * rounds


def _throttled(periods: int) -> list[str]:
    return [THROTTLED] if periods else []


def _errors(errors: Mapping[str, int]) -> list[str]:
    return [f"errors: {', '.join(sorted(errors))}"] if errors else []


def _contention_bound(use: Use) -> float:
    return max(CONTENTION_BOUND, TICKS_OF_CONTENTION * use.tick)


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
