"""How long a run takes beside its load. What is announced before a run has both.

The constants were measured natively on two CPUs of a server. `Profile.planned_seconds` has the load.
"""

from collections.abc import Callable, Iterable

from restbench.catalog import Entry
from restbench.targets import BUILDS_AT_A_TIME, Runtime

BETWEEN_LOADS = 0.12
"""Seconds around each load: until no app is busy any more, and until the load generator has started and reported."""

VERIFY_SECONDS = 1.2
"""Seconds to verify a cell before its first round and after its last one, and to read its answers in checked rounds."""

START_SECONDS = 1.0
"""Seconds until an app answers."""

BACKEND_SECONDS = 12.0
"""Seconds until a backend that has its files answers, with its ceiling."""

BUILD_SECONDS = 60.0
"""Seconds of a build of which nothing is known."""


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
