"""What was used in a window of time: CPUs of the machine, and the most memory an app had."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from restbench.errors import AppDiedError
from restbench.system.periodic import Periodic
from restbench.targets import Target

TICK_SECONDS = 0.01
"""1 / USER_HZ: what /proc/stat counts in, on every architecture Linux runs servers on."""


@dataclass(frozen=True)
class CpuTimes:
    """Seconds since boot, summed over some CPUs: idle, and in interrupts, which are nobody's (proc_stat(5)).

    The time of processes and of other machines is not read here: kernels count it by looking at each tick who runs, and
    a process that sleeps between ticks is never seen. Idle time is measured. What others took is what is left.
    """

    idle: float
    interrupts: float

    def __sub__(self, earlier: "CpuTimes") -> "CpuTimes":
        return CpuTimes(self.idle - earlier.idle, self.interrupts - earlier.interrupts)


def cpu_times(cpus: Iterable[int], stat: Path = Path("/proc/stat")) -> CpuTimes:
    """The times of those CPUs."""
    wanted = {f"cpu{cpu}" for cpu in cpus}
    idle = interrupts = 0
    for line in stat.read_text().splitlines():
        name, *fields = line.split()
        if name in wanted:
            _user, _nice, _system, idling, waiting, irq, softirq = (int(field) for field in fields[:7])
            idle += idling + waiting
            interrupts += irq + softirq
    return CpuTimes(idle * TICK_SECONDS, interrupts * TICK_SECONDS)


class PeakMemory(Periodic):
    """Watches an app's memory, until its context is left. `bytes` is the most that was seen."""

    INTERVAL_SECONDS = 0.25

    def __init__(self, target: Target) -> None:
        super().__init__("memory", self.INTERVAL_SECONDS)
        self.bytes = 0
        self._target = target

    def tick(self) -> bool:
        try:
            self.bytes = max(self.bytes, self._target.resources().memory_bytes)
        except AppDiedError:
            return False  # the visit itself finds that out and says so
        return True
