"""Finds cgroups and reads their files. `docker stats` would take two seconds, and a file takes almost no time.

Both versions are read: v1 has a hierarchy per controller, v2 one for all controllers (kernel documentation,
admin-guide/cgroup-v1 and cgroup-v2).
"""

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from restbench.system import own_cgroups
from restbench.system.cgroup_paths import paths_of, v1_mount, with_those_above
from restbench.system.own_cgroups import ROOT

_PROC = Path("/proc")

_FREEZING_SECONDS = 1.0
"""How long a freezer is waited for. A process that waits in the kernel is not frozen, and does not run either."""


@dataclass(frozen=True)
class Freezer:
    """Keeps all processes of a cgroup from running, and lets them run again.

    `switch`: the file that takes the words `frozen` and `thawed`. `state`: the file that has the line `done` when all
    processes are frozen.
    """

    switch: Path
    state: Path
    frozen: str
    thawed: str
    done: str

    def freeze(self) -> None:
        """Returns when no process runs any more. Raises OSError."""
        self.switch.write_text(self.frozen, encoding="utf-8")
        deadline = time.monotonic() + _FREEZING_SECONDS
        while self.done not in self.state.read_text(encoding="utf-8").splitlines() and time.monotonic() < deadline:
            time.sleep(0.0005)

    def thaw(self) -> None:
        """Raises OSError."""
        self.switch.write_text(self.thawed, encoding="utf-8")


def freezer_of(folder: Path) -> Freezer | None:
    """Returns the freezer of a cgroup, None where it has none: v2 has them since Linux 5.2, v1 in a hierarchy."""
    known = (
        Freezer(folder / "cgroup.freeze", folder / "cgroup.events", "1", "0", "frozen 1"),
        Freezer(folder / "freezer.state", folder / "freezer.state", "FROZEN", "THAWED", "FROZEN"),
    )
    return next((freezer for freezer in known if freezer.switch.is_file()), None)


@cache
def can_freeze(root: Path = ROOT) -> bool:
    """Returns whether this kernel has freezers of cgroups."""
    return v1_mount(root, "freezer") is not None or any(root.glob("*/cgroup.freeze"))


@dataclass(frozen=True)
class Cgroup:
    """The cgroup of one container, as the folders with its CPU and memory figures, and its freezer."""

    cpu: Path
    memory: Path
    freezer: Freezer | None = None

    def counts_memory(self) -> bool:
        """Returns whether this kernel counts the memory of containers. Some kernels for ARM boards do not."""
        return (self.memory / "memory.stat").is_file()

    def has(self, pid: int) -> bool:
        """Returns whether a process is in the cgroup now. When it has ended, another process may have its PID."""
        return pid in own_cgroups.pids(self.cpu)

    def cpu_seconds(self) -> float:
        """Returns the CPU seconds of all its processes, including processes that ended."""
        return cpu_seconds(self.cpu)

    def memory_bytes(self) -> int:
        """Returns the resident bytes: anonymous and mapped pages.

        The rest of the page cache does not count, because the kernel can take it back.
        """
        stat = _table(self.memory / "memory.stat")
        if "anon" in stat:
            return stat["anon"] + stat["file_mapped"]
        return stat["total_rss"] + stat["total_mapped_file"]


@dataclass(frozen=True)
class CgroupParent:
    """A place where cgroups of apps can be made: in v1 one folder of each hierarchy, in v2 one folder.

    The first folder counts CPU time. `shares`: whether cgroups that are made here get equal shares of a CPU.
    """

    folders: tuple[Path, ...]
    shares: bool
    version: str


def cpu_seconds(folder: Path) -> float:
    """Returns the CPU seconds of all processes in a cgroup, including processes that ended, by the scheduler's count.

    The count of a process that is on a CPU at this moment is behind by at most one tick of the scheduler, 1 to 10 ms.
    """
    usage = folder / "cpuacct.usage"
    if usage.is_file():
        return int(usage.read_text(encoding="utf-8")) / 1e9
    return _table(folder / "cpu.stat")["usage_usec"] / 1e6


def container_cgroup(container: str, pid: int, root: Path = Path("/")) -> Cgroup | None:
    """Returns the cgroup of a container, None where this machine shows no cgroup that is proven to be the container's.

    `container` is its full id, and `pid` its first process. The proof is a cgroup whose name contains the id, and in
    which the kernel lists the PID, as it is numbered here. A PID of an engine elsewhere is a stranger's, or nobody's.

    It is looked for by name, because the path in /proc/PID/cgroup is relative to a cgroup namespace, and a mount can
    begin at any cgroup. Engines and runtimes put the id into the name: `ID`, `docker-ID.scope`, `libpod-ID.scope`,
    `cri-containerd-ID.scope`. The processes can be in a cgroup below it.
    """
    mounts = root / ROOT.relative_to("/")
    unified = mounts / "unified" if (mounts / "unified").is_dir() else mounts

    def find(controller: str) -> Path | None:
        top = v1_mount(mounts, controller) or unified
        named = (Path(folder, name) for folder, names, _ in os.walk(top) for name in names if container in name)
        return next((cgroup for cgroup in named if pid in own_cgroups.pids(cgroup)), None)

    cpu, memory, freezing = find("cpuacct"), find("memory"), find("freezer")
    return Cgroup(cpu, memory, freezer_of(freezing) if freezing else None) if cpu and memory else None


def places(proc: Path = _PROC, root: Path = ROOT) -> Iterator[CgroupParent]:
    """Yields places where cgroups of apps could be made, best first. This harness may lack the right to make them.

    In v2 a cgroup with processes cannot give its children the controller "cpu" ("no internal processes"). So the
    cgroups above this harness's own one are considered too. Any child counts CPU time, with or without the controller.
    """
    paths = _own_paths(proc)
    if "cpuacct" in paths:
        controllers = [name for name in ("cpuacct", "cpu") if name in paths]
        # resolved, because both names lead to one folder where the controllers are mounted together
        folders = dict.fromkeys(_existing(_v1(root, name, paths)).resolve() for name in controllers)
        yield CgroupParent(tuple(folders), "cpu" in controllers, "v1")
    elif "" in paths:
        own, *above = with_those_above(root, paths[""])
        for folder in (own, *above):
            if _gives_cpu(folder):
                yield CgroupParent((folder,), shares=True, version="v2")
        yield CgroupParent((own,), shares=False, version="v2")


def in_root_group(proc: Path = _PROC, root: Path = ROOT) -> bool:
    """Returns whether this harness is in the root cgroup of the controller "cpu".

    The kernel's autogroup has effect only there. In a container the top folder need not be the root cgroup. Two files
    tell the difference: `release_agent` is only in the root of v1, and `cgroup.type` is in all of v2 except its root.
    """
    paths = _own_paths(proc)
    if "cpu" in paths:
        return (_existing(_v1(root, "cpu", paths)) / "release_agent").exists()
    if "" not in paths:
        return True
    _, *above = with_those_above(root, paths[""])
    return not any(_gives_cpu(folder) for folder in above) and not (root / "cgroup.type").exists()


def _own_paths(proc: Path) -> dict[str, str]:
    """Returns the paths of this harness, none where the kernel has no cgroups."""
    return paths_of(proc / "self") if (proc / "self" / "cgroup").is_file() else {}


def _v1(root: Path, controller: str, paths: dict[str, str]) -> Path:
    return (v1_mount(root, controller) or root / controller) / paths[controller].lstrip("/")


def _existing(folder: Path) -> Path:
    """Returns the closest folder that exists, at `folder` or above it.

    In a container a mount can begin at the container's own cgroup, while the kernel gives paths from the host's root.
    """
    return next((f for f in (folder, *folder.parents) if f.is_dir()), folder)


def _gives_cpu(folder: Path) -> bool:
    """Returns whether a cgroup of v2 gives its children the controller "cpu"."""
    file = folder / "cgroup.subtree_control"
    return file.is_file() and "cpu" in file.read_text(encoding="utf-8").split()


def _table(path: Path) -> dict[str, int]:
    return {key: int(value) for key, value in (line.split() for line in path.read_text(encoding="utf-8").splitlines())}
