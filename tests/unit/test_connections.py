"""How many connections each load has."""

import pytest

from restbench.catalog import Catalog
from restbench.results.journal import Journal
from tests.unit.fakes import FakeRuntime, World, fake_tools
from tests.unit.plans import QUICK, plan_of, run

HALF_SECONDS = QUICK.model_copy(update={"solo_seconds": 0.5, "duet_seconds": 0.5})


@pytest.mark.parametrize(("rate", "connections"), [(800, 64), (8_000, 320), (100_000, 512)])
def test_a_fixed_rate_has_the_connections_that_waiting_keeps_busy(
    catalog: Catalog, rate: int, connections: int
) -> None:
    world = World()
    tools = fake_tools(world, FakeRuntime(world), QUICK)
    timed = catalog.suites["workload"].scenario("timed")
    assert tools.at_rate(timed, rate).connections == connections
    assert tools.closed_loop(timed, 1).connections == 512


@pytest.mark.parametrize(("capacity", "connections"), [(None, 512), (67_000, 512), (2_000, 248), (250, 64), (10, 64)])
def test_a_slow_app_gets_no_more_connections_than_it_can_answer(
    catalog: Catalog, capacity: float | None, connections: int
) -> None:
    tools = fake_tools(World(), FakeRuntime(World()), HALF_SECONDS)
    timed = catalog.suites["workload"].scenario("timed")
    assert tools.closed_loop(timed, 1, capacity).connections == connections


@pytest.mark.parametrize(
    ("app", "baseline", "connections", "seconds"),
    [
        (30_000, 30_000, (32, 32), 0.5),
        (30_000, 2_000, (32, 32), 0.5),
        (250, 30_000, (8, 32), 0.8),  # longer, as the app is slow
        (3, 30_000, (8, 32), 2.0),  # four times as long at most
    ],
)
def test_both_sides_of_a_duet_have_as_many_connections_unless_one_is_slow(
    catalog: Catalog, app: float, baseline: float, connections: tuple[int, int], seconds: float
) -> None:
    tools = fake_tools(World(), FakeRuntime(World()), HALF_SECONDS)
    loads = tools.duet(catalog.suites["hello"].scenario("hello_world"), app, baseline)
    assert tuple(load.connections for load in loads) == connections
    assert {load.seconds for load in loads} == {seconds}


def test_few_connections_stay_few(catalog: Catalog) -> None:
    """Solr's scenarios ask for eight: more would only queue, however fast the app."""
    tools = fake_tools(World(), FakeRuntime(World()), QUICK)
    anonymization = catalog.suites["solr"].scenario("anonymization")
    assert {tools.connections(anonymization, capacity) for capacity in (None, 10, 10_000)} == {8}


def test_a_round_tells_its_connections(catalog: Catalog, journal: Journal) -> None:
    outcome, _ = run(plan_of(catalog, World(), patterns="python/falcon"), journal)
    assert {cell.solo.connections for result in outcome.results for cell in result.cells} == {64}
