"""How many connections each load has."""

from collections import Counter
from math import inf

import pytest

from restbench.catalog import Catalog
from restbench.catalog.profiles import find_profile, load_profiles
from restbench.measure.warm_up import PROBES
from restbench.results.journal import Journal
from tests.unit.fakes import FakeRuntime, World, fake_tools
from tests.unit.plans import QUICK, plan_of, run


@pytest.mark.parametrize(("rate", "connections"), [(800, 64), (8_000, 320), (100_000, 512)])
def test_a_fixed_rate_has_the_connections_that_waiting_keeps_busy(
    catalog: Catalog, rate: int, connections: int
) -> None:
    world = World()
    tools = fake_tools(world, FakeRuntime(world), QUICK)
    timed = catalog.suites["workload"].scenario("timed")
    assert tools.at_rate(timed, rate).connections == connections
    assert tools.closed_loop(timed, 1).connections == 512


@pytest.mark.parametrize(
    ("rate", "seconds"), [(8_000, 0.25), (2_000, 0.55), (1_100, 1.0), (500, 0.5), (150, 0.733), (110, 1.0), (22, 1.0)]
)
def test_a_latency_round_has_enough_requests_for_p99_or_else_for_p90(
    catalog: Catalog, rate: int, seconds: float
) -> None:
    tools = fake_tools(World(), FakeRuntime(World()), find_profile("quick"))
    load = tools.at_rate(catalog.suites["hello"].scenario("hello_world"), rate)
    assert load.seconds == pytest.approx(seconds, abs=0.001)


@pytest.mark.parametrize(
    ("capacity", "connections"),
    [(inf, 512), (67_000, 512), (4_096, 512), (4_000, 128), (1_030, 128), (1_000, 32), (250, 8), (10, 8)],
)
def test_a_slow_app_gets_fewer_connections_in_coarse_steps(catalog: Catalog, capacity: float, connections: int) -> None:
    timed = catalog.suites["workload"].scenario("timed")
    for profile in load_profiles().values():
        tools = fake_tools(World(), FakeRuntime(World()), profile)
        assert tools.closed_loop(timed, 1, capacity).connections == connections


@pytest.mark.parametrize(
    ("app", "baseline", "connections", "seconds"),
    [
        (30_000, 30_000, 64, 0.5),
        (30_000, 400, 16, 0.5),
        (100, 30_000, 8, 2.0),  # longer, as one version is slow
        (3, 3, 8, 2.0),  # four times as long at most
    ],
)
def test_both_sides_of_a_duet_have_the_scenarios_connections_or_those_of_the_slower_one(
    catalog: Catalog, app: float, baseline: float, connections: int, seconds: float
) -> None:
    tools = fake_tools(World(), FakeRuntime(World()), find_profile("quick"))
    load = tools.duet(catalog.suites["hello"].scenario("hello_world"), app, baseline)
    assert (load.connections, load.seconds) == (connections, seconds)


def test_a_cell_that_may_be_slow_is_loaded_again_until_its_connections_are_certain(
    catalog: Catalog, journal: Journal
) -> None:
    """The warm-up has another length in each profile, so it decides only where there is no doubt."""
    slow, fast = World(answers={"python/starlette": 400, "python/falcon": 200}), World()
    for world in (slow, fast):
        run(plan_of(catalog, world, reference=None), journal)
    loads, of_fast = (Counter(line.split()[0] for line in world.said("wrk ")) for world in (slow, fast))
    assert loads["python/starlette"] == 1 + PROBES + QUICK.solo_rounds  # 640 per second would be enough for 64
    assert loads["python/falcon"] == 1 + 1 + QUICK.solo_rounds  # no noise hides that it gets 16
    assert of_fast["python/falcon"] == 1 + QUICK.solo_rounds


def test_few_connections_stay_few(catalog: Catalog) -> None:
    """Solr's scenarios ask for eight: more would only queue, however fast the app."""
    tools = fake_tools(World(), FakeRuntime(World()), QUICK)
    anonymization = catalog.suites["solr"].scenario("anonymization")
    assert {tools.connections(anonymization, capacity) for capacity in (inf, 10, 10_000)} == {8}


def test_a_round_tells_its_connections(catalog: Catalog, journal: Journal) -> None:
    outcome, _ = run(plan_of(catalog, World(), patterns="python/falcon"), journal)
    assert {cell.solo.connections for result in outcome.results for cell in result.cells} == {64}
