"""One round: an app that is loaded alone (closed loop, batch, fixed rate, or to read all answers), or two in a duet.

A measured round opens connections, waits until the app is not busy, reads the counters, loads the app, reads the
counters again before connections are closed, and says whether it counts.

A checked round reads every answer, in place of figures. It has the connections and the bytes of a measured round, and
comes at a place that an app cannot foresee. So an app that answers wrongly in measured rounds answers wrongly here too.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from math import inf

from restbench.catalog import Cell, Entry
from restbench.conformance import TRIED_AGAIN, Mismatch, RightAnswers, too_few_requests, unasked_answers
from restbench.conformance.contracts import contract_of
from restbench.errors import AppDiedError, EntryError, LoadError, ToolError
from restbench.loadgen import LoadResult, Window, run_together, sharing
from restbench.loadgen.interface import request_shape
from restbench.measure import gate
from restbench.measure.tools import HARNESS_BCRYPT, POOL_LATENCY_MS, POOL_SIZE, Tools
from restbench.measure.usage import TICK_SECONDS, CpuTimes, PeakMemory
from restbench.results.models import Failure, RateKind
from restbench.results.rounds import DuetRound, LatencyRound, SoloRound, Use
from restbench.stats.histograms import histogram_of
from restbench.targets import Target

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

    `right`: what its right answers look like, once that is known. `capacity`: its requests per second before the
    rounds, which decides over how many connections it is loaded. It is infinite until it is known.
    """

    entry: Entry
    cell: Cell
    target: Target
    right: RightAnswers | None = None
    capacity: float = inf

    def __post_init__(self) -> None:
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
    request = f"{load.requests} × {app.shape.method} {app.shape.path}"
    if backend and not load.is_impossible and (missing := too_few_requests(backend, asked, load.requests, request)):
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
    with blaming_the_app(app):
        load = tools.latency.run(app.target.base_url, app.shape, tools.at_rate(app.scenario, kind, rate))
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


def checked_round(tools: Tools, app: LoadedCell, rate: float) -> None:
    """Reads all answers of one round. `rate`: the requests per second of a measured round.

    Raises WrongUnderLoadError for a wrong answer, AppDiedError when the app is gone, LoadError and ToolError.
    """
    load = tools.closed_loop(app.scenario, tools.profile.solo_seconds, app.capacity)
    contract, form = contract_of(app.entry, app.cell), app.right.form if app.right else None
    failure = None
    with blaming_the_app(app):
        try:
            tools.read_answers(app.target.base_url, contract, form, *tools.reading(app.scenario, load, rate))
        except TRIED_AGAIN:
            pass  # that answers do not come is left to the rounds that are measured
        except Mismatch as broken:
            failure = as_failure("every-answer", broken)
    if failure:
        raise WrongUnderLoadError(failure)


def load_alone(tools: Tools, app: LoadedCell, seconds: float, capacity: float = inf) -> tuple[LoadResult, Used]:
    """Loads one app for so many seconds, or with one batch. Returns what the load generator saw and what was used.

    `capacity`: the requests per second that decide over the number of connections, where they are known. Raises
    AppDiedError when the app is gone, LoadError and ToolError.
    """
    with blaming_the_app(app), app.target.link(app.scenario.link_delay_ms) as link:
        if app.scenario.batch:
            generator, load = tools.latency, tools.batch(app.scenario, link.through)
        else:
            generator, load = tools.throughput, tools.closed_loop(app.scenario, seconds, capacity)
        counters = Counters(tools, [app.target])
        result = generator.run(link.base_url, app.shape, load, counters)
        return result, counters.used


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
    runs = [partial(tools.throughput.run, side.target.base_url, side.shape, load) for side in (app, baseline)]
    with _blaming_the_right_one(app, baseline):
        mine, theirs = run_together(sharing(counters, runs))
    if not isinstance(mine, LoadResult) or not isinstance(theirs, LoadResult):
        died = ["a load generator died"]
        return DuetRound(index=index, at=at, requests=0, baseline_requests=0, cpu_us=0, baseline_cpu_us=0, invalid=died)
    if failure := wrong_answers(mine, app):
        raise WrongUnderLoadError(failure)
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
