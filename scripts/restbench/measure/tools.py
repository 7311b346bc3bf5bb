"""What visits are made with, and what apps are told about the world they run in."""

import random
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil

from restbench.backends import Backend
from restbench.catalog import Cell, Entry, Scenario, Setup
from restbench.cpus import CpuSplit
from restbench.loadgen import Load, LoadGenerator
from restbench.measure.prover import Prover
from restbench.measure.schedule import round_order
from restbench.profiles import Profile
from restbench.targets import Settings

POOL_SIZE = 1000
POOL_LATENCY_MS = 1.0

ANSWERS_PER_CONNECTION = 4
"""What each connection is to get in a round at least. One whose only answer takes longer than the round is not timed at
all, and rate × latency says so: DRF's 250 answers of a second over 512 connections were 240 in flight by that law."""

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

    `probe` times a fixed piece of work on some CPUs, in milliseconds of CPU time; `alone` the work that a scenario
    computes, on its own on one of them. `backend` runs where a suite of the run needs it; `ceiling` is
    what it gives in this job, in requests per second. `order` is that of the cells in a round.
    """

    profile: Profile
    cpus: CpuSplit
    throughput: LoadGenerator
    latency: LoadGenerator
    prover: Prover
    probe: Callable[[Sequence[int]], float]
    alone: Callable[[str, Sequence[int]], float]
    backend: Backend | None = None
    ceiling: float | None = None
    order: Callable[[Iterable[Cell], random.Random], list[Cell]] = round_order
    sleep: Callable[[float], None] = time.sleep

    def closed_loop(self, scenario: Scenario, seconds: float, capacity: float | None = None) -> Load:
        """wrk's load. `capacity`: requests per second that warm-up saw."""
        return Load(seconds, self.connections(scenario, capacity), self._threads, self._cpus)

    def rate(self, capacity: float | None) -> float | None:
        """The fixed rate for an app of that capacity, with two significant digits, at least 1; None where the profile
        has none, or oha is missing."""
        if capacity is None or not self.profile.fixed_rate or self.latency.missing() is not None:
            return None
        return max(1.0, float(f"{capacity * self.profile.fixed_rate_share:.2g}"))

    def fixed_rate(self, scenario: Scenario, rate: float) -> Load:
        """oha's load for latencies.

        It has the profile's connections, and more only where the scenario's waiting needs them: by Little's law rate ×
        waiting are busy at a time, and twice that leaves room. Opening hundreds that are not needed would be timed too.
        """
        needed = ceil(2 * rate * scenario.waits_ms / 1e3)
        connections = max(self.profile.connections, min(needed, self.connections(scenario)))
        return Load(self.profile.fixed_rate_seconds, connections, self._threads, self._cpus, rate)

    def batch(self, scenario: Scenario, through: tuple[str, ...]) -> Load:
        """oha's load for a scenario that is measured as a batch."""
        assert scenario.batch, f"{scenario.name} is no batch"
        return Load(
            BATCH_SECONDS,
            scenario.batch.clients,
            self._threads,
            self._cpus,
            requests=scenario.batch.requests,
            through=through,
        )

    def connections(self, scenario: Scenario, capacity: float | None = None) -> int:
        """How many requests are under way at a time: what the scenario asks for, so that no app waits for the data
        source; fewer for one of so little capacity that they would not all be answered, but not below the profile's."""
        if scenario.batch:
            return scenario.batch.clients
        usual, most = self.profile.connections, scenario.connections or self.profile.connections
        if capacity is None:
            return most
        answered = int(capacity * self.profile.load_seconds / ANSWERS_PER_CONNECTION)
        return min(most, max(usual, answered))

    def beside(self, entry: Entry, cell: Cell) -> Backend | None:
        """The backend that the cell's requests reach through the app."""
        return self.backend if entry.needs_backend(cell) else None

    def backend_cpu_seconds(self) -> float:
        """What the backend has used so far."""
        return self.backend.resources().cpu_seconds if self.backend else 0.0

    @property
    def _threads(self) -> int:
        return self.profile.threads or len(self.cpus.load)

    @property
    def _cpus(self) -> tuple[int, ...] | None:
        return self.cpus.load if self.cpus.pinned else None
