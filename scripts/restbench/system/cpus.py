"""Splits the CPUs between the app, the load generator and the backend.

Each side gets whole physical cores. Two SMT siblings share the execution units of one core, so an app and a load
generator on siblings would slow each other. The siblings are read from the kernel, as lscpu does.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from restbench.system.cpu_kinds import Core, choose_cores, read_word
from restbench.system.quotas import Quota, find_quota


@dataclass(frozen=True)
class CpuSplit:
    """The CPU numbers of each side. Where no side can have CPUs of its own, all have the same and `pinned` is false.

    `count`: how many CPUs may be used, by affinity and quota. `quota`: the CPU quota, if there is one. `kind`,
    `left_out` and `unlike`: as `Choice` has them. `capped`: how many CPUs the quota allows, where they are fewer.
    """

    app: tuple[int, ...]
    load: tuple[int, ...]
    backend: tuple[int, ...]
    pinned: bool
    count: int = 0
    quota: Quota | None = None
    kind: str | None = None
    left_out: str | None = None
    unlike: str | None = None
    capped: str | None = None

    @property
    def remarks(self) -> list[str]:
        """What a person should know about the CPUs of the sides, in a line each."""
        return [remark for remark in (self.left_out, self.unlike, self.capped) if remark]

    @property
    def confined(self) -> bool:
        """Whether the sides may use no other CPUs. Under a quota, sides that use all CPUs would be throttled."""
        return self.pinned or self.quota is not None

    @property
    def used(self) -> tuple[int, ...]:
        """The CPUs of all sides."""
        return tuple(sorted({*self.app, *self.load, *self.backend}))

    def describe(self) -> str:
        if not self.pinned:
            return f"not pinned: app and load generator share {len(self.app)} CPU{'s' if len(self.app) > 1 else ''}"
        return f"app on CPU {cpu_list(self.app)}, load generator on CPU {cpu_list(self.load)}"


def cpu_list(cpus: tuple[int, ...]) -> str:
    """CPU numbers as taskset and Docker take them: "0,2,3"."""
    return ",".join(str(cpu) for cpu in cpus)


def physical_cores(allowed: set[int], root: Path = Path("/")) -> list[Core]:
    """Groups the allowed CPUs by physical core, the lowest CPU first.

    Where the kernel does not tell the siblings of a CPU, the CPU is a group of its own.
    """
    cores: dict[str, list[int]] = {}
    for cpu in sorted(allowed):
        siblings = read_word(root / f"sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")
        cores.setdefault(siblings or str(cpu), []).append(cpu)
    return [tuple(group) for group in cores.values()]


def split_cpus(cores: Sequence[Core]) -> CpuSplit:
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


def _flat(cores: Sequence[Core]) -> tuple[int, ...]:
    return tuple(cpu for core in cores for cpu in core)


def within(cores: Sequence[Core], count: int) -> list[Core]:
    """Returns cores with at most so many CPUs: the last ones.

    Whole cores are taken, unless there are as many cores as CPUs: then each has one, and its siblings are idle.
    """
    if count <= len(cores):
        return [core[:1] for core in cores[-count:]]
    found: list[Core] = []
    for core in reversed(cores):
        if len(_flat([*found, core])) <= count:
            found.insert(0, core)
    return found


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
    return split_of(os.sched_getaffinity(0))


def split_of(allowed: set[int], root: Path = Path("/")) -> CpuSplit:
    """Splits the allowed CPUs of a machine: those of one kind and node, and no more than a quota allows."""
    quota, choice = find_quota(root), choose_cores(physical_cores(allowed, root), root)
    cores, count, capped = choice.cores, len(allowed), None
    if quota and quota.cpus < count:
        count = max(1, int(quota.cpus))
        capped = f"a CPU quota leaves {count} of {len(allowed)} CPUs: {quota}"
        cores = within(cores, count) if count < len(_flat(cores)) else cores
    return replace(
        split_cpus(cores),
        count=count,
        quota=quota,
        kind=choice.kind,
        left_out=choice.left_out,
        unlike=choice.unlike,
        capped=capped,
    )
