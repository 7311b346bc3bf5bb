"""An app's processes without a cgroup: who belongs to it, and that no time is lost or counted twice."""

import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import pytest

from restbench.targets import process_tree
from restbench.targets.process_tree import ProcessTree

LEADER = 100


@dataclass
class Kernel:
    """A table of processes: PID → parent, session, seconds of children that were waited for, start, own seconds."""

    stats: dict[int, tuple[int, int, float, int]] = field(default_factory=dict)
    clocks: dict[int, float] = field(default_factory=dict)
    environments: dict[int, str] = field(default_factory=dict)

    def run(
        self, pid: int, parent: int, session: int, seconds: float = 0.0, waited: float = 0.0, began: int = 1
    ) -> None:
        self.stats[pid] = (parent, session, waited, began)
        self.clocks[pid] = seconds

    def end(self, *pids: int) -> None:
        for pid in pids:
            del self.stats[pid], self.clocks[pid]

    def stat(self, pid: int) -> Any:
        if pid not in self.stats:
            raise ProcessLookupError
        parent, session, waited, began = self.stats[pid]
        return process_tree._Stat("S", parent, session, waited, began)

    def clock(self, pid: int) -> float:
        if pid not in self.clocks:
            raise ProcessLookupError
        return self.clocks[pid]


@dataclass
class Named:
    """What stands for psutil's process."""

    pid: int


class Leader:
    pid = LEADER


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> Kernel:
    kernel = Kernel()
    kernel.run(1, parent=0, session=1, seconds=50.0)
    monkeypatch.setattr(psutil, "pids", lambda: list(kernel.stats))
    monkeypatch.setattr(psutil, "Process", Named)
    monkeypatch.setattr(process_tree._Stat, "of", kernel.stat)
    monkeypatch.setattr(process_tree, "cpu_clock", kernel.clock)
    monkeypatch.setattr(ProcessTree, "_is_marked", lambda tree, pid: tree._mark == kernel.environments.get(pid))
    return kernel


@pytest.fixture
def tree(kernel: Kernel) -> ProcessTree:
    """With its leader, which has used one second."""
    tree = ProcessTree()
    kernel.run(LEADER, parent=50, session=LEADER, seconds=1.0)
    tree.started(Leader())  # type: ignore[arg-type]
    return tree


def pids(tree: ProcessTree) -> set[int]:
    return {process.pid for process in tree.members()}


def test_the_session_the_descendants_and_the_marked_are_the_apps(kernel: Kernel, tree: ProcessTree) -> None:
    kernel.run(101, parent=1, session=LEADER, seconds=0.1)
    kernel.run(102, parent=LEADER, session=102, seconds=0.2)
    kernel.run(103, parent=102, session=103, seconds=0.4)
    kernel.run(104, parent=1, session=104, seconds=0.8)
    kernel.run(105, parent=1, session=105, seconds=100.0)
    kernel.environments[104] = tree.environment[process_tree.APP]
    kernel.environments[105] = "another app's"
    assert pids(tree) == {LEADER, 101, 102, 103, 104}
    assert tree.cpu_seconds() == pytest.approx(2.5)


def test_a_member_stays_one_when_it_loses_its_parent(kernel: Kernel, tree: ProcessTree) -> None:
    kernel.run(101, parent=LEADER, session=LEADER)
    kernel.run(102, parent=101, session=102, seconds=0.5)
    assert tree.cpu_seconds() == 1.5
    kernel.end(101)
    kernel.run(102, parent=1, session=102, seconds=0.75)
    assert tree.cpu_seconds() == 1.75


def test_processes_of_before_and_those_of_others_are_not_the_apps(kernel: Kernel, tree: ProcessTree) -> None:
    kernel.run(200, parent=50, session=200, seconds=7.0)
    assert tree.cpu_seconds() == 1.0
    assert pids(tree) == {LEADER}


def test_a_worker_that_ends_unseen_leaves_what_it_had_used(kernel: Kernel, tree: ProcessTree) -> None:
    kernel.run(101, parent=LEADER, session=LEADER, seconds=0.5)
    assert tree.cpu_seconds() == 1.5
    kernel.end(101)
    assert tree.cpu_seconds() == 1.5


def test_a_worker_that_was_waited_for_counts_once_and_in_full(kernel: Kernel, tree: ProcessTree) -> None:
    kernel.run(101, parent=LEADER, session=LEADER, seconds=0.5)
    assert tree.cpu_seconds() == 1.5
    kernel.end(101)
    kernel.run(LEADER, parent=50, session=LEADER, seconds=1.0, waited=0.6)
    assert tree.cpu_seconds() == 1.6
    assert tree.cpu_seconds() == 1.6


def test_a_child_that_began_and_ended_between_two_looks_counts_when_it_was_waited_for(
    kernel: Kernel, tree: ProcessTree
) -> None:
    assert tree.cpu_seconds() == 1.0
    kernel.run(LEADER, parent=50, session=LEADER, seconds=1.0, waited=0.25)
    assert tree.cpu_seconds() == 1.25


def test_parent_and_child_that_end_together_leave_their_times_to_the_one_above(
    kernel: Kernel, tree: ProcessTree
) -> None:
    kernel.run(101, parent=LEADER, session=LEADER, seconds=0.5)
    kernel.run(102, parent=101, session=LEADER, seconds=0.25)
    assert tree.cpu_seconds() == 1.75
    kernel.end(101, 102)
    kernel.run(LEADER, parent=50, session=LEADER, seconds=1.0, waited=0.75)
    assert tree.cpu_seconds() == 1.75


def test_a_daemon_that_ends_leaves_its_time(kernel: Kernel, tree: ProcessTree) -> None:
    kernel.run(104, parent=1, session=104, seconds=0.5)
    kernel.environments[104] = tree.environment[process_tree.APP]
    assert tree.cpu_seconds() == 1.5
    kernel.end(104)
    assert tree.cpu_seconds() == 1.5


def test_a_child_that_is_waited_for_while_times_are_read_counts_once(
    kernel: Kernel, tree: ProcessTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel.run(101, parent=LEADER, session=LEADER, seconds=0.5)
    assert tree.cpu_seconds() == 1.5

    def clock(pid: int) -> float:
        if 101 in kernel.stats:
            kernel.end(101)
            kernel.run(LEADER, parent=50, session=LEADER, seconds=1.0, waited=0.5)
        return kernel.clock(pid)

    monkeypatch.setattr(process_tree, "cpu_clock", clock)
    assert tree.cpu_seconds() == 1.5
    assert tree.cpu_seconds() == 1.5


def test_another_process_with_a_members_pid_is_not_a_member(kernel: Kernel, tree: ProcessTree) -> None:
    kernel.run(101, parent=LEADER, session=LEADER, seconds=0.5)
    assert tree.cpu_seconds() == 1.5
    kernel.end(101)
    kernel.run(101, parent=1, session=101, seconds=90.0, began=2)
    assert tree.cpu_seconds() == 1.5
    assert pids(tree) == {LEADER}


def test_a_pid_that_was_somebody_elses_can_become_the_apps(
    kernel: Kernel, tree: ProcessTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel.run(101, parent=1, session=1, seconds=9.0)
    assert tree.cpu_seconds() == 1.0
    kernel.run(101, parent=LEADER, session=LEADER, seconds=0.5, began=2)
    monkeypatch.setattr(process_tree, "_SEARCH_SECONDS", 0.0)
    assert pids(tree) == {LEADER, 101}
    assert tree.cpu_seconds() == 1.5


def test_stat_is_read_from_a_real_process_whatever_its_name(tmp_path: Path) -> None:
    program = tmp_path / "a) S 1 (b"
    program.symlink_to("/bin/sleep")
    with subprocess.Popen([program, "60"], start_new_session=True) as process:
        stat = process_tree._Stat.of(process.pid)
        process.kill()
    assert stat.session == process.pid
    assert stat.parent == psutil.Process().pid
    assert stat.waited == 0.0
