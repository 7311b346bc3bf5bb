"""Splits the CPUs between the app, the load generator and the backend.

Each side gets whole physical cores. Two SMT siblings share the execution units of one core, so an app and a load
generator on siblings would slow each other. The siblings are read from the kernel, as lscpu does.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_SYSFS = Path("/sys/devices/system/cpu")


@dataclass(frozen=True)
class CpuSplit:
    """The CPU numbers of each side. Where nothing can be pinned, every side has all CPUs and `pinned` is false."""

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
    """Groups the allowed CPUs by physical core, the lowest CPU first.

    Where the kernel does not tell the siblings of a CPU, the CPU is a group of its own.
    """
    cores: dict[str, list[int]] = {}
    for cpu in sorted(allowed):
        siblings = sysfs / f"cpu{cpu}" / "topology" / "thread_siblings_list"
        key = siblings.read_text(encoding="utf-8").strip() if siblings.is_file() else str(cpu)
        cores.setdefault(key, []).append(cpu)
    return [tuple(group) for group in cores.values()]


def split_cpus(cores: list[tuple[int, ...]]) -> CpuSplit:
    """Splits physical cores between the sides.

    With six cores or more, the app and the backend get a third each, rounded down, and the load generator gets the
    rest. With two to five cores, the app gets half, rounded down, and the others share the rest. With one core,
    nothing is pinned. The app gets the last cores, because interrupts and the rest of the system tend to run on the
    first.
    """
    if len(cores) < 2:
        every = _flat(cores)
        return CpuSplit(every, every, every, pinned=False)
    third = len(cores) // 3
    app_cores = third if len(cores) >= 6 else len(cores) // 2
    rest = cores[:-app_cores]
    backend_cores = rest[-third:] if len(cores) >= 6 else rest
    load_cores = rest[: len(rest) - third] if len(cores) >= 6 else rest
    return CpuSplit(_flat(cores[-app_cores:]), _flat(load_cores), _flat(backend_cores), pinned=True)


def _flat(cores: list[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(cpu for core in cores for cpu in core)


@contextmanager
def staying_on(cpus: tuple[int, ...]) -> Iterator[None]:
    """Pins this thread, and the threads and processes that it starts, to some CPUs while the context lasts."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cpus)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def this_machine() -> CpuSplit:
    """Returns the split of the CPUs that this process may use."""
    return split_cpus(physical_cores(os.sched_getaffinity(0)))
