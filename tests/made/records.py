"""Made results."""

import tomllib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from statistics import median
from typing import Any

from restbench.ci.matrix_jobs import MatrixJob, RunPlan
from restbench.results.models import (
    BaselineRounds,
    CellResult,
    EntryResult,
    Failure,
    LatencyHistogram,
    Limit,
    Machine,
    RateKind,
    Run,
    SoloRounds,
)
from restbench.results.rounds import DuetRound, LatencyRound, SoloRound, Use
from restbench.stats.histograms import histogram_of
from restbench.system.repository import find_repository


@cache
def contract_of(suite: str) -> int:
    """The number of the contract of a suite, as its manifest has it."""
    manifest = find_repository().root / "fixtures" / suite / "suite.toml"
    number: int = tomllib.loads(manifest.read_text(encoding="utf-8")).get("contract", 1)
    return number


START = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
FALCON = "python/falcon"
MACHINE = Machine(
    machine_class="local-x86_64-2cpu",
    cpu_model="A processor",
    cpus=2,
    app_cpus=(1,),
    load_cpus=(0,),
    pinned=True,
    memory_bytes=8_000_000_000,
    kernel="6.1",
    load_generators=("wrk 4.1.0", "oha 1.16.0"),
    restbench="0.1.0",
    harness_hash="0123456789ab",
)
RUNNER = MACHINE.model_copy(
    update={
        "machine_class": "github-hosted-x86_64-4cpu",
        "cpu_model": "AMD EPYC 7763 64-Core Processor",
        "cpus": 4,
        "app_cpus": (0, 1),
        "load_cpus": (2, 3),
        "memory_bytes": 16 * 2**30,
        "kernel": "6.11.0-1018-azure",
        "runner": "ubuntu24",
    }
)
"""A machine of the service."""


def around(middle: float, rounds: int = 7, spread: float = 0.01) -> list[float]:
    """Figures that lie evenly around a middle, neighbours by that share apart."""
    return [middle * (1 + spread * (i - (rounds - 1) / 2)) for i in range(rounds)]


def solo(throughputs: Sequence[float], limit: Limit = Limit.APP, **columns: Any) -> SoloRounds:
    """Solo rounds of those throughputs."""
    n = len(throughputs)
    fields: dict[str, Any] = {
        "throughput": list(throughputs),
        "connections": 64,
        "cpu_us": [1e6 / each for each in throughputs],
        "memory_bytes": 50_000_000,
        "limit": [limit] * n,
    }
    return SoloRounds(**(fields | columns))


def baseline(cpu_us: Sequence[float], entry: str = FALCON, **fields: Any) -> BaselineRounds:
    """Rounds of a baseline that cost so much, on one CPU that is always busy."""
    throughput = median(1e6 / cost for cost in cpu_us) if cpu_us else None
    known = {"files_hash": "abcdefabcdef", "throughput": throughput, **fields}
    return BaselineRounds(entry=entry, cpu_us=list(cpu_us), **known)


def at_rate(
    kind: RateKind, rate: int, milliseconds: float = 1.1, requests: int = 1000, **fields: Any
) -> LatencyHistogram:
    """Requests at a rate that all took so long."""
    first, counts = histogram_of([milliseconds] * requests)
    return LatencyHistogram(kind=kind, rate=rate, first=first, counts=list(counts), **fields)


def a_solo_round(throughput: float = 9876.54321, **changes: Any) -> SoloRound:
    fields: dict[str, Any] = {
        "index": 0,
        "at": START,
        "requests": 100,
        "connections": 64,
        "throughput": throughput,
        "cpu_us": 100.0,
        "memory_bytes": 50_000_000,
        "use": Use(app_idle=0.01, contention=0.0),
        "limit": Limit.APP,
    }
    return SoloRound(**(fields | changes))


def a_duet_round(cost: float = 1.1, **changes: Any) -> DuetRound:
    fields: dict[str, Any] = {
        "index": 0,
        "at": START + timedelta(seconds=1),
        "requests": 100,
        "baseline_requests": 100,
        "cpu_us": 100.0 * cost,
        "baseline_cpu_us": 100.0,
    }
    return DuetRound(**(fields | changes))


def a_latency_round(milliseconds: float = 1.1, **changes: Any) -> LatencyRound:
    first, counts = histogram_of([milliseconds] * 1000)
    fields: dict[str, Any] = {"kind": RateKind.COMMON, "rate": 1000, "first": first, "counts": list(counts)}
    return LatencyRound(index=0, at=START, achieved=1000, **(fields | changes))


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


def an_entry(entry: str = FALCON, run: Run | None = None, cells: list[CellResult] | None = None) -> EntryResult:
    run = run or a_run()
    return EntryResult(entry=entry, runs={run.id: run}, cells=cells or [a_cell(run)])


def a_cell(run: Run | None = None, scenario: str = "hello_world", **changes: Any) -> CellResult:
    """A cell with seven solo rounds, unless other fields are given."""
    suite, variant = ("hello", None) if scenario == "hello_world" else ("issue-tracker", "raw")
    fields: dict[str, Any] = {
        "run": (run or a_run()).id,
        "suite": suite,
        "scenario": scenario,
        "variant": variant,
        "solo": solo(around(10_000)),
    }
    return CellResult(**({"contract": contract_of((fields | changes)["suite"])} | fields | changes))


def own_baseline(entry: str = FALCON, cpu_us: float = 100, rounds: int = 10, **changes: Any) -> CellResult:
    """The cell of a baseline: its rounds are those that others are compared with."""
    costs = around(cpu_us, rounds)
    measured = solo([1e6 / cost for cost in costs], changes.pop("limit", Limit.APP))
    cell = a_cell(**({"solo": measured} | changes))
    return cell.model_copy(update={"baseline": baseline(measured.cpu_us, entry, variant=cell.variant)})


def beside(cost: float, entry: str = FALCON, rounds: int = 10, spread: float = 0.01, **changes: Any) -> CellResult:
    """A cell beside `own_baseline`, with that relative cost."""
    costs = around(100 * cost, rounds, spread)
    measured = solo([1e6 / each for each in costs], changes.pop("limit", Limit.APP))
    return a_cell(**({"solo": measured, "baseline": own_baseline(entry).baseline} | changes))


def a_failed_cell(run: Run | None = None, **changes: Any) -> CellResult:
    failure = Failure(check="answer", request="GET /hello_world", expected="Hello World", got="200 text/plain: Hi")
    return a_cell(run, **({"solo": SoloRounds(), "failure": failure} | changes))


def a_run_plan(*entries: str) -> RunPlan:
    """The plan of a run that was made ten minutes before START, with a job for each of the entries."""
    jobs = [MatrixJob(name=name.replace("/", "-"), frameworks=[name]) for name in entries]
    return RunPlan(started=START - timedelta(minutes=10), commit="0" * 40, profile="quick", jobs=jobs)
