"""The identity of the harness that a process, cgroup or container belongs to.

The next harness uses it to remove what a killed harness left, and nothing else. The identity consists of the boot, the
PID namespace, the PID and the start time of the harness. A PID alone is not enough, because another process may get it
later. The start time is counted from the boot, because setting the clock would change the identity of a living harness.
"""

import os
import uuid
from pathlib import Path

from restbench.errors import MissingToolError

_PROC = Path("/proc")


def owner_id(proc: Path = _PROC) -> str:
    """Returns the identity of this harness. Raises MissingToolError as owner_lives() does."""
    return f"{_boot(proc)}.{_pid_namespace(proc)}.{os.getpid()}.{_started(proc / 'self')}"


def owner_lives(owner: str, proc: Path = _PROC, *, shared: bool = False) -> bool:
    """Whether the harness with that identity still runs.

    True also for a harness in another PID namespace, which cannot be seen from here, and for text that is no identity.
    `shared`: whether harnesses of other machines leave things in the same place, so that another boot is no proof.
    Raises MissingToolError where /proc numbers processes in another way than this harness does.
    """
    match owner.split("."):
        case [boot, namespace, pid, started] if pid.isdigit():
            if boot != _boot(proc):
                return shared  # no process outlives a boot
            if namespace != _pid_namespace(proc):
                return True
            return _started(proc / pid) == started or _is_hidden(pid, proc)
    return True


def unique_name(what: str) -> str:
    """Returns a unique name for something in a place that harnesses share, such as a container of a Docker engine."""
    return f"restbench-{uuid.uuid4().hex[:12]}-{what}"


def _boot(proc: Path) -> str:
    return (proc / "sys/kernel/random/boot_id").read_text(encoding="utf-8").strip()[:8]


def _pid_namespace(proc: Path) -> str:
    if (proc / "self" / "stat").read_text(encoding="utf-8").split()[0] != str(os.getpid()):
        raise MissingToolError(
            "/proc shows the processes of another PID namespace, so that no app can be found in it: "
            "mount that of this one, such as with: unshare --pid --fork --mount-proc"
        )
    return (proc / "self/ns/pid").readlink().name.strip("pid:[]")


def _is_hidden(pid: str, proc: Path) -> bool:
    """Whether a process exists that /proc does not show to this user, as with the option hidepid (proc(5))."""
    try:
        os.kill(int(pid), 0)
    except PermissionError:
        return not (proc / pid).exists()
    except (OSError, OverflowError):
        pass
    return False


def _started(process: Path) -> str | None:
    """Ticks from the boot to a process's start, field 22 of its stat (proc(5)); None where it has ended."""
    try:
        stat = (process / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    state, *fields = stat.rpartition(")")[2].split()
    return None if state == "Z" else fields[18]
