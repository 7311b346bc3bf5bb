"""Made results."""

from datetime import UTC, datetime
from typing import Any

from restbench.results.models import CellResult, EntryResult, Failure, FixedRate, Latencies, Limit, Machine, Round, Run

LATENCIES = Latencies(mean=6.4, p50=6, p75=7, p90=8, p99=9, p999=10, max=11)
START = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
MACHINE = Machine(
    machine_class="local-x86_64-2cpu",
    cpu_model="A processor",
    cpus=2,
    app_cpus=(1,),
    load_cpus=(0,),
    pinned=True,
    memory_bytes=8_000_000_000,
    kernel="6.1",
    wrk="4.1.0",
    oha="1.16.0",
    restbench="0.1.0",
    harness_hash="0123456789ab",
)


def a_round(index: int = 0, throughput: float = 10_000, **changes: Any) -> Round:
    fields: dict[str, Any] = {
        "index": index,
        "at": START,
        "requests": int(throughput),
        "seconds": 1.0,
        "throughput": throughput,
        "saturated": LATENCIES,
        "cpu_us_per_request": 1e6 / throughput,
        "app_cpu_share": 0.98,
        "load_cpu_share": 0.2,
        "contention": 0.01,
        "load_contention": 0.01,
        "probe_ms": 2.6,
        "memory_peak_bytes": 50_000_000,
        "fixed_rate": FixedRate(rate=5000, achieved=4998, latency=LATENCIES),
        "reference_throughput": 100_000,
        "limit": Limit.APP,
    }
    return Round(**(fields | changes))


def a_run(identity: str = "20260301T093000Z-00000001", started: datetime = START, **changes: Any) -> Run:
    fields: dict[str, Any] = {
        "id": identity,
        "started": started,
        "target": "native",
        "profile": "quick",
        "machine": MACHINE,
        "version": "4.4.0",
        "files_hash": "abcdefabcdef",
        "size_bytes": 40_000_000,
        "start_seconds": 0.5,
    }
    return Run(**(fields | changes))


def an_entry(
    entry: str = "python/falcon", run: Run | None = None, cells: list[CellResult] | None = None
) -> EntryResult:
    run = run or a_run()
    return EntryResult(entry=entry, runs={run.id: run}, cells=cells or [a_cell(run)])


def a_cell(run: Run | None = None, scenario: str = "hello_world", **changes: Any) -> CellResult:
    suite, variant = ("hello", None) if scenario == "hello_world" else ("issue-tracker", "raw")
    fields: dict[str, Any] = {
        "run": (run or a_run()).id,
        "suite": suite,
        "scenario": scenario,
        "variant": variant,
        "rounds": [a_round(i, 10_000 + 100 * i) for i in range(5)],
    }
    return CellResult(**(fields | changes))


def a_failed_cell(run: Run | None = None, **changes: Any) -> CellResult:
    failure = Failure(check="answer", request="GET /hello_world", expected="Hello World", got="200 text/plain: Hi")
    return a_cell(run, rounds=[], failure=failure, **changes)
