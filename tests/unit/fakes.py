"""Targets, load generators and answers without processes. The schedule runs in milliseconds, in an order to read."""

import itertools
import json
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Self

from restbench.backends import Backend
from restbench.backends.solr import Access
from restbench.catalog import USUAL_SETUP, Cell, Entry
from restbench.catalog.profiles import Profile
from restbench.conformance import Answer, CheckResult, Mismatch, Pace, RightAnswers
from restbench.errors import AppDiedError, BackendError, BuildError, MachineError, ToolError
from restbench.loadgen import Load, LoadGenerator, LoadResult, Read, Reading, RequestWriter, Window
from restbench.loadgen.interface import UNWATCHED, RequestShape, checked
from restbench.measure.tools import Ready, Rights, Tools
from restbench.measure.usage import CpuTimes
from restbench.system.cpus import CpuSplit
from restbench.system.limits import OPEN_FILES
from restbench.system.programs import Process, Programs
from restbench.system.quotas import Quota
from restbench.system.resource_use import Resources
from restbench.targets import Build, Runtime, Settings, Target
from restbench.targets.links import NetworkLink

LATENCY_MS = 6.4
OF_READERS = 10
"""How many of the answers of a round are those of its readers."""
LOADS_OF_A_DUET = 4
"""Each side has one, and another one of its readers."""
RUBBISH = Mismatch("", "", "rubbish")
CPUS = CpuSplit(app=(1,), load=(0,), backend=(0,), pinned=True)


@dataclass
class World:
    """What happens, in order, and what is to go wrong."""

    log: list[str] = field(default_factory=list)
    build_fails: set[str] = field(default_factory=set)
    dies_at: dict[str, str] = field(default_factory=dict)
    wrong_before: dict[str, str] = field(default_factory=dict)
    wrong_in_a_crowd: dict[str, str] = field(default_factory=dict)
    wrong_under_load: set[str] = field(default_factory=set)
    load_errors: dict[str, int] = field(default_factory=dict)
    fixed_rate_errors: dict[str, int] = field(default_factory=dict)
    unanswered: int = 0
    dies_when_verified: str | None = None
    breaks_at: dict[str, str] = field(default_factory=dict)
    oha_missing: bool = False
    link_unavailable_reason: str | None = None
    backend_missing: str | None = None
    backend_dies_at: str | None = None
    backend_stays_dead: bool = False
    backend_dies_when_proving: str | None = None
    backend_answers: int = 10_000
    backend_requests: int = 0
    backend: "FakeBackend | None" = None
    on_load: Callable[[str], None] = lambda _path: None
    cost_us: dict[str, float] = field(default_factory=dict)
    idle_cpu_seconds: float = 0.5
    others: bool = False
    """Whether another program, cargo, uses the CPUs."""
    throttles: bool = False
    """Whether a CPU quota throttles all that runs."""
    timeouts: int = 0
    fixed_rate_timeouts: int = 0
    duet_loads_die: int = 0
    lies: int = 0
    open_files: int = OPEN_FILES
    tool_fails: Callable[[int], bool] = lambda _load: False
    """Whether the load generator fails in a load, by the load's number."""
    loads: int = 0
    answers: dict[str, int] = field(default_factory=dict)
    frozen: set[str] = field(default_factory=set)
    """The apps that are frozen now."""
    seen_frozen: list[tuple[str, frozenset[str]]] = field(default_factory=list)
    """Each load or reading of answers, such as "wrk python/falcon", with the apps that were frozen meanwhile."""
    cannot_freeze: set[str] = field(default_factory=set)
    freezing_unavailable_reason: str | None = None
    facts: str = '{"licence": "MIT", "packages": 7, "runtime": "CPython 3.13.0", "runtime_build": "no PGO, no LTO"}'

    variables: dict[str, str] = field(default_factory=dict)
    """The environment of each app's first process."""
    runs_with: dict[str, str] = field(default_factory=dict)
    """What commands that ask a runtime print, by entry. Others are in production mode."""

    def stumble(self, entry: str, where: str) -> None:
        """Raises what nobody foresaw, where the entry is to."""
        if self.breaks_at.get(entry) == where:
            raise AttributeError(f"nobody foresaw this in {where}")

    def lines(self, prefix: str) -> list[str]:
        """The log's lines that begin so, without it."""
        return [line.removeprefix(prefix) for line in self.log if line.startswith(prefix)]


class FakeTarget(Target):
    """An app that does nothing, and may have to die at a path."""

    def __init__(self, world: World, entry: Entry, settings: Settings) -> None:
        self._how = f" {settings.environment}" if settings.setup != USUAL_SETUP else ""
        self.is_beside = settings.variables.get("POOL_LATENCY_MS", "1") != "1"
        self.base_url = f"fake://{entry.id}"
        self.dead = False
        self.cpu = 0.0
        self._world = world
        self._entry = entry

    def __enter__(self) -> Self:
        self._world.log.append(f"{'beside' if self.is_beside else 'start'} {self._entry.id}{self._how}")
        return self

    def __exit__(self, *_error: object) -> None:
        if not self.is_beside:
            self._world.log.append(f"stop {self._entry.id}")

    def freeze(self) -> None:
        if self._entry.id in self._world.cannot_freeze:
            raise MachineError(f"{self._entry.id}: the app cannot be frozen: the engine is busy")
        self._world.frozen.add(self._entry.id)

    def thaw(self) -> None:
        self._world.frozen.discard(self._entry.id)

    def link(self, delay_ms: float) -> AbstractContextManager[NetworkLink]:
        if delay_ms:
            self._world.log.append(f"link {self._entry.id} {delay_ms:g} ms")
        return nullcontext(NetworkLink(self.base_url))

    def cpu_seconds(self) -> float:
        if self.dead:
            raise AppDiedError(f"{self._entry.id}: the app {self.exit_reason()}", self.log_tail())
        return self.cpu

    def resources(self) -> Resources:
        return Resources(self.cpu_seconds(), 50_000_000)

    def exit_reason(self) -> str | None:
        return "exited with code 3" if self.dead else None

    def run_beside(self, command: list[str], variables: Mapping[str, str] | None = None) -> str:
        if variables is None:
            return "".join(f"{name}={text}\0" for name, text in self._world.variables.items())
        asked = self._entry.language.manifest.runtime_settings
        right = {name: texts[0] for name, texts in asked.production.items()}
        return self._world.runs_with.get(self._entry.id, json.dumps(right))

    def log_tail(self, lines: int = 20) -> str:
        return "last words"

    @property
    def log_command(self) -> str:
        return "tail -f app.log"


class FakeRuntime(Runtime):
    """Builds at once."""

    name = "native"

    def __init__(self, world: World) -> None:
        self.targets: dict[str, FakeTarget] = {}
        self._world = world

    def unavailable_reason(self, entry: Entry) -> str | None:
        return None

    def is_built(self, entry: Entry) -> bool:
        return True

    def build(self, entry: Entry) -> Build:
        self._world.stumble(entry.id, "build")
        if entry.id in self._world.build_fails:
            raise BuildError(f"{entry.id}: the build failed", "compiler says no")
        return Build(1.0, cached=False)

    def size_bytes(self, entry: Entry) -> int:
        return 1000

    def run_facts(self, entry: Entry, command: list[str]) -> str:
        return self._world.facts

    def target(self, entry: Entry, settings: Settings) -> FakeTarget:
        target = FakeTarget(self._world, entry, settings)
        if not target.is_beside:  # with another data source it runs beside the one that is measured
            self.targets[target.base_url] = target
        return target

    def link_unavailable_reason(self) -> str | None:
        return self._world.link_unavailable_reason

    def freezing_unavailable_reason(self) -> str | None:
        return self._world.freezing_unavailable_reason


class FakeLoad(LoadGenerator):
    """Gives the same figures at once, and writes down what it was asked."""

    def __init__(self, world: World, runtime: FakeRuntime, name: str) -> None:
        self.name = name
        self._world = world
        self._runtime = runtime

    def unavailable_reason(self) -> str | None:
        return "oha is missing" if self.name == "oha" and self._world.oha_missing else None

    def version(self) -> str | None:
        return "1.0"

    def write(self, method: str, path: str, host: str, headers: Mapping[str, str], content: bytes | None) -> bytes:
        return f"{method} {path}".encode()

    def run(self, base_url: str, shape: RequestShape, load: Load, window: Window = UNWATCHED) -> LoadResult:
        entry = base_url.removeprefix("fake://")
        how = f"{load.requests} requests" if load.requests else f"{load.seconds:g} s"
        at_rate = f" at {load.rate:g}/s" if load.rate else ""
        self._world.log.append(f"{self.name} {entry} {shape.method} {shape.path} {how}{at_rate}")
        self._world.seen_frozen.append((f"{self.name} {entry}", frozenset(self._world.frozen)))
        self._world.on_load(shape.path)
        self._world.loads += 1
        if self._world.tool_fails(self._world.loads):
            raise ToolError(f"{self.name} was ended by signal 11")
        self._world.backend_requests += self._world.backend_answers
        if self._world.backend_dies_at == shape.path and self._world.backend and load.rate is None:
            self._world.backend_dies_at, self._world.backend.dead = None, True
        if self._world.dies_at.get(entry) == shape.path:
            self._runtime.targets[base_url].dead = True
        if entry == "python/falcon" and self._world.duet_loads_die and _is_in_a_duet(window):
            self._world.duet_loads_die -= 1
            raise ToolError(f"{self.name} failed with code 139")
        window.open()
        window.begin()
        errors = self._errors(shape, load)
        requests = (load.requests or self._world.answers.get(entry, 10_000)) - self._world.unanswered
        if base_url in self._runtime.targets:  # else it is the backend that is loaded
            self._runtime.targets[base_url].cpu += requests * self._world.cost_us.get(entry, 95) / 1e6
        if not (load.requests or load.rate or window is UNWATCHED):
            requests -= OF_READERS
        window.end()
        milliseconds = [LATENCY_MS] * requests if load.rate else []
        found = LoadResult(requests, 1.0, LATENCY_MS, errors, 0.2, load.connections, milliseconds=milliseconds)
        if self._world.lies and self._world.lines("read "):  # after the warm-ups
            self._world.lies -= 1
            found = replace(found, seconds=0.0)
        return checked(found)

    def _errors(self, shape: RequestShape, load: Load) -> dict[str, int]:
        world = self._world
        if self.name == "oha":
            if load.rate and world.fixed_rate_timeouts:
                world.fixed_rate_timeouts -= 1
                return {"timeout": 1}
            return world.fixed_rate_errors
        if world.timeouts:
            world.timeouts -= 1
            return {"timeout": 1}
        return {"status above 399": n} if (n := world.load_errors.get(shape.path)) else {}


def _is_in_a_duet(window: Window) -> bool:
    barrier = getattr(window, "_barrier", None)
    return barrier is not None and barrier.parties == LOADS_OF_A_DUET


class FakeBackend(Backend):
    """Counts what it has to, and may have to die."""

    start_seconds = 8.0
    front = "fake://cache"
    source = "fake://solr"
    query = "/select"
    access = Access({"SOLR_URL": "fake://cache/solr/performance"})

    def __init__(self, world: World) -> None:
        self.dead = False
        self._world = world
        world.backend = self

    def __enter__(self) -> Self:
        self._world.log.append("start backend")
        if self._world.backend_missing:
            raise BackendError(self._world.backend_missing)
        return self

    def __exit__(self, *_error: object) -> None:
        self._world.log.append("stop backend")

    def versions(self) -> str:
        return "Solr 9, Varnish 7"

    def requests(self, *, numbered: bool = True) -> int:
        return self._world.backend_requests

    def resources(self) -> Resources:
        return Resources(0.0, 300_000_000)

    def unavailable_reason(self) -> str | None:
        return "Solr was ended by signal 9" if self.dead else None

    def revive(self) -> None:
        self._world.log.append("revive backend")
        if self._world.backend_stays_dead:
            raise BackendError("no Java any more")
        self.dead = False


class FakeAnswers:
    """How apps of this world answer: with the faults that it has."""

    def __init__(self, world: World, runtime: FakeRuntime) -> None:
        self._world = world
        self._runtime = runtime

    def wait_ready(self, target: Target, entry: Entry, cell: Cell, rng: Random) -> Ready:
        self._world.stumble(entry.id, "wait_ready")
        return Ready(0.25, Answer("GET /", 200, "text/plain", b"", head=120, has_date=True))

    def check_features(self, base_url: str, entry: Entry, cell: Cell) -> dict[str, bool]:
        self._world.stumble(entry.id, "features")
        return dict.fromkeys(entry.scenario(cell).features, True)

    def before_load(
        self, base_url: str, entry: Entry, cells: list[Cell], rng: Random, backend: Backend | None
    ) -> Iterator[CheckResult]:
        assert cells, "there is nothing to verify"
        self._world.stumble(entry.id, "before")
        if any(entry.needs_backend(cell) for cell in cells) and self._world.backend_dies_when_proving == entry.id:
            self._world.backend_dies_when_proving = None
            assert self._world.backend
            self._world.backend.dead = True
            raise BackendError("connection refused")
        self._world.log.append(f"verify {entry.id}")
        if entry.id == self._world.dies_when_verified:
            self._runtime.targets[base_url].dead = True
        wrong = self._world.wrong_before.get(entry.id)
        yield from (CheckResult("answer", cell, RUBBISH) for cell in cells if cell.scenario == wrong)

    def under_load(
        self,
        target: Target,
        entry: Entry,
        cells: list[Cell],
        cpus: CpuSplit,
        rng: Random,
        backend: Backend | None,
        source_ms: float,
        pace: Pace,
        rights: Rights,
        without_crowd: Collection[Cell],
    ) -> Iterator[CheckResult]:
        assert cells, "there is nothing to load"
        self._world.stumble(entry.id, "crowd")
        scenarios = sorted({cell.scenario for cell in cells if cell not in without_crowd})
        self._world.log.append(f"crowd {entry.id} {' '.join(scenarios)}")
        wrong = self._world.wrong_in_a_crowd.get(entry.id)
        yield from (CheckResult("under-load", cell, RUBBISH if cell.scenario == wrong else None) for cell in cells)

    def waits_under_load(
        self,
        target: Target,
        entry: Entry,
        cells: list[Cell],
        cpus: CpuSplit,
        rng: Random,
        source_ms: float,
        rights: Rights,
    ) -> Iterator[CheckResult]:
        scenarios = " ".join(sorted({cell.scenario for cell in cells}))
        self._world.log.append(f"crowd {entry.id} {scenarios}, fetches of {source_ms} ms")
        yield from (CheckResult("waits-under-load", cell) for cell in cells)

    def read(
        self,
        base_url: str,
        shape: RequestShape,
        load: Load,
        reading: Reading,
        window: Window,
        write: RequestWriter | None,
    ) -> Read:
        """A load whose answers are read: of a measured round, of a checked one with wrong bodies, or of readers."""
        entry = base_url.removeprefix("fake://")
        if not (reading.mixed or load.beside or write):
            return Read(FakeLoad(self._world, self._runtime, "wrk").run(base_url, shape, load, window), [], [], [])
        if reading.mixed:
            self._world.stumble(entry, "read")
            self._world.log.append(f"read {entry} {shape.path} {load.connections} of {load.threads}")
            self._world.seen_frozen.append((f"read {entry}", frozenset(self._world.frozen)))
            if any(scenario in shape.path for scenario in self._world.wrong_under_load):
                raise RUBBISH
        window.open()
        window.begin()
        window.end()
        requests = load.requests or OF_READERS
        return Read(LoadResult(requests, 1.0, LATENCY_MS, {}, 0.0, load.connections, sent=requests), [], [], [])

    def after_load(self, target: Target, entry: Entry, cells: list[Cell], rng: Random) -> Iterator[CheckResult]:
        self._world.stumble(entry.id, "after")
        self._world.log.append(f"verify again {entry.id}")
        yield CheckResult("alive", None)


def fake_tools(world: World, runtime: FakeRuntime, profile: Profile) -> Tools:
    wrk, oha, answers = FakeLoad(world, runtime, "wrk"), FakeLoad(world, runtime, "oha"), FakeAnswers(world, runtime)

    def sleep(seconds: float) -> None:
        world.log.append(f"sleep {seconds:g} s")
        for target in runtime.targets.values():
            target.cpu += world.idle_cpu_seconds

    now, idle, looks = 0.0, itertools.count(0.0, 1e-5), itertools.count(1)
    periods = itertools.count()

    def clock() -> float:
        nonlocal now
        now += 100.0 if world.others else 1e-5  # what takes so long has used little of it
        return now

    def programs() -> Programs:
        at = float(next(looks))
        return Programs(at, 9.9, 0.0, {(7, 0.0): Process("cargo", 1, 0.92 * at)})

    return Tools(
        profile,
        CPUS,
        wrk,
        oha,
        Random(1),
        hash_ms=lambda _cpus: 50.0,
        sleep=sleep,
        pause=lambda _seconds: None,
        clock=clock,
        cpu_times=lambda _cpus: CpuTimes(next(idle), 0),
        programs=programs,
        open_files=lambda: world.open_files,
        throttled=lambda _targets: next(periods) if world.throttles else 0,
        quota=lambda: Quota(0.5, Path("/sys/fs/cgroup/cpu/half/cpu.cfs_quota_us")) if world.throttles else None,
        wait_ready=answers.wait_ready,
        before_load=answers.before_load,
        after_load=answers.after_load,
        with_slow_source=lambda *_: iter(()),
        under_load=answers.under_load,
        waits_under_load=answers.waits_under_load,
        check_features=answers.check_features,
        right_answers=lambda *_: RightAnswers((0, 0), (0, 0), have_ids=True),
        fetch_counter=lambda *_: None,
        read=answers.read,
    )
