"""Makes a round from what was seen under load: its figures, what limited it, and whether it counts."""

from datetime import datetime

from restbench.backends import Backend
from restbench.catalog import Scenario
from restbench.loadgen import LoadResult
from restbench.measure import gate
from restbench.measure.tools import POOL_LATENCY_MS, POOL_SIZE, Tools
from restbench.measure.usage import TICK_SECONDS
from restbench.measure.window import Window, taken_by_others
from restbench.results.models import RateKind
from restbench.results.rounds import LatencyRound, SoloRound
from restbench.stats.histograms import histogram_of


def as_solo_round(
    tools: Tools,
    scenario: Scenario,
    window: Window,
    backend: Backend | None,
    alone_ms: float | None,
    index: int,
    at: datetime,
) -> SoloRound:
    """Returns the solo round of a window.

    `backend`: the backend that the requests reached through the app. `alone_ms`: milliseconds that the scenario's work
    costs on its own, where the app computes it with the same library as the harness.
    """
    load, seen = window.load, _observed(tools, scenario, window, backend)
    return SoloRound(
        index=index,
        at=at,
        requests=load.requests,
        connections=window.connections,
        seconds=load.seconds if scenario.batch else None,
        throughput=load.throughput,
        cpu_us=window.app_cpu_seconds / max(1, load.requests) * 1e6,
        memory_bytes=window.memory_peak_bytes,
        errors=load.errors,
        overhead_ms=_overhead(tools, load, alone_ms),
        limit=gate.limit_of(seen),
        invalid=gate.reasons_against(seen),
    )


def as_latency_round(kind: RateKind, rate: int, result: LoadResult, index: int, at: datetime) -> LatencyRound:
    """Returns the latency round of a load generator's result. `rate`: the requests per second that were asked for."""
    first, counts = histogram_of(result.milliseconds)
    seen = gate.ObservedAtRate(rate, result.seconds, result.requests, result.mean_ms, result.errors)
    return LatencyRound(
        index=index,
        at=at,
        kind=kind,
        rate=rate,
        achieved=result.throughput,
        first=first,
        counts=list(counts),
        errors=result.errors,
        invalid=gate.reasons_against_latency(seen),
    )


def _observed(tools: Tools, scenario: Scenario, window: Window, backend: Backend | None) -> gate.Observed:
    cpus, load = tools.cpus, window.load
    app_capacity = window.wall_seconds * len(cpus.app)
    load_capacity = window.wall_seconds * len(cpus.load)
    ours_on_app, ours_on_load = window.app_cpu_seconds, load.cpu_seconds + window.harness_cpu_seconds
    if set(cpus.backend) & set(cpus.load):
        ours_on_load += window.backend_cpu_seconds
    if not cpus.pinned:  # both run on the same CPUs, so neither counts as contention for the other
        ours_on_app = ours_on_load = ours_on_app + ours_on_load
    return gate.Observed(
        throughput=load.throughput,
        mean_latency_ms=load.mean_ms,
        connections=window.connections,
        errors=load.errors,
        app_idle_share=window.app_idle_share(cpus),
        load_cpu_share=load.cpu_seconds / load_capacity,
        contention=taken_by_others(window.app_side, ours_on_app, app_capacity),
        load_contention=taken_by_others(window.load_side, ours_on_load, load_capacity),
        pinned=cpus.pinned,
        source_ceiling=gate.source_ceiling(
            POOL_SIZE, POOL_LATENCY_MS, len(cpus.app), window.connections, scenario.source_fetches
        ),
        backend_ceiling=tools.ceiling if backend else None,
        backend_idle_share=window.backend_idle_share(cpus) if backend else None,
        tick_share=TICK_SECONDS / window.load.seconds,
        batch=scenario.batch is not None,
        waiting_ceiling=gate.waiting_ceiling(window.connections, scenario.waits_ms + 2 * scenario.link_delay_ms),
    )


def _overhead(tools: Tools, load: LoadResult, alone_ms: float | None) -> float | None:
    """Returns the milliseconds of CPU time per request of a batch, less those of the work alone.

    In a batch the app's CPUs are never idle, so their whole time is counted. None where `alone_ms` is None.
    """
    if alone_ms is None:
        return None
    return load.seconds * len(tools.cpus.app) / max(1, load.requests) * 1e3 - alone_ms
