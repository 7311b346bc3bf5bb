"""What is used while there is load: the CPU time of apps and of the machine, and the peak memory of an app."""

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from restbench.errors import AppDiedError
from restbench.targets import Target

TICK_SECONDS = 0.01
"""1 / USER_HZ, the unit of /proc/stat on every architecture on which Linux runs servers."""


@dataclass(frozen=True)
class CpuTimes:
    """Idle time and interrupt time in seconds since boot, summed over some CPUs (proc_stat(5)).

    Interrupt time belongs to no process. The counters of processes and of other machines are not read. The kernel
    counts them by looking at each tick which process runs, so it never sees a process that sleeps between ticks. Idle
    time is measured. The time that other processes took is calculated as the rest.
    """

    idle: float
    interrupts: float

    def __sub__(self, earlier: "CpuTimes") -> "CpuTimes":
        return CpuTimes(self.idle - earlier.idle, self.interrupts - earlier.interrupts)


def cpu_times(cpus: Iterable[int], stat: Path = Path("/proc/stat")) -> CpuTimes:
    """Returns the times of the CPUs."""
    wanted = {f"cpu{cpu}" for cpu in cpus}
    idle = interrupts = 0
    for line in stat.read_text(encoding="utf-8").splitlines():
        name, *fields = line.split()
        if name in wanted:
            _user, _nice, _system, idling, waiting, irq, softirq = (int(field) for field in fields[:7])
            idle += idling + waiting
            interrupts += irq + softirq
    return CpuTimes(idle * TICK_SECONDS, interrupts * TICK_SECONDS)


class PeakMemory:
    """Watches an app's memory in a thread until its context is left. `bytes`: the most memory that was seen.

    An exception in the thread is raised again when the context ends, unless the context ends by another exception.
    """

    INTERVAL_SECONDS = 0.25

    def __init__(self, target: Target) -> None:
        self.bytes = 0
        self._target = target
        self._stop = threading.Event()
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._watch, name="memory", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: object, *raised: object) -> None:
        self._stop.set()
        self._thread.join()
        if self._error and kind is None:
            raise self._error

    def _watch(self) -> None:
        try:
            while not self._stop.wait(self.INTERVAL_SECONDS):
                self.bytes = max(self.bytes, self._target.resources().memory_bytes)
        except AppDiedError:
            pass  # the round itself detects and reports that
        except Exception as error:  # it is raised in the thread that leaves the context
            self._error = error
