"""Which programs use the CPUs beside this harness and what it started."""

import os
import time
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import psutil

from restbench.system.owners import owner_id
from restbench.system.processes import OWNER

NAMED = 3
"""How many programs are named at most."""

LEAST_SHARE = 0.05
"""Share of one CPU. A program that uses less is not named."""

HOST = "other machines on its host"
"""What is named for the time in which the host of a virtual machine ran others ("steal")."""

_INIT = 1
"""The PID of the first process. It inherits the CPU time of what others left to it, so that says nothing of itself."""

_CONTAINERS = ("containerd-shim", "conmon")
"""How the names of programs begin that run a container each."""


@dataclass(frozen=True)
class Others:
    """What other programs did for some time.

    `programs`: those that used most CPU time, each with its share of one CPU. `load_average`: that of the last minute.
    """

    programs: tuple[tuple[str, float], ...]
    load_average: float


@dataclass(frozen=True)
class Process:
    """A process. `seconds`: the CPU time of it and of its children that have ended."""

    name: str
    parent: int
    seconds: float


@dataclass(frozen=True)
class Programs:
    """The processes of others at a moment, by PID and start, and the load average.

    `at`: seconds of a monotonic clock. `stolen`: seconds that the host took from all CPUs so far.
    """

    at: float
    load_average: float
    stolen: float
    processes: Mapping[tuple[int, float], Process]

    def since(self, earlier: "Programs") -> Others:
        """What was done between an earlier moment and this one."""
        used = {
            key: process.seconds - (before.seconds if (before := earlier.processes.get(key)) else 0.0)
            for key, process in self.processes.items()
        }
        here, known = ({pid: (pid, start) for pid, start in each.processes} for each in (self, earlier))
        for key, process in earlier.processes.items():
            if key not in used:
                # it has ended: what it had used before is now part of what the process has used that waited for it
                parent = process.parent
                while parent not in here and parent in known:
                    parent = earlier.processes[known[parent]].parent
                if parent in here:
                    used[here[parent]] -= process.seconds
        seconds = defaultdict[str, float](float)
        for key, each in used.items():
            seconds[self.processes[key].name] += max(0.0, each)
        seconds[HOST] = self.stolen - earlier.stolen
        took = max(1e-9, self.at - earlier.at)
        shares = sorted(((name, each / took) for name, each in seconds.items()), key=lambda each: -each[1])
        return Others(tuple(each for each in shares[:NAMED] if each[1] >= LEAST_SHARE), self.load_average)


def programs() -> Programs:
    """Returns the processes of others now. It takes some 0.1 ms for each process of the machine."""
    stolen = getattr(psutil.cpu_times(), "steal", 0.0)
    found: dict[int, tuple[psutil.Process, Process]] = {}
    for process in psutil.process_iter(["name", "ppid", "cpu_times", "create_time"]):
        if times := process.info["cpu_times"]:
            children = 0.0 if process.pid == _INIT else times.children_user + times.children_system
            seconds = times.user + times.system + children
            found[process.pid] = (process, Process(process.info["name"], process.info["ppid"], seconds))
    own = _own(found)
    return Programs(
        time.monotonic(),
        os.getloadavg()[0],
        stolen,
        {(pid, handle.create_time()): each for pid, (handle, each) in found.items() if pid not in own},
    )


def _own(found: Mapping[int, tuple[psutil.Process, Process]]) -> set[int]:
    """Returns the PIDs of this harness and of all that it started.

    A container is run by a process that the engine starts. One that began later than this harness is taken for its own.
    """
    me = os.getpid()
    began = found[me][0].create_time() if me in found else 0.0
    own = {me}
    for pid, (handle, process) in found.items():
        is_left = process.parent <= _INIT and handle.create_time() >= began
        if is_left and (process.name.startswith(_CONTAINERS) or _is_marked(handle)):
            own.add(pid)
    children = defaultdict[int, list[int]](list)
    for pid, (_, process) in found.items():
        children[process.parent].append(pid)
    waiting = list(own)
    while waiting:
        more = [pid for pid in children[waiting.pop()] if pid not in own]
        own.update(more)
        waiting += more
    return own


def _is_marked(process: psutil.Process) -> bool:
    """Returns whether this harness started the process, or one that left it to the first process."""
    try:
        return process.environ().get(OWNER) == owner_id()
    except psutil.Error:
        return False
