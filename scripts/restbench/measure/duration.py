"""How long a run takes: its load, and what is beside it. What is announced before a run has both.

The seconds between loads, of a start and of verification were measured in Docker, as boards are, on two CPUs.
"""

from collections.abc import Callable, Iterable
from itertools import count
from math import ceil

from restbench.catalog import Entry, Scenario
from restbench.catalog.manifests import WarmUp
from restbench.catalog.profiles import BATCH_SECONDS, CHECKED_ROUNDS, CHECKED_SECONDS, Profile
from restbench.measure.gate import REACHED_SHARE
from restbench.results.models import MOST_EARLIER, RateKind
from restbench.stats.histograms import FEWEST
from restbench.targets import BUILDS_AT_A_TIME, Runtime

SHORTEST_LATENCY_ROUND = 0.25
LONGEST_AT_HALF = 2.5
"""Seconds of a latency round, and those of one at half of an app's own throughput, at which no apps are compared."""

USUAL_HALF = 2000
"""Requests per second at half of the throughput of an app of which nothing is known."""

BETWEEN_LOADS = 0.17
"""Seconds around each load: until no app is busy any more, and until the load generator has started and reported."""

VERIFY_SECONDS = 1.8
"""Seconds to verify a cell before and under load and after its rounds, and to read its answers in checked rounds."""

START_SECONDS = 3.0
"""Seconds until an app answers."""

BACKEND_SECONDS = 12.0
"""Seconds until a backend that has its files answers, with its ceiling."""

BUILD_SECONDS = 60.0
"""Seconds of a build of which nothing is known."""


def latency_seconds(profile: Profile, kind: RateKind, rate: int) -> float:
    """Returns the seconds of a latency round. `rate`: requests per second.

    All rounds of the profile together have enough requests for a 99th percentile, even if each just reaches the rate.
    Where the profile's most seconds are too few for that, a round has half of them or, if that is longer, as many as
    the percentile needs of each of the runs that are pooled.
    """
    most = profile.latency_seconds if kind is RateKind.COMMON else min(profile.latency_seconds, LONGEST_AT_HALF)
    seconds = ceil(FEWEST[99] / REACHED_SHARE / max(1, profile.latency_rounds)) / rate
    if seconds > most:
        seconds = min(most, max(most / 2, seconds / (MOST_EARLIER + 1)))
    return max(SHORTEST_LATENCY_ROUND, seconds)


def least_rate_for_p99(profile: Profile) -> int:
    """Returns the least common rate, in requests per second, at which one run has enough for a 99th percentile."""
    return next(
        rate
        for rate in count(1)
        if latency_seconds(profile, RateKind.COMMON, rate) * rate * profile.latency_rounds * REACHED_SHARE >= FEWEST[99]
    )


def planned_seconds(
    profile: Profile, scenario: Scenario, rule: WarmUp | None = None, cells: int = 1, latency: bool = True
) -> float:
    """Returns the seconds of load, warm-up and checked rounds of a cell in a run for the board.

    `rule`: that of its language for warm-ups, in an app with so many `cells`. `latency`: whether it has latency rounds,
    as cells that are measured beside others have not. For a batch the seconds are an estimate, because a batch has no
    fixed time.
    """
    if not scenario.loaded:
        return 0.0
    once = profile.starts * (
        warm_up_seconds(rule, BATCH_SECONDS if scenario.batch else profile.warm_up_seconds, cells)
        + CHECKED_ROUNDS * CHECKED_SECONDS
    )
    if scenario.batch:
        return once + profile.batch_rounds * BATCH_SECONDS
    seconds = once + profile.solo_rounds * profile.solo_seconds
    if latency:
        rates = {RateKind.COMMON: scenario.rate, RateKind.HALF: USUAL_HALF}
        seconds += profile.latency_rounds * sum(
            latency_seconds(profile, kind, rate) for kind, rate in rates.items() if rate
        )
    return seconds


def warm_up_seconds(rule: WarmUp | None, once: float, cells: int) -> float:
    """Returns about how many seconds the warm-up of a cell takes, in an app with that many cells.

    `once`: seconds of one load. What is beside the first load is not counted.
    """
    if rule is None:
        return once
    further = ceil(rule.window / once)
    return max(once + further * (once + BETWEEN_LOADS), rule.at_least / max(1, cells))


def seconds_beside_load(loads: int, cells: int, apps: int) -> float:
    """Returns the seconds that starting and verifying the apps takes, and what comes between the loads."""
    return loads * BETWEEN_LOADS + cells * VERIFY_SECONDS + apps * START_SECONDS


def seconds_of_builds(entries: Iterable[Entry], runtime: Runtime, known: Callable[[Entry], float | None]) -> float:
    """Returns the seconds of the builds that are still to be made. They are made side by side.

    `known`: the seconds that an entry's build took elsewhere.
    """
    to_build = [entry for entry in entries if not (runtime.unavailable_reason(entry) or runtime.is_built(entry))]
    seconds = [known(entry) or BUILD_SECONDS for entry in to_build]
    return max(sum(seconds) / BUILDS_AT_A_TIME, *seconds, 0.0)
