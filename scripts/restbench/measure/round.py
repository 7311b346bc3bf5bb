"""One round: an app that is loaded alone (closed loop, batch, fixed rate, or to read all answers), or two in a duet.

A measured round opens connections, waits until the app is not busy, reads the counters, loads the app, reads the
counters again before connections are closed, and says whether it counts.

wrk compares every answer of a round with right ones. Answers that differ are parsed: in a measured round those on some
connections, and the first megabyte of the others. The former are the connections of readers, which are processes of wrk
of their own. They are opened together with the others, begin by the same signal and send the same bytes, so an app
cannot tell them from the others. In a checked round all answers that differ are parsed, for faults that are rare. It is
a measured round in all that an app can see, up to its first wrong body, which may come at any time.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from math import inf
from typing import TypeVar

from restbench.backends import Backend
from restbench.catalog import Cell, Entry
from restbench.conformance import (
    IDLE_SECONDS,
    TRIED_AGAIN,
    FetchCounter,
    Mismatch,
    RightAnswers,
    check_answers,
    expect_all,
    outcome,
    reading_of,
    too_few_requests,
    unasked_answers,
    with_wrong_ones,
)
from restbench.conformance.contracts import contract_of
from restbench.errors import AppDiedError, EntryError, LoadError, ToolError
from restbench.loadgen import (
    Load,
    LoadResult,
    Read,
    Reading,
    RequestWriter,
    Window,
    as_one,
    run_together,
    shared_counts,
    sharing,
)
from restbench.loadgen.interface import UNWATCHED, OtherLoadError, request_shape
from restbench.measure import gate
from restbench.measure.tools import HARNESS_BCRYPT, POOL_LATENCY_MS, POOL_SIZE, Tools
from restbench.measure.usage import TICK_SECONDS, CpuTimes, PeakMemory
from restbench.results.models import Failure, RateKind
from restbench.results.rounds import DuetRound, LatencyRound, SoloRound, Use
from restbench.stats.histograms import histogram_of
from restbench.targets import Target
from restbench.targets.links import NetworkLink

T = TypeVar("T")

Run = Callable[[Window], LoadResult | Read]
"""Sends one load. The window is that of all loads that are sent at the same time."""

LEAST_RATE = 3 / IDLE_SECONDS
"""Requests per second of a reader beside a fixed rate. An app may close a connection that is idle for longer."""

FEW_BYTES = 2**20
"""How many bytes of answers without a form are parsed after a measured round, beside those of readers."""

STEP_SECONDS = 0.01
BUSY_SHARE = 0.1
"""Share of one CPU. An app that uses less has nothing left to do."""
MOST_STEPS = 25
"""How many steps to wait at most for an app that stays busy: a quarter of a second in all."""


class WrongUnderLoadError(EntryError):
    """An answer under load was wrong: the cell fails."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(str(failure))
        self.failure = failure


@dataclass
class LoadedCell:
    """A cell that is loaded, with its running app.

    `right`: what its right answers look like, once that is known. `fetches`: counts its fetches, where answers show
    them. `capacity`: its requests per second before the rounds, which decides over how many connections it is loaded.
    It is infinite until it is known. `backend`: the running one, where the cell needs it.
    """

    entry: Entry
    cell: Cell
    target: Target
    right: RightAnswers | None = None
    fetches: FetchCounter | None = None
    capacity: float = inf
    backend: Backend | None = None

    def __post_init__(self) -> None:
        self.contract = contract_of(self.entry, self.cell, self.backend)
        self.scenario = self.entry.scenario(self.cell)
        self.shape = request_shape(self.entry.suites[self.cell.suite], self.scenario, self.cell)
        self.needs_backend = self.entry.needs_backend(self.cell)


@dataclass(frozen=True)
class Used:
    """What was used while apps were loaded, without the opening and closing of connections.

    `wall`: elapsed seconds. `apps`: CPU seconds of each app; `harness` and `backend`: theirs. The sides: the times of
    all CPUs of each side. `throttled`: in how many periods a CPU quota kept something of it from running.
    """

    wall: float
    apps: list[float]
    harness: float
    backend: float
    app_side: CpuTimes
    load_side: CpuTimes
    backend_side: CpuTimes
    throttled: int


def solo_round(tools: Tools, app: LoadedCell, index: int) -> SoloRound:
    """Runs one solo round. Raises WrongUnderLoadError for a wrong answer, AppDiedError when the app is gone."""
    at, scenario = datetime.now(UTC), app.scenario
    backend = tools.backend if app.needs_backend else None
    asked = backend.requests() if backend else 0
    with PeakMemory(app.target) as memory:
        load, used = load_alone(tools, app, tools.profile.solo_seconds, app.capacity)
    memory_bytes = max(memory.bytes, app.target.resources().memory_bytes)
    if failure := wrong_answers(load, app):
        raise WrongUnderLoadError(failure)
    # an app that says that its backend is silent may not have reached it
    right = load.requests - sum(count for kind, count in load.errors.items() if kind.startswith("status"))
    request = f"{right} × {app.shape.method} {app.shape.path}"
    if backend and not load.is_impossible and (missing := too_few_requests(backend, asked, right, request)):
        raise WrongUnderLoadError(as_failure("under-load", missing))
    use = _use(tools, load, used, backend is not None)
    cpu_us = used.apps[0] / max(1, load.requests) * 1e6
    conditions = gate.Conditions(
        pinned=tools.cpus.pinned,
        batch=scenario.batch is not None,
        source_ceiling=gate.source_ceiling(
            POOL_SIZE, POOL_LATENCY_MS, len(tools.cpus.app), load.connections, scenario.source_fetches
        ),
        waiting_ceiling=gate.waiting_ceiling(load.connections, scenario.waits_ms + 2 * scenario.link_delay_ms),
        backend_ceiling=tools.ceiling if backend else None,
    )
    return SoloRound(
        index=index,
        at=at,
        requests=load.requests,
        connections=load.connections,
        seconds=load.seconds if scenario.batch else None,
        throughput=load.throughput,
        cpu_us=cpu_us,
        memory_bytes=memory_bytes,
        errors=load.errors,
        overhead_ms=_overhead(tools, app, load),
        use=use,
        limit=gate.limit_of(load, use, conditions),
        invalid=gate.reasons_against(load, use, conditions) + gate.uncounted(cpu_us),
    )


def latency_round(tools: Tools, app: LoadedCell, kind: RateKind, rate: int, index: int) -> LatencyRound:
    """Runs one latency round. `rate`: requests per second.

    Raises WrongUnderLoadError for a wrong answer, AppDiedError when the app is gone.
    """
    at, throttled = datetime.now(UTC), tools.throttled([app.target])
    paced = tools.at_rate(app.scenario, kind, rate)
    # one more connection, with the rate of each of the others
    reader = replace(paced, connections=1, threads=1, rate=max(LEAST_RATE, rate / paced.connections))
    runs: list[Run] = [
        partial(tools.latency.run, app.target.base_url, app.shape, paced),
        _reading(tools, app, app.target.base_url, reader, reading_of(app.contract, app.right), tools.latency.write),
    ]
    with blaming_the_app(app):
        _look_at_fetches(app)
        timed, read = _at_once(UNWATCHED, runs)
    assert isinstance(timed, LoadResult), "the first load is that of oha"
    load = replace(timed, errors=_check_read(app, [timed, read]).errors)
    if failure := wrong_answers(load, app):
        raise WrongUnderLoadError(failure)
    first, counts = histogram_of(load.milliseconds)
    return LatencyRound(
        index=index,
        at=at,
        kind=kind,
        rate=rate,
        achieved=load.throughput,
        first=first,
        counts=list(counts),
        errors=load.errors,
        invalid=gate.reasons_against_latency(load, rate, tools.throttled([app.target]) - throttled),
    )


def checked_round(tools: Tools, app: LoadedCell) -> None:
    """Reads all answers of one round, which has wrong bodies among right ones.

    A round with requests that get no answer is tried again.

    Raises WrongUnderLoadError for a wrong answer and where answers do not come, AppDiedError when the app is gone, and
    ToolError.
    """
    contract, usual = app.contract, reading_of(app.contract, app.right)

    def read() -> None:
        with app.target.link(app.scenario.link_delay_ms) as link, shared_counts() as counts:
            load = _usual_load(tools, app, tools.profile.solo_seconds, app.capacity, link)
            main, few = tools.split(replace(load, counts=counts))
            runs = [_reading(tools, app, link.base_url, few, usual)]
            if main:
                whole = with_wrong_ones(usual, contract, main.connections, tools.rng)
                runs.insert(0, _reading(tools, app, link.base_url, main, whole))
            _look_at_fetches(app)
            with PeakMemory(app.target):  # as in a measured round, because it takes a moment of the app's time
                reads = _at_once(Counters(tools, [app.target]), runs)
        check_answers(contract, reads)
        expect_all(contract, reads)
        right = sum(read.load.requests - read.refused for read in reads)
        if app.fetches and (missing := app.fetches.too_few(right)):
            raise missing

    with blaming_the_app(app):
        broken = outcome(read).broken
    if broken:
        raise WrongUnderLoadError(as_failure("every-answer", broken))


def load_alone(tools: Tools, app: LoadedCell, seconds: float, capacity: float = inf) -> tuple[LoadResult, Used]:
    """Loads one app for so many seconds, or with one batch. Returns what the load generator saw and what was used.

    The answers of its readers are checked. `capacity`: the requests per second that decide over the number of
    connections, where they are known. Raises WrongUnderLoadError for a wrong answer, AppDiedError when the app is gone,
    LoadError and ToolError.
    """
    with blaming_the_app(app), app.target.link(app.scenario.link_delay_ms) as link, shared_counts() as counts:
        counters = Counters(tools, [app.target])
        load = replace(_usual_load(tools, app, seconds, capacity, link), counts=counts)
        _look_at_fetches(app)
        results = _at_once(counters, _runs(tools, app, link.base_url, load))
    return _check_read(app, results), counters.used


def _usual_load(tools: Tools, app: LoadedCell, seconds: float, capacity: float, link: NetworkLink) -> Load:
    if app.scenario.batch:
        return tools.batch(app.scenario, link.through)
    return tools.closed_loop(app.scenario, seconds, capacity)


def _runs(tools: Tools, app: LoadedCell, base_url: str, load: Load) -> list[Run]:
    """Returns what sends a load to an app: first most of the load, then that of the readers.

    All answers are read, as they cost wrk the same time in a round that is not checked: an app could tell by that time.
    """
    main, few = tools.split(load)
    usual = reading_of(app.contract, app.right)
    runs: list[Run] = [_reading(tools, app, base_url, few, usual)]
    if main:
        runs.insert(0, _reading(tools, app, base_url, main, replace(usual, most_bytes=FEW_BYTES)))
    return runs


def _reading(
    tools: Tools, app: LoadedCell, base_url: str, load: Load, reading: Reading, write: RequestWriter | None = None
) -> Callable[[Window], Read]:
    if not (reading.forms or reading.have_ids):
        # hashes belong to their own requests, and a thread of one connection knows which that is
        load = replace(load, threads=load.connections)
    return lambda window: tools.read(base_url, app.shape, load, reading, window, write)


def _at_once(window: Window, runs: Sequence[Callable[[Window], T]]) -> list[T]:
    """Sends all loads at the same time. Raises LoadError and ToolError."""
    results = run_together(sharing(window, runs))
    errors = [result for result in results if isinstance(result, (LoadError, ToolError))]
    if errors:
        # the others gave up because of the first
        raise min(errors, key=lambda error: isinstance(error, OtherLoadError))
    return [result for result in results if not isinstance(result, (LoadError, ToolError))]


def _check_read(app: LoadedCell, results: Sequence[LoadResult | Read]) -> LoadResult:
    """Checks the answers that were read, and the number of fetches. Returns all results as one.

    Raises WrongUnderLoadError.
    """
    try:
        check_answers(app.contract, [each for each in results if isinstance(each, Read)])
    except TRIED_AGAIN:
        pass  # the errors of the round say that answers did not come
    except Mismatch as broken:
        raise WrongUnderLoadError(as_failure("every-answer", broken)) from broken
    load = as_one([each.load if isinstance(each, Read) else each for each in results])
    if app.fetches and not load.is_impossible and (missing := app.fetches.too_few(load.requests)):
        raise WrongUnderLoadError(as_failure("fetches", missing))
    return load


def _look_at_fetches(app: LoadedCell) -> None:
    """Notes the numbers of fetches before a load. Raises WrongUnderLoadError for a wrong answer."""
    if app.fetches and (broken := outcome(app.fetches.look).broken):
        raise WrongUnderLoadError(as_failure("fetches", broken))


class Counters(Window):
    """The counters of apps, read before they get requests and when they have answered the last one.

    `used`: what was used meanwhile. It is there when the window has ended.
    """

    used: Used

    def __init__(self, tools: Tools, targets: Sequence[Target]) -> None:
        self._tools, self._targets = tools, targets
        self._sides = (tools.cpus.app, tools.cpus.load, tools.cpus.backend)

    def begin(self) -> None:
        """Waits until no app is busy, and reads the counters. Raises AppDiedError."""
        tools = self._tools
        settle(tools, self._targets)
        # The CPU time of a backend in containers is read with docker inspect, a command for each of its programs. Each
        # takes some 13 ms, which in a short round would look as if others had used the CPUs.
        self._backend, self._throttled = tools.backend_cpu_seconds(), tools.throttled(self._targets)
        self._apps = [each.cpu_seconds() for each in self._targets]
        self._harness, self._began = time.process_time(), tools.clock()
        self._times = [tools.cpu_times(side) for side in self._sides]

    def end(self) -> None:
        """Reads the counters again. Raises AppDiedError."""
        tools = self._tools
        app_side, load_side, backend_side = (
            tools.cpu_times(side) - times for side, times in zip(self._sides, self._times, strict=True)
        )
        harness, wall = time.process_time() - self._harness, tools.clock() - self._began
        apps = [each.cpu_seconds() - earlier for each, earlier in zip(self._targets, self._apps, strict=True)]
        # the difference is negative if a program of the backend died, as its CPU time is no longer counted
        backend = max(0.0, tools.backend_cpu_seconds() - self._backend)
        throttled = tools.throttled(self._targets) - self._throttled
        self.used = Used(wall, apps, harness, backend, app_side, load_side, backend_side, throttled)


def settle(tools: Tools, targets: Sequence[Target]) -> None:
    """Waits until none of the apps is busy, or for `MOST_STEPS` steps. Raises AppDiedError.

    The kernel opens connections that the app has yet to accept. A load generator that died, or gave up waiting for
    answers, has left requests on the way, which the app still handles. Neither must count in a round.
    """
    before = [target.cpu_seconds() for target in targets]
    for _ in range(MOST_STEPS):
        tools.pause(STEP_SECONDS)
        now = [target.cpu_seconds() for target in targets]
        if all(b - a < BUSY_SHARE * STEP_SECONDS for a, b in zip(before, now, strict=True)):
            return
        before = now


def wrong_answers(load: LoadResult, app: LoadedCell) -> Failure | None:
    """Returns the failure when answers under load were wrong, else None.

    In a batch each request has to be answered. Elsewhere a single answer with an error status is a failure. So is an
    answer without a request, and a mean answer size that does not fit the verified answers. Where the app needs a
    backend, an error status is none: on a machine that is busy with other work the backend may answer too late, and the
    app says so. Then the round does not count.
    """
    if load.is_impossible:
        return None
    asked, batch = f"{app.shape.method} {app.shape.path}", app.scenario.batch
    if batch and (load.requests != batch.requests or load.errors):
        seen = ", ".join([f"{load.requests} answers", *(f"{count} × {kind}" for kind, count in load.errors.items())])
        expected = f"{batch.requests} answers without an error"
        return Failure(check="batch", request=f"{batch.requests} × {asked}", expected=expected, got=seen)
    statuses = [f"{count} × {kind}" for kind, count in load.errors.items() if kind.startswith("status")]
    if statuses and not app.needs_backend:
        request, got = f"{load.requests} × {asked}", ", ".join(statuses)
        return Failure(check="under-load", request=request, expected="no error status", got=got)
    if unasked := unasked_answers(load, asked):
        return as_failure("under-load", unasked)
    misfit = app.right.misfit(load, app.shape) if app.right else None
    return as_failure("answer-size", misfit) if misfit else None


def as_failure(check: str, broken: Mismatch) -> Failure:
    return Failure(check=check, request=broken.request, expected=broken.expected, got=broken.got)


@contextmanager
def blaming_the_app(app: LoadedCell) -> Iterator[None]:
    """Raises AppDiedError when the app ends during the block.

    An error of the load generator in the block is then only a consequence, so AppDiedError replaces it.
    """
    try:
        yield
    except (AppDiedError, LoadError) as error:
        check_alive(app, error)
        raise
    except ToolError:
        check_alive(app)
        raise
    check_alive(app)


def check_alive(app: LoadedCell, cause: Exception | None = None) -> None:
    """Raises AppDiedError when the app does not run any more. `cause`: an error that its death would explain."""
    if reason := app.target.how_it_ended() if cause else app.target.exit_reason():
        raise AppDiedError(f"{app.entry.id}: the app {reason} under load", app.target.log_tail()) from cause


def _use(tools: Tools, load: LoadResult, used: Used, asks_backend: bool) -> Use:
    cpus, (app,) = tools.cpus, used.apps
    load_side = load.cpu_seconds + used.harness
    if set(cpus.backend) & set(cpus.load):
        load_side += used.backend
    if not cpus.pinned:  # both run on the same CPUs, so neither counts as contention for the other
        app = load_side = app + load_side
    backend_idle = idle_share(used.backend_side, used.wall, load.seconds, len(cpus.backend))
    return Use(
        app_idle=idle_share(used.app_side, used.wall, load.seconds, len(cpus.app)),
        contention=taken_by_others(used.app_side, app, used.wall * len(cpus.app)),
        load_cpu=load.cpu_seconds / (used.wall * len(cpus.load)),
        load_contention=taken_by_others(used.load_side, load_side, used.wall * len(cpus.load)),
        backend_idle=backend_idle if asks_backend else None,
        tick=TICK_SECONDS / load.seconds,
        throttled=used.throttled,
    )


def idle_share(side: CpuTimes, wall_seconds: float, load_seconds: float, count: int) -> float:
    """Returns the idle share, from 0 to 1, of `count` CPUs while there was load.

    CPUs are idle in the moments before the first request and after the last answer, and while oha starts and ends. That
    time is subtracted.
    """
    without_load = max(0.0, wall_seconds - load_seconds) * count
    return max(0.0, side.idle - without_load) / max(1e-9, load_seconds * count)


def taken_by_others(side: CpuTimes, ours: float, capacity: float) -> float:
    """Returns the share of some CPUs' time that was neither ours, nor idle, nor in interrupts.

    `ours`: CPU seconds of our own processes. `capacity`: the CPU seconds that there were.
    """
    return max(0.0, 1 - (ours + side.idle + side.interrupts) / capacity)


def _overhead(tools: Tools, app: LoadedCell, load: LoadResult) -> float | None:
    """Returns the milliseconds of CPU time per request of a batch, less those of the hash alone.

    In a batch the app's CPUs are never idle, so their whole time is counted. None where the scenario computes nothing,
    or where the entry's library is not the one of the harness.
    """
    if app.scenario.computes is None or app.entry.language.manifest.bcrypt != HARNESS_BCRYPT:
        return None
    return load.seconds * len(tools.cpus.app) / max(1, load.requests) * 1e3 - tools.hash_ms(tools.cpus.app)


class BaselineLostError(EntryError):
    """The other side died or answered wrongly."""


class DuetCounters(Counters):
    """The counters of both apps of a duet."""

    def end(self) -> None:
        """Waits until neither app is busy, as one kept the other from the CPUs, and reads the counters again."""
        settle(self._tools, self._targets)
        super().end()


def duet_round(tools: Tools, app: LoadedCell, baseline: LoadedCell, index: int) -> DuetRound:
    """Runs one duet round: both apps are loaded at the same time on the same CPUs.

    What slows the core slows both within the same milliseconds. CPU time per request is compared instead of elapsed
    time, so sharing the CPUs costs neither app anything. When a load generator dies, the round is refused.

    The method is from L. Bulej, V. Horký, P. Tůma, F. Farquet and A. Prokopec, Duet Benchmarking: Improving Measurement
    Accuracy in the Cloud (ICPE 2020). There, each side has a core of its own.

    Raises WrongUnderLoadError and AppDiedError about the app, BaselineLostError about the baseline.
    """
    at, cpus, counters = datetime.now(UTC), tools.cpus.app, DuetCounters(tools, [app.target, baseline.target])
    load = tools.duet(app.scenario, app.capacity, baseline.capacity)
    with _blaming_the_right_one(app, baseline), shared_counts() as mine_sent, shared_counts() as theirs_sent:
        sides = ((app, mine_sent), (baseline, theirs_sent))
        runs = [_runs(tools, side, side.target.base_url, replace(load, counts=sent)) for side, sent in sides]
        _look_at_fetches(app)
        _look_at_fetches(baseline)
        results = run_together(sharing(counters, list(chain(*runs))))
    counted = [result for result in results if not isinstance(result, (LoadError, ToolError))]
    if len(counted) < len(results):
        died = ["a load generator died"]
        return DuetRound(index=index, at=at, requests=0, baseline_requests=0, cpu_us=0, baseline_cpu_us=0, invalid=died)
    mine = _check_read(app, counted[: len(runs[0])])
    if failure := wrong_answers(mine, app):
        raise WrongUnderLoadError(failure)
    try:
        theirs = _check_read(baseline, counted[len(runs[0]) :])
    except WrongUnderLoadError as error:
        raise BaselineLostError(f"{baseline.cell}: {error.failure}") from error
    if failure := wrong_answers(theirs, baseline):
        raise BaselineLostError(f"{baseline.cell}: {failure}")
    used, requests, seconds = counters.used, [mine.requests, theirs.requests], max(mine.seconds, theirs.seconds)
    use = Use(
        app_idle=idle_share(used.app_side, used.wall, seconds, len(cpus)),
        contention=taken_by_others(used.app_side, sum(used.apps), used.wall * len(cpus)),
        tick=TICK_SECONDS / seconds,
        throttled=used.throttled,
    )
    share = used.apps[0] / max(1e-9, sum(used.apps))
    return DuetRound(
        index=index,
        at=at,
        requests=requests[0],
        baseline_requests=requests[1],
        cpu_us=used.apps[0] / max(1, requests[0]) * 1e6,
        baseline_cpu_us=used.apps[1] / max(1, requests[1]) * 1e6,
        invalid=gate.reasons_against_duet(mine.errors | theirs.errors, requests, share, use)
        + gate.uncounted(*used.apps),
    )


@contextmanager
def _blaming_the_right_one(app: LoadedCell, baseline: LoadedCell) -> Iterator[None]:
    """Raises AppDiedError when the app ends during the block, else BaselineLostError when the baseline ends."""
    try:
        yield
    except AppDiedError as error:
        check_alive(app, error)
        raise BaselineLostError(error.message, error.detail) from error
    check_alive(app)
    if reason := baseline.target.exit_reason():
        raise BaselineLostError(f"{baseline.entry.id}: the app {reason} under load", baseline.target.log_tail())
