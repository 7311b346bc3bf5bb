"""An app's processes without a cgroup: who belongs to it, and that no time is lost or counted twice."""

import subprocess
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from restbench.targets import cpu_time
from restbench.targets.cpu_time import ProcessTree

LEADER = 100


@dataclass(frozen=True)
class Process:
    """`waited`: seconds of children that it waited for. `marked`: its environment is that of the app."""

    parent: int
    session: int
    seconds: float = 0.0
    waited: float = 0.0
    began: int = 1
    marked: bool = False


Table = dict[int, Process]
"""PID → the process."""


class Kernel(Table):
    """The processes that there are."""

    def become(self, changes: dict[int, Process | None]) -> None:
        """Processes begin, go on or, in place of which there is None, end."""
        for pid, process in changes.items():
            if process:
                self[pid] = process
            else:
                del self[pid]

    def found(self, pid: int) -> Process:
        if pid not in self:
            raise ProcessLookupError
        return self[pid]

    def stat(self, pid: int) -> Any:
        process = self.found(pid)
        return cpu_time._Stat("S", process.parent, process.session, process.waited, process.began)

    def clock(self, pid: int) -> float:
        return self.found(pid).seconds


@dataclass
class Named:
    """What stands for psutil's process."""

    pid: int


class Leader:
    pid = LEADER
    returncode: int | None = None


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> Kernel:
    kernel = Kernel({1: Process(0, 1, 50.0)})
    monkeypatch.setattr(psutil, "pids", lambda: list(kernel))
    monkeypatch.setattr(psutil, "Process", Named)
    monkeypatch.setattr(cpu_time._Stat, "of", kernel.stat)
    monkeypatch.setattr(cpu_time, "cpu_clock", kernel.clock)
    monkeypatch.setattr(ProcessTree, "_is_marked", lambda _tree, pid: kernel[pid].marked)
    return kernel


@pytest.fixture
def tree(kernel: Kernel) -> ProcessTree:
    """With its leader, which has used one second."""
    tree = ProcessTree()
    kernel[LEADER] = Process(50, LEADER, 1.0)
    tree.started(Leader())  # type: ignore[arg-type]
    return tree


def test_a_stranger_that_has_the_pid_of_an_ended_member_is_not_the_apps(
    kernel: Kernel, tree: ProcessTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert pids(tree) == {LEADER}
    monkeypatch.setattr(psutil, "pid_exists", kernel.__contains__)
    leader = tree._leader
    assert leader
    leader.returncode = 0
    kernel.become({LEADER: Process(1, LEADER, 70.0, began=2), 101: Process(LEADER, LEADER, 80.0)})
    assert pids(tree) == set()
    assert tree.cpu_seconds() == pytest.approx(1.0), "what the app used until then"


def pids(tree: ProcessTree) -> set[int]:
    return {process.pid for process in tree.members()}


def test_the_session_the_descendants_and_the_marked_are_the_apps(kernel: Kernel, tree: ProcessTree) -> None:
    kernel[101] = Process(1, LEADER, 0.1)
    kernel[102] = Process(LEADER, 102, 0.2)
    kernel[103] = Process(102, 103, 0.4)
    kernel[104] = Process(1, 104, 0.8, marked=True)
    kernel[105] = Process(1, 105, 100.0)
    assert tree.environment[cpu_time.APP] == tree._mark
    assert pids(tree) == {LEADER, 101, 102, 103, 104}
    assert tree.cpu_seconds() == pytest.approx(2.5)


def test_a_member_stays_one_when_it_loses_its_parent(kernel: Kernel, tree: ProcessTree) -> None:
    kernel.update({101: Process(LEADER, LEADER), 102: Process(101, 102, 0.5)})
    assert tree.cpu_seconds() == 1.5
    kernel.become({101: None, 102: Process(1, 102, 0.75)})
    assert tree.cpu_seconds() == 1.75


WORKER = Process(LEADER, LEADER, 0.5)


def leader_waited(seconds: float) -> Process:
    return Process(50, LEADER, 1.0, waited=seconds)


COUNTED: dict[str, tuple[Table, float, dict[int, Process | None], float]] = {
    "a process of before, or of others": ({200: Process(50, 200, 7.0)}, 1.0, {}, 1.0),
    "a worker that ends unseen leaves what it had used": ({101: WORKER}, 1.5, {101: None}, 1.5),
    "a worker that was waited for counts once and in full": (
        {101: WORKER},
        1.5,
        {101: None, LEADER: leader_waited(0.6)},
        1.6,
    ),
    "a child that began and ended between two looks": ({}, 1.0, {LEADER: leader_waited(0.25)}, 1.25),
    "parent and child that end together leave their times to the one above": (
        {101: WORKER, 102: Process(101, LEADER, 0.25)},
        1.75,
        {101: None, 102: None, LEADER: leader_waited(0.75)},
        1.75,
    ),
    "a daemon that ends leaves its time": ({104: Process(1, 104, 0.5, marked=True)}, 1.5, {104: None}, 1.5),
    "another process with a member's PID": ({101: WORKER}, 1.5, {101: Process(1, 101, 90.0, began=2)}, 1.5),
}
"""The processes beside the leader, the seconds of the app, what they become, and the seconds then."""


@pytest.mark.parametrize("case", COUNTED)
def test_time_is_neither_lost_nor_counted_twice(kernel: Kernel, tree: ProcessTree, case: str) -> None:
    before, seconds, changes, then = COUNTED[case]
    kernel.update(before)
    assert tree.cpu_seconds() == seconds
    kernel.become(changes)
    assert tree.cpu_seconds() == then
    assert tree.cpu_seconds() == then
    assert pids(tree) == {LEADER}


def test_a_child_that_is_waited_for_while_times_are_read_counts_once(
    kernel: Kernel, tree: ProcessTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel[101] = WORKER
    assert tree.cpu_seconds() == 1.5

    def clock(pid: int) -> float:
        if 101 in kernel:
            kernel.become({101: None, LEADER: leader_waited(0.5)})
        return kernel.clock(pid)

    monkeypatch.setattr(cpu_time, "cpu_clock", clock)
    assert tree.cpu_seconds() == 1.5
    assert tree.cpu_seconds() == 1.5


def test_a_pid_that_was_somebody_elses_can_become_the_apps(
    kernel: Kernel, tree: ProcessTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel[101] = Process(1, 1, 9.0)
    assert tree.cpu_seconds() == 1.0
    kernel[101] = replace(WORKER, began=2)
    monkeypatch.setattr(cpu_time, "_SEARCH_SECONDS", 0.0)
    assert pids(tree) == {LEADER, 101}
    assert tree.cpu_seconds() == 1.5


def test_stat_is_read_from_a_real_process_whatever_its_name(tmp_path: Path) -> None:
    program = tmp_path / "a) S 1 (b"
    program.symlink_to("/bin/sleep")
    with subprocess.Popen([program, "60"], start_new_session=True) as process:
        stat = cpu_time._Stat.of(process.pid)
        process.kill()
    assert stat.session == process.pid
    assert stat.parent == psutil.Process().pid
    assert stat.waited == 0.0
