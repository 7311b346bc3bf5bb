"""Checked rounds: when they come, and how hard an app is loaded in them."""

from dataclasses import replace

from restbench.catalog import Catalog
from restbench.catalog.profiles import CHECKED_ROUNDS
from restbench.loadgen import Load
from restbench.results.journal import Journal
from tests.unit.fakes import FakeRuntime, World, fake_tools
from tests.unit.plans import QUICK, plan_of, run

SOLO = QUICK.solo_rounds


def test_answers_are_read_at_a_random_place_of_the_series_and_last(catalog: Catalog, journal: Journal) -> None:
    places = set()
    for seed in range(60):
        world = World()
        run(replace(plan_of(catalog, world, patterns="python/falcon"), seed=seed), journal)
        loads = [line.split()[0] for line in world.log if line.startswith(("wrk", "read")) and "python/falcon" in line]
        assert loads[-1] == "read"
        assert loads.count("read") == CHECKED_ROUNDS
        places.add(loads.index("read"))
    assert places == set(range(1, 1 + SOLO)), "after the warm-up, before any round"


def test_a_round_that_is_read_has_the_connections_of_a_measured_one(catalog: Catalog, journal: Journal) -> None:
    world = World()
    run(plan_of(catalog, world, patterns="python/starlette", suites=["issue-tracker"], reference=None), journal)
    read = {tuple(line.split()[1:]) for line in world.log if line.startswith("read")}
    measured = {line for line in world.log if line.startswith("wrk python/starlette")}
    assert ("python/starlette/issue-tracker/sprint/raw", "128", "28") in read, measured


def test_a_round_that_is_read_has_the_requests_of_a_measured_one_or_1500_in_all(catalog: Catalog) -> None:
    tools = fake_tools(World(), FakeRuntime(World()), QUICK)
    scenario = catalog.suites["issue-tracker"].scenario("sprint")
    assert tools.reading(scenario, Load(0.3, 64, 1, None), 64_000) == (Load(2.5, 64, 1, None), 300)
    assert tools.reading(scenario, Load(0.3, 64, 1, None), 100) == (Load(2.5, 64, 1, None), 12)
    hashes = catalog.suites["workload"].scenario("bcrypt")
    assert tools.reading(hashes, Load(0.3, 8, 1, None), 100) == (Load(2.5, 8, 1, None), 1)
