"""Boards of jobs on hosted runners: what machines differ by makes no claims."""

from collections.abc import Callable, Mapping
from math import exp
from random import Random

import pytest

from restbench.board import build_board
from restbench.catalog import Catalog, Entry, load_catalog
from restbench.results.models import CellResult, EntryResult, Run
from restbench.stats.estimates import certainly_faster
from restbench.system.repository import find_repository
from tests.made.records import MACHINE, a_cell, a_run, an_entry, baseline, solo

ROUNDS, ROUND, PROCESS, COMPILED = 20, 0.05, 0.015, 0.04
BETWEEN_MODELS, ROW, LANGUAGE = 0.2, 0.06, 0.05
"""Standard deviations of logarithms: of CPU models, and of what a row and a language have of their own on a model."""

Costs = Mapping[str, float]
"""Entry → CPU µs of a request, if all machines were equal."""


class Runners:
    """Jobs on runners of two CPU models."""

    def __init__(self, catalog: Catalog, costs: Costs, random: Random) -> None:
        self.catalog, self.costs, self.random = catalog, costs, random
        self.models = [self._model() for _ in range(2)]

    def _model(self) -> dict[str, float]:
        """How much slower each entry is on a CPU model."""
        model = self.random.gauss(0, BETWEEN_MODELS)
        languages = {name.partition("/")[0]: self.random.gauss(0, LANGUAGE) for name in self.costs}
        return {name: exp(model + languages[name.partition("/")[0]] + self.random.gauss(0, ROW)) for name in self.costs}

    def job(self, names: list[str], profile: str = "full") -> list[EntryResult]:
        """What a job brings: each of the entries, beside the baseline of its language."""
        machine = MACHINE.model_copy(update={"machine_class": "github-hosted-x86_64-4cpu"})
        run = a_run(f"{self.random.getrandbits(64):x}", target="docker", profile=profile, machine=machine)
        model, known = self.random.choice(self.models), dict[str, list[float]]()

        def rounds(entry: Entry) -> list[float]:
            if entry.id not in known:
                process = self.random.gauss(0, COMPILED if entry.language.manifest.compiles_at_run_time else PROCESS)
                cost = self.costs[entry.id] * model[entry.id] * exp(process)
                known[entry.id] = [cost * exp(self.random.gauss(0, ROUND)) for _ in range(ROUNDS)]
            return known[entry.id]

        return [an_entry(name, run, [self._cell(run, rounds, self.catalog.entries[name])]) for name in names]

    def _cell(self, run: Run, rounds: Callable[[Entry], list[float]], entry: Entry) -> CellResult:
        base = self.catalog.baseline_of(entry)
        assert base
        costs = rounds(entry)
        return a_cell(run, solo=solo([1e6 / cost for cost in costs]), baseline=baseline(rounds(base), base.id))


def claims(catalog: Catalog, costs: Costs, random: Random) -> list[tuple[str, str]]:
    """The pairs of entries in the table of a board, of which the first is claimed to be the faster one."""
    runners = Runners(catalog, costs, random)
    results = [result for name in costs for result in runners.job([name])]
    links = runners.job([entry.id for entry in catalog.baselines], "links")
    (section,) = build_board(catalog, results, links).sections
    rows = section.suites[0].tables[0].compared
    estimates = [row.estimate for row in rows if row.estimate]
    assert len(estimates) == len(rows) == len(costs)
    return [(rows[fast].entry.id, rows[slow].entry.id) for fast, slow in certainly_faster(estimates)]


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog(find_repository())


@pytest.fixture(scope="module")
def names(catalog: Catalog) -> list[str]:
    return [entry.id for entry in catalog.ranked if entry.variants("hello") and catalog.baseline_of(entry)]


def test_no_claim_is_in_the_wrong_direction(catalog: Catalog, names: list[str]) -> None:
    """The real spread of frameworks: the slowest costs fifty times as much as the fastest."""
    random, wrong, count = Random(1), 0, 0
    for _ in range(12):
        costs = {name: 10 * exp(4 * random.random()) for name in names}
        found = claims(catalog, costs, random)
        wrong += sum(costs[fast] > costs[slow] for fast, slow in found)
        count += len(found)
    pairs = 12 * len(names) * (len(names) - 1) / 2
    print(f"\n{len(names)} jobs, 12 boards: {count / pairs:.0%} of pairs claimed, {wrong} in the wrong direction")
    assert wrong == 0
    assert count > 0.5 * pairs


def test_equal_rows_are_claimed_in_few_tables(catalog: Catalog, names: list[str]) -> None:
    """At most 5 % of tables are to have a claim. Forty tables would say little about so small a share."""
    random, tables = Random(2), 200
    claiming = sum(bool(claims(catalog, dict.fromkeys(names, 100.0), random)) for _ in range(tables))
    print(f"\n{len(names)} equal rows: {claiming} of {tables} tables with a claim")
    assert claiming <= 0.05 * tables
