"""Other programs that use the CPUs: who they are, and when a run reports them."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from restbench.catalog import Catalog, Cell
from restbench.catalog.profiles import find_profile
from restbench.measure.contention import IN_A_ROW, Noticing, look
from restbench.measure.events import Disturbed, Event, Throttled, Visited
from restbench.measure.gate import OTHERS_USED_APP, THROTTLED
from restbench.measure.outcome import ENOUGH_ROUNDS
from restbench.results.journal import Journal
from restbench.system.programs import HOST, Others, Process, Programs, programs
from restbench.system.quotas import Quota
from tests.made.records import a_latency_round, a_solo_round
from tests.unit.fakes import FakeRuntime, World, fake_tools
from tests.unit.plans import QUICK, plan_of, run, without_repeats

CELL = Cell("python/falcon", "hello", "hello_world", None)
COUNTS, REFUSED = a_solo_round(), a_solo_round(invalid=[OTHERS_USED_APP])
ERRORS = a_solo_round(invalid=["errors: timeout"])


def now(at: float, *processes: tuple[int, str, int, float], stolen: float = 0.0) -> Programs:
    """Processes at a moment: PID, name, parent and CPU seconds."""
    return Programs(at, 1.5, stolen, {(pid, 0.0): Process(name, parent, cpu) for pid, name, parent, cpu in processes})


def shares(others: Others) -> dict[str, float]:
    return {name: round(share, 6) for name, share in others.programs}


def test_the_programs_that_used_most_are_named_with_their_shares_of_a_cpu() -> None:
    before = now(10, (5, "cc", 1, 100.0), (6, "cc", 1, 0.0), (7, "cron", 1, 9.0), (8, "idle", 1, 50.0))
    after = now(20, (5, "cc", 1, 104.0), (6, "cc", 1, 5.0), (7, "cron", 1, 10.0), (8, "idle", 1, 50.2))
    found = after.since(before)
    assert shares(found) == {"cc": 0.9, "cron": 0.1}
    assert found.load_average == 1.5


def test_what_a_process_used_before_is_not_counted_when_its_parent_gets_it() -> None:
    """make has waited for two compilers: one had run for long, and one began and ended meanwhile."""
    before = now(0, (1, "init", 0, 0.0), (5, "make", 1, 2.0), (6, "sh", 5, 0.0), (7, "cc", 6, 30.0))
    after = now(10, (1, "init", 0, 0.0), (5, "make", 1, 2.0 + 30.0 + 3.0 + 4.0))
    assert shares(after.since(before)) == {"make": 0.7}


def test_time_that_the_host_took_is_named_too() -> None:
    assert shares(now(10, stolen=7.0).since(now(0, stolen=3.0))) == {HOST: 0.4}


def test_this_harness_and_what_it_started_are_not_among_the_others() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        found = {pid for pid, _ in programs().processes}
        child.communicate(b"\n")
    assert not {os.getpid(), child.pid} & found


@pytest.mark.parametrize("others", [False, True])
def test_a_machine_that_others_use_is_reported_before_the_load(others: bool) -> None:
    world, events = World(others=others), list[Event]()
    look(fake_tools(world, FakeRuntime(world), QUICK), events.append)
    assert [shares(event.others) for event in events if isinstance(event, Disturbed)] == [{"cargo": 0.92}] * others
    assert world.log == ["sleep 2 s"]


def reported(*rounds: object) -> list[int]:
    """After how many of the rounds it is reported that others use the CPUs."""
    events: list[Event] = []
    world = World()
    notice = Noticing(fake_tools(world, FakeRuntime(world), QUICK), events.append)
    found = []
    for number, seen in enumerate(rounds, start=1):
        notice(Visited(CELL, seen))  # type: ignore[arg-type]
        if isinstance(events[-1], Disturbed):
            found.append(number)
    return found


def test_five_refused_rounds_in_a_row_are_reported_once_until_as_many_count() -> None:
    assert reported(*[REFUSED] * (IN_A_ROW - 1), COUNTS, *[REFUSED] * (IN_A_ROW - 1)) == []
    assert reported(*[REFUSED] * 20) == [5]
    assert reported(*[REFUSED] * 5, COUNTS, *[REFUSED] * 9) == [5]
    assert reported(*[REFUSED] * 5, *[COUNTS] * 5, *[REFUSED] * 9) == [5, 15]


def test_rounds_that_a_quota_throttled_name_the_quota() -> None:
    world, events = World(throttles=True), list[Event]()
    notice = Noticing(fake_tools(world, FakeRuntime(world), QUICK), events.append)
    for _ in range(IN_A_ROW):
        notice(Visited(CELL, a_solo_round(invalid=[THROTTLED])))
    assert [event for event in events if isinstance(event, Disturbed | Throttled)] == [
        Throttled(Quota(0.5, Path("/sys/fs/cgroup/cpu/half/cpu.cfs_quota_us")), IN_A_ROW)
    ]


def test_only_rounds_that_others_disturbed_count_for_that() -> None:
    assert reported(*[ERRORS] * 20) == []
    assert reported(*[REFUSED, ERRORS, None, a_latency_round()] * 5) == [17]


def test_a_run_reports_both(catalog: Catalog, journal: Journal) -> None:
    _, events = run(without_repeats(plan_of(catalog, World(others=True))), journal)
    assert [event.refused for event in events if isinstance(event, Disturbed)] == [0, IN_A_ROW]


@pytest.mark.parametrize(("profile", "enough"), [("quick", ENOUGH_ROUNDS), ("smoke", 1)])
def test_a_cell_lacks_rounds_where_fewer_than_three_count_or_than_the_profile_has(
    catalog: Catalog, journal: Journal, profile: str, enough: int
) -> None:
    def busy_from(load: int) -> World:
        world = World()
        loads: list[str] = []

        def count(path: str) -> None:
            loads.append(path)
            world.others = len([line for line in world.log if line.startswith("wrk ")]) > load

        world.on_load = count
        return world

    def lacks(load: int) -> bool:
        plan = without_repeats(plan_of(catalog, busy_from(load), patterns="python/falcon", reference=None))
        tools = replace(plan.tools, profile=find_profile(profile).model_copy(update={"repeat_share": 0}))
        outcome, _ = run(replace(plan, tools=tools), journal)
        (cell,) = outcome.results[0].cells
        assert bool(outcome.shortage) == (cell.solo.count < enough), (cell.solo.count, outcome.shortage)
        return outcome.shortage is not None

    assert [lacks(load) for load in (0, 1000)] == [True, False]
    assert {lacks(load) for load in range(10)} == {True, False}
