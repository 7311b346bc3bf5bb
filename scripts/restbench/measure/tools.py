"""The tools that rounds are measured with, the load of each kind of round, and how apps are set up and awaited."""

import random
import statistics
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, inf
from random import Random
from typing import NamedTuple

import bcrypt

from restbench import conformance
from restbench.backends import Backend
from restbench.catalog import Cell, Entry, Scenario, Setup
from restbench.catalog.profiles import Profile
from restbench.conformance import Answer, CheckResult, Client, FetchCounter, Mismatch, NoAnswer, Pace, RightAnswers
from restbench.conformance.contract import Contract
from restbench.conformance.contracts import contract_of
from restbench.errors import MachineError, StartError
from restbench.loadgen import WRK, Load, LoadGenerator, Read, Reading, RequestWriter, Window
from restbench.loadgen.interface import RequestShape, threads_for
from restbench.loadgen.wrk import open_files_for
from restbench.measure.duration import latency_seconds
from restbench.measure.usage import CpuTimes, cpu_times
from restbench.results.models import RateKind, RuntimeSettings
from restbench.results.rounds import round_to
from restbench.system.cpus import CpuSplit, staying_on
from restbench.system.limits import open_files, too_few_open_files
from restbench.system.processes import end_if_cancelled
from restbench.system.programs import Programs, programs
from restbench.system.quotas import Quota, find_quota, throttled_periods
from restbench.system.text import telling_line
from restbench.targets import Settings, Target, runtime_settings
from restbench.targets.interface import START_SECONDS

_FIRST_WAIT = 0.005
_LONGEST_WAIT = 0.1
_WRONG_SECONDS = 2.0
"""An app that answers wrongly for this long will not get better. It is not waited for: its checks say what is wrong."""


class Ready(NamedTuple):
    """An app that answers. `seconds`: until it did. `answer`: its first right one, None where its answers are wrong."""

    seconds: float
    answer: Answer | None = None


def wait_ready(target: Target, entry: Entry, cell: Cell, rng: random.Random, patience: float = START_SECONDS) -> Ready:
    """Polls the app until its first correct answer, or until it is clear that its answers are wrong.

    `patience`: seconds that it may take until its first answer. Raises StartError, with the end of the app's log, when
    it exits, gives no answer in time, or listens only on one address. Raises MachineError when it could not be pinned.
    """
    contract = contract_of(entry, cell)
    began = time.monotonic()
    wait, answered = _FIRST_WAIT, None
    while True:
        end_if_cancelled()
        if reason := target.exit_reason():
            log = target.log_tail()
            if log.startswith("taskset: failed to set "):
                raise MachineError(f"{entry.id}: the app could not be pinned: {telling_line(log)}")
            raise StartError(f"{entry.id}: the app {reason} before it answered", log)
        _expect_every_address(target, entry)
        try:
            with Client(target.base_url) as client:
                answer = contract.right_answer(client, rng)
            _expect_every_address(target, entry)
            return Ready(time.monotonic() - began, answer)
        except NoAnswer as silent:
            if time.monotonic() - began > patience:
                message = f"{entry.id}: no answer within {patience:.0f} s of its start: {silent}"
                raise StartError(message, target.log_tail()) from silent
        except Mismatch:
            answered = answered or time.monotonic()
            if time.monotonic() - answered > _WRONG_SECONDS:
                return Ready(time.monotonic() - began)
        time.sleep(wait)
        wait = min(2 * wait, _LONGEST_WAIT)


def _expect_every_address(target: Target, entry: Entry) -> None:
    """Raises StartError where the app listens only on one address: load may come from elsewhere."""
    if address := target.only_address():
        raise StartError(f"{entry.id}: the app listens on {address}, not on 0.0.0.0", target.log_tail())


POOL_SIZE = 1000
POOL_LATENCY_MS = 1.0

ANSWERS_PER_CONNECTION = 4
CAPACITY_SECONDS = 0.5
"""The fewest answers that each connection should get in so many seconds. A cell that is slower gets fewer connections.

A connection whose only answer takes longer than the round is not timed at all. Rate × latency (Little's law) then gives
too few requests in flight: 240 for Django REST framework, which gave 250 answers per second over 512 connections.
"""

CONNECTIONS_STEP = 4
FEWEST_CONNECTIONS = 8
"""The number of connections is divided by the step until it is small enough, but it is never below the fewest.

A request costs less CPU time where more of them wait, so copies of one app need the same number. The steps are coarse
so that few apps are near to a bound. The number depends neither on the profile nor on the rounds.
"""

SLOW_ROUND_ANSWERS = 100
"""A duet round lasts longer than usual where the slower side needs more time to give about this many answers.

`LONGEST_STRETCH` limits its length.
"""

LONGEST_STRETCH = 4.0
"""The longest duet round, as a multiple of the profile's `duet_seconds`."""

SUSTAINED_SHARE = 0.8
"""An app sustains a rate that is at most this share of its measured throughput."""

HALF = 0.5

MOST_READERS, CONNECTIONS_PER_READER = 8, 16
"""Of so many connections, one is a reader's, whose answers are read in every round; there are so many at most."""

HARNESS_BCRYPT = "crate bcrypt"
"""The library that the harness hashes with, as language.toml names it. Python's package bcrypt is built on it."""

LONGEST_BATCH_SECONDS = 30.0
"""A batch that takes longer than this hangs. The largest batch takes a few seconds on a slow machine."""


def hash_ms(cpus: Sequence[int]) -> float:
    """Returns what a bcrypt hash costs without a framework: the milliseconds of CPU time that it takes.

    The median of three on the first of the CPUs, which should be idle. What an app takes beyond it is the framework's.
    """
    took = []
    with staying_on(tuple(cpus[:1])):
        for _ in range(3):
            began = time.thread_time_ns()
            bcrypt.hashpw(b"what everybody hashes", bcrypt.gensalt(10))
            took.append((time.thread_time_ns() - began) / 1e6)
    return statistics.median(took)


def contract_variables() -> dict[str, str]:
    """Returns the variables that tell apps about the emulated data source (docs/CONTRACT.md)."""
    return {"POOL_SIZE": str(POOL_SIZE), "POOL_LATENCY_MS": f"{POOL_LATENCY_MS:g}"}


def app_settings(
    cpus: CpuSplit, setup: Setup, backend: Backend | None, source: Mapping[str, str] | None = None
) -> Settings:
    """Returns the settings to start an app with. `backend`: the backend that runs, or None.

    `source`: variables of the data source, in place of those that apps are measured with.
    """
    variables, network = {**contract_variables(), **(source or {})}, None
    if backend is not None:
        variables, network = {**variables, **backend.access.variables}, backend.access.network
    return Settings(cpus.app, cpus.confined, variables, setup, network)


def throttled(targets: Iterable[Target]) -> int:
    """Returns in how many periods so far a CPU quota kept this harness, or apps, from running."""
    return throttled_periods() + sum(target.throttled_periods() for target in targets)


def is_enough(capacity: float, connections: int) -> bool:
    """Whether an app of that capacity (requests per second) answers often enough on each of so many connections."""
    return capacity * CAPACITY_SECONDS >= ANSWERS_PER_CONNECTION * connections


Rights = Mapping[Cell, RightAnswers]
"""What the right answers of cells look like."""


@dataclass(frozen=True)
class Tools:
    """The load generators, the CPUs of each side, how apps are asked, and the settings of a run.

    `throughput`: wrk, for the closed loop and for batches. `read`: wrk that reads every answer. `latency`: oha, for the
    open loop.
    `rng`: for the values in requests to apps. `wait_ready` to `fetch_counter` are how apps are asked.
    `hash_ms`: measures the hash that a scenario computes, in milliseconds, on the first of some CPUs.
    `backend`: the running backend, where a suite needs one. `ceiling`: its requests per second in this team.
    `sleep` is for long waits, `pause` for short ones. `clock` returns seconds. `cpu_times` reads the kernel's counters,
    `programs` those of the processes of others. `throttled` returns in how many periods so far a CPU quota kept this
    harness or some apps from running, and `quota` which quota there is now. `open_files`: how many files a load
    generator may have open.
    """

    profile: Profile
    cpus: CpuSplit
    throughput: LoadGenerator
    latency: LoadGenerator
    rng: Random
    hash_ms: Callable[[Sequence[int]], float] = hash_ms
    backend: Backend | None = None
    ceiling: float | None = None
    sleep: Callable[[float], None] = time.sleep
    pause: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic
    cpu_times: Callable[[Iterable[int]], CpuTimes] = cpu_times
    programs: Callable[[], Programs] = programs
    open_files: Callable[[], int] = open_files
    throttled: Callable[[Iterable[Target]], int] = throttled
    quota: Callable[[], Quota | None] = find_quota
    wait_ready: Callable[[Target, Entry, Cell, Random], Ready] = wait_ready
    runtime_settings: Callable[[Target, Entry], RuntimeSettings] = runtime_settings.ask
    before_load: Callable[[str, Entry, list[Cell], Random, Backend | None], Iterator[CheckResult]] = (
        conformance.before_load
    )
    after_load: Callable[[Target, Entry, list[Cell], Random], Iterator[CheckResult]] = conformance.after_load
    with_slow_source: Callable[[str, Entry, list[Cell], Random], Iterator[CheckResult]] = conformance.with_slow_source
    under_load: Callable[
        [Target, Entry, list[Cell], CpuSplit, Random, Backend | None, float, Pace, Rights, Collection[Cell]],
        Iterator[CheckResult],
    ] = conformance.under_load
    waits_under_load: Callable[[Target, Entry, list[Cell], CpuSplit, Random, float, Rights], Iterator[CheckResult]] = (
        conformance.waits_under_load
    )
    check_features: Callable[[str, Entry, Cell], dict[str, bool]] = conformance.check_features
    right_answers: Callable[[str, Entry, Cell, Random], RightAnswers] = conformance.right_answers
    fetch_counter: Callable[[str, Contract, int, Random], FetchCounter | None] = conformance.fetch_counter
    read: Callable[[str, RequestShape, Load, Reading, Window, RequestWriter | None], Read] = WRK.read

    def unavailable_reason(self, scenario: Scenario) -> str | None:
        """Returns None when this machine can load cells of the scenario, else why not, with the remedy."""
        load = self._load(0.0, self.connections(scenario))
        return too_few_open_files(self.open_files(), open_files_for(load), f"a load of {load.connections} connections")

    @staticmethod
    def split(load: Load) -> tuple[Load | None, Load]:
        """Returns a load without the connections of the readers, and that of the readers, which have a thread each.

        Each has its part of a batch. None where a load has only one connection.
        """
        readers = min(MOST_READERS, max(1, load.connections // CONNECTIONS_PER_READER))
        part = load.requests and load.requests * readers // load.connections
        few = replace(load, connections=readers, threads=readers, requests=part, beside=load.connections - readers)
        if readers == load.connections:
            return None, few
        rest, others = load.connections - readers, load.requests and load.requests - (part or 0)
        return replace(load, connections=rest, threads=threads_for(rest, load.threads), requests=others), few

    def closed_loop(self, scenario: Scenario, seconds: float, capacity: float = inf) -> Load:
        """Returns the load on one app. `capacity`: the cell's throughput before the rounds, in requests per second."""
        return self._load(seconds, self.connections(scenario, capacity))

    def duet(self, scenario: Scenario, app: float, baseline: float) -> Load:
        """Returns the load on either side of a duet round. `app`, `baseline`: their capacities, in requests/s.

        The slower side decides how long the round lasts.
        """
        slower = max(1e-9, min(app, baseline) / 2)
        usual = self.profile.duet_seconds
        seconds = min(LONGEST_STRETCH * usual, max(usual, SLOW_ROUND_ANSWERS / slower))
        connections = min(self.connections(scenario, capacity) for capacity in (app, baseline))
        return self._load(seconds, connections)

    def rate(self, kind: RateKind, scenario: Scenario, throughput: float) -> int | None:
        """Returns the rate of a latency round, in requests per second; None where the app does not sustain it.

        The common rate is the scenario's. The other is half of the measured `throughput`, to two significant digits.
        """
        if kind is RateKind.COMMON:
            return scenario.rate if scenario.rate and scenario.rate <= SUSTAINED_SHARE * throughput else None
        half = int(round_to(HALF * throughput, 2))
        return half if half >= 1 else None

    def at_rate(self, scenario: Scenario, kind: RateKind, rate: int) -> Load:
        """Returns the load of a latency round. `rate`: requests per second.

        It has the profile's connections, and more only where the scenario waits. By Little's law, rate × waiting time
        is the number of busy connections; twice as many leave room. More are not opened, because the time to open them
        would be part of the latencies.
        """
        needed = ceil(2 * rate * scenario.waits_ms / 1e3)
        connections = max(self.profile.connections, min(needed, self.connections(scenario)))
        return self._load(latency_seconds(self.profile, kind, rate), connections, rate=rate)

    def batch(self, scenario: Scenario, through: tuple[str, ...]) -> Load:
        """Returns the load of a batch. `through`: arguments that are put before wrk's command."""
        assert scenario.batch, f"{scenario.name} is no batch"
        clients, requests = scenario.batch.clients, scenario.batch.requests
        return self._load(LONGEST_BATCH_SECONDS, clients, requests=requests, through=through)

    def connections(self, scenario: Scenario, capacity: float = inf) -> int:
        """Returns the number of connections, which is the number of requests under way at the same time.

        It is the scenario's number, or the profile's where the scenario has none. With that number no app waits for the
        data source. A cell whose `capacity` (requests per second) is small gets fewer (`CONNECTIONS_STEP`).
        """
        if scenario.batch:
            return scenario.batch.clients
        connections = scenario.connections or self.profile.connections
        while connections > FEWEST_CONNECTIONS and not is_enough(capacity, connections):
            connections = max(FEWEST_CONNECTIONS, connections // CONNECTIONS_STEP)
        return connections

    def backend_cpu_seconds(self) -> float:
        """Returns the CPU seconds that the backend has used so far."""
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
        pinned = cpus if self.cpus.confined else None
        return Load(seconds, connections, threads_for(connections, len(cpus)), pinned, rate, requests, through)
