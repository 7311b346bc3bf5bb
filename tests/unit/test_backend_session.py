"""What a suite needs beside the apps: chosen before anything starts, measured first, minded all the time."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from restbench.backends import make_backend
from restbench.catalog import Catalog, Entry
from restbench.commands.selection import Selection
from restbench.errors import BackendError, UsageError
from restbench.measure import Plan
from restbench.measure.events import Remarked
from restbench.results.journal import Journal
from restbench.results.models import Limit
from restbench.system.repository import Repository
from restbench.targets.native import NativeRuntime
from tests.unit.fakes import World
from tests.unit.plans import QUICK, plan_of, run


def solr_plan(catalog: Catalog, world: World, **changes: object) -> Plan:
    return plan_of(catalog, world, patterns="python/fastapi", suites=["hello", "solr"], baselines={}, **changes)


def test_no_backend_is_started_where_no_suite_needs_one(catalog: Catalog, journal: Journal) -> None:
    world = World()
    run(plan_of(catalog, world), journal)
    assert "start backend" not in world.log


def test_it_runs_and_is_measured_before_any_app_and_stops_after_all(catalog: Catalog, journal: Journal) -> None:
    world = World()
    outcome, _ = run(solr_plan(catalog, world), journal)
    begun = [line for line in world.log if not line.startswith("sleep")][:5]
    assert begun[0] == "start backend"
    assert [line.split()[:2] for line in begun[1:3]] == [["wrk", "solr"], ["wrk", "cache"]]
    assert begun[3].startswith("start python/fastapi") or begun[3].startswith("start reference/nginx")
    assert world.log[-1] == "stop backend"
    ceiling = next(iter(outcome.results[0].runs.values())).ceiling
    assert ceiling
    assert (ceiling.cached, ceiling.uncached, ceiling.versions) == (10_000, 10_000, "Solr 9, Varnish 7")


def test_a_cell_as_fast_as_the_backend_alone_is_limited_by_it(catalog: Catalog, journal: Journal) -> None:
    outcome, _ = run(solr_plan(catalog, World()), journal)
    limits = {cell.scenario: set(cell.solo.limit) for cell in outcome.results[0].cells}
    assert limits["json_serialization"] == {Limit.BACKEND}
    assert Limit.BACKEND not in limits["hello_world"]


def test_cells_with_feature_checks_have_no_rounds(catalog: Catalog, journal: Journal) -> None:
    outcome, _ = run(solr_plan(catalog, World()), journal)
    cells = {cell.scenario: cell for cell in outcome.results[0].cells}
    assert cells["validation"].solo.count == 0
    assert cells["validation"].features["repeated"] is True


def test_without_it_its_suite_is_not_run_and_the_others_are(catalog: Catalog, journal: Journal) -> None:
    world = World(backend_missing="java is missing: install it with: apt-get install default-jre-headless")
    outcome, events = run(solr_plan(catalog, world), journal)
    cells = {cell.scenario: cell for cell in outcome.results[0].cells}
    assert cells["json_serialization"].not_run == world.backend_missing
    assert cells["openapi"].not_run == world.backend_missing
    assert cells["hello_world"].solo.count == QUICK.solo_rounds
    assert [e.text for e in events if isinstance(e, Remarked)] == [
        f"{world.backend_missing}; cells that need the backend are not run"
    ]


def test_a_round_in_which_it_was_lost_does_not_count_and_the_rest_goes_on(catalog: Catalog, journal: Journal) -> None:
    world = World()
    plan = solr_plan(catalog, world)
    world.on_load = partial(_loses_backend_in_a_round, world)
    outcome, events = run(plan, journal)
    cell = next(c for c in outcome.results[0].cells if c.scenario == "anonymization")
    assert cell.refused == {"Solr was ended by signal 9": 1}
    assert cell.solo.count == QUICK.solo_rounds
    assert world.log.count("revive backend") == 1
    assert "in the middle of the run" in str(events)
    assert not outcome.failures


def test_what_was_measured_before_it_was_lost_for_good_stays(catalog: Catalog, journal: Journal) -> None:
    world = World(backend_stays_dead=True)
    plan = solr_plan(catalog, world)
    world.on_load = partial(_loses_backend_in_a_round, world)
    outcome, _ = run(plan, journal)
    cells = {cell.scenario: cell for cell in outcome.results[0].cells}
    assert 0 < cells["anonymization"].solo.count < QUICK.solo_rounds
    assert cells["anonymization"].not_run is None
    assert cells["hello_world"].solo.count == QUICK.solo_rounds
    assert not outcome.failures


def test_an_app_that_keeps_answers_under_load_is_wrong(catalog: Catalog, journal: Journal) -> None:
    outcome, _ = run(solr_plan(catalog, World(backend_answers=9_999)), journal)
    failures = {cell.scenario: cell.failure for _, cell in outcome.failures}
    assert failures["json_serialization"]
    assert failures["json_serialization"].expected == "10000 requests at the cache"
    assert failures["json_serialization"].got.startswith("9999 requests at the cache")
    assert "hello_world" not in failures


def _loses_backend_in_a_round(world: World, path: str) -> None:
    """In the third closed loop of anonymization, which comes after the warm-up and one round."""
    seen = world.lines("wrk python/fastapi GET /anonymization/pydantic")
    if path == "/anonymization/pydantic" and len(seen) == 3 and world.log[-1].startswith("wrk"):
        world.backend_dies_at = path


def selection(catalog: Catalog, suites: list[str], entry: Entry) -> Selection:
    repository = Repository(Path("/nowhere"))
    return Selection(repository, catalog, [entry], suites, NativeRuntime(repository), [])


def with_backend(entry: Entry, **backends: str) -> Entry:
    """The entry, of which suites have other backends."""
    changed = {
        name: replace(entry.suites[name], manifest=entry.suites[name].manifest.model_copy(update={"backend": backend}))
        for name, backend in backends.items()
    }
    return replace(entry, suites={**entry.suites, **changed})


def test_a_selection_has_the_backend_of_its_suites(catalog: Catalog) -> None:
    falcon = catalog.entries["python/falcon"]
    assert selection(catalog, ["hello", "solr"], falcon).backend == "solr"
    assert selection(catalog, ["hello"], falcon).backend is None


def test_one_backend_runs_at_a_time(catalog: Catalog) -> None:
    falcon = with_backend(catalog.entries["python/falcon"], hello="postgres")
    with pytest.raises(UsageError, match="the suites asked for need postgres and solr: name suites that need one"):
        _ = selection(catalog, ["hello", "solr"], falcon).backend


def test_an_unknown_backend_is_named_with_what_is_near(catalog: Catalog) -> None:
    with pytest.raises(BackendError, match=r"no backend is called solrr; did you mean solr\?"):
        make_backend("solrr", "native", Repository(Path("/nowhere")), cpus=None)
