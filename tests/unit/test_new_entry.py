"""An entry that is new: told by its language's baseline and by the rest of the board."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from restbench.catalog import Catalog, CellKey
from restbench.catalog.profiles import find_profile
from restbench.changes.comparison import EntryComparison, NewCell, Verdict
from restbench.changes.new_entry import Usual, measure_new, usual_of
from restbench.results.models import EntryResult
from tests.made.records import FALCON, MACHINE, a_cell, a_failed_cell, a_run, an_entry, around, baseline, solo
from tests.unit.fakes import World
from tests.unit.plans import plan_of

NEW = "python/starlette"
HELLO = CellKey("hello", "hello_world", None)
NOTHING = Usual({}, {})


def on_the_board(name: str, cost: float | None, throughput: float = 10_000) -> EntryResult:
    """An entry of the board, with relative cost or without."""
    cell = a_cell(
        solo=solo(around(throughput), cpu_us=[100.0] * 7), baseline=baseline([100 / cost] * 7) if cost else None
    )
    return an_entry(name, cells=[cell])


def usual(results: Sequence[EntryResult], target: str = "native", machine: str = MACHINE.machine_class) -> Usual:
    return usual_of(results, target, machine, FALCON)


def test_the_median_of_two_is_between_them() -> None:
    known = usual([on_the_board("python/a", 1.2, 8_000), on_the_board("python/b", 2.0, 4_000)])
    assert known.costs == {HELLO: pytest.approx(1.6)}
    assert known.throughputs == {HELLO: pytest.approx(6_000)}


def test_the_baseline_itself_costs_one() -> None:
    known = usual([on_the_board("python/a", 1.4), on_the_board("python/b", 2.0), on_the_board(FALCON, None)])
    assert known.costs == {HELLO: pytest.approx(1.4)}


def test_what_was_measured_otherwise_is_not_usual() -> None:
    results = [on_the_board("python/a", 1.2)]
    assert usual(results, target="docker") == NOTHING
    elsewhere = usual(results, machine="github-ubuntu-24.04-x86_64-4cpu")
    assert elsewhere.costs[HELLO] == pytest.approx(1.2)
    assert not elsewhere.throughputs
    other = an_entry("python/b", cells=[a_cell(baseline=baseline([80.0] * 7, "python/flask"))])
    assert usual([other]).costs == {}
    assert usual([an_entry("python/c", cells=[a_failed_cell(a_run())])]) == NOTHING


def measured(
    catalog: Catalog, world: World, *, known: Usual = NOTHING, baseline: str | None = FALCON
) -> EntryComparison:
    baselines = {"python": catalog.entries[baseline]} if baseline else {}
    plan = plan_of(catalog, world, patterns=NEW, baselines=baselines)
    plan = replace(plan, tools=replace(plan.tools, profile=find_profile("pr")))
    return measure_new(catalog.entries[NEW], plan, known, lambda _event: None)


def only_cell(comparison: EntryComparison) -> NewCell:
    (cell,) = comparison.new_cells
    return cell


def test_it_is_measured_beside_the_baseline_of_its_language(catalog: Catalog) -> None:
    world = World(cost_us={NEW: 150, FALCON: 100})
    comparison = measured(catalog, world, known=Usual({HELLO: 1.3}, {HELLO: 9_000}))
    cell = only_cell(comparison)
    assert (comparison.status, comparison.baseline) == ("new", "Falcon")
    assert cell.cost
    assert cell.cost.ratio == pytest.approx(1.5, rel=1e-3)
    assert (cell.cost.starts, cell.cost.rounds) == (1, 10)
    assert (cell.verdict, cell.usual_cost, cell.throughput, cell.usual_throughput) == (Verdict.NEW, 1.3, 10_000, 9_000)
    assert world.log.count(f"start {NEW}") == 1


def test_without_a_baseline_it_is_told_by_its_throughput(catalog: Catalog) -> None:
    world = World()
    cell = only_cell(measured(catalog, world, known=Usual({}, {HELLO: 9_000}), baseline=None))
    assert (cell.cost, cell.no_cost) == (None, "its language has no baseline that can be measured here")
    assert (cell.throughput, cell.usual_throughput) == (10_000, 9_000)
    assert world.log.count(f"start {NEW}") == 1


def test_one_that_is_to_be_the_baseline_says_so(catalog: Catalog) -> None:
    plan = plan_of(catalog, World(), patterns=FALCON)
    comparison = measure_new(catalog.entries[FALCON], plan, NOTHING, lambda _event: None)
    assert only_cell(comparison).no_cost == "it is the baseline of its language"


def test_a_baseline_that_is_out_leaves_the_throughput(catalog: Catalog) -> None:
    world = World(build_fails={FALCON})
    cell = only_cell(measured(catalog, world))
    assert (cell.verdict, cell.throughput, cell.cost) == (Verdict.NEW, 10_000, None)
    assert cell.no_cost
    assert "the build failed" in cell.no_cost


def test_one_that_fails_says_why(catalog: Catalog) -> None:
    comparison = measured(catalog, World(wrong_before={NEW: "hello_world"}))
    cell = only_cell(comparison)
    assert (cell.verdict, cell.why, cell.throughput) == (Verdict.FAILED, "answer: rubbish", None)
    assert comparison.failed


def test_one_that_does_not_build_is_not_measured(catalog: Catalog) -> None:
    comparison = measured(catalog, World(build_fails={NEW}))
    assert (comparison.status, comparison.why) == ("failed", f"build: {NEW}: the build failed")
