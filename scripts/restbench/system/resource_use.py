"""What processes have used: the same question of an app, and of what runs beside it."""

import contextlib
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
    """What has been used so far. CPU: seconds on a CPU of all processes. Memory: bytes resident now."""

    cpu_seconds: float
    memory_bytes: int

    @classmethod
    def of_group(cls, group: int) -> Self:
        """Of a process group."""
        members = processes.group_members(group)
        cpu = 0.0
        for process in members:
            # a process that ends between two looks takes its share with it; that it ended is told elsewhere
            with contextlib.suppress(psutil.Error, OSError):
                times = process.cpu_times()
                cpu += cpu_clock(process.pid) + times.children_user + times.children_system
        return cls(cpu, proportional_memory(members))

    def __add__(self, other: "Resources") -> "Resources":
        return Resources(self.cpu_seconds + other.cpu_seconds, self.memory_bytes + other.memory_bytes)


def cpu_clock(pid: int) -> float:
    """Seconds on a CPU of a process and all its threads, also of those that ended. Raises ProcessLookupError.

    It is the scheduler's count in nanoseconds; where the kernel does not tell it, one in ticks of 10 ms.
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
    """Whether this kernel tells the CPU clock of another process. Tried with PID 1, which always is there."""
    try:
        time.clock_gettime(_clock_id(1))
    except OSError:
        return False
    return True


def _clock_id(pid: int) -> int:
    """The number of a process's CPU clock, as clock_getcpuclockid(3) makes it; 2 stands for the scheduler's count."""
    return (~pid << 3) | 2


def proportional_memory(members: Iterable[psutil.Process]) -> int:
    """Bytes resident, with pages that forked workers share counted once between them (PSS)."""
    total = 0
    for process in members:
        with contextlib.suppress(OSError):  # it has ended, or is another user's
            for line in Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1]) * 1024
    return total
