"""What processes have used: the same question of an app, and of what runs beside it."""

import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import psutil

from restbench import processes


@dataclass(frozen=True)
class Resources:
    """What has been used so far. CPU: user and system seconds of all processes. Memory: bytes resident now."""

    cpu_seconds: float
    memory_bytes: int

    @classmethod
    def of_group(cls, group: int) -> Self:
        """Of a process group."""
        cpu, memory = 0.0, 0
        for process in processes.group_members(group):
            # a process that ends between two looks takes its share with it; that it ended is told elsewhere
            with contextlib.suppress(psutil.Error, OSError):
                times = process.cpu_times()
                cpu += times.user + times.system + times.children_user + times.children_system
                memory += _proportional_memory(process.pid)
        return cls(cpu, memory)

    def __add__(self, other: "Resources") -> "Resources":
        return Resources(self.cpu_seconds + other.cpu_seconds, self.memory_bytes + other.memory_bytes)


def _proportional_memory(pid: int) -> int:
    """Bytes resident, with pages that forked workers share counted once between them (PSS)."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return 0
