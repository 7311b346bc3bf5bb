"""Quotas of CPU time, which the affinity of a process does not show.

The processes of a cgroup with a quota may use all CPUs until the CPU time of a period (mostly 100 ms) is spent. Then
they are throttled: all of them wait for the next period, and their CPUs are idle meanwhile.
"""

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from restbench.system.cgroup_paths import paths_of, v1_mount, with_those_above

REMEDY = "raise it, or run restbench outside of that cgroup"


@dataclass(frozen=True)
class Quota:
    """The CPU time that the processes of a cgroup get. `cpus`: CPU seconds per second. `file`: where it is set."""

    cpus: float
    file: Path

    def __str__(self) -> str:
        return f"{self.cpus:.3g} CPU{'' if self.cpus == 1 else 's'}, set in {self.file}"


def find_quota(root: Path = Path("/")) -> Quota | None:
    """Returns the smallest quota of this harness's cgroup and of those above it that can be seen from here."""
    return min(_quotas(cpu_groups(root)), key=lambda quota: quota.cpus, default=None)


def throttled_periods(pid: int | str = "self", root: Path = Path("/")) -> int:
    """Returns in how many periods so far a quota throttled the cgroups of a process: its own one and those above it."""
    return sum(
        int(value)
        for group in cpu_groups(root, pid)
        for key, _, value in (line.partition(" ") for line in _lines(group / "cpu.stat"))
        if key == "nr_throttled"
    )


def cpu_groups(root: Path = Path("/"), pid: int | str = "self") -> list[Path]:
    """Returns the cgroup of a process that counts for quotas, and those above it. None of them has to exist."""
    mounts = root / "sys/fs/cgroup"
    try:
        paths = paths_of(root / "proc" / str(pid))
    except OSError:  # a kernel without cgroups, or a process that is gone
        return []
    if "cpu" in paths:
        return with_those_above(v1_mount(mounts, "cpu") or mounts / "cpu", paths["cpu"])
    beside_v1 = mounts / "unified"
    return with_those_above(beside_v1 if beside_v1.is_dir() else mounts, paths.get("", ""))


def _quotas(groups: Iterable[Path]) -> Iterator[Quota]:
    for group in groups:
        v1, v2 = group / "cpu.cfs_quota_us", group / "cpu.max"
        lines = [line for file in (v1, group / "cpu.cfs_period_us", v2) for line in _lines(file)]
        # without a quota, the first word is -1 in v1 and "max" in v2
        with contextlib.suppress(ValueError):
            quota, period = (int(word) for word in " ".join(lines).split())
            if quota > 0 and period > 0:
                yield Quota(quota / period, v2 if v2.exists() else v1)


def _lines(file: Path) -> list[str]:
    """Returns the lines of a file, none where it is not there or may not be read."""
    try:
        return file.read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
