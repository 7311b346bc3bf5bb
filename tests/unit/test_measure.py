"""The schedule, read from what a world without processes was asked to do."""

import os
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from restbench.catalog import Catalog, Entry
from restbench.catalog.profiles import CHECKED_ROUNDS, CHECKED_SECONDS, find_profile
from restbench.commands.bench import build_seconds
from restbench.conformance import CheckResult
from restbench.errors import Interrupted
from restbench.loadgen import Load
from restbench.measure import Plan
from restbench.measure.duration import (
    BUILD_SECONDS,
    USUAL_HALF,
    latency_seconds,
    seconds_beside_load,
    seconds_of_builds,
)
from restbench.measure.events import Failed, Planned, Remarked, Visited
from restbench.measure.session import IDLE_SECONDS
from restbench.measure.team import in_teams
from restbench.measure.tools import Tools
from restbench.results.figures import relative_cost
from restbench.results.files import write_entry
from restbench.results.journal import Journal, RoundLine
from restbench.results.models import CellResult, EntryResult, Failure, Limit, RateKind
from restbench.targets.facts import Facts
from tests.made.records import a_run, an_entry
from tests.unit.fakes import FakeRuntime, World, fake_tools
from tests.unit.plans import QUICK, plan_of, run, without_repeats

SOLO = QUICK.solo_rounds


def cell_of(results: list[EntryResult], entry: str, scenario: str = "hello_world") -> CellResult:
    (found,) = (c for r in results if r.entry == entry for c in r.cells if c.scenario == scenario)
    return found


def test_every_cell_gets_its_rounds_alone(catalog: Catalog, journal: Journal) -> None:
    world = World()
    outcome, _ = run(plan_of(catalog, world), journal)
    loads = Counter(line.split()[0] for line in world.lines("wrk "))
    # a warm-up, and the rounds
    assert loads == {"python/starlette": 1 + SOLO, "python/falcon": 1 + SOLO, "reference/nginx": 1 + SOLO}
    assert cell_of(outcome.results, "python/starlette").solo.count == SOLO


def test_a_cell_has_the_rounds_of_its_baseline_which_was_measured_in_turn(catalog: Catalog, journal: Journal) -> None:
    world = World(cost_us={"python/starlette": 60, "python/falcon": 50})
    outcome, _ = run(plan_of(catalog, world), journal)
    falcon, starlette = (cell_of(outcome.results, f"python/{name}") for name in ("falcon", "starlette"))
    assert starlette.baseline
    assert starlette.baseline.entry == "python/falcon"
    assert starlette.baseline.cpu_us == falcon.solo.cpu_us
    assert starlette.baseline.throughput == median(falcon.solo.throughput)
    cost = relative_cost("python/starlette", starlette)
    assert cost
    assert cost.middle == pytest.approx(1.2)
    assert falcon.baseline, "it is compared with itself"
    assert falcon.baseline.is_of("python/falcon", None)
    assert falcon.baseline.cpu_us == falcon.solo.cpu_us


def test_a_baseline_that_was_not_asked_for_is_measured_in_the_cells_that_others_need(
    catalog: Catalog, journal: Journal
) -> None:
    world = World()
    plan = plan_of(catalog, world, patterns="python/litestar", suites=["issue-tracker"], reference=None)
    outcome, _ = run(plan, journal)
    variants = {(c.scenario, c.variant) for r in outcome.results if r.entry == "python/falcon" for c in r.cells}
    scenarios = {"userinfo", "sprint", "create-task", "update-task"}
    assert variants == {(scenario, variant) for scenario in scenarios for variant in ("raw", "msgspec")}
    partners = {
        (c.variant, c.baseline.variant)
        for r in outcome.results
        if r.entry == "python/litestar"
        for c in r.cells
        if c.baseline
    }
    assert partners == {("raw", "raw"), ("msgspec", "msgspec"), ("pydantic", "msgspec"), ("dataclasses", "msgspec")}


def test_what_runs_beside_others_has_no_latencies(catalog: Catalog, journal: Journal) -> None:
    outcome, _ = run(plan_of(catalog, World(), patterns="python/starlette"), journal)
    assert cell_of(outcome.results, "python/starlette").latency
    assert not cell_of(outcome.results, "python/falcon").latency
    assert not cell_of(outcome.results, "reference/nginx").latency


def test_the_baselines_of_all_languages_are_in_the_first_team(catalog: Catalog, journal: Journal) -> None:
    """Eight entries of Python fill a team, and axum's baseline is itself."""
    names = "aiohttp bottle falcon fastapi flask litestar quart sanic starlette"
    patterns = " ".join(f"python/{name}" for name in names.split()) + " rust/axum rust/rocket"
    baselines = {"python": catalog.entries["python/falcon"], "rust": catalog.entries["rust/axum"]}
    plan = plan_of(catalog, World(), patterns=patterns, baselines=baselines, reference=None)
    outcome, _ = run(plan, journal)
    first = [part.entry.id for part in outcome.parts][: len(outcome.parts) // 2]
    assert {"python/falcon", "rust/axum"} <= set(first)
    rocket = cell_of(outcome.results, "rust/rocket")
    assert rocket.baseline
    assert rocket.baseline.entry == "rust/axum"


def test_a_baseline_that_is_in_several_teams_has_the_rounds_of_all(catalog: Catalog, journal: Journal) -> None:
    names = "aiohttp bottle falcon fastapi flask litestar quart sanic starlette"
    patterns = " ".join(f"python/{name}" for name in names.split())
    outcome, _ = run(plan_of(catalog, World(), patterns=patterns, reference=None), journal)
    falcon = cell_of(outcome.results, "python/falcon")
    assert falcon.solo.count == 2 * SOLO
    assert falcon.baseline
    assert len(falcon.baseline.cpu_us) == SOLO


WITHOUT: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "dies": (
        {"dies_at": {"python/falcon": "/hello_world"}},
        {},
        "the baseline was not measured: alive: python/falcon: the app exited with code 3",
    ),
    "does not build": (
        {"build_fails": {"python/falcon"}},
        {},
        "the baseline was not measured: build: python/falcon: the build failed",
    ),
    "is none": ({}, {"baselines": {}, "reference": None}, "Python has no baseline"),
}


@pytest.mark.parametrize(("faults", "changes", "why"), WITHOUT.values(), ids=WITHOUT)
def test_without_a_baseline_there_are_the_rounds_and_the_reason(
    catalog: Catalog, journal: Journal, faults: dict[str, Any], changes: dict[str, Any], why: str
) -> None:
    outcome, _ = run(plan_of(catalog, World(**faults), **changes), journal)
    starlette = cell_of(outcome.results, "python/starlette")
    assert (starlette.solo.count, starlette.baseline, starlette.failure) == (SOLO, None, None)
    assert (starlette.no_baseline or "").startswith(why)


def test_the_order_is_random_and_repeatable(catalog: Catalog, journal: Journal) -> None:
    logs = []
    for seed in (1, 1, 2):
        world = World()
        run(plan_of(catalog, world, seed=seed, suites=["hello", "issue-tracker"]), journal)
        # which of a duet's two load generators says so first is not the schedule's
        logs.append([line for line in world.lines("wrk ") if not line.startswith("python/falcon")])
    assert logs[0] == logs[1] != logs[2]
    assert Counter(logs[0]) == Counter(logs[2])


def test_apps_start_are_verified_loaded_verified_again_and_stop(catalog: Catalog, journal: Journal) -> None:
    world = World()
    run(plan_of(catalog, world, patterns="python/falcon"), journal)
    of_falcon = [line for line in world.log if "python/falcon" in line and not line.startswith("oha")]
    seen = [line.split()[0] for line in of_falcon]
    loads = ["wrk"] * (1 + SOLO)
    assert [each for each in seen if each != "read"] == ["start", "verify", "crowd", *loads, "verify", "stop"]


def test_cells_that_fetch_are_verified_under_load_with_a_source_whose_time_is_drawn(
    catalog: Catalog, journal: Journal
) -> None:
    """The source of the app that is measured answers within a millisecond, which nobody would miss."""
    world = World()
    plan = plan_of(catalog, world, patterns="python/falcon", suites=["hello", "issue-tracker"], reference=None)
    run(plan, journal)
    seen = [line for line in world.log if line.startswith(("start", "beside", "crowd"))]
    assert seen[0] == "start python/falcon"
    assert seen[1].startswith("beside python/falcon {'WORKERS': '1', 'POOL_SIZE': '2', 'POOL_LATENCY_MS': '100'")
    assert seen[2:4] == ["crowd python/falcon hello_world", "beside python/falcon"]
    assert re.fullmatch(r"crowd python/falcon create-task sprint update-task userinfo, fetches of (2\d|30) ms", seen[4])
    assert len(seen) == 5


def test_an_app_that_starts_several_times_is_verified_under_load_once(catalog: Catalog, journal: Journal) -> None:
    world = World()
    plan = plan_of(catalog, world, patterns="python/starlette", suites=["issue-tracker"], reference=None)
    profile = QUICK.model_copy(update={"starts": 2})
    run(replace(plan, tools=replace(plan.tools, profile=profile)), journal)
    assert len(world.lines("start python/starlette")) == 2
    for entry in ("python/starlette", "python/falcon"):  # the baseline is only needed beside it
        assert len(world.lines(f"crowd {entry}")) == 2


def test_a_cell_that_is_wrong_in_a_crowd_gets_no_figure(catalog: Catalog, journal: Journal) -> None:
    world = World(wrong_in_a_crowd={"python/falcon": "sprint"})
    plan = plan_of(catalog, world, patterns="python/falcon", suites=["hello", "issue-tracker"], reference=None)
    outcome, _ = run(plan, journal)
    assert not [line for line in world.lines("wrk python/falcon ") if "sprint" in line]
    failed = {(cell.scenario, cell.failure.check) for _, cell in outcome.failures if cell.failure}
    assert failed == {("sprint", "under-load")}


def test_a_check_that_was_kept_at_a_later_try_is_remarked(catalog: Catalog, journal: Journal) -> None:
    plan = plan_of(catalog, World(), patterns="python/falcon", reference=None)
    late = CheckResult("waits-together", None, found="at try 2 of 3; before: no answer", tries=2)
    tools = replace(plan.tools, before_load=lambda *_: iter([late]))
    outcome, events = run(replace(plan, tools=tools), journal)
    assert not outcome.failures
    remarks = [event.text for event in events if isinstance(event, Remarked)]
    assert "python/falcon: waits-together was kept at try 2 of 3; before: no answer" in remarks


def test_latency_is_measured_at_the_common_rate_and_at_half_of_the_measured_throughput(
    catalog: Catalog, journal: Journal
) -> None:
    world = World()
    outcome, _ = run(plan_of(catalog, world, patterns="python/falcon"), journal)
    assert set(world.lines("oha python/falcon ")) == {
        "GET /hello_world 0.957273 s at 1100/s",
        "GET /hello_world 0.25 s at 5000/s",
    }
    latency = cell_of(outcome.results, "python/falcon").latency
    assert [(found.kind, found.rate, found.histogram.total) for found in latency] == [
        (RateKind.COMMON, 1100, 10_000),
        (RateKind.HALF, 5000, 10_000),
    ]


@pytest.mark.parametrize(("throughput", "common", "half"), [(10_000, 1100, 5000), (1249, None, 620), (1.5, None, None)])
def test_a_rate_is_one_that_the_app_sustains(
    catalog: Catalog, throughput: float, common: int | None, half: int | None
) -> None:
    tools = fake_tools(World(), FakeRuntime(World()), QUICK)
    hello = catalog.suites["hello"].scenario("hello_world")
    assert tools.rate(RateKind.COMMON, hello, throughput) == common
    assert tools.rate(RateKind.HALF, hello, throughput) == half


def test_without_oha_all_else_goes_on(catalog: Catalog, journal: Journal) -> None:
    world = World(oha_missing=True)
    outcome, _ = run(plan_of(catalog, world), journal)
    assert not world.lines("oha")
    assert all(cell.solo.count == SOLO for result in outcome.results for cell in result.cells)


def test_rounds_are_on_disk_before_the_next_begins(catalog: Catalog, tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl"
    on_disk: list[int] = []
    world = World(on_load=lambda _: on_disk.append(len(path.read_text().splitlines()) if path.exists() else 0))
    with Journal(path) as journal:
        run(plan_of(catalog, world, patterns="python/falcon", reference=None), journal)
    # the warm-up and the first solo round; then there is a line of what was asked for, and one of each round
    assert on_disk == [0, 0, *range(2, 1 + SOLO + 2 * QUICK.latency_rounds)]


def test_an_entry_that_cannot_be_built_is_out_and_the_others_go_on(catalog: Catalog, journal: Journal) -> None:
    world = World(build_fails={"python/falcon"})
    outcome, events = run(plan_of(catalog, world), journal)
    by_entry = {result.entry: result for result in outcome.results}
    failure = by_entry["python/falcon"].cells[0].failure
    assert failure is not None
    assert (failure.check, failure.got) == ("build", "python/falcon: the build failed")
    assert by_entry["python/starlette"].cells[0].solo.count == SOLO
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
    assert not [line for line in world.lines("wrk python/falcon ") if "sprint" in line]
    failed = {cell.scenario for _, cell in outcome.failures}
    assert failed == {"sprint"}


@pytest.mark.parametrize(
    "world",
    [World(wrong_under_load={"sprint"}), World(load_errors={"/api/v1/sprint/raw/{id}": 3})],
    ids=["body", "status"],
)
def test_a_wrong_answer_under_load_fails_the_cell(catalog: Catalog, journal: Journal, world: World) -> None:
    outcome, _ = run(plan_of(catalog, world, patterns="python/starlette", suites=["issue-tracker"]), journal)
    failures = {(cell.scenario, cell.failure.check) for _, cell in outcome.failures if cell.failure}
    assert failures == {("sprint", "every-answer" if world.wrong_under_load else "under-load")}


def test_a_wrong_status_at_the_fixed_rate_fails_the_cell(catalog: Catalog, journal: Journal) -> None:
    world = World(fixed_rate_errors={"status 503": 2, "aborted": 1})
    outcome, _ = run(plan_of(catalog, world, patterns="python/falcon", reference=None), journal)
    assert [str(cell.failure) for _, cell in outcome.failures] == [
        "under-load: 10000 × GET /hello_world: expected no error status, got 2 × status 503"
    ]


def test_ctrl_c_stops_every_app_and_keeps_what_was_measured(catalog: Catalog, journal: Journal) -> None:
    loads = []

    def interrupt_the_tenth(_path: str) -> None:
        loads.append(1)
        if len(loads) == 6:
            raise Interrupted("interrupted")

    world = World(on_load=interrupt_the_tenth, oha_missing=True)
    outcome, _ = run(plan_of(catalog, world, baselines={}, reference=None), journal)
    assert outcome.interrupted
    assert sum(c.solo.count for r in outcome.results for c in r.cells) == 3  # after two warm-ups
    assert sorted(world.lines("stop ")) == sorted(world.lines("start "))


def test_ctrl_c_while_a_round_reaches_the_disk_keeps_that_round(
    catalog: Catalog, journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_descriptor: int) -> None:
        raise Interrupted("interrupted")

    monkeypatch.setattr(os, "fsync", interrupt)
    outcome, _ = run(plan_of(catalog, World(), baselines={}), journal)
    assert outcome.interrupted
    (cell,) = [cell for result in outcome.results for cell in result.cells if cell.solo.count]
    lines = (tmp_path / "rounds.jsonl").read_text().splitlines()
    (written,) = [RoundLine.model_validate_json(line) for line in lines[1:]]
    assert cell.solo.count == 1
    assert written.cell.endswith(cell.scenario)


def test_rounds_that_do_not_count_are_repeated_within_the_profile_s_time(catalog: Catalog, journal: Journal) -> None:
    world = World(timeouts=2, oha_missing=True)  # the warm-up and one round
    outcome, _ = run(plan_of(catalog, world, patterns="python/falcon", reference=None), journal)
    falcon = cell_of(outcome.results, "python/falcon")
    assert falcon.solo.count == SOLO
    assert falcon.refused == {"errors: timeout": 1}
    assert falcon.remarks == ["requests got no answer in 1 of 9 rounds, which do not count"]


def test_a_rate_has_as_many_requests_where_a_latency_round_did_not_count(catalog: Catalog, journal: Journal) -> None:
    plan = plan_of(catalog, World(fixed_rate_timeouts=2), patterns="python/falcon", reference=None)
    outcome, _ = run(replace(plan, tools=replace(plan.tools, profile=find_profile("full"))), journal)
    latency = cell_of(outcome.results, "python/falcon").latency
    assert [sum(found.counts) for found in latency] == [2 * 10_000] * len(RateKind)
    assert sum(found.refused["errors: timeout"] for found in latency) == 2


def test_repeating_ends_when_its_time_is_over(catalog: Catalog, journal: Journal) -> None:
    plan = plan_of(catalog, World(timeouts=10**9), patterns="python/falcon", reference=None)
    profile = QUICK.model_copy(update={"repeat_share": 0.01})
    outcome, _ = run(replace(plan, tools=replace(plan.tools, profile=profile)), journal)
    falcon = cell_of(outcome.results, "python/falcon")
    assert falcon.solo.count == 0
    assert falcon.refused["errors: timeout"] > SOLO


def test_a_cell_that_loses_answers_again_and_again_fails(catalog: Catalog, journal: Journal) -> None:
    plan = plan_of(catalog, World(timeouts=3, oha_missing=True), patterns="python/falcon", reference=None)
    outcome, _ = run(plan, journal)
    failure = cell_of(outcome.results, "python/falcon").failure
    assert failure == Failure(
        check="answers", expected="an answer to each request", got="requests without one in 2 of 10 rounds"
    )


def test_many_entries_are_shared_out_evenly_and_each_job_has_the_reference(catalog: Catalog, journal: Journal) -> None:
    assert [len(team) for team in in_teams(list(range(17)), at_most=8)] == [5, 6, 6]
    assert list(in_teams([])) == []


def test_a_run_says_beforehand_how_long_it_takes(catalog: Catalog, journal: Journal) -> None:
    _, events = run(without_repeats(plan_of(catalog, World())), journal)
    planned = next(e for e in events if isinstance(e, Planned))
    assert planned.visits == sum(isinstance(e, Visited) for e in events)
    load = QUICK.warm_up_seconds + SOLO * QUICK.solo_seconds + CHECKED_ROUNDS * CHECKED_SECONDS
    rates = {RateKind.COMMON: 1100, RateKind.HALF: USUAL_HALF}
    # the reference has none
    latencies = QUICK.latency_rounds * sum(latency_seconds(QUICK, kind, rate) for kind, rate in rates.items())
    beside = seconds_beside_load(planned.visits, cells=3, apps=3)
    assert planned.seconds == pytest.approx(3 * load + 2 * latencies + beside + IDLE_SECONDS)


def test_builds_that_are_to_be_made_are_announced_side_by_side(catalog: Catalog) -> None:
    class Unbuilt(FakeRuntime):
        def is_built(self, entry: Entry) -> bool:
            return entry.id == "python/falcon"

    entries = [catalog.entries[name] for name in ("python/falcon", "python/flask", "python/starlette")]
    known = {"python/starlette": 200.0}
    assert seconds_of_builds(entries, Unbuilt(World()), lambda entry: known.get(entry.id)) == 200
    assert seconds_of_builds(entries[:2], Unbuilt(World()), lambda _: None) == BUILD_SECONDS
    assert seconds_of_builds(entries[:1], Unbuilt(World()), lambda _: None) == 0


def test_a_build_that_was_never_published_takes_as_long_as_others_of_its_language(
    catalog: Catalog, tmp_path: Path
) -> None:
    for name, seconds in {"a": 2.0, "b": 3.0, "falcon": 10.0, "c": None}.items():
        write_entry(tmp_path, an_entry(f"python/{name}", a_run(build_seconds=seconds)))
    falcon, flask = (catalog.entries[f"python/{name}"] for name in ("falcon", "flask"))
    assert build_seconds(tmp_path, "native", falcon) == 10
    assert build_seconds(tmp_path, "native", flask) == 3
    assert build_seconds(tmp_path, "docker", falcon) is None


def test_a_round_s_figures_come_from_the_window_of_its_load(catalog: Catalog, journal: Journal) -> None:
    world = World(cost_us={"python/falcon": 70})
    outcome, _ = run(plan_of(catalog, world, patterns="python/falcon"), journal)
    solo = cell_of(outcome.results, "python/falcon").solo
    assert solo.throughput[0] == 10_000
    assert solo.cpu_us[0] == pytest.approx(70)
    assert solo.memory_bytes == 50_000_000
    assert solo.limit[0] in set(Limit)


def workload(catalog: Catalog, world: World) -> Plan:
    return plan_of(catalog, world, patterns="python/starlette", suites=["workload"], reference=None)


def test_what_is_only_verified_is_not_loaded(catalog: Catalog, journal: Journal) -> None:
    world = World()
    outcome, _ = run(workload(catalog, world), journal)
    assert not [line for line in world.lines("wrk ") if "status" in line or "labels" in line]
    assert {"status", "labels"}.isdisjoint(cell.scenario for cell in outcome.results[0].cells)


def test_a_batch_is_a_number_of_requests_with_one_batch_to_warm_up(catalog: Catalog, journal: Journal) -> None:
    world = World(cost_us={"python/starlette": 50_000})
    outcome, _ = run(workload(catalog, world), journal)
    # the reader sends the eighth
    assert world.lines("wrk python/starlette POST /test/bcrypt ") == ["7 requests"] * (1 + QUICK.batch_rounds)
    bcrypt = cell_of(outcome.results, "python/starlette", "bcrypt")
    # 8 requests in one second on one CPU, 50 ms of which each are the hash alone
    assert bcrypt.solo.overhead_ms == pytest.approx([1000 / 8 - 50] * QUICK.batch_rounds)


def test_overhead_is_given_only_where_the_same_library_hashes(catalog: Catalog, journal: Journal) -> None:
    plan = plan_of(catalog, World(), patterns="java/jooby", suites=["workload"], reference=None)
    outcome, _ = run(plan, journal)
    bcrypt = cell_of(outcome.results, "java/jooby", "bcrypt")
    assert (bcrypt.solo.count, bcrypt.solo.overhead_ms) == (QUICK.batch_rounds, None)


def test_an_app_is_started_anew_for_each_setup(catalog: Catalog, journal: Journal) -> None:
    world = World()
    run(workload(catalog, world), journal)
    usual, *others = world.lines("start python/starlette")
    assert usual == ""
    assert ["'WORKERS': '4'" in other for other in others] == [True, True, False]
    assert ["'PROCESSING_MS': '200'" in other for other in others] == [False, True, True]
    assert sorted(world.lines("stop ")) == ["python/falcon", *["python/starlette"] * 4]


def test_far_goes_over_the_link(catalog: Catalog, journal: Journal) -> None:
    world = World()
    run(workload(catalog, world), journal)
    assert world.lines("link ") == ["python/starlette 25 ms"] * 4 * (1 + QUICK.batch_rounds + CHECKED_ROUNDS)


def test_what_this_machine_cannot_do_is_not_run_and_says_why(catalog: Catalog, journal: Journal) -> None:
    world = World(link_unavailable_reason="no netem")
    outcome, events = run(without_repeats(workload(catalog, world)), journal)
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
    assert world.lines("sleep ") == ["2 s", "3 s"]  # the first is the look whether other programs use the CPUs
    assert world.log.index("sleep 3 s") < next(i for i, line in enumerate(world.log) if line.startswith("wrk"))
    run_ = next(iter(outcome.results[0].runs.values()))
    assert run_.idle_cpu_share == 0.1667  # of 0.5 / 3: facts have four significant digits
    assert (run_.licence, run_.packages) == ("MIT", 7)


def test_an_app_that_is_gone_before_any_load_is_out_and_the_others_go_on(catalog: Catalog, journal: Journal) -> None:
    world = World(dies_when_verified="python/falcon")
    outcome, _ = run(plan_of(catalog, world), journal)
    by_entry = {result.entry: result.cells[0] for result in outcome.results}
    assert str(by_entry["python/falcon"].failure) == "alive: python/falcon: the app exited with code 3"
    assert by_entry["python/starlette"].solo.count == SOLO


def test_facts_that_could_not_be_found_out_are_reported(catalog: Catalog, journal: Journal) -> None:
    plan = plan_of(catalog, World(), patterns="python/falcon", reference=None)
    _, events = run(replace(plan, collect=lambda _entry: Facts(remarks=("no licence",))), journal)
    assert [e.text for e in events if isinstance(e, Remarked)] == ["no licence"]


def test_the_version_that_the_runtime_tells_comes_before_that_of_the_lock(catalog: Catalog, journal: Journal) -> None:
    plan = plan_of(catalog, World(), patterns="python/falcon", reference=None)
    collected, _ = run(replace(plan, collect=lambda _entry: Facts(version="10.0.12")), journal)
    locked, _ = run(plan, journal)
    versions = [next(iter(outcome.results[0].runs.values())).version for outcome in (collected, locked)]
    assert versions == ["10.0.12", catalog.entries["python/falcon"].version()]


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
    assert ("python/starlette", "/api/v1/sprint/raw/{id}", "120", "of", "1") in read, "and eight of readers"


@pytest.mark.parametrize(
    ("connections", "requests", "readers", "read"),
    [(512, None, 8, None), (128, None, 8, None), (64, None, 4, None), (8, 8, 1, 1), (10, 2000, 1, 200), (1, 7, 1, 7)],
)
def test_some_connections_of_a_load_are_those_of_readers(
    connections: int, requests: int | None, readers: int, read: int | None
) -> None:
    main, few = Tools.split(Load(0.3, connections, 1, None, requests=requests))
    assert (few.connections, few.threads, few.requests) == (readers, readers, read)
    assert (main.connections if main else 0) + readers == connections
    assert requests is None or (main.requests or 0 if main else 0) + (read or 0) == requests
