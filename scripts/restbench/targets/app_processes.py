"""All processes of one app, whatever session or parent they have. A native target counts and stops them."""

import contextlib
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping

import psutil

from restbench.containers.cgroups import CgroupParent, cpu_seconds
from restbench.system import own_cgroups
from restbench.system.owners import owner_id

_ENTER = 'while [ "$1" != -- ]; do echo $$ >"$1"/cgroup.procs || exit; shift; done; shift; exec "$@"'
"""A script that enters the cgroup of each folder before "--" and then becomes the command after "--"."""


class AppProcesses(ABC):
    """The processes of one app. It is made before the app starts, because later a process could be missed."""

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
    def close(self) -> None:
        """Kills the processes that are left, and removes what was made for them."""


class AppCgroup(AppProcesses):
    """One cgroup: one folder in v2, up to two in v1. Its shares and weights are the kernel's defaults.

    No process can leave it, and it gets the same share of a CPU as any other app's.
    """

    def __init__(self, place: CgroupParent) -> None:
        """Makes the cgroup. Raises OSError."""
        name = own_cgroups.new_name(owner_id())
        self._folders = [folder / name for folder in place.folders]
        try:
            for folder in self._folders:
                folder.mkdir()
        except OSError:
            self.close()
            raise

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
        for pid in own_cgroups.pids(self._folders[0]):
            with contextlib.suppress(psutil.NoSuchProcess):
                found.append(psutil.Process(pid))
        return found

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
