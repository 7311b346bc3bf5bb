"""Made results of a run at profile `full`, for an entry of any catalogue. Rounds differ as published ones do."""

from collections.abc import Mapping
from math import log
from random import Random
from statistics import median
from typing import NamedTuple

import numpy
from numpy.random import default_rng

from restbench.catalog import Catalog, Cell, Entry, Scenario
from restbench.catalog.entry import partner_of
from restbench.catalog.profiles import find_profile
from restbench.measure.duration import latency_seconds
from restbench.results.models import (
    BaselineRounds,
    CellResult,
    EntryResult,
    LatencyHistogram,
    Limit,
    RateKind,
    Run,
    SoloRounds,
)
from restbench.results.rounds import column, round_to
from restbench.stats.histograms import PER_DECADE
from tests.made.records import contract_of

FULL = find_profile("full")
CPUS = 2
"""The number of CPUs of an app."""

SCENARIOS = {
    "userinfo": 1.9,
    "sprint": 11.0,
    "create-task": 2.6,
    "update-task": 1.6,
    "json_serialization": 90.0,
    "anonymization": 95.0,
    "simple": 1.3,
    "timed": 1.8,
    "bcrypt": 2000.0,
}
VARIANTS = {"msgspec": 0.95, "typed": 0.95, "pydantic": 1.2, "dataclasses": 1.5}
"""The cost of a scenario, where that of Hello World is 1, and of a variant, where that of `raw` is 1."""

BETWEEN_MACHINES, BETWEEN_CELLS, BETWEEN_COSTS = 0.08, 0.02, 0.008
"""How much two runs differ: in the costs of all cells, beyond that in the cost of each, and in relative costs."""

SOLO, WAITING, OVERHEAD = 0.045, 0.0015, 0.35
"""How much rounds differ."""

LATENCY = 0.7
"""The standard deviation of the logarithm of a latency, beyond what is waited for."""

MEMORY = 0.028
"""How much the memory of a cell differs from run to run."""

REFUSED = 0.13
"""The share of cells with a round that does not count."""


class _Pace(NamedTuple):
    """CPU µs per request of a cell and of its partner, and its requests per second with their limit, in one run."""

    cost: float
    partner_cost: float
    rate: float
    limit: Limit


def made_result(
    catalog: Catalog, entry: Entry, run: Run, costs: Mapping[str, float], rng: Random, baseline_hash: str = ""
) -> EntryResult:
    """What a run finds of an entry. `costs`: CPU µs of a request of Hello World, of the entry and of its baseline.

    `baseline_hash`: that of the baseline's files.
    """
    machine, baseline = _noisy(rng, 1, BETWEEN_MACHINES), catalog.baseline_of(entry)
    cells = []
    for cell in entry.cells(list(catalog.suites)):
        scenario = entry.scenario(cell)
        partner = partner_of(entry, cell, baseline) if baseline else None
        if scenario.loaded:
            limit = Limit.APP if entry.language.manifest.ranked else Limit.LOAD_GENERATOR
            pace = _pace(scenario, _cost(cell, costs), _cost(partner or cell, costs), limit, machine, rng)
            made = _cell(cell, scenario, run, pace, rng)
            rounds = _baseline(partner, partner == cell, baseline_hash, made, pace, rng) if partner else None
            cells.append(made.model_copy(update={"baseline": rounds}))
    return EntryResult(entry=entry.id, runs={run.id: run}, cells=cells)


def _cost(cell: Cell, costs: Mapping[str, float]) -> float:
    return costs[cell.entry] * SCENARIOS.get(cell.scenario, 1.0) * VARIANTS.get(cell.variant or "", 1.0)


def _connections(scenario: Scenario) -> int:
    return scenario.batch.clients if scenario.batch else scenario.connections or FULL.connections


def _pace(scenario: Scenario, cost: float, partner: float, limit: Limit, machine: float, rng: Random) -> _Pace:
    here = _noisy(rng, machine, BETWEEN_CELLS)
    rate = CPUS * 1e6 / (cost * here)
    waits_ms = scenario.waits_ms + 2 * scenario.link_delay_ms
    if waits_ms and rate > (most := 1e3 * _connections(scenario) / waits_ms):
        rate, limit = 0.99 * most, Limit.WAITING
    return _Pace(cost * here, _noisy(rng, partner * here, BETWEEN_COSTS), rate, limit)


def _cell(cell: Cell, scenario: Scenario, run: Run, pace: _Pace, rng: Random) -> CellResult:
    return CellResult(
        run=run.id,
        suite=cell.suite,
        scenario=cell.scenario,
        variant=cell.variant,
        contract=contract_of(cell.suite),
        solo=_solo(scenario, pace, rng),
        latency=_latencies(scenario, pace.rate, rng),
        refused={"others used the app's CPUs": 1} if rng.random() < REFUSED else {},
    )


def _solo(scenario: Scenario, pace: _Pace, rng: Random) -> SoloRounds:
    count, batch = FULL.rounds_of(scenario), scenario.batch
    rates = _column(rng, pace.rate, WAITING if pace.limit is Limit.WAITING else SOLO, count)
    return SoloRounds(
        seconds=column(batch.requests / rate for rate in rates) if batch else None,
        throughput=rates,
        cpu_us=_column(rng, pace.cost, SOLO, count),
        memory_bytes=round(round_to(_noisy(rng, 70e6, MEMORY))),
        overhead_ms=_column(rng, 1.5, OVERHEAD, count) if scenario.computes else None,
        limit=[pace.limit] * count,
        connections=_connections(scenario),
    )


def _baseline(partner: Cell, own: bool, files_hash: str, made: CellResult, pace: _Pace, rng: Random) -> BaselineRounds:
    """The rounds of the baseline in the same job. `own`: the cell is the baseline's, so they are its own rounds."""
    costs = made.solo.cpu_us if own else _column(rng, pace.partner_cost, SOLO, made.solo.count)
    return BaselineRounds(
        entry=partner.entry,
        variant=partner.variant,
        files_hash=files_hash,
        cpu_us=costs,
        throughput=round_to(CPUS * 1e6 / median(costs)),
    )


def _latencies(scenario: Scenario, throughput: float, rng: Random) -> list[LatencyHistogram]:
    """Latencies at half of the throughput, and at the common rate if the app sustains it. A batch has none."""
    rates = {RateKind.COMMON: scenario.rate or 0, RateKind.HALF: max(1, int(round_to(throughput / 2, 2)))}
    found = []
    for kind, rate in rates.items():
        if 0 < rate < 0.8 * throughput and not scenario.batch:
            requests = int(rate * latency_seconds(FULL, kind, rate)) * FULL.latency_rounds
            delays = scenario.waits_ms + default_rng(rng.getrandbits(64)).lognormal(log(0.5), LATENCY, requests)
            places = numpy.floor(PER_DECADE * numpy.log10(delays)).astype(int)
            first = int(places.min())
            counts = numpy.bincount(places - first).tolist()
            found.append(LatencyHistogram(kind=kind, rate=rate, first=first, counts=counts))
    return found


def _column(rng: Random, middle: float, spread: float, count: int) -> list[float]:
    return column(_noisy(rng, middle, spread) for _ in range(count))


def _noisy(rng: Random, middle: float, spread: float) -> float:
    return middle * (1 + rng.gauss(0, spread))
