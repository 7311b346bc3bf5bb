"""Two versions of an entry as each other's duet: what is measured, and the verdict on each cell."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from restbench.catalog import Catalog, Entry
from restbench.catalog.profiles import find_profile
from restbench.changes.compare import compare_versions
from restbench.changes.comparison import CellChange, EntryComparison, Verdict
from restbench.changes.touched import base_of
from restbench.errors import Interrupted
from restbench.measure import Event, Plan
from restbench.measure.events import Planned, Visited
from restbench.measure.warm_up import PROBES
from restbench.results.journal import AskedLine, Journal
from restbench.results.rounds import DuetRound
from tests.unit.fakes import World
from tests.unit.plans import plan_of

HEAD, BASE = "python/falcon", "python/falcon@base"
PR = find_profile("pr")


def plan_in(catalog: Catalog, world: World, *suites: str) -> Plan:
    plan = plan_of(catalog, world, patterns=HEAD, suites=list(suites or ("hello",)))
    return replace(plan, tools=replace(plan.tools, profile=PR))


def base_in(catalog: Catalog) -> Entry:
    base = base_of(catalog.entries[HEAD], catalog, catalog)
    assert base
    return base


def compared(
    catalog: Catalog, world: World, *suites: str, base: Entry | None = None, events: list[Event] | None = None
) -> EntryComparison:
    observe = (events if events is not None else []).append
    plan = plan_in(catalog, world, *suites)
    return compare_versions(base or base_in(catalog), catalog.entries[HEAD], plan, observe)


def only_cell(comparison: EntryComparison) -> CellChange:
    (cell,) = comparison.cells
    return cell


def costing(head: float, base: float = 100, **faults: Any) -> World:
    return World(cost_us={HEAD: head, BASE: base}, **faults)


@pytest.mark.parametrize(
    ("head", "verdict"), [(90, Verdict.FASTER), (110, Verdict.SLOWER), (100, Verdict.SAME), (100.5, Verdict.SAME)]
)
def test_verdicts(catalog: Catalog, head: float, verdict: Verdict) -> None:
    cell = only_cell(compared(catalog, costing(head)))
    assert cell.verdict == verdict
    assert cell.cost
    assert cell.cost.ratio == pytest.approx(head / 100, rel=1e-3)
    assert cell.cost.low < cell.cost.ratio < cell.cost.high


def by_start(cost: Callable[[int], float]) -> World:
    """The head costs that in its nth start, counted from 1."""
    world = costing(100)

    def set_cost(_path: str) -> None:
        world.cost_us[HEAD] = cost(world.log.count(f"start {HEAD}"))

    world.on_load = set_cost
    return world


def test_a_difference_that_fresh_processes_do_not_show_is_not_claimed(catalog: Catalog) -> None:
    cell = only_cell(compared(catalog, by_start(lambda start: 95 if start <= 4 else 100)))
    assert cell.verdict == Verdict.ONCE
    assert cell.why == "the first starts showed a difference that later ones did not"


def test_a_process_that_was_faster_once_is_no_difference(catalog: Catalog) -> None:
    cell = only_cell(compared(catalog, by_start(lambda start: 94 if start == 1 else 100)))
    assert cell.verdict == Verdict.SAME


def test_without_a_difference_there_is_no_second_look(catalog: Catalog) -> None:
    world = costing(100)
    comparison = compared(catalog, world)
    cell = only_cell(comparison)
    assert comparison.together is None, "a single cell is not named twice"
    assert world.log.count(f"start {HEAD}") == world.log.count(f"start {BASE}") == 4
    assert cell.cost
    assert (cell.cost.starts, cell.cost.rounds) == (4, 4 * PR.duet_rounds)


def test_only_the_first_start_proves_and_has_solo_rounds(catalog: Catalog) -> None:
    world, events = costing(100), list[Event]()
    compared(catalog, world, events=events)
    assert world.log.count(f"verify {HEAD}") == world.log.count(f"verify {BASE}") == 1
    assert world.log.count("sleep 3 s") == 1  # the apps are watched while idle once
    assert world.log.count(f"verify again {HEAD}") == 4
    rounds = [event.result for event in events if isinstance(event, Visited) and event.result]
    assert sum(isinstance(r, DuetRound) for r in rounds) == 4 * PR.duet_rounds
    assert sum(not isinstance(r, DuetRound) for r in rounds) == 2
    assert not world.lines("oha")


def test_base_and_head_take_turns_at_being_the_first(catalog: Catalog) -> None:
    """So that an advantage of the one that is started or loaded first falls to both alike."""
    world = costing(100)
    compared(catalog, world)
    starts = [line for line in world.lines("start ") if line in (HEAD, BASE)]
    assert starts == [HEAD, BASE, BASE, HEAD, HEAD, BASE, BASE, HEAD]


def test_an_advantage_of_the_first_is_no_difference(catalog: Catalog) -> None:
    world = costing(100)

    def cheaper_if_first(_path: str) -> None:
        first = next(line for line in world.lines("start ")[-2:] if line in (HEAD, BASE))
        world.cost_us.update({HEAD: 100, BASE: 100, first: 98})

    world.on_load = cheaper_if_first
    cell = only_cell(compared(catalog, world))
    assert cell.cost
    assert cell.cost.ratio == pytest.approx(1.0)
    assert cell.verdict == Verdict.SAME


def test_a_second_look_is_at_the_cells_that_differed(catalog: Catalog) -> None:
    """One scenario of four became slower, too little to be seen in all together. The others are measured once."""
    world = costing(100)

    def dearer(path: str) -> None:
        world.cost_us[HEAD] = 103 if "userinfo" in path else 100

    world.on_load = dearer
    comparison = compared(catalog, world, "issue-tracker")
    verdicts = {(cell.scenario, cell.verdict) for cell in comparison.cells}
    assert ("userinfo", Verdict.SLOWER) in verdicts
    assert {verdict for scenario, verdict in verdicts if scenario != "userinfo"} == {Verdict.SAME}
    starts = {cell.scenario: cell.cost.starts for cell in comparison.cells if cell.cost}
    assert starts["userinfo"] > starts["sprint"]


def test_all_cells_together_are_measured_again_where_together_they_differ(catalog: Catalog) -> None:
    comparison = compared(catalog, costing(97), "issue-tracker")
    assert comparison.together
    assert comparison.together.verdict == Verdict.FASTER
    assert comparison.together.cost.ratio == pytest.approx(0.97, rel=1e-3)
    assert {cell.verdict for cell in comparison.cells} == {Verdict.FASTER}


def test_what_is_to_come_is_announced_once_for_each_series(catalog: Catalog) -> None:
    events: list[Event] = []
    compared(catalog, costing(110), events=events)
    first, second = [event for event in events if isinstance(event, Planned)]
    assert first.visits < second.visits  # of both series


def test_an_entry_with_many_cells_has_fewer_starts_and_rounds(catalog: Catalog) -> None:
    world, events = costing(100), list[Event]()
    compared(catalog, world, "hello", "issue-tracker", "workload", events=events)
    (planned,) = [event for event in events if isinstance(event, Planned)]
    assert world.log.count(f"start {HEAD}") < 4
    assert planned.seconds < 360  # a comparison takes about six minutes


FAULTS: dict[str, tuple[dict[str, Any], Verdict, str]] = {
    "the head": ({"wrong_before": {HEAD: "hello_world"}}, Verdict.FAILED, "answer: rubbish"),
    "the base": ({"wrong_before": {BASE: "hello_world"}}, Verdict.MENDED, "failed before: answer: rubbish"),
    "the base, under load": ({"dies_at": {BASE: "/hello_world"}}, Verdict.UNKNOWN, ".*exited with code 3.*"),
    "every round": (
        {"duet_loads_die": 10**6},
        Verdict.UNKNOWN,
        r"too few duet rounds count: \d+ were refused, most often: a load generator died",
    ),
}


@pytest.mark.parametrize(("faults", "verdict", "why"), FAULTS.values(), ids=FAULTS)
def test_what_fails_says_why_and_has_no_figure(
    catalog: Catalog, faults: dict[str, Any], verdict: Verdict, why: str
) -> None:
    comparison = compared(catalog, costing(100, **faults))
    cell = only_cell(comparison)
    assert (cell.verdict, cell.cost) == (verdict, None)
    assert re.fullmatch(why, cell.why or "", re.DOTALL)
    assert comparison.failed is (verdict is Verdict.FAILED)


@pytest.mark.parametrize("start", [2, 3])
def test_a_head_that_fails_in_a_later_start_failed(catalog: Catalog, start: int) -> None:
    """Whichever of the two is measured against the other in that start."""
    world = costing(100)

    def dies(path: str) -> None:
        if world.log.count(f"start {HEAD}") == start:
            world.dies_at = {HEAD: path}

    world.on_load = dies
    cell = only_cell(compared(catalog, world))
    assert cell.verdict == Verdict.FAILED
    assert (cell.why or "").startswith(f"alive: {HEAD}: the app exited with code 3")
    assert world.log.count(f"start {HEAD}") == start  # there is nothing left to start it for


def test_a_head_that_does_not_build_is_not_measured(catalog: Catalog) -> None:
    comparison = compared(catalog, costing(100, build_fails={HEAD}))
    assert (comparison.status, comparison.why) == ("failed", f"build: {HEAD}: the build failed")
    assert comparison.failed


def test_a_base_that_does_not_build_leaves_the_head_its_conformance(catalog: Catalog) -> None:
    world = costing(100, build_fails={BASE}, wrong_before={HEAD: "userinfo"})
    comparison = compared(catalog, world, "hello", "issue-tracker")
    why = f"the base could not be measured: build: {BASE}: the build failed"
    assert (comparison.status, comparison.why) == ("changed", why)
    verdicts = {cell.scenario: (cell.verdict, cell.why) for cell in comparison.cells}
    assert verdicts["hello_world"] == (Verdict.UNKNOWN, why)
    assert verdicts["userinfo"] == (Verdict.FAILED, "answer: rubbish")
    assert world.log.count(f"start {HEAD}") == 1  # more starts would tell no more


def test_a_cell_that_was_not_run_is_neither_mended_nor_failed(catalog: Catalog) -> None:
    """Whatever the base did: this machine lacks what the cell needs."""
    world = World(backend_missing="no Java here", wrong_before={BASE: "json_serialization"})
    comparison = compared(catalog, world, "solr")
    verdicts = {(cell.verdict, cell.why) for cell in comparison.cells}
    assert verdicts == {(Verdict.UNKNOWN, "no Java here")}


def without_variant(base: Entry, variant: str) -> Entry:
    variants = [each for each in base.variants("issue-tracker") if each != variant]
    suites = base.manifest.suites | {"issue-tracker": variants}
    return replace(base, manifest=base.manifest.model_copy(update={"suites": suites}))


def test_another_variant_is_no_base_to_compare_with(catalog: Catalog) -> None:
    """The board would take the nearest kind; two versions are compared only where the work is the same."""
    variants = catalog.entries[HEAD].variants("issue-tracker")
    typed = next(variant for variant in variants if variant not in (None, "raw"))
    assert typed
    base = without_variant(base_in(catalog), typed)
    comparison = compared(catalog, costing(90), "issue-tracker", base=base)
    verdicts = {(cell.variant, cell.verdict) for cell in comparison.cells}
    assert (typed, Verdict.NEW) in verdicts
    assert ("raw", Verdict.FASTER) in verdicts
    assert (typed, Verdict.FASTER) not in verdicts


def test_ctrl_c_stops_everything_and_there_is_no_verdict(catalog: Catalog) -> None:
    world = costing(100)

    def interrupt(_path: str) -> None:
        if world.log.count(f"start {HEAD}") == 2:
            raise KeyboardInterrupt

    world.on_load = interrupt
    with pytest.raises(Interrupted):
        compared(catalog, world)
    assert world.log.count(f"stop {HEAD}") == world.log.count(f"stop {BASE}") == 2


def test_the_backend_runs_through_all_starts(catalog: Catalog) -> None:
    world = costing(100)
    compared(catalog, world, "solr")
    assert world.log.count("start backend") == world.log.count("stop backend") == 1
    assert world.log.count(f"start {HEAD}") > 1


MOST_WARM_UPS = 2 * (1 + PROBES)
"""How many loads a cell of both sides gets at most before the first duet."""


def test_a_duet_in_which_the_backend_was_lost_does_not_count(catalog: Catalog) -> None:
    world, events = costing(100), list[Event]()

    def lose(path: str) -> None:
        are_warm = sum("/anonymization/" in line for line in world.lines("wrk ")) > MOST_WARM_UPS
        if path.startswith("/anonymization/") and are_warm and "revive backend" not in world.log:
            world.backend_dies_at = path

    world.on_load = lose
    compared(catalog, world, "solr", events=events)
    duets = [event.result for event in events if isinstance(event, Visited) and isinstance(event.result, DuetRound)]
    assert [duet.invalid for duet in duets if duet.invalid] == [["Solr was ended by signal 9"]]
    assert world.log.count("revive backend") == 1


def test_the_journal_has_the_rounds_of_every_start(catalog: Catalog, journal: Journal) -> None:
    compare_versions(
        base_in(catalog), catalog.entries[HEAD], plan_in(catalog, costing(100)), lambda _event: None, journal
    )
    first, *lines = journal._path.read_text().splitlines()
    asked = AskedLine.model_validate_json(first)
    assert (list(asked.entries), list(asked.beside)) == ([HEAD], [BASE])
    assert sum("baseline_cpu_us" in line for line in lines) == 4 * PR.duet_rounds


def test_the_profile_for_pull_requests_leaves_batches_out(catalog: Catalog) -> None:
    scenarios = catalog.suites["workload"].scenarios
    measures = {s.name for s in scenarios if PR.measures(s)}
    assert measures == {s.name for s in scenarios if s.batch is None}
    assert all(find_profile("full").measures(s) for s in scenarios)
