"""What visits are made with, and what apps are told about the world they run in."""

import random
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil

from restbench.backends import Backend
from restbench.catalog import Cell, Entry, Scenario, Setup
from restbench.catalog.profiles import Profile
from restbench.loadgen import Load, LoadGenerator
from restbench.loadgen.arguments import threads_for
from restbench.measure.schedule import random_order
from restbench.measure.usage import CpuTimes, cpu_times
from restbench.measure.verifier import Verifier
from restbench.results.models import RateKind
from restbench.system.cpus import CpuSplit
from restbench.targets import Settings

POOL_SIZE = 1000
POOL_LATENCY_MS = 1.0

ANSWERS_PER_CONNECTION = 4
"""What each connection is to get in a solo round at least. One whose only answer takes longer than the round is not
timed at all, and rate × latency says so: DRF's 250 answers of a second over 512 connections were 240 in flight by that
law."""

EVEN_CONNECTIONS = 8
"""Connections are a multiple of it, so that a few threads can share them evenly."""

DUET_CONNECTIONS = 32
"""Of each side in a duet round. Opening a connection costs CPU time too, so both sides, and all copies of an app, have
the same number: where it followed the throughput of a warm-up, copies of one app differed by up to 17 %."""

CONNECTIONS_PER_WAITED_MS = 5
"""More connections for each millisecond that a scenario waits: enough for 5,000 requests per second to wait."""

FEW_CONNECTIONS = 8
"""Of a side that answers less than `ANSWERS_PER_DUET_CONNECTION` times per connection: at the end of a round it would
answer the requests under way for long without the other beside it."""

ANSWERS_PER_DUET_CONNECTION = 10

SLOW_ROUND_ANSWERS = 100
"""A duet round lasts until the slower side has given about so many answers, within `LONGEST_STRETCH`."""

LONGEST_STRETCH = 4.0
"""Times the profile's duet round."""

SUSTAINED_SHARE = 0.8
"""An app sustains a rate that is at most this share of its measured throughput."""

HALF = 0.5

BATCH_SECONDS = 30.0
"""A batch that takes longer hangs: the largest takes a few seconds on a slow machine."""


def contract_variables() -> dict[str, str]:
    """What apps are told about the emulated data source (docs/CONTRACT.md)."""
    return {"POOL_SIZE": str(POOL_SIZE), "POOL_LATENCY_MS": f"{POOL_LATENCY_MS:g}"}


def app_settings(cpus: CpuSplit, setup: Setup, backend: Backend | None) -> Settings:
    """How an app is started beside that backend, where one runs."""
    variables, network = contract_variables(), None
    if backend is not None:
        variables, network = {**variables, **backend.access.variables}, backend.access.network
    return Settings(cpus.app, cpus.pinned, variables, setup, network)


@dataclass(frozen=True)
class Tools:
    """The load generators, the CPUs they and the app have, and who asks whether answers are right.

    `alone` times the work that a scenario computes, in milliseconds on one of some CPUs. `backend` runs where a suite
    of the run needs it; `ceiling` is what it gives in this group, in requests per second. `order` is that of the cells
    in a round. `verified`: an earlier run verified and watched the same apps. They are only asked whether they are
    ready, and checked under load and after it. `sleep` is for long waits, `pause` for short ones; `clock` tells
    seconds, and `cpu_times` reads the kernel's counters.
    """

    profile: Profile
    cpus: CpuSplit
    throughput: LoadGenerator
    latency: LoadGenerator
    verifier: Verifier
    alone: Callable[[str, Sequence[int]], float]
    backend: Backend | None = None
    ceiling: float | None = None
    verified: bool = False
    order: Callable[[Iterable[Cell], random.Random], list[Cell]] = random_order
    starts_in_random_order: bool = True
    sleep: Callable[[float], None] = time.sleep
    pause: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic
    cpu_times: Callable[[Iterable[int]], CpuTimes] = cpu_times

    def closed_loop(self, scenario: Scenario, seconds: float, capacity: float | None = None) -> Load:
        """wrk's load on one app. `capacity`: requests per second that warm-up saw."""
        return self._load(seconds, self.connections(scenario, capacity))

    def duet(self, scenario: Scenario, app: float, baseline: float) -> tuple[Load, Load]:
        """wrk's loads on app and baseline at the same time. `app`, `baseline`: their capacities, in requests/s.

        The slower side decides how long they take.
        """
        slower = max(1e-9, min(app, baseline) / 2)
        usual = self.profile.duet_seconds
        seconds = min(LONGEST_STRETCH * usual, max(usual, SLOW_ROUND_ANSWERS / slower))
        return self._duet_side(scenario, seconds, app / 2), self._duet_side(scenario, seconds, baseline / 2)

    def _duet_side(self, scenario: Scenario, seconds: float, rate: float) -> Load:
        usual = DUET_CONNECTIONS + round(CONNECTIONS_PER_WAITED_MS * scenario.waits_ms)
        wanted = usual if rate * seconds >= ANSWERS_PER_DUET_CONNECTION * usual else FEW_CONNECTIONS
        return self._load(seconds, min(wanted, self.connections(scenario)))

    def rate(self, kind: RateKind, scenario: Scenario, throughput: float) -> int | None:
        """The rate of that kind for a cell of that measured throughput; None where the app does not sustain it.

        The common rate is the scenario's. Half of the throughput has two significant digits.
        """
        if kind is RateKind.COMMON:
            return scenario.rate if scenario.rate and scenario.rate <= SUSTAINED_SHARE * throughput else None
        half = int(float(f"{HALF * throughput:.2g}"))
        return half if half >= 1 else None

    def at_rate(self, scenario: Scenario, rate: int) -> Load:
        """oha's load for latencies.

        It has the profile's connections, and more only where the scenario's waiting needs them: by Little's law rate ×
        waiting are busy at a time, and twice that leaves room. Opening hundreds that are not needed would be timed too.
        """
        needed = ceil(2 * rate * scenario.waits_ms / 1e3)
        connections = max(self.profile.connections, min(needed, self.connections(scenario)))
        return self._load(self.profile.latency_seconds, connections, rate=rate)

    def batch(self, scenario: Scenario, through: tuple[str, ...]) -> Load:
        """oha's load for a scenario that is measured as a batch."""
        assert scenario.batch, f"{scenario.name} is no batch"
        clients, requests = scenario.batch.clients, scenario.batch.requests
        return self._load(BATCH_SECONDS, clients, requests=requests, through=through)

    def connections(self, scenario: Scenario, capacity: float | None = None) -> int:
        """How many requests are under way at a time: what the scenario asks for, so that no app waits for the data
        source; fewer for one of so little capacity that they would not all be answered, but not below the profile's."""
        if scenario.batch:
            return scenario.batch.clients
        usual, most = self.profile.connections, scenario.connections or self.profile.connections
        if capacity is None:
            return most
        answered = int(capacity * self.profile.solo_seconds / ANSWERS_PER_CONNECTION)
        answered -= answered % EVEN_CONNECTIONS
        return min(most, max(usual, answered))

    def backend_of(self, entry: Entry, cell: Cell) -> Backend | None:
        """The backend that the cell's requests reach through the app."""
        return self.backend if entry.needs_backend(cell) else None

    def backend_cpu_seconds(self) -> float:
        """What the backend has used so far."""
        return self.backend.resources().cpu_seconds if self.backend else 0.0

    def _load(
        self,
        seconds: float,
        connections: int,
        rate: int | None = None,
        requests: int | None = None,
        through: tuple[str, ...] = (),
    ) -> Load:
        cpus = self.cpus.load
        pinned = cpus if self.cpus.pinned else None
        return Load(seconds, connections, threads_for(connections, len(cpus)), pinned, rate, requests, through)
