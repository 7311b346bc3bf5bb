"""The CPU time and memory that processes have used, for apps and for backends alike."""

import contextlib
import subprocess
import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Self

import psutil

from restbench.system import processes


@dataclass(frozen=True)
class Resources:
    """The resources of some processes: the CPU time of all of them so far, and their resident memory now."""

    cpu_seconds: float
    memory_bytes: int

    @classmethod
    def of_group(cls, leader: subprocess.Popen[bytes]) -> Self:
        """Returns the resources of the process group that `leader` began."""
        members = processes.group_members(leader)
        cpu = 0.0
        for process in members:
            # the CPU time of a process that ends meanwhile is lost; other code reports that it ended
            with contextlib.suppress(psutil.Error, OSError):
                times = process.cpu_times()
                cpu += cpu_clock(process.pid) + times.children_user + times.children_system
        return cls(cpu, proportional_memory(members))

    def __add__(self, other: "Resources") -> "Resources":
        return Resources(self.cpu_seconds + other.cpu_seconds, self.memory_bytes + other.memory_bytes)


def cpu_clock(pid: int) -> float:
    """CPU time in seconds of a process and all its threads, also of threads that have ended.

    It is the scheduler's count in nanoseconds. Where the kernel does not tell that count, it is a count in ticks of
    10 ms. Raises ProcessLookupError where no process has that PID.
    """
    try:
        if clocks_work():
            return time.clock_gettime(_clock_id(pid))
        times = psutil.Process(pid).cpu_times()
        return times.user + times.system
    except (OSError, psutil.NoSuchProcess) as error:
        raise ProcessLookupError(f"no process has PID {pid}") from error


@cache
def clocks_work() -> bool:
    """Whether this kernel tells the CPU clock of another process. It is tried with PID 1, which always exists."""
    try:
        time.clock_gettime(_clock_id(1))
    except OSError:
        return False
    return True


def _clock_id(pid: int) -> int:
    """The ID of a process's CPU clock, as clock_getcpuclockid(3) makes it. The 2 selects the scheduler's count."""
    return (~pid << 3) | 2


def proportional_memory(members: Iterable[psutil.Process]) -> int:
    """Resident memory in bytes (PSS): a page that forked workers share is counted once between them."""
    total = 0
    for process in members:
        with contextlib.suppress(OSError):  # the process has ended, or is another user's
            for line in Path(f"/proc/{process.pid}/smaps_rollup").read_text(encoding="utf-8").splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1]) * 1024
    return total
