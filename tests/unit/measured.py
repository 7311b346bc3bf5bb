"""Results as runs of profile `full` give them: figures with all the digits that measuring brings.

A cell has its usual figures, which its name decides. A run is near them, and its rounds are near those of the run. The
spreads are those of the results that are published here.
"""

from datetime import datetime, timedelta
from random import Random
from typing import NamedTuple

from restbench.results.models import CellResult, EntryResult, Latencies, Limit, RateKind, Run
from restbench.results.rounds import (
    DuetRound,
    LatencyRound,
    SoloRound,
    duet_columns,
    latency_columns,
    refusals,
    solo_columns,
)
from tests.unit.full_runs import FULL
from tests.unit.records import FALCON, a_run

Key = tuple[str, str, str | None]
LOADED: tuple[Key, ...] = (
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
BATCHES: tuple[Key, ...] = (
    ("workload", "bcrypt", None),
    *(
        ("workload", f"queue-{wait}-{workers}-{place}", None)
        for wait in ("0ms", "200ms")
        for workers in ("4", "all")
        for place in ("near", "far")
    ),
)

BETWEEN_MACHINES, BETWEEN_RUNS, BETWEEN_COSTS = 0.08, 0.07, 0.03
"""Between the throughputs of all cells in two runs, and beyond that of one cell; between its relative costs.

Copies of one entry that were measured at the same time (A/A) have relative costs that are 0.013 apart.
"""

SOLO_SPREAD, COMMON_SPREAD, SIDE_SPREAD = 0.045, 0.03, 0.025
"""Between rounds. In a duet round both sides have a common spread, and each side has one of its own."""

MEMORY_SPREADS = (0.003, 0.028, 0.069)
"""Between the rounds of a cell: the quartiles of the cells."""

WAITING_SPREAD, BATCH_MEMORY_SPREAD = 0.0015, 0.0025
"""Between batches: of throughput where they wait for most of their time, and of memory."""

OVERRUN = 0.025
"""Seconds that a round takes beyond those of its load, in the mean: until the last answers came."""

REFUSED = 0.13
"""The share of cells with a round that does not count."""


class Pace(NamedTuple):
    """What a cell does in one run: requests per second, relative cost, and those of its baseline on that machine."""

    rate: float
    relative_cost: float
    baseline_rate: float


def a_full_result(entry: str, run: Run, rng: Random, *, has_duets: bool = True) -> EntryResult:
    """What a job of the service brings of an entry: 24 cells, of which 9 are batches. A baseline has no duets."""
    machine = _noisy(rng, 1, BETWEEN_MACHINES)
    cells = [_loaded(run, key, _pace(entry, key, machine, rng), has_duets, rng) for key in LOADED]
    cells += [_batch(run, key, _pace(entry, key, machine, rng), rng) for key in BATCHES]
    return EntryResult(entry=entry, runs={run.id: run}, cells=cells)


def a_reference_result(entry: str, run: Run, rng: Random) -> EntryResult:
    """What each job brings of the reference: Hello World, as fast as the load generator can drive it."""
    pace = Pace(_noisy(rng, 90_000, BETWEEN_MACHINES), 1, 1)
    return EntryResult(entry=entry, runs={run.id: run}, cells=[_loaded(run, LOADED[0], pace, False, rng)])


def a_solo_round(**changes: object) -> SoloRound:
    return _solo(a_run(), Random(1), 10_000, 0).model_copy(update=changes)


def a_duet_round(**changes: object) -> DuetRound:
    return _duet(a_run(), Random(1), Pace(10_000, 1.1, 11_000), 0).model_copy(update=changes)


def a_latency_round() -> LatencyRound:
    return _latency(a_run(), Random(1), 10_000, RateKind.HALF, 0)


def _pace(entry: str, key: Key, machine: float, rng: Random) -> Pace:
    """Of published relative costs, the middle one is 2.7. Their logarithms have a standard deviation of 0.9."""
    baseline_rate = Random(str(key)).uniform(10_000, 50_000) * machine
    usual = 1.0 if entry == FALCON else Random(f"{entry} {key}").lognormvariate(1, 0.9)
    relative_cost = _noisy(rng, usual, BETWEEN_COSTS)
    return Pace(_noisy(rng, baseline_rate / relative_cost, BETWEEN_RUNS), relative_cost, baseline_rate)


def _loaded(run: Run, key: Key, pace: Pace, has_duets: bool, rng: Random) -> CellResult:
    suite, scenario, variant = key
    # a round that does not count is repeated
    refused = rng.random() < REFUSED
    memory_spread = rng.choice(MEMORY_SPREADS)
    solo = [
        _solo(run, rng, pace.rate, i, memory_spread=memory_spread, invalid=i == FULL.solo_rounds)
        for i in range(FULL.solo_rounds + refused)
    ]
    latency = [_latency(run, rng, pace.rate, kind, i) for kind in RateKind for i in range(FULL.latency_rounds)]
    duets = [_duet(run, rng, pace, i) for i in range(FULL.duet_rounds)]
    partner = "msgspec" if variant == "pydantic" else variant
    return CellResult(
        run=run.id,
        suite=suite,
        scenario=scenario,
        variant=variant,
        solo=solo_columns(solo),
        duets=duet_columns(duets, FALCON, partner, pace.baseline_rate) if has_duets else None,
        latency=latency_columns(latency),
        refused=refusals(solo),
    )


def _batch(run: Run, key: Key, pace: Pace, rng: Random) -> CellResult:
    suite, scenario, variant = key
    rate, spread, limit = pace.rate, SOLO_SPREAD, Limit.APP
    if "200ms" in scenario:
        rate, spread, limit = 49.4, WAITING_SPREAD, Limit.WAITING
    rounds = [
        _solo(run, rng, rate, i, spread=spread, memory_spread=BATCH_MEMORY_SPREAD) for i in range(FULL.batch_rounds)
    ]
    rounds = [
        each.model_copy(
            update={
                "seconds": 200 / each.throughput,
                "limit": limit,
                "overhead_ms": _noisy(rng, 1.5, 0.35) if scenario == "bcrypt" else None,
            }
        )
        for each in rounds
    ]
    return CellResult(run=run.id, suite=suite, scenario=scenario, variant=variant, solo=solo_columns(rounds))


def _solo(
    run: Run,
    rng: Random,
    rate: float,
    index: int,
    *,
    spread: float = SOLO_SPREAD,
    memory_spread: float = MEMORY_SPREADS[1],
    invalid: bool = False,
) -> SoloRound:
    throughput = _noisy(rng, rate, spread)
    return SoloRound(
        index=index,
        at=_moment(run, rng),
        requests=int(throughput),
        connections=512,
        seconds=FULL.solo_seconds + rng.expovariate(1 / OVERRUN),
        throughput=throughput,
        saturated=_latencies(rng, 512e3 / throughput),
        cpu_us=_noisy(rng, 2e6 / rate, SOLO_SPREAD),
        app_cpu=rng.uniform(0.9, 1),
        load_cpu=rng.uniform(0.1, 0.6),
        contention=0.01,
        load_contention=0.01,
        memory_bytes=int(_noisy(rng, 70e6, memory_spread)),
        limit=Limit.APP,
        invalid=["others used the app's CPUs"] if invalid else [],
    )


def _duet(run: Run, rng: Random, pace: Pace, index: int) -> DuetRound:
    baseline = _noisy(rng, 2e6 / pace.baseline_rate, COMMON_SPREAD)
    return DuetRound(
        index=index,
        at=_moment(run, rng),
        seconds=0.5,
        connections=64,
        requests=5000,
        baseline_requests=5000,
        cpu_us=_noisy(rng, pace.relative_cost * baseline, SIDE_SPREAD),
        baseline_cpu_us=_noisy(rng, baseline, SIDE_SPREAD),
        share=rng.uniform(0.45, 0.6),
        contention=0.01,
    )


def _latency(run: Run, rng: Random, rate: float, kind: RateKind, index: int) -> LatencyRound:
    # the harness takes half of the throughput to two significant digits
    sent = 500 if kind is RateKind.COMMON else max(1, int(float(f"{rate / 2:.2g}")))
    return LatencyRound(
        index=index,
        at=_moment(run, rng),
        kind=kind,
        rate=sent,
        achieved=_noisy(rng, 0.99 * sent, 0.005),
        latency=_latencies(rng, 2.5),
    )


def _latencies(rng: Random, middle: float) -> Latencies:
    names = ("mean", "p50", "p75", "p90", "p99", "p999", "max")
    return Latencies(**{name: _noisy(rng, middle * (1 + i / 2), 0.1) for i, name in enumerate(names)})


def _noisy(rng: Random, middle: float, spread: float) -> float:
    return middle * rng.lognormvariate(0, spread)


def _moment(run: Run, rng: Random) -> datetime:
    return run.started + timedelta(seconds=rng.uniform(30, 800))
