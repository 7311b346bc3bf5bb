"""A new entry: its cost beside its language's baseline, and its place in the tables of its language."""

from dataclasses import replace

import pytest

from restbench.catalog import Catalog
from restbench.catalog.profiles import find_profile
from restbench.changes.comparison import CellChange, EntryComparison, Verdict
from restbench.changes.new_entry import NO_BASELINE, Published, measure_new
from restbench.changes.series import Unwritten
from restbench.measure import run_board
from tests.made.records import FALCON
from tests.unit.fakes import World
from tests.unit.plans import plan_of

NEW, FLASK = "python/starlette", "python/flask"


def on_the_board(catalog: Catalog, world: World) -> Published:
    """Falcon and Flask, published with another profile than that of comparisons."""
    baselines = {"python": catalog.entries[FALCON]}
    plan = plan_of(catalog, world, patterns=f"{FALCON} {FLASK}", baselines=baselines)
    return Published(catalog, run_board(plan, Unwritten(), lambda _event: None).results)


def measured(
    catalog: Catalog, world: World, *, published: Published | None = None, baseline: str | None = FALCON
) -> EntryComparison:
    baselines = {"python": catalog.entries[baseline]} if baseline else {}
    plan = plan_of(catalog, world, patterns=NEW, baselines=baselines)
    plan = replace(plan, tools=replace(plan.tools, profile=find_profile("pr")))
    return measure_new(catalog.entries[NEW], plan, published or Published(catalog), lambda _event: None)


def only_cell(comparison: EntryComparison) -> CellChange:
    (cell,) = comparison.cells
    return cell


def test_it_is_measured_beside_the_baseline_and_gets_a_place_in_its_language(catalog: Catalog) -> None:
    world = World(cost_us={NEW: 150, FALCON: 100, FLASK: 300})
    published = on_the_board(catalog, world)
    world.log.clear()
    comparison = measured(catalog, world, published=published)
    cell = only_cell(comparison)
    assert (comparison.status, comparison.baseline, cell.verdict) == ("new", "Falcon", Verdict.NEW)
    assert cell.cost
    assert cell.cost.ratio == pytest.approx(1.5, rel=1e-3)
    assert (cell.cost.starts, cell.cost.rounds) == (1, 10)
    assert [place.groups for place in comparison.places] == [[["Falcon"], ["Starlette"], ["Flask"]]]
    assert [(place.suite, place.name) for place in comparison.places] == [("hello", "Starlette")]
    assert world.log.count(f"start {NEW}") == 1


def test_frameworks_that_were_measured_elsewhere_give_it_no_place(catalog: Catalog) -> None:
    published = on_the_board(catalog, World())
    elsewhere = [
        result.model_copy(update={"runs": {name: run.model_copy(update=change) for name, run in result.runs.items()}})
        for result in published.results
        for change in [{"target": "docker"}]
    ]
    assert measured(catalog, World(), published=replace(published, results=elsewhere)).places == []
    assert measured(catalog, World()).places == []


def test_one_that_cannot_be_compared_says_why(catalog: Catalog) -> None:
    comparison = measured(catalog, World(), published=on_the_board(catalog, World()), baseline=None)
    (place,) = comparison.places
    assert (place.groups, place.why) == ([], "not compared, because Python has no baseline")
    assert (only_cell(comparison).cost, only_cell(comparison).why) == (None, NO_BASELINE)


def test_one_that_is_to_be_the_baseline_says_so(catalog: Catalog) -> None:
    plan = plan_of(catalog, World(), patterns=FALCON)
    comparison = measure_new(catalog.entries[FALCON], plan, Published(catalog), lambda _event: None)
    assert only_cell(comparison).why == "it is the baseline of its language"


def test_a_baseline_that_is_out_is_named(catalog: Catalog) -> None:
    cell = only_cell(measured(catalog, World(build_fails={FALCON})))
    assert (cell.verdict, cell.cost) == (Verdict.NEW, None)
    assert cell.why
    assert "the build failed" in cell.why


def test_one_that_fails_says_why(catalog: Catalog) -> None:
    comparison = measured(catalog, World(wrong_before={NEW: "hello_world"}))
    cell = only_cell(comparison)
    assert (cell.verdict, cell.why) == (Verdict.FAILED, "answer: rubbish")
    assert comparison.failed


def test_one_that_does_not_build_is_not_measured(catalog: Catalog) -> None:
    comparison = measured(catalog, World(build_fails={NEW}))
    assert (comparison.status, comparison.why) == ("failed", f"build: {NEW}: the build failed")
