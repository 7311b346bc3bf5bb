"""Which harness something belongs to, so that the next one can remove what a killed one left, and only that.

An owner is told by the boot, the PID namespace, the PID and the start time of the harness: a PID alone would be another
process's later. The start time is counted from the boot, as a clock that is set would make a living harness another.
"""

import uuid
from pathlib import Path

_PROC = Path("/proc")


def owner_id(proc: Path = _PROC) -> str:
    """This harness."""
    pid, started = (proc / "self" / "stat").read_text().split()[0], _started(proc / "self")
    return f"{_boot(proc)}.{_pid_namespace(proc)}.{pid}.{started}"


def owner_lives(owner: str, proc: Path = _PROC) -> bool:
    """Whether the harness of that identity still runs. True also for one that cannot be seen from here, and for what is
    no identity."""
    match owner.split("."):
        case [boot, namespace, pid, started] if pid.isdigit():
            if boot != _boot(proc):
                return False  # no process outlives a boot
            if namespace != _pid_namespace(proc):
                return True
            return _started(proc / pid) == started
    return True


def unique_name(what: str) -> str:
    """A name for something of this harness that many harnesses share a place with, such as a Docker engine."""
    return f"restbench-{uuid.uuid4().hex[:12]}-{what}"


def _boot(proc: Path) -> str:
    return (proc / "sys/kernel/random/boot_id").read_text().strip()[:8]


def _pid_namespace(proc: Path) -> str:
    return (proc / "self/ns/pid").readlink().name.strip("pid:[]")


def _started(process: Path) -> str | None:
    """Ticks from the boot to a process's start, field 22 of its stat (proc(5)); None where it has ended."""
    try:
        stat = (process / "stat").read_text()
    except OSError:
        return None
    state, *fields = stat.rpartition(")")[2].split()
    return None if state == "Z" else fields[18]
