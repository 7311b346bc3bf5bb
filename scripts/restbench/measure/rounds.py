"""A window under load → a round: its figures, what limited it, and whether it counts."""

from dataclasses import asdict
from datetime import datetime

from restbench.backends import Backend
from restbench.catalog import Scenario
from restbench.loadgen import Latency, LoadResult
from restbench.measure import gate
from restbench.measure.tools import POOL_LATENCY_MS, POOL_SIZE, Tools
from restbench.measure.usage import TICK_SECONDS, CpuTimes
from restbench.measure.window import Window
from restbench.results.models import FixedRate, Latencies, Round


def as_round(
    tools: Tools,
    scenario: Scenario,
    window: Window,
    fixed: FixedRate | None,
    backend: Backend | None,
    alone_ms: float | None,
    index: int,
    at: datetime,
) -> Round:
    """The round. `backend`: what the requests reached through the app. `alone_ms`: what the work that the scenario
    computes costs on its own, where it computes any."""
    load, seen = window.load, _observed(tools, scenario, window, backend)
    return Round(
        index=index,
        at=at,
        requests=load.requests,
        connections=window.connections,
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
        overhead_ms=_overhead(tools, scenario, load, fixed, alone_ms),
        limit=gate.limit_of(seen),
        invalid=gate.reasons_against(seen),
    )


def as_fixed_rate(rate: float, result: LoadResult) -> FixedRate:
    """oha's result at that rate."""
    return FixedRate(rate=rate, achieved=result.throughput, latency=_latencies(result.latency), errors=result.errors)


def _observed(tools: Tools, scenario: Scenario, window: Window, backend: Backend | None) -> gate.Observed:
    cpus, load = tools.cpus, window.load
    app_capacity = window.wall_seconds * len(cpus.app)
    load_capacity = window.wall_seconds * len(cpus.load)
    beside_app, beside_load = window.app_cpu_seconds, load.cpu_seconds + window.harness_cpu_seconds
    if set(cpus.backend) & set(cpus.load):
        beside_load += window.backend_cpu_seconds
    if not cpus.pinned:  # both run on the same CPUs, and are no strangers there
        beside_app = beside_load = beside_app + beside_load
    return gate.Observed(
        throughput=load.throughput,
        mean_latency_ms=load.latency.mean,
        connections=window.connections,
        errors=load.errors,
        app_cpu_share=window.app_cpu_seconds / app_capacity,
        app_idle_share=window.app_idle_share(cpus),
        load_cpu_share=load.cpu_seconds / load_capacity,
        contention=_taken_by_others(window.app_side, beside_app, app_capacity),
        load_contention=_taken_by_others(window.load_side, beside_load, load_capacity),
        pinned=cpus.pinned,
        shared=tools.profile.pin and not cpus.pinned,
        source_ceiling=gate.source_ceiling(
            POOL_SIZE, POOL_LATENCY_MS, len(cpus.app), window.connections, scenario.source_fetches
        ),
        backend_ceiling=tools.ceiling if backend else None,
        backend_idle_share=window.backend_idle_share(cpus) if backend else None,
        tick_share=TICK_SECONDS / window.load.seconds,
        waiting_ceiling=gate.waiting_ceiling(window.connections, scenario.waits_ms + 2 * scenario.link_delay_ms),
    )


def _overhead(
    tools: Tools, scenario: Scenario, load: LoadResult, fixed: FixedRate | None, alone_ms: float | None
) -> float | None:
    """Milliseconds of a request above what the contract asks for: at a fixed rate above the waiting, where nobody
    queues; over a batch, in which the app's CPUs are never idle, above what the work alone takes of them."""
    if alone_ms is not None:
        return load.seconds * len(tools.cpus.app) / max(1, load.requests) * 1e3 - alone_ms
    if scenario.waits_ms and fixed is not None:
        return fixed.latency.p50 - scenario.waits_ms
    return None


def _taken_by_others(side: CpuTimes, ours: float, capacity: float) -> float:
    """The share of some CPUs that was neither ours, nor idle, nor in interrupts."""
    return max(0.0, 1 - (ours + side.idle + side.interrupts) / capacity)


def _latencies(latency: Latency) -> Latencies:
    return Latencies(**asdict(latency))
