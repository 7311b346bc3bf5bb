"""What a container has used, read from its cgroup: `docker stats` takes two seconds, a file takes none.

Both versions are read: v1 has a hierarchy per controller, v2 one for all (kernel documentation, admin-guide/cgroup-v1
and cgroup-v2).
"""

from dataclasses import dataclass
from pathlib import Path

_ROOT = Path("/sys/fs/cgroup")


@dataclass(frozen=True)
class Cgroup:
    """Folders with the CPU and memory figures of one container."""

    cpu: Path
    memory: Path

    def cpu_seconds(self) -> float:
        """User and system seconds of all its processes, also of those that ended."""
        usage = self.cpu / "cpuacct.usage"
        if usage.is_file():
            return int(usage.read_text()) / 1e9
        return _table(self.cpu / "cpu.stat")["usage_usec"] / 1e6

    def memory_bytes(self) -> int:
        """Bytes resident: anonymous and mapped pages, without the page cache, which the kernel can take back."""
        stat = _table(self.memory / "memory.stat")
        if "anon" in stat:
            return stat["anon"] + stat["file_mapped"]
        return stat["total_rss"] + stat["total_mapped_file"]


def container_cgroup(pid: int, proc: Path = Path("/proc"), root: Path = _ROOT) -> Cgroup:
    """The cgroup that a container's first process is in."""
    paths = dict(line.split(":", 2)[1:] for line in (proc / str(pid) / "cgroup").read_text().splitlines())
    by_controller = {name: path for names, path in paths.items() for name in names.split(",")}
    if "cpuacct" in by_controller:
        return Cgroup(_v1(root, "cpuacct", by_controller), _v1(root, "memory", by_controller))
    unified = root / by_controller[""].lstrip("/")
    return Cgroup(unified, unified)


def _v1(root: Path, controller: str, paths: dict[str, str]) -> Path:
    # a controller is mounted alone or together with others, under a joint name
    mounts = [root / controller, *sorted(root.glob(f"*{controller}*"))]
    mount = next((m for m in mounts if m.is_dir()), root / controller)
    return mount / paths[controller].lstrip("/")


def _table(path: Path) -> dict[str, int]:
    return {key: int(value) for key, value in (line.split() for line in path.read_text().splitlines())}
