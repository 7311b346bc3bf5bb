"""The cgroups that harnesses make for their apps. Their names contain the identity of the harness.

The functions work with both versions of cgroups, because the files that they use are the same in both.
"""

import contextlib
import os
import signal
import time
import uuid
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
_PREFIX = "restbench-"
_PATIENCE_SECONDS = 5.0
"""How long killed processes may take to end."""


def new_name(owner: str) -> str:
    """A unique name that contains the identity of the harness."""
    return f"{_PREFIX}{owner}-{uuid.uuid4().hex}"


def owner_of(cgroup: Path) -> str:
    """The identity that new_name() put into the cgroup's name."""
    return cgroup.name.removeprefix(_PREFIX).rpartition("-")[0]


def find(root: Path = ROOT) -> list[Path]:
    """The cgroups of all harnesses, in all hierarchies."""
    return [Path(folder, name) for folder, names, _ in os.walk(root) for name in names if name.startswith(_PREFIX)]


def pids(cgroup: Path) -> list[int]:
    """The PIDs of the processes in a cgroup and in the cgroups below it, without zombies."""
    found: list[int] = []
    for file in cgroup.rglob("cgroup.procs"):
        with contextlib.suppress(OSError):  # the cgroup has just been removed
            # the kernel writes 0 for a process of another PID namespace
            found += [int(pid) for pid in file.read_text(encoding="utf-8").split() if pid != "0"]
    return found


def remove(cgroup: Path) -> bool:
    """Kills the processes in a cgroup, and removes it and the cgroups below it. Returns whether it is gone."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            for pid in pids(cgroup):
                os.kill(pid, signal.SIGKILL)
            for folder, _, _ in os.walk(cgroup, topdown=False):
                Path(folder).rmdir()
        except PermissionError:
            return False
        except OSError:  # a process has just ended, or needs a moment to end
            if time.monotonic() > deadline:
                return False
            time.sleep(0.005)
        else:
            return True
