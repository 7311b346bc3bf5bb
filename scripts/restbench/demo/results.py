"""Made results of a run at profile `full`, for an entry of any catalogue. Rounds differ as published ones do."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from restbench.catalog import Catalog, Cell, Entry, Scenario
from restbench.catalog.baselines import partner_of
from restbench.catalog.profiles import find_profile
from restbench.changes.records import cell_name
from restbench.results.history_lines import CellFigures
from restbench.results.models import (
    CellResult,
    DuetRounds,
    EntryResult,
    LatencyRounds,
    Limit,
    RateKind,
    Run,
    SoloRounds,
)
from restbench.results.rounds import round_to

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

SOLO, COMMON, SIDE, WAITING, LATENCY, OVERHEAD = 0.045, 0.03, 0.025, 0.0015, 0.1, 0.35
"""How much rounds differ. In a duet round both sides have a common factor, and each side has one of its own."""

MEMORY = (0.003, 0.028, 0.069)
"""How much the memory of a cell differs from round to round: the quartiles of the cells."""

OVERRUN = 0.025
"""Seconds that a round takes beyond those of its load, in the mean: until the last answers came."""

REFUSED = 0.13
"""The share of cells with a round that does not count."""


class Shape(NamedTuple):
    """A cell that is measured, and its partner. Costs are shares of what Hello World costs.

    `limit` is what limits the throughput where that is not waiting.
    """

    cell: Cell
    scenario: Scenario
    cost: float
    partner: Cell | None
    partner_cost: float
    limit: Limit

    @property
    def name(self) -> str:
        return cell_name((self.cell.suite, self.cell.scenario, self.cell.variant))


class _Pace(NamedTuple):
    """CPU µs per request of a cell and of its partner, and its requests per second with their limit, in one run."""

    cost: float
    partner_cost: float
    rate: float
    limit: Limit


def shapes_of(catalog: Catalog, entry: Entry) -> list[Shape]:
    baseline = catalog.baseline_of(entry)
    shapes = []
    for cell in entry.cells(list(catalog.suites)):
        scenario = entry.scenario(cell)
        partner = partner_of(entry, cell, baseline) if baseline and baseline.id != entry.id else None
        limit = Limit.APP if entry.language.manifest.ranked else Limit.LOAD_GENERATOR
        if scenario.loaded:
            shapes.append(Shape(cell, scenario, _cost(cell), partner, _cost(partner or cell), limit))
    return shapes


def made_result(shapes: Sequence[Shape], run: Run, costs: Mapping[str, float], rng: Random) -> EntryResult:
    """What a run finds of an entry. `costs`: CPU µs of a request of Hello World, of the entry and of its baseline."""
    machine = _noisy(rng, 1, BETWEEN_MACHINES)
    cells = [_cell(shape, run, _pace(shape, costs, machine, rng), rng) for shape in shapes]
    return EntryResult(entry=shapes[0].cell.entry, runs={run.id: run}, cells=cells)


def made_figures(shapes: Sequence[Shape], costs: Mapping[str, float], rng: Random) -> dict[str, CellFigures]:
    """The figures of such a result without its rounds, which takes a tenth of the time."""
    machine = _noisy(rng, 1, BETWEEN_MACHINES)
    return {shape.name: _figures(shape, _pace(shape, costs, machine, rng)) for shape in shapes}


def _cost(cell: Cell) -> float:
    return SCENARIOS.get(cell.scenario, 1.0) * VARIANTS.get(cell.variant or "", 1.0)


def _connections(scenario: Scenario) -> int:
    return scenario.batch.clients if scenario.batch else scenario.connections or FULL.connections


def _pace(shape: Shape, costs: Mapping[str, float], machine: float, rng: Random) -> _Pace:
    own = costs[shape.cell.entry] * shape.cost
    partner = costs[shape.partner.entry] * shape.partner_cost if shape.partner else own
    here = _noisy(rng, machine, BETWEEN_CELLS)
    rate, limit = CPUS * 1e6 / (own * here), shape.limit
    waits_ms = shape.scenario.waits_ms + 2 * shape.scenario.link_delay_ms
    if waits_ms and rate > (most := 1e3 * _connections(shape.scenario) / waits_ms):
        rate, limit = 0.99 * most, Limit.WAITING
    return _Pace(own * here, _noisy(rng, partner * here, BETWEEN_COSTS), rate, limit)


def _figures(shape: Shape, pace: _Pace) -> CellFigures:
    rate, cost, ratio = pace.rate, pace.cost, pace.cost / pace.partner_cost
    figures = CellFigures(
        FULL.rounds_of(shape.scenario),
        throughput=round_to(rate),
        throughput_low=round_to(0.93 * rate),
        throughput_high=round_to(1.06 * rate),
        cpu_us=round_to(cost),
        cpu_us_low=round_to(0.95 * cost),
        cpu_us_high=round_to(1.08 * cost),
        limit=pace.limit,
    )
    if shape.partner is None:
        return figures
    variant = shape.partner.variant
    return figures._replace(
        duets=FULL.duet_rounds,
        relative_cost=round_to(ratio),
        relative_cost_low=round_to(0.988 * ratio),
        relative_cost_high=round_to(1.012 * ratio),
        baseline_variant=variant if variant != shape.cell.variant else None,
    )


def _cell(shape: Shape, run: Run, pace: _Pace, rng: Random) -> CellResult:
    return CellResult(
        run=run.id,
        suite=shape.cell.suite,
        scenario=shape.cell.scenario,
        variant=shape.cell.variant,
        solo=_solo(shape, pace, rng),
        duets=_duets(shape.partner, pace, rng) if shape.partner else None,
        latency=[_latency(shape.scenario, kind, rate, rng) for kind, rate in _rates(shape.scenario, pace)],
        refused={"others used the app's CPUs": 1} if rng.random() < REFUSED else {},
    )


def _solo(shape: Shape, pace: _Pace, rng: Random) -> SoloRounds:
    count, batch = FULL.rounds_of(shape.scenario), shape.scenario.batch
    rates = [_noisy(rng, pace.rate, WAITING if pace.limit is Limit.WAITING else SOLO) for _ in range(count)]
    over = [FULL.solo_seconds + rng.expovariate(1 / OVERRUN) for _ in range(count)]
    return SoloRounds(
        seconds=[round_to(batch.requests / rate) for rate in rates] if batch else [round_to(each) for each in over],
        throughput=[round_to(rate) for rate in rates],
        cpu_us=_column(rng, pace.cost, SOLO, count),
        memory_bytes=[round(each) for each in _column(rng, 70e6, rng.choice(MEMORY), count)],
        overhead_ms=_column(rng, 1.5, OVERHEAD, count) if shape.scenario.computes else None,
        limit=[pace.limit] * count,
        connections=_connections(shape.scenario),
    )


def _duets(partner: Cell, pace: _Pace, rng: Random) -> DuetRounds:
    common = [_noisy(rng, 1, COMMON) for _ in range(FULL.duet_rounds)]
    app, other = (
        [round_to(each * _noisy(rng, cost, SIDE)) for each in common] for cost in (pace.cost, pace.partner_cost)
    )
    return DuetRounds(
        baseline=partner.entry,
        baseline_variant=partner.variant,
        cpu_us=app,
        baseline_cpu_us=other,
        baseline_throughput=round_to(CPUS * 1e6 / pace.partner_cost),
    )


def _rates(scenario: Scenario, pace: _Pace) -> list[tuple[RateKind, int]]:
    """The rates at which latencies are measured: none of a batch, and the common one only if the app sustains it."""
    if scenario.batch:
        return []
    half = [(RateKind.HALF, max(1, int(round_to(pace.rate / 2, 2))))]
    sustained = scenario.rate is not None and scenario.rate < 0.8 * pace.rate
    return [(RateKind.COMMON, scenario.rate or 1), *half] if sustained else half


def _latency(scenario: Scenario, kind: RateKind, rate: int, rng: Random) -> LatencyRounds:
    count = FULL.latency_rounds
    p50, p99 = (
        [round_to(scenario.waits_ms + _noisy(rng, middle, LATENCY)) for _ in range(count)] for middle in (0.5, 2.5)
    )
    return LatencyRounds(kind=kind, rate=rate, achieved=_column(rng, 0.99 * rate, 0.005, count), p50=p50, p99=p99)


def _column(rng: Random, middle: float, spread: float, count: int) -> list[float]:
    return [round_to(_noisy(rng, middle, spread)) for _ in range(count)]


def _noisy(rng: Random, middle: float, spread: float) -> float:
    return middle * rng.lognormvariate(0, spread)
