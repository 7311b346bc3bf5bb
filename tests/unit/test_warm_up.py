"""How long apps are warmed up, the remark on those that are not warm, and how many connections each load has."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from math import inf

import pytest

from restbench.catalog import Catalog
from restbench.catalog.manifests import WarmUp
from restbench.catalog.profiles import find_profile, load_profiles
from restbench.measure.duration import latency_seconds
from restbench.measure.events import Planned, Visited
from restbench.measure.gate import REACHED_SHARE
from restbench.measure.outcome import drift
from restbench.measure.warm_up import PROBES, Warmed, Warmth, longest_seconds
from restbench.results.journal import Journal
from restbench.results.models import MOST_EARLIER, CellResult, RateKind
from restbench.results.rounds import UNSTEADY
from restbench.stats.histograms import FEWEST
from tests.unit.fakes import FakeRuntime, World, fake_tools
from tests.unit.plans import QUICK, plan_of, run, without_repeats

JOOBY = "java/jooby"
HALF = find_profile("links").solo_rounds // 2
"""How many rounds of a cell of the links belong to each of two starts."""


def seconds_until_steady(rule: WarmUp, cost_at: Callable[[float], float], of_load: float = 0.5) -> float:
    """Returns the seconds of load after which the rule takes a cell for steady, 20 at most."""
    warmth = Warmth(rule)
    while not (warmth.seconds >= rule.at_least and warmth.is_steady()) and warmth.seconds < 20:
        warmth.loads.append(Warmed(of_load, cost_at(warmth.seconds), 1000))
    return warmth.seconds


def tiers(second: float) -> float:
    """A runtime that runs code slowly, counts calls, which is dearer, and then compiles it."""
    return 150 if second < 3.5 else 260 if second < 15 else 75


def test_a_cost_that_falls_is_waited_for() -> None:
    assert 6 <= seconds_until_steady(WarmUp(window=2), lambda second: max(100, 400 - 50 * second)) <= 8.5


def test_a_cost_that_is_steady_from_the_start_takes_one_window() -> None:
    assert seconds_until_steady(WarmUp(window=2), lambda _second: 100) == 2


def test_a_runtime_that_gets_dearer_before_it_gets_cheaper_is_not_measured_in_between() -> None:
    assert tiers(seconds_until_steady(WarmUp(window=4, at_least=16), tiers)) == 75


def test_slow_loads_of_a_noisy_machine_do_not_make_a_steady_cost_unsteady() -> None:
    rng = random.Random(7)
    waited = [
        seconds_until_steady(WarmUp(window=4), lambda _second: 100 * rng.choice([1, 1, 1.4, 1.6])) for _ in range(200)
    ]
    assert sum(seconds <= 6 for seconds in waited) > 180


@pytest.mark.parametrize("spread", [0.02, 0.1, 0.2])
def test_noise_of_every_load_does_not_make_a_steady_cost_unsteady(spread: float) -> None:
    rng = random.Random(2)
    waited = [seconds_until_steady(WarmUp(window=4), lambda _second: rng.lognormvariate(4, spread)) for _ in range(500)]
    assert sum(seconds > 8 for seconds in waited) <= 5


@pytest.mark.parametrize(("spread", "fall"), [(0.02, 0.15), (0.1, 0.35), (0.2, 0.6)])
def test_a_cost_that_falls_beyond_the_noise_of_loads_is_not_steady(spread: float, fall: float) -> None:
    rng, noticed = random.Random(2), 0
    for _ in range(200):
        warmth = Warmth(WarmUp(window=4))
        for load in range(8):
            warmth.loads.append(Warmed(0.5, (1 - fall) ** (load / 4) * rng.lognormvariate(4, spread), 100))
        noticed += not warmth.is_steady()
    assert noticed > 180


@pytest.mark.parametrize("cost_at", [lambda s: 100 * 0.9**s, lambda s: 100 if int(s / 2) % 2 else 250])
def test_a_cost_that_never_settles_ends_at_the_bound(cost_at: Callable[[float], float]) -> None:
    assert seconds_until_steady(WarmUp(window=8), cost_at) == 20


def with_rule(catalog: Catalog, rule: WarmUp) -> Catalog:
    """The catalogue in which Java's runtime takes as long as the rule says."""
    entry = catalog.entries[JOOBY]
    language = replace(entry.language, manifest=entry.language.manifest.model_copy(update={"warm_up": rule}))
    return replace(catalog, entries={**catalog.entries, JOOBY: replace(entry, language=language)})


def jooby_with(catalog: Catalog, journal: Journal, world: World, rule: WarmUp, most: float = 20) -> list[CellResult]:
    catalog = with_rule(catalog, rule)
    plan = plan_of(catalog, world, patterns=JOOBY, reference=None)
    profile = QUICK.model_copy(update={"longest_warm_up_seconds": most})
    outcome, _ = run(replace(plan, tools=replace(plan.tools, profile=profile)), journal)
    return outcome.results[0].cells


def test_a_cell_gets_loads_until_its_cost_is_steady(catalog: Catalog, journal: Journal) -> None:
    costs = iter([900, 500, 300, 290, 200, 199, 201])

    def get_faster(_path: str) -> None:
        world.cost_us[JOOBY] = next(costs, 200)

    world = World(on_load=get_faster, oha_missing=True)
    (cell,) = jooby_with(catalog, journal, world, WarmUp(window=2))
    assert len(world.lines(f"wrk {JOOBY}")) == 4 + cell.solo.count, "the loads of a fake take a second each"
    assert cell.remarks == []


def test_one_that_is_not_steady_at_the_bound_is_measured_and_says_so(catalog: Catalog, journal: Journal) -> None:
    def alternate(_path: str) -> None:
        world.cost_us[JOOBY] = 300 - world.cost_us.get(JOOBY, 100)

    world = World(on_load=alternate, oha_missing=True)
    (cell,) = jooby_with(catalog, journal, world, WarmUp(window=2), most=6)
    assert cell.solo.count == QUICK.solo_rounds
    assert cell.unsteady == "its CPU time per request was not steady after 6 s of warm-up"
    assert cell.remarks == []


@pytest.mark.parametrize(("cells", "seconds"), [(1, 39), (5, 15), (20, 10.5)])
def test_the_bound_follows_what_the_runtime_needs_and_the_number_of_cells(cells: int, seconds: float) -> None:
    """All cells together get the seconds of the runtime once, and each gets three windows."""
    assert longest_seconds(WarmUp(at_least=30, window=3), cells) == seconds


def restless(world: World, start_is_steady: Callable[[int], bool]) -> Callable[[str], None]:
    """What a load does to Jooby's cost: it alternates in the starts that are not steady."""

    def alternate(_path: str) -> None:
        costs = [100, 100] if start_is_steady(len(world.lines(f"start {JOOBY}"))) else [300, 100]
        world.cost_us[JOOBY] = costs[world.loads % 2]

    return alternate


def linked(catalog: Catalog, journal: Journal, start_is_steady: Callable[[int], bool]) -> tuple[CellResult, World]:
    """Jooby as a baseline, measured for the links. `start_is_steady`: by the number of the start, from 1 on."""
    world = World(oha_missing=True)
    world.on_load = restless(world, start_is_steady)
    catalog = with_rule(catalog, WarmUp(window=2))
    baselines = {"java": catalog.entries[JOOBY]}
    plan = plan_of(catalog, world, patterns=JOOBY, reference=None, baselines=baselines)
    outcome, _ = run(replace(plan, tools=replace(plan.tools, profile=find_profile("links"))), journal)
    (cell,) = outcome.results[0].cells
    return cell, world


def test_links_have_two_starts_with_half_of_the_rounds_each(catalog: Catalog, journal: Journal) -> None:
    cell, world = linked(catalog, journal, lambda _start: True)
    assert len(world.lines(f"start {JOOBY}")) == 2
    assert cell.baseline
    assert cell.baseline.start == [0] * HALF + [1] * HALF
    assert cell.unsteady is None


def test_a_start_that_is_not_steady_is_measured_again_once(catalog: Catalog, journal: Journal) -> None:
    cell, world = linked(catalog, journal, lambda start: start != 1)
    assert len(world.lines(f"start {JOOBY}")) == 3
    assert cell.refused == {UNSTEADY: HALF}
    assert cell.baseline
    assert cell.baseline.start == [1] * HALF + [2] * HALF
    assert cell.unsteady is None


def test_a_baseline_that_is_never_steady_is_no_link(catalog: Catalog, journal: Journal) -> None:
    cell, world = linked(catalog, journal, lambda _start: False)
    assert len(world.lines(f"start {JOOBY}")) == 3
    assert cell.baseline is None
    assert list(cell.refused) == [UNSTEADY]


def test_each_cell_of_an_app_that_never_settles_says_so_and_the_progress_counts_each_once(
    catalog: Catalog, journal: Journal
) -> None:
    def never_settle(_path: str) -> None:
        world.cost_us[JOOBY] = world.cost_us.get(JOOBY, 10_000) * 0.99

    world = World(on_load=never_settle, oha_missing=True)
    catalog = with_rule(catalog, WarmUp(window=8))
    plan = without_repeats(plan_of(catalog, world, patterns=JOOBY, reference=None, suites=["hello", "issue-tracker"]))
    outcome, events = run(plan, journal)
    cells = outcome.results[0].cells
    assert len(cells) == 9
    assert all("was not steady after" in (cell.unsteady or "") for cell in cells)
    planned = next(event for event in events if isinstance(event, Planned))
    assert planned.visits == sum(isinstance(event, Visited) for event in events)


def test_of_a_queue_the_time_has_to_be_steady_and_not_the_cpu_time(catalog: Catalog, journal: Journal) -> None:
    """An app that waits hardly uses the CPU, so that it costs what its runtime does beside."""

    def never_settle(_path: str) -> None:
        world.cost_us[JOOBY] = 1e9 * 0.93**world.loads

    world = World(on_load=never_settle, oha_missing=True)
    catalog = with_rule(catalog, WarmUp(window=2))
    outcome, _ = run(plan_of(catalog, world, patterns=JOOBY, reference=None, suites=["workload"]), journal)
    steady = {cell.scenario: cell.unsteady is None for cell in outcome.results[0].cells if cell.solo.count}
    assert {name for name, is_steady in steady.items() if is_steady} == {n for n in steady if n.startswith("queue")}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("figures", "change"),
    [
        ([100] * 5, None),
        ([100, 101, 99, 100, 98, 102], None),
        ([125, 124, 111, 110, 100, 101], 0.81),
        ([100, 101, 99, 90, 90, 90, 80, 81, 79], 0.8),
        ([1, 1, 1, 1, 1.06, 1.06], None),  # counts of ticks have no spread
        ([1, 1, 1, 1, 1.06, 1.07], None),
        ([1, 1.001, 1, 1, 1.06, 1.06], None),
        ([1] * 6, None),
        ([0, 0, 1, 1, 1.06, 1.07], None),
        ([100, 160, 100, 140, 120, 100, 150, 100, 100, 160, 100, 120], None),
    ],
)
def test_a_cost_that_changed_certainly_while_it_was_measured_is_noticed(
    figures: list[float], change: float | None
) -> None:
    assert drift(figures) == (None if change is None else pytest.approx(change, abs=0.01))


def noisy(rng: random.Random, rounds: int, first_third: float = 1.0) -> list[float]:
    """Costs of the rounds of a cell, of which the first third is dearer by a factor."""
    return [(first_third if at < rounds // 3 else 1) * rng.lognormvariate(4, 0.1) for at in range(rounds)]


@pytest.mark.parametrize("cells", [1, 2, 20])
@pytest.mark.parametrize("rounds", [6, 8, 20])
def test_noise_that_is_the_same_from_first_to_last_is_seldom_taken_for_a_change(rounds: int, cells: int) -> None:
    rng = random.Random(3)
    found = [drift(noisy(rng, rounds), [noisy(rng, rounds) for _ in range(cells - 1)]) for _ in range(1000)]
    assert sum(change is not None for change in found) <= 30


def test_a_cell_of_few_rounds_shows_a_change_beside_the_noise_of_the_app_s_other_cells() -> None:
    rng = random.Random(3)
    cases = [(noisy(rng, 8, 1.6), [noisy(rng, 8) for _ in range(8)]) for _ in range(300)]
    alone = sum(drift(figures) is not None for figures, _ in cases)
    beside = sum(drift(figures, others) is not None for figures, others in cases)
    assert beside > 0.8 * len(cases) > 0.4 * len(cases) > alone


@pytest.mark.parametrize("everywhere", [False, True])
def test_a_change_that_all_apps_have_is_a_phase_of_the_machine(
    catalog: Catalog, journal: Journal, everywhere: bool
) -> None:
    apps, rng = ["python/falcon", "python/flask", "python/starlette"], random.Random(4)
    falling = apps if everywhere else apps[2:]

    def fall(_path: str) -> None:
        for name in apps:
            change = 0.7 if name in falling and world.loads > 20 else 1
            world.cost_us[name] = 1000 * change * rng.lognormvariate(0, 0.005)

    world = World(on_load=fall, oha_missing=True)
    plan = plan_of(catalog, world, patterns=" ".join(apps), reference=None)
    outcome, _ = run(without_repeats(plan), journal)
    changed = {each.entry: remark for each in outcome.results for remark in each.cells[0].remarks}
    assert [*changed] == ([] if everywhere else falling)
    assert all("changed by -" in remark and "beyond that of other apps" in remark for remark in changed.values())


@pytest.mark.parametrize(("rate", "connections"), [(800, 64), (8_000, 320), (100_000, 512)])
def test_a_fixed_rate_has_the_connections_that_waiting_keeps_busy(
    catalog: Catalog, rate: int, connections: int
) -> None:
    world = World()
    tools = fake_tools(world, FakeRuntime(world), QUICK)
    timed = catalog.suites["workload"].scenario("timed")
    assert tools.at_rate(timed, RateKind.COMMON, rate).connections == connections
    assert tools.closed_loop(timed, 1).connections == 512


@pytest.mark.parametrize(
    ("profile", "rate", "seconds"),
    [
        *(
            ("quick", rate, seconds)
            for rate, seconds in [(8_000, 0.25), (2_000, 0.5265), (500, 0.5), (110, 1), (22, 1)]
        ),
        *(("full", rate, seconds) for rate, seconds in [(8_000, 0.25), (1_100, 0.479), (300, 1.757), (110, 4.79)]),
    ],
)
def test_all_latency_rounds_of_a_cell_together_have_enough_requests_for_p99_where_they_may(
    profile: str, rate: int, seconds: float
) -> None:
    found = latency_seconds(find_profile(profile), RateKind.COMMON, rate)
    assert found == pytest.approx(seconds, rel=0.002)


def test_at_full_each_common_rate_from_110_on_has_p99_in_one_run_and_a_slower_one_in_eight(catalog: Catalog) -> None:
    full = find_profile("full")
    rates = {scenario.rate for suite in catalog.suites.values() for scenario in suite.scenarios if scenario.rate}
    for rate in rates:
        requests = int(rate * latency_seconds(full, RateKind.COMMON, rate)) * full.latency_rounds
        assert requests * (REACHED_SHARE if rate >= 110 else MOST_EARLIER + 1) >= FEWEST[99]
        assert requests >= FEWEST[90]


def test_latency_at_half_of_the_throughput_takes_less_time_than_at_the_common_rate() -> None:
    half, common = (latency_seconds(find_profile("full"), kind, 110) for kind in (RateKind.HALF, RateKind.COMMON))
    assert half < common / 2


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
    loads, of_fast = (Counter(line.split()[0] for line in world.lines("wrk ")) for world in (slow, fast))
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
