"""Results as runs of profile `full` give them: figures with all the digits that measuring brings."""

from datetime import datetime, timedelta
from random import Random

from restbench.catalog.profiles import find_profile
from restbench.results.models import CellResult, EntryResult, Latencies, Limit, Machine, RateKind, Run
from restbench.results.rounds import (
    DuetRound,
    LatencyRound,
    SoloRound,
    duet_columns,
    latency_columns,
    refusals,
    solo_columns,
)
from tests.unit.records import FALCON, START, a_run

FULL = find_profile("full")
LOADED: tuple[tuple[str, str, str | None], ...] = (
    ("hello", "hello_world", None),
    *(
        ("issue-tracker", scenario, variant)
        for scenario in ("userinfo", "sprint", "create-task", "update-task")
        for variant in ("raw", "pydantic")
    ),
    *(("solr", scenario, "pydantic") for scenario in ("json_serialization", "anonymization")),
    *(("workload", scenario, "raw") for scenario in ("simple", "timed")),
    *(("workload", scenario, None) for scenario in ("status", "labels")),
)
BATCHES: tuple[tuple[str, str, str | None], ...] = (
    ("workload", "bcrypt", None),
    *(
        ("workload", f"queue-{wait}-{workers}-{place}", None)
        for wait in ("0ms", "200ms")
        for workers in ("4", "all")
        for place in ("near", "far")
    ),
)
MACHINE = Machine(
    machine_class="docker-x86_64-4cpu",
    cpu_model="AMD EPYC 7763 64-Core Processor",
    cpus=4,
    app_cpus=(2, 3),
    load_cpus=(0, 1),
    backend_cpus=(0, 1),
    pinned=True,
    memory_bytes=16_772_575_232,
    kernel="6.11.0-1018-azure",
    runner="ubuntu24 20251102.99.1",
    docker="28.0.4",
    load_generators=("wrk 4.1.0-4build2", "oha 1.16.0"),
    restbench="0.1.0",
    harness_hash="cc08af43fbfe",
)


def a_full_run(identity: str, started: datetime = START) -> Run:
    return a_run(
        identity,
        started,
        target="docker",
        profile=FULL.name,
        machine=MACHINE,
        runtime="CPython 3.13.5",
        runtime_build="PGO, LTO",
        files_hash="733f08776dc2",
        size_bytes=166_696_591,
    )


def a_full_result(entry: str, run: Run, rng: Random) -> EntryResult:
    """What a job of the service brings of an entry: 24 cells, of which 9 are batches."""
    cells = [_loaded(run, key, rng) for key in LOADED] + [_batch(run, key, rng) for key in BATCHES]
    return EntryResult(entry=entry, runs={run.id: run}, cells=cells)


def a_solo_round() -> SoloRound:
    return _solo(a_run(), Random(1), 10_000, 0)


def a_duet_round() -> DuetRound:
    return _duet(a_run(), Random(1), 10_000, 0)


def a_latency_round() -> LatencyRound:
    return _latency(a_run(), Random(1), 10_000, RateKind.HALF, 0)


def _loaded(run: Run, key: tuple[str, str, str | None], rng: Random) -> CellResult:
    suite, scenario, variant = key
    rate = rng.uniform(300, 40_000)
    # one more than the profile plans: a round that does not count is repeated
    solo = [_solo(run, rng, rate, i, invalid=i == FULL.solo_rounds) for i in range(FULL.solo_rounds + 1)]
    latency = [_latency(run, rng, rate, kind, i) for kind in RateKind for i in range(FULL.latency_rounds)]
    return CellResult(
        run=run.id,
        suite=suite,
        scenario=scenario,
        variant=variant,
        solo=solo_columns(solo, run.started),
        duets=duet_columns(
            [_duet(run, rng, rate, i) for i in range(FULL.duet_rounds)],
            run.started,
            FALCON,
            "msgspec" if variant == "pydantic" else variant,
            rate,
        ),
        latency=latency_columns(latency),
        refused=refusals(solo),
    )


def _batch(run: Run, key: tuple[str, str, str | None], rng: Random) -> CellResult:
    suite, scenario, variant = key
    rounds = [_solo(run, rng, 700.0, i) for i in range(FULL.batch_rounds)]
    return CellResult(
        run=run.id, suite=suite, scenario=scenario, variant=variant, solo=solo_columns(rounds, run.started)
    )


def _solo(run: Run, rng: Random, rate: float, index: int, *, invalid: bool = False) -> SoloRound:
    throughput = _noisy(rng, rate)
    return SoloRound(
        index=index,
        at=_moment(run, rng),
        requests=int(throughput),
        connections=512,
        seconds=_noisy(rng, 1.0, 0.01),
        throughput=throughput,
        saturated=_latencies(rng, 512e3 / throughput),
        cpu_us=_noisy(rng, 2e6 / rate),
        app_cpu=rng.uniform(0.9, 1),
        load_cpu=rng.uniform(0.1, 0.6),
        contention=0.01,
        load_contention=0.01,
        memory_bytes=int(_noisy(rng, 70e6)),
        limit=Limit.APP,
        invalid=["others used the app's CPUs"] if invalid else [],
    )


def _duet(run: Run, rng: Random, rate: float, index: int) -> DuetRound:
    return DuetRound(
        index=index,
        at=_moment(run, rng),
        seconds=0.5,
        connections=64,
        requests=5000,
        baseline_requests=5000,
        cpu_us=_noisy(rng, 2.2e6 / rate),
        baseline_cpu_us=_noisy(rng, 2e6 / rate),
        share=rng.uniform(0.45, 0.6),
        contention=0.01,
    )


def _latency(run: Run, rng: Random, rate: float, kind: RateKind, index: int) -> LatencyRound:
    sent = 500 if kind is RateKind.COMMON else max(1, int(rate / 2))
    return LatencyRound(
        index=index,
        at=_moment(run, rng),
        kind=kind,
        rate=sent,
        achieved=_noisy(rng, sent, 0.01),
        latency=_latencies(rng, 2.5),
    )


def _latencies(rng: Random, middle: float) -> Latencies:
    names = ("mean", "p50", "p75", "p90", "p99", "p999", "max")
    return Latencies(**{name: _noisy(rng, middle * (1 + i / 2)) for i, name in enumerate(names)})


def _noisy(rng: Random, middle: float, spread: float = 0.1) -> float:
    return middle * rng.lognormvariate(0, spread)


def _moment(run: Run, rng: Random) -> datetime:
    return run.started + timedelta(seconds=rng.uniform(30, 800))
