"""How the CPU time of native apps is counted on this machine, and whether two of them share a CPU equally."""

import contextlib
import os
import subprocess
import threading
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import psutil

from restbench.containers.cgroups import CgroupParent, in_root_group, places
from restbench.system.advice import option
from restbench.system.processes import group_of
from restbench.system.resource_use import clocks_work, cpu_clock
from restbench.targets.app_processes import AppCgroup, AppProcesses, usable

APP = "RESTBENCH_APP"
"""The variable that marks all processes of one app. They inherit it, whatever session or parent they get."""

_SEARCH_SECONDS = 1.0
"""Seconds after which members() looks again at processes that did not belong to the app when they were new."""

_TICK_SECONDS = 1 / os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class _Stat:
    """The kernel's data about a process (proc_pid_stat(5)).

    `waited`: CPU seconds of the children that it waited for. `started`: ticks from the boot to its start.
    """

    state: str
    parent: int
    session: int
    waited: float
    started: int

    @classmethod
    def of(cls, pid: int) -> "_Stat":
        """Reads the data of a process. Raises OSError when no process has that PID."""
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        waited = (int(fields[13]) + int(fields[14])) * _TICK_SECONDS
        return cls(fields[0].decode(), int(fields[1]), int(fields[3]), waited, int(fields[19]))


@dataclass
class _Member:
    """A process as it was last seen. `clock`: its CPU seconds. `ended`: CPU seconds of its descendants that ended."""

    process: psutil.Process
    stat: _Stat
    clock: float = 0.0
    ended: float = 0.0

    def read_stat(self) -> bool:
        """Reads `stat` again. Returns False when the process is gone, also when another process has its PID now."""
        try:
            stat = _Stat.of(self.process.pid)
        except OSError:
            return False
        if stat.started != self.stat.started:
            return False
        self.stat = stat
        return True

    def read_clock(self) -> bool:
        """Reads `clock` again. Returns False when the process is gone."""
        try:
            self.clock = cpu_clock(self.process.pid)
        except ProcessLookupError:
            return False
        return True


class ProcessTree(AppProcesses):
    """The processes in the session of the first one, all processes that members start, and all that have the mark.

    This has two gaps. A process that ended since the last look counts with the CPU time that it had used at that look,
    or with the time that its parent learned by waiting for it, in ticks of 10 ms. And a process is missed when it
    leaves the session, loses its parent and drops the mark between two looks.
    """

    def __init__(self) -> None:
        super().__init__()
        self._mark = uuid.uuid4().hex
        self._leader: subprocess.Popen[bytes] | None = None
        self._members: dict[int, _Member] = {}
        self._others = set(psutil.pids())  # processes that run before the app starts are not the app's
        self._searched = time.monotonic()
        self._ended = 0.0
        self._lock = threading.Lock()

    @property
    def environment(self) -> Mapping[str, str]:
        return {APP: self._mark}

    def command(self, argv: list[str]) -> list[str]:
        return argv

    def started(self, leader: subprocess.Popen[bytes]) -> None:
        self._leader = leader

    def cpu_seconds(self) -> float:
        with self._lock:
            self._look()
            return self._ended + sum(member.clock + member.ended for member in self._members.values())

    def members(self) -> list[psutil.Process]:
        with self._lock:
            if time.monotonic() - self._searched > _SEARCH_SECONDS:
                self._others.clear()
                self._searched = time.monotonic()
            self._look()
            return [member.process for member in self._members.values() if member.stat.state != "Z"]

    def pids(self) -> list[int]:
        with self._lock:
            self._look()
            return [pid for pid, member in self._members.items() if member.stat.state != "Z"]

    def close(self) -> None:
        for process in self.members():
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()

    def _look(self) -> None:
        """Finds new members, reads the times of all members, and keeps the times of members that ended."""
        pids = set(psutil.pids())
        self._others &= pids
        for pid in sorted(pids - self._others - self._members.keys()):
            self._consider(pid)
        # every `waited` is read before any clock: a child that its parent waits for in between must not count twice
        alive = [pid for pid, member in self._members.items() if member.read_stat()]
        alive = [pid for pid in alive if self._members[pid].read_clock()]
        gone = {pid: self._members.pop(pid) for pid in self._members.keys() - set(alive)}
        for member in gone.values():
            # its times go to its closest ancestor that still runs, else to the app's total
            parent = member.stat.parent
            while parent in gone:
                parent = gone[parent].stat.parent
            if ancestor := self._members.get(parent):
                ancestor.ended += member.clock + member.ended
            else:
                self._ended += member.clock + member.ended
        for member in self._members.values():
            member.ended = max(member.ended, member.stat.waited)

    def _consider(self, pid: int) -> None:
        """Makes a process a member if it belongs to the app."""
        try:
            stat = _Stat.of(pid)
            if self._is_in_session(stat) or self._is_child(stat) or self._is_marked(pid):
                self._members[pid] = _Member(psutil.Process(pid), stat)
            else:
                self._others.add(pid)
        except (OSError, psutil.NoSuchProcess):
            pass  # the process has ended

    def _is_in_session(self, stat: _Stat) -> bool:
        return self._leader is not None and stat.session == self._leader.pid and bool(group_of(self._leader))

    def _is_child(self, stat: _Stat) -> bool:
        # the parent is read after its child, so that another process that has its PID now is not taken for it
        parent = self._members.get(stat.parent)
        return parent is not None and (parent.read_stat() or not psutil.pid_exists(stat.parent))

    def _is_marked(self, pid: int) -> bool:
        try:
            return f"{APP}={self._mark}".encode() in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        except PermissionError:  # a process of another user, or of the kernel
            return False


_AUTOGROUP = Path("/proc/sys/kernel/sched_autogroup_enabled")
_ELSEWHERE = "run restbench where it may make cgroups (root mostly may)"


@cache
def app_place() -> CgroupParent | None:
    """Returns the place where cgroups of apps are made, None where this harness may make none."""
    return next((place for place in places() if usable(place)), None)


def app_processes() -> AppProcesses:
    """Returns a holder for the processes of an app that is about to start: a cgroup if possible. Raises OSError."""
    place = app_place()
    return AppCgroup(place) if place else ProcessTree()


def how_counted() -> str:
    """Returns a phrase that says how the CPU time of native apps is counted."""
    place = app_place()
    if place:
        return f"of an app's cgroup ({place.version})"
    return "of each process, by its own clock" if clocks_work() else "of each process, in ticks of 10 ms"


def cpu_counter_unavailable_reason() -> str | None:
    """Returns None when the CPU times of two native apps can be compared, else why not and what to do."""
    if app_place() or clocks_work():
        return None
    return (
        "the CPU time of an app is known in ticks of 10 ms only, as this kernel shows no clock of another process: "
        f"rows have no relative cost; {_ELSEWHERE}, or use {option('target', 'docker')}"
    )


def fair_sharing(autogroup: Path = _AUTOGROUP) -> str | None:
    """Returns None when two native apps get equal shares of a CPU, else why not and what to do.

    The shares are equal when they do not depend on how many threads each app has. A cgroup for each app ensures that.
    Without cgroups the kernel's autogroup does: it makes a group for each session (sched(7)), so one for each app, and
    one more for each session that an app opens itself. Autogroup has effect in the root cgroup only.
    """
    place = app_place()
    if place and place.shares:
        return None
    try:
        enabled = autogroup.read_text(encoding="utf-8").strip() == "1"
    except OSError:  # a kernel without autogroup
        enabled = False
    unequal = "an app with more threads gets more of a CPU that two apps share"
    if not in_root_group():
        return f"{unequal}: {_ELSEWHERE}, or use {option('target', 'docker')}"
    if not enabled:
        return f"{unequal}: switch on autogroup with: sysctl kernel.sched_autogroup_enabled=1"
    return None
