"""The schedule, read from what a world without processes was asked to do."""

import os
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from restbench.catalog import Catalog
from restbench.errors import Interrupted
from restbench.facts import Facts
from restbench.measure import Plan
from restbench.measure.events import Failed, Planned, Remarked, Visited
from restbench.measure.pace import Baseline
from restbench.measure.schedule import jobs
from restbench.profiles import find_profile
from restbench.results.journal import Journal, JournalLine
from restbench.results.models import Limit
from tests.unit.fakes import FakeRuntime, World, fake_tools
from tests.unit.plans import QUICK, plan_of, run


def test_every_round_visits_each_cell_and_the_reference_once(catalog: Catalog, journal: Journal) -> None:
    world = World()
    run(plan_of(catalog, world), journal)
    visits = [line.split()[0] for line in world.said("wrk ")]
    assert len(visits) == 3 * (1 + QUICK.rounds)  # three cells, a warm-up and the rounds
    for index in range(1 + QUICK.rounds):
        in_round = visits[3 * index : 3 * index + 3]
        assert sorted(in_round) == ["python/falcon", "python/starlette", "reference/nginx"]


def test_the_order_is_random_and_repeatable(catalog: Catalog, journal: Journal) -> None:
    logs = []
    for seed in (1, 1, 2):
        world = World()
        run(plan_of(catalog, world, seed=seed, suites=["hello", "issue-tracker"]), journal)
        logs.append(world.said("wrk "))
    assert logs[0] == logs[1] != logs[2]
    assert Counter(logs[0]) == Counter(logs[2])


def test_apps_start_are_proven_loaded_proven_again_and_stop(catalog: Catalog, journal: Journal) -> None:
    world = World()
    run(plan_of(catalog, world, patterns="python/falcon"), journal)
    of_falcon = [line for line in world.log if "python/falcon" in line and not line.startswith("oha")]
    assert [line.split()[0] for line in of_falcon] == ["start", "prove", *["wrk"] * (1 + QUICK.rounds), "prove", "stop"]


def test_the_fixed_rate_is_half_of_the_warm_up_and_stays(catalog: Catalog, journal: Journal) -> None:
    world = World()
    outcome, _ = run(plan_of(catalog, world, patterns="python/falcon"), journal)
    assert set(world.said("oha python/falcon ")) == {"GET /hello_world 0.3 s at 5000/s"}
    assert {r.fixed_rate.rate for r in outcome.results[0].cells[0].rounds if r.fixed_rate} == {5000}


def test_without_oha_all_else_goes_on(catalog: Catalog, journal: Journal) -> None:
    world = World(oha_missing=True)
    outcome, _ = run(plan_of(catalog, world), journal)
    assert not world.said("oha")
    assert all(len(cell.rounds) == QUICK.rounds for result in outcome.results for cell in result.cells)


def test_each_round_knows_the_reference_of_its_round(catalog: Catalog, journal: Journal) -> None:
    outcome, _ = run(plan_of(catalog, World()), journal)
    assert {r.reference_throughput for result in outcome.results for c in result.cells for r in c.rounds} == {10_000}


def test_rounds_are_on_disk_before_the_next_begins(catalog: Catalog, tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl"
    on_disk: list[int] = []
    world = World(on_load=lambda _: on_disk.append(len(path.read_text().splitlines())))
    with Journal(path) as journal:
        run(plan_of(catalog, world, patterns="python/falcon", reference=None), journal)
    # the warm-up, then wrk and oha of each round; the round's line comes after its oha
    assert on_disk == [0, *(index for index in range(QUICK.rounds) for _ in ("wrk", "oha"))]


def test_an_entry_that_cannot_be_built_is_out_and_the_others_go_on(catalog: Catalog, journal: Journal) -> None:
    world = World(build_fails={"python/falcon"})
    outcome, events = run(plan_of(catalog, world), journal)
    by_entry = {result.entry: result for result in outcome.results}
    failure = by_entry["python/falcon"].cells[0].failure
    assert failure is not None
    assert (failure.check, failure.got) == ("build", "python/falcon: the build failed")
    assert len(by_entry["python/starlette"].cells[0].rounds) == QUICK.rounds
    assert "start python/falcon" not in world.log
    assert [e.detail for e in events if isinstance(e, Failed)] == ["compiler says no"]


def test_an_app_that_dies_takes_its_cells_out_with_its_last_words(catalog: Catalog, journal: Journal) -> None:
    world = World(dies_at={"python/falcon": "/api/v1/sprint/raw/{id}"})
    outcome, events = run(plan_of(catalog, world, suites=["hello", "issue-tracker"]), journal)
    by_entry = {result.entry: result for result in outcome.results}
    assert all(cell.failure and "exited with code 3" in cell.failure.got for cell in by_entry["python/falcon"].cells)
    assert all(cell.failure is None for cell in by_entry["python/starlette"].cells)
    assert [e.detail for e in events if isinstance(e, Failed)] == ["last words"]


def test_a_cell_that_is_wrong_before_load_is_never_loaded(catalog: Catalog, journal: Journal) -> None:
    world = World(wrong_before={"python/falcon": "sprint"})
    outcome, _ = run(plan_of(catalog, world, patterns="python/falcon", suites=["issue-tracker"]), journal)
    assert not [line for line in world.said("wrk python/falcon ") if "sprint" in line]
    failed = {cell.scenario for _, cell in outcome.failures}
    assert failed == {"sprint"}


@pytest.mark.parametrize(
    "world",
    [World(wrong_under_load={"sprint"}), World(load_errors={"/api/v1/sprint/raw/{id}": 3})],
    ids=["body", "status"],
)
def test_a_wrong_answer_under_load_fails_the_cell(catalog: Catalog, journal: Journal, world: World) -> None:
    outcome, _ = run(plan_of(catalog, world, patterns="python/starlette", suites=["issue-tracker"]), journal)
    assert {(cell.scenario, cell.failure.check) for _, cell in outcome.failures if cell.failure} == {
        ("sprint", "under-load")
    }


def test_a_wrong_status_at_the_fixed_rate_fails_the_cell(catalog: Catalog, journal: Journal) -> None:
    world = World(fixed_rate_errors={"status 503": 2, "aborted": 1})
    outcome, _ = run(plan_of(catalog, world, patterns="python/starlette", reference=None), journal)
    assert [str(cell.failure) for _, cell in outcome.failures] == [
        "under-load: GET /hello_world at 5000/s: expected no error status, got 2 × status 503"
    ]


def test_ctrl_c_stops_every_app_and_keeps_what_was_measured(catalog: Catalog, journal: Journal) -> None:
    loads = []

    def interrupt_the_tenth(_path: str) -> None:
        loads.append(1)
        if len(loads) == 10:
            raise Interrupted("interrupted")

    world = World(on_load=interrupt_the_tenth, oha_missing=True)
    outcome, _ = run(plan_of(catalog, world), journal)
    assert outcome.interrupted
    assert sum(len(cell.rounds) for result in outcome.results for cell in result.cells) == 6  # after three warm-ups
    assert sorted(world.said("stop ")) == sorted(world.said("start "))


def test_ctrl_c_while_a_round_reaches_the_disk_keeps_that_round(
    catalog: Catalog, journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_descriptor: int) -> None:
        raise Interrupted("interrupted")

    monkeypatch.setattr(os, "fsync", interrupt)
    outcome, _ = run(plan_of(catalog, World()), journal)
    assert outcome.interrupted
    rounds = [r for result in outcome.results for cell in result.cells for r in cell.rounds]
    written = [JournalLine.model_validate_json(line) for line in (tmp_path / "rounds.jsonl").read_text().splitlines()]
    assert [line.round.at for line in written] == [r.at for r in rounds]
    assert len(rounds) == 1


def test_rounds_on_slow_cpus_are_marked_and_repeated(catalog: Catalog, journal: Journal) -> None:
    """The first rounds meet a slow CPU, before and after; those visited again meet a calm one."""
    slow = iter([4.1] * 2 * 4)  # two entries, two rounds, a probe on either side
    world = World(probe=lambda _cpus: next(slow, 2.6), oha_missing=True)
    plan = plan_of(catalog, world, reference=None)
    profile = find_profile("quick").model_copy(update={"rounds": 3, "repeat_share": 1.0})
    outcome, _ = run(replace(plan, tools=replace(plan.tools, profile=profile)), journal)
    for result in outcome.results:
        rounds = result.cells[0].rounds
        assert [r.slow for r in rounds] == [True, True, False, False]
        assert rounds[0].pace == pytest.approx(4.1 / 2.6)


def test_repeating_ends_when_its_time_is_over(catalog: Catalog, journal: Journal, tmp_path: Path) -> None:
    plan = plan_of(catalog, World(probe=lambda _cpus: 2.6), patterns="python/falcon", reference=None)
    (tmp_path / "pace.json").write_text('{"A processor": 1.0}')  # every round is slow, for ever
    baseline = Baseline(tmp_path / "pace.json", "A processor")
    profile = find_profile("quick").model_copy(update={"repeat_share": 0.01})
    outcome, _ = run(replace(plan, baseline=baseline, tools=replace(plan.tools, profile=profile)), journal)
    rounds = outcome.results[0].cells[0].rounds
    assert len(rounds) > QUICK.rounds
    assert all(r.slow for r in rounds)


def test_many_entries_are_shared_out_evenly_and_each_job_has_the_reference(catalog: Catalog, journal: Journal) -> None:
    assert [len(group) for group in jobs(list(range(17)), at_most=8)] == [6, 6, 5]
    assert list(jobs([])) == []


def test_a_run_says_beforehand_how_long_it_takes(catalog: Catalog, journal: Journal) -> None:
    _, events = run(plan_of(catalog, World()), journal)
    planned = next(e for e in events if isinstance(e, Planned))
    assert planned.visits == sum(isinstance(e, Visited) for e in events)
    assert planned.seconds == pytest.approx(3 * (1 + QUICK.rounds * 1.3))


def test_a_visit_s_figures_come_from_the_window_of_its_load(catalog: Catalog, journal: Journal) -> None:
    outcome, _ = run(plan_of(catalog, World(), patterns="python/falcon"), journal)
    first = outcome.results[0].cells[0].rounds[0]
    assert first.throughput == 10_000
    assert first.cpu_us_per_request > 0
    assert first.memory_peak_bytes == 50_000_000
    assert first.limit in set(Limit)


def workload(catalog: Catalog, world: World) -> Plan:
    return plan_of(catalog, world, patterns="python/starlette", suites=["workload"], reference=None)


def test_what_is_only_proven_is_not_loaded(catalog: Catalog, journal: Journal) -> None:
    world = World()
    outcome, _ = run(workload(catalog, world), journal)
    assert not [line for line in world.said("wrk ") if "status" in line or "labels" in line]
    assert {"status", "labels"}.isdisjoint(cell.scenario for cell in outcome.results[0].cells)


def test_a_batch_is_a_number_of_requests_by_oha_without_warm_up(catalog: Catalog, journal: Journal) -> None:
    world = World()
    outcome, _ = run(workload(catalog, world), journal)
    assert world.said("oha python/starlette POST /test/bcrypt ") == ["16 requests"] * QUICK.rounds
    rounds = next(cell.rounds for cell in outcome.results[0].cells if cell.scenario == "bcrypt")
    # 16 requests in one second on one CPU, 50 ms of which each are the hash alone
    assert rounds[0].overhead_ms == pytest.approx(1000 / 16 - 50)


def test_an_app_is_started_anew_for_each_setup(catalog: Catalog, journal: Journal) -> None:
    world = World()
    run(workload(catalog, world), journal)
    usual, *others = world.said("start python/starlette")
    assert usual == ""
    assert ["'WORKERS': '4'" in other for other in others] == [True, True, False]
    assert ["'PROCESSING_MS': '200'" in other for other in others] == [False, True, True]
    assert sorted(world.said("stop ")) == ["python/starlette"] * 4


def test_far_goes_over_the_link(catalog: Catalog, journal: Journal) -> None:
    world = World()
    run(workload(catalog, world), journal)
    assert world.said("link ") == ["python/starlette 25 ms"] * 4 * QUICK.rounds


def test_what_this_machine_cannot_do_is_not_run_and_says_why(catalog: Catalog, journal: Journal) -> None:
    world = World(link_trouble="no netem")
    outcome, events = run(workload(catalog, world), journal)
    not_run = {cell.scenario: cell.not_run for cell in outcome.results[0].cells if cell.not_run}
    assert len(not_run) == 4
    assert all(name.endswith("-far") and reason == "no netem" for name, reason in not_run.items())
    assert outcome.failures == []
    planned = next(e for e in events if isinstance(e, Planned))
    assert planned.visits == sum(isinstance(e, Visited) for e in events)


def test_a_message_without_an_answer_fails_the_batch(catalog: Catalog, journal: Journal) -> None:
    outcome, _ = run(workload(catalog, World(unanswered=1)), journal)
    failed = {cell.scenario: str(cell.failure) for _, cell in outcome.failures}
    assert failed["queue-0ms-all-near"] == (
        "batch: 2000 × POST /test: expected 2000 answers without an error, got 1999 answers"
    )
    assert "simple" not in failed


def test_idle_cpu_is_watched_once_before_any_load(catalog: Catalog, journal: Journal) -> None:
    world = World()
    outcome, _ = run(plan_of(catalog, world), journal)
    assert world.said("sleep ") == ["3 s"]
    assert world.log.index("sleep 3 s") < next(i for i, line in enumerate(world.log) if line.startswith("wrk"))
    run_ = next(iter(outcome.results[0].runs.values()))
    assert run_.idle_cpu_share == pytest.approx(0.5 / 3)
    assert (run_.licence, run_.packages) == ("MIT", 7)


def test_an_app_that_is_gone_before_any_load_is_out_and_the_others_go_on(catalog: Catalog, journal: Journal) -> None:
    world = World(dies_when_proven="python/falcon")
    outcome, _ = run(plan_of(catalog, world), journal)
    by_entry = {result.entry: result.cells[0] for result in outcome.results}
    assert str(by_entry["python/falcon"].failure) == "alive: python/falcon: the app is gone"
    assert len(by_entry["python/starlette"].rounds) == QUICK.rounds


def test_facts_that_could_not_be_found_out_are_told(catalog: Catalog, journal: Journal) -> None:
    plan = plan_of(catalog, World(), patterns="python/falcon", reference=None)
    _, events = run(replace(plan, collect=lambda _entry: Facts(trouble=("no licence",))), journal)
    assert [e.text for e in events if isinstance(e, Remarked)] == ["no licence"]


@pytest.mark.parametrize(("rate", "connections"), [(800, 64), (8_000, 320), (100_000, 512)])
def test_a_fixed_rate_has_the_connections_that_waiting_keeps_busy(
    catalog: Catalog, rate: float, connections: int
) -> None:
    world = World()
    tools = fake_tools(world, FakeRuntime(world), QUICK)
    timed = catalog.suites["workload"].scenario("timed")
    assert tools.fixed_rate(timed, rate).connections == connections
    assert tools.closed_loop(timed, 1).connections == 512


@pytest.mark.parametrize(("capacity", "connections"), [(None, 512), (67_000, 512), (1_000, 250), (250, 64), (10, 64)])
def test_a_slow_app_gets_no_more_connections_than_it_can_answer(
    catalog: Catalog, capacity: float | None, connections: int
) -> None:
    tools = fake_tools(World(), FakeRuntime(World()), QUICK)
    timed = catalog.suites["workload"].scenario("timed")
    assert tools.closed_loop(timed, 1, capacity).connections == connections


def test_few_connections_stay_few(catalog: Catalog) -> None:
    """Solr's scenarios ask for eight: more would only queue, however fast the app."""
    tools = fake_tools(World(), FakeRuntime(World()), QUICK)
    anonymization = catalog.suites["solr"].scenario("anonymization")
    assert {tools.connections(anonymization, capacity) for capacity in (None, 10, 10_000)} == {8}


def test_a_round_tells_its_connections(catalog: Catalog, journal: Journal) -> None:
    outcome, _ = run(plan_of(catalog, World(), patterns="python/falcon"), journal)
    assert {r.connections for r in outcome.results[0].cells[0].rounds} == {64}
