"""All processes of one app, whatever session or parent they have. A native target counts and stops them."""

import contextlib
import os
import signal
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from pathlib import Path

import psutil

from restbench.containers.cgroups import CgroupParent, cpu_seconds, freezer_of
from restbench.system import own_cgroups
from restbench.system.owners import owner_id

_ENTER = 'while [ "$1" != -- ]; do echo $$ >"$1"/cgroup.procs || exit; shift; done; shift; exec "$@"'
"""A script that enters the cgroup of each folder before "--" and then becomes the command after "--"."""

_STOPPING_SECONDS = 1.0
"""How long processes may take to stop. A process that waits in the kernel stops when it returns."""


class AppProcesses(ABC):
    """The processes of one app. It is made before the app starts, because later a process could be missed."""

    def __init__(self) -> None:
        self._stopped: set[int] = set()

    @property
    @abstractmethod
    def environment(self) -> Mapping[str, str]:
        """Variables that the app has to be started with."""

    @abstractmethod
    def command(self, argv: list[str]) -> list[str]:
        """Returns the command that starts the app: `argv`, with a command before it where one is needed."""

    @abstractmethod
    def started(self, leader: subprocess.Popen[bytes]) -> None:
        """Takes the app's first process. Returns when all processes that it starts will be counted."""

    @abstractmethod
    def cpu_seconds(self) -> float:
        """Returns the CPU seconds used so far, including processes and threads that ended. Raises OSError."""

    @abstractmethod
    def members(self) -> list[psutil.Process]:
        """Returns the processes that still run, without zombies."""

    @abstractmethod
    def pids(self) -> list[int]:
        """Returns the PIDs of the processes that still run, as members() does, in less time."""

    def freeze(self) -> None:
        """Keeps all processes from running until thaw(). Raises OSError.

        It waits until they have stopped, as others may run until the thread that got the signal has its turn on a CPU.
        A parent comes before its children, so that it does not see them stop. What it began meanwhile comes next.
        """
        deadline = time.monotonic() + _STOPPING_SECONDS
        while (running := sorted(filter(_runs, self.pids()))) and time.monotonic() < deadline:
            self._stopped.update(running)  # before they are, as Ctrl-C may come at any moment
            _send(running, signal.SIGSTOP)
            time.sleep(0.0005)

    def thaw(self) -> None:
        """Lets all processes run again that freeze() stopped. Raises OSError."""
        _send(sorted(self._stopped, reverse=True), signal.SIGCONT)
        self._stopped.clear()

    @abstractmethod
    def close(self) -> None:
        """Kills the processes that are left, and removes what was made for them."""


def _runs(pid: int) -> bool:
    """Whether a process has not stopped. Its first thread stops when all of them have to (proc_pid_stat(5))."""
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] not in (b"T", b"Z")
    except OSError:  # it has ended
        return False


def _send(pids: Iterable[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


class AppCgroup(AppProcesses):
    """One cgroup: one folder in v2, up to two in v1. Its shares and weights are the kernel's defaults.

    No process can leave it, and it gets the same share of a CPU as any other app's.
    """

    def __init__(self, place: CgroupParent) -> None:
        """Makes the cgroup. Raises OSError."""
        super().__init__()
        name = own_cgroups.new_name(owner_id())
        self._folders = [folder / name for folder in place.folders]
        try:
            for folder in self._folders:
                folder.mkdir()
        except OSError:
            self.close()
            raise
        self._freezer = freezer_of(self._folders[0])

    @property
    def environment(self) -> Mapping[str, str]:
        return {}

    def command(self, argv: list[str]) -> list[str]:
        return ["sh", "-c", _ENTER, "sh", *map(str, self._folders), "--", *argv]

    def started(self, leader: subprocess.Popen[bytes]) -> None:
        # the script takes some milliseconds to enter the cgroup: this time is not the app's
        while leader.poll() is None and leader.pid not in own_cgroups.pids(self._folders[-1]):
            time.sleep(0.001)

    def cpu_seconds(self) -> float:
        return cpu_seconds(self._folders[0])

    def members(self) -> list[psutil.Process]:
        found = []
        for pid in self.pids():
            with contextlib.suppress(psutil.NoSuchProcess):
                found.append(psutil.Process(pid))
        return found

    def pids(self) -> list[int]:
        return own_cgroups.pids(self._folders[0])

    def freeze(self) -> None:
        if self._freezer:
            self._freezer.freeze()
        else:
            super().freeze()

    def thaw(self) -> None:
        if self._freezer:
            self._freezer.thaw()
        else:
            super().thaw()

    def close(self) -> None:
        for folder in self._folders:
            # a folder stays when a process in it cannot be killed: remove_orphans() tries again in a later run
            own_cgroups.remove(folder)


def usable(place: CgroupParent) -> bool:
    """Returns whether this harness may make a cgroup there and put a process into it.

    It tries both, with a process that ends at once.
    """
    try:
        cgroup = AppCgroup(place)
    except OSError:
        return False
    try:
        return subprocess.run(cgroup.command(["true"]), capture_output=True, check=False).returncode == 0
    finally:
        cgroup.close()
