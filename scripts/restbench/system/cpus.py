"""Which CPUs the app gets, and which the load generator and the backend.

Whole physical cores go to one side: two SMT siblings share one core's execution units, so an app and a load generator
on siblings would slow each other. The siblings are read from the kernel, as lscpu does.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_SYSFS = Path("/sys/devices/system/cpu")


@dataclass(frozen=True)
class CpuSplit:
    """CPU numbers for each side. Where nothing can be pinned, all three are the same CPUs and `pinned` is false."""

    app: tuple[int, ...]
    load: tuple[int, ...]
    backend: tuple[int, ...]
    pinned: bool

    def describe(self) -> str:
        if not self.pinned:
            return f"not pinned: app and load generator share {len(self.app)} CPU{'s' if len(self.app) > 1 else ''}"
        return f"app on CPU {cpu_list(self.app)}, load generator on CPU {cpu_list(self.load)}"


def cpu_list(cpus: tuple[int, ...]) -> str:
    """CPU numbers as taskset and Docker take them: "0,2,3"."""
    return ",".join(str(cpu) for cpu in cpus)


def physical_cores(allowed: set[int], sysfs: Path = _SYSFS) -> list[tuple[int, ...]]:
    """The allowed CPUs grouped by physical core, lowest CPU first; one CPU a group where the kernel does not say."""
    cores: dict[str, list[int]] = {}
    for cpu in sorted(allowed):
        siblings = sysfs / f"cpu{cpu}" / "topology" / "thread_siblings_list"
        key = siblings.read_text().strip() if siblings.is_file() else str(cpu)
        cores.setdefault(key, []).append(cpu)
    return [tuple(group) for group in cores.values()]


def split_cpus(cores: list[tuple[int, ...]]) -> CpuSplit:
    """Shares physical cores out: half, rounded down, to the app; with six or more, a third of them to the backend.

    The app gets the last cores: interrupts and the rest of the system tend to run on the first.
    """
    every = tuple(cpu for core in cores for cpu in core)
    if len(cores) < 2:
        return CpuSplit(every, every, every, pinned=False)
    third = len(cores) // 3
    app_cores = third if len(cores) >= 6 else len(cores) // 2
    app = tuple(cpu for core in cores[-app_cores:] for cpu in core)
    rest = cores[:-app_cores]
    backend_cores = rest[-third:] if len(cores) >= 6 else rest
    load_cores = rest[: len(rest) - third] if len(cores) >= 6 else rest
    return CpuSplit(app, _flat(load_cores), _flat(backend_cores), pinned=True)


def _flat(cores: list[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(cpu for core in cores for cpu in core)


@contextmanager
def staying_on(cpus: tuple[int, ...]) -> Iterator[None]:
    """Holds this thread, and those it starts, to some CPUs."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cpus)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def this_machine() -> CpuSplit:
    """The split of the CPUs this process may use."""
    return split_cpus(physical_cores(os.sched_getaffinity(0)))
