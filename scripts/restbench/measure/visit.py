"""One visit to a cell: load, what it cost, and whether it counts."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from restbench.catalog import Cell, Entry, Scenario
from restbench.cpus import CpuSplit
from restbench.errors import AppDiedError, EntryError, LoadError
from restbench.loadgen import Latency, Load, LoadGenerator, LoadResult
from restbench.measure import gate
from restbench.measure.prover import Prover
from restbench.measure.usage import CpuTimes, PeakMemory, cpu_times
from restbench.profiles import Profile
from restbench.requests import RequestShape, request_shape
from restbench.results.models import Failure, FixedRate, Latencies, Round
from restbench.targets import Target

POOL_SIZE = 100
POOL_LATENCY_MS = 1.0


def contract_variables() -> dict[str, str]:
    """What apps are told about the emulated data source (docs/CONTRACT.md)."""
    return {"POOL_SIZE": str(POOL_SIZE), "POOL_LATENCY_MS": f"{POOL_LATENCY_MS:g}"}


@dataclass(frozen=True)
class Tools:
    """What visits are made with."""

    profile: Profile
    cpus: CpuSplit
    throughput: LoadGenerator
    latency: LoadGenerator
    prover: Prover
    probe: Callable[[Sequence[int]], float]

    def load(self, seconds: float, rate: float | None = None) -> Load:
        pinned = self.cpus.pinned
        threads = self.profile.threads or len(self.cpus.load)
        return Load(seconds, self.profile.connections, threads, self.cpus.load if pinned else None, rate)


class WrongUnderLoadError(EntryError):
    """An answer under load was wrong: the cell fails."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(str(failure))
        self.failure = failure


@dataclass(frozen=True)
class _Window:
    """A closed-loop run with what it used."""

    load: LoadResult
    wall_seconds: float
    app_cpu_seconds: float
    app_side: CpuTimes
    load_side: CpuTimes
    harness_cpu_seconds: float
    probe_ms: float
    memory_peak_bytes: int


def shape_of(entry: Entry, cell: Cell) -> RequestShape:
    return request_shape(entry.suites[cell.suite], entry.scenario(cell), cell)


def warm_up(tools: Tools, target: Target, entry: Entry, cell: Cell) -> float:
    """Load that does not count. Returns the throughput, in requests per second, from which the fixed rate follows."""
    with _blaming_the_app(target, entry):
        load = tools.load(tools.profile.warm_up_seconds)
        return tools.throughput.run(target.base_url, shape_of(entry, cell), load).throughput


def visit(tools: Tools, target: Target, entry: Entry, cell: Cell, index: int, rate: float | None) -> Round:
    """One round of a cell. Raises WrongUnderLoadError for a wrong answer, AppDiedError when the app is gone."""
    shape, at = shape_of(entry, cell), datetime.now(UTC)
    with _blaming_the_app(target, entry), tools.prover.watch(target, entry, cell) as watch:
        window = _closed_loop(tools, target, shape)
    if failure := watch.failure() or _wrong_statuses(window.load, shape):
        raise WrongUnderLoadError(failure)
    with _blaming_the_app(target, entry):
        fixed = _fixed_rate(tools, target, shape, rate) if rate else None
    if fixed and (failure := _wrong_at_fixed_rate(fixed, shape)):
        raise WrongUnderLoadError(failure)
    return _as_round(tools, entry.scenario(cell), window, fixed, index, at)


def _closed_loop(tools: Tools, target: Target, shape: RequestShape) -> _Window:
    pace_before = tools.probe(tools.cpus.app)
    with PeakMemory(target) as memory:
        before, own, began = target.resources(), time.process_time(), time.monotonic()
        app_side, load_side = cpu_times(tools.cpus.app), cpu_times(tools.cpus.load)
        load = tools.throughput.run(target.base_url, shape, tools.load(tools.profile.load_seconds))
        app_side, load_side = cpu_times(tools.cpus.app) - app_side, cpu_times(tools.cpus.load) - load_side
        after, own, wall = target.resources(), time.process_time() - own, time.monotonic() - began
    return _Window(
        load=load,
        wall_seconds=wall,
        app_cpu_seconds=after.cpu_seconds - before.cpu_seconds,
        app_side=app_side,
        load_side=load_side,
        harness_cpu_seconds=own,
        probe_ms=max(pace_before, tools.probe(tools.cpus.app)),
        memory_peak_bytes=max(memory.bytes, after.memory_bytes),
    )


def _fixed_rate(tools: Tools, target: Target, shape: RequestShape, rate: float) -> FixedRate:
    load = tools.load(tools.profile.fixed_rate_seconds, rate)
    result = tools.latency.run(target.base_url, shape, load)
    return FixedRate(rate=rate, achieved=result.throughput, latency=_latencies(result.latency), errors=result.errors)


def _as_round(
    tools: Tools, scenario: Scenario, window: _Window, fixed: FixedRate | None, index: int, at: datetime
) -> Round:
    cpus, load = tools.cpus, window.load
    app_capacity = window.wall_seconds * len(cpus.app)
    load_capacity = window.wall_seconds * len(cpus.load)
    beside_app, beside_load = window.app_cpu_seconds, load.cpu_seconds + window.harness_cpu_seconds
    if not cpus.pinned:  # both run on the same CPUs, and are no strangers there
        beside_app = beside_load = beside_app + beside_load
    seen = gate.Observed(
        throughput=load.throughput,
        mean_latency_ms=load.latency.mean,
        connections=tools.profile.connections,
        errors=load.errors,
        app_cpu_share=window.app_cpu_seconds / app_capacity,
        app_idle_share=window.app_side.idle / app_capacity,
        load_cpu_share=load.cpu_seconds / load_capacity,
        contention=_taken_by_others(window.app_side, beside_app, app_capacity),
        load_contention=_taken_by_others(window.load_side, beside_load, load_capacity),
        pinned=cpus.pinned,
        shared=tools.profile.pin and not cpus.pinned,
        source_ceiling=gate.source_ceiling(
            POOL_SIZE, POOL_LATENCY_MS, len(cpus.app), tools.profile.connections, scenario.source_fetches
        ),
    )
    return Round(
        index=index,
        at=at,
        requests=load.requests,
        seconds=load.seconds,
        throughput=load.throughput,
        saturated=_latencies(load.latency),
        cpu_us_per_request=window.app_cpu_seconds / max(1, load.requests) * 1e6,
        app_cpu_share=seen.app_cpu_share,
        load_cpu_share=seen.load_cpu_share,
        contention=seen.contention,
        load_contention=seen.load_contention,
        probe_ms=window.probe_ms,
        memory_peak_bytes=window.memory_peak_bytes,
        errors=load.errors,
        fixed_rate=fixed,
        limit=gate.limit_of(seen),
        invalid=gate.reasons_against(seen),
    )


def _taken_by_others(side: CpuTimes, ours: float, capacity: float) -> float:
    """The share of some CPUs that was neither ours, nor idle, nor in interrupts."""
    return max(0.0, 1 - (ours + side.idle + side.interrupts) / capacity)


def _wrong_statuses(load: LoadResult, shape: RequestShape) -> Failure | None:
    """An answer with an error status is a wrong answer, whatever its share."""
    count = load.errors.get("status", 0)
    if count == 0:
        return None
    asked = f"{load.requests} × {shape.method} {shape.path}"
    return Failure(check="under-load", request=asked, expected="no error status", got=f"{count} answers with one")


def _wrong_at_fixed_rate(fixed: FixedRate, shape: RequestShape) -> Failure | None:
    """The same, at half the load: there is even less excuse."""
    wrong = {kind: count for kind, count in fixed.errors.items() if kind.startswith("status ")}
    if not wrong:
        return None
    seen = ", ".join(f"{count} × {kind}" for kind, count in wrong.items())
    asked = f"{shape.method} {shape.path} at {fixed.rate:g}/s"
    return Failure(check="under-load", request=asked, expected="no error status", got=seen)


@contextmanager
def _blaming_the_app(target: Target, entry: Entry) -> Iterator[None]:
    """Raises AppDiedError when the app is gone after the block; a failing load generator is then only what follows."""
    try:
        yield
    except LoadError as error:
        _still_runs(target, entry, error)
        raise
    _still_runs(target, entry)


def _still_runs(target: Target, entry: Entry, cause: Exception | None = None) -> None:
    if reason := target.exit_reason():
        raise AppDiedError(f"{entry.id}: the app {reason} under load", target.log_tail()) from cause


def _latencies(latency: Latency) -> Latencies:
    return Latencies(**asdict(latency))
