"""Starting, marking, stopping and finding processes.

Everything started carries $RESTBENCH_OWNER, the identity of the harness that started it. A harness that was killed
leaves processes whose owner no longer lives; the next one finds them by that mark, and only them. Cgroups have the
same identity in their names.
"""

import contextlib
import math
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import psutil

from restbench.system import own_cgroups
from restbench.system.cpus import cpu_list
from restbench.system.owners import owner_id, owner_lives

OWNER = "RESTBENCH_OWNER"
GRACE_SECONDS = 5.0
"""How long an app may take to stop after SIGTERM (docs/CONTRACT.md)."""


def environment(extra: Mapping[str, str]) -> dict[str, str]:
    """What a started process gets: this machine's basics and the extra, not the harness's own virtual environment."""
    kept = ("CARGO_HOME", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ", "USER")
    inherited = {name: os.environ[name] for name in kept if name in os.environ}
    return {**inherited, "PATH": search_path(), OWNER: owner_id(), **extra}


def search_path() -> str:
    """PATH, with two kinds of folders that are often not on a person's own: cargo's, and that of system programs."""
    cargo = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo") / "bin"
    return os.pathsep.join([os.environ.get("PATH", os.defpath), str(cargo), "/usr/local/sbin", "/usr/sbin", "/sbin"])


def find_program(name: str) -> str | None:
    """Where a program is, or None where it is missing."""
    return shutil.which(name, path=search_path())


def pinned(argv: Iterable[str], cpus: tuple[int, ...] | None) -> list[str]:
    """The command, held to those CPUs from its first instruction; None leaves it where the kernel puts it."""
    return list(argv) if cpus is None else ["taskset", "--cpu-list", cpu_list(cpus), *argv]


def start_group(
    argv: list[str], *, env: Mapping[str, str], cwd: Path, log: IO[bytes], cpus: tuple[int, ...] | None
) -> subprocess.Popen[bytes]:
    """Starts a command as the leader of a process group of its own, so that Ctrl-C reaches the harness alone."""
    return subprocess.Popen(
        pinned(argv, cpus),
        env=dict(env),
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


def group_members(group: int) -> list[psutil.Process]:
    """The processes of a group that still run."""
    members = []
    for pid in psutil.pids():
        with contextlib.suppress(ProcessLookupError, psutil.NoSuchProcess):
            if os.getpgid(pid) == group and (process := psutil.Process(pid)).status() != psutil.STATUS_ZOMBIE:
                members.append(process)
    return members


def stop_group(leader: subprocess.Popen[bytes], grace: float = GRACE_SECONDS) -> bool:
    """Stops a process group, as stop_all() does."""
    return stop_all(leader, lambda: group_members(leader.pid), grace)


def stop_all(
    leader: subprocess.Popen[bytes], members: Callable[[], list[psutil.Process]], grace: float = GRACE_SECONDS
) -> bool:
    """SIGTERM to a group and to members outside it, SIGKILL to what is left after the grace.

    `members` tells which processes still run, wherever they are. True when SIGTERM was enough.
    """
    _signal_all(leader.pid, members(), signal.SIGTERM)
    deadline = time.monotonic() + grace
    while time.monotonic() < deadline:
        if leader.poll() is not None and not members():
            return True
        time.sleep(0.02)
    # those that are killed keep their ports until they have ended
    deadline = time.monotonic() + GRACE_SECONDS
    _signal_all(leader.pid, [], signal.SIGKILL)
    while (left := members()) and time.monotonic() < deadline:
        _signal_all(leader.pid, left, signal.SIGKILL)
        time.sleep(0.005)
    leader.wait()
    return False


def _signal_all(group: int, members: list[psutil.Process], number: signal.Signals) -> None:
    # the group at once, so that no member forks between two signals
    _signal_group(group, number)
    for process in members:
        with contextlib.suppress(psutil.NoSuchProcess, ProcessLookupError):
            if os.getpgid(process.pid) != group:
                process.send_signal(number)


def _signal_group(group: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, number)


def pause_group(group: int) -> None:
    """SIGSTOP to the whole group. Returns when every thread has stopped: the signal alone lets them finish first."""
    os.killpg(group, signal.SIGSTOP)
    deadline = time.monotonic() + GRACE_SECONDS
    while not all(_has_stopped(process.pid) for process in group_members(group)) and time.monotonic() < deadline:
        time.sleep(0.005)


def resume_group(group: int) -> None:
    os.killpg(group, signal.SIGCONT)


def _has_stopped(pid: int) -> bool:
    with contextlib.suppress(OSError):  # a thread that has ended meanwhile
        stats = [task.joinpath("stat").read_text() for task in Path(f"/proc/{pid}/task").iterdir()]
        return all(stat.rpartition(")")[2].split()[0] == "T" for stat in stats)
    return False


def kill_own() -> None:
    """Kills all that this harness started, without a grace: for an end that does not wait."""
    me = owner_id()
    _kill_those_of(lambda owner: owner == me)


def _kill_those_of(is_meant: Callable[[str], bool]) -> list[str]:
    """Kills all processes with such an owner. Returns a description of each."""
    killed = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            owner = process.environ().get(OWNER)
            if owner and is_meant(owner):
                killed.append(f"{process.name()} (PID {process.pid})")
                process.kill()
    return killed


def remove_orphans() -> list[str]:
    """Kills processes whose owner is dead, and removes its cgroups. Returns a description of each."""
    removed = _kill_those_of(lambda owner: not owner_lives(owner))
    orphans = [cgroup for cgroup in own_cgroups.find() if not owner_lives(own_cgroups.owner_of(cgroup))]
    return removed + [f"cgroup {cgroup}" for cgroup in orphans if own_cgroups.remove(cgroup)]


@dataclass(frozen=True)
class Finished:
    """A command that ran to its end. Times in seconds; cpu_seconds is user and system time of it and its children."""

    returncode: int
    stdout: str
    stderr: str
    wall_seconds: float
    cpu_seconds: float


CANCEL: ContextVar[threading.Event | None] = ContextVar("CANCEL", default=None)
"""In a thread that gets no Ctrl-C of its own: set from outside, it kills the command that is run there."""


class CancelledError(BaseException):
    """What a thread did was ended because it was told to. As with Ctrl-C, nothing else may catch it."""


def run_measured(argv: list[str], *, cpus: tuple[int, ...] | None, timeout: float) -> Finished:
    """Runs a command to its end and tells what CPU time it took.

    Raises TimeoutError or CancelledError after it was killed.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        began = time.monotonic()
        with _group(pinned(argv, cpus), env=environment({}), stdout=out, stderr=err) as process:
            usage = _wait(process, began + timeout)
        wall = time.monotonic() - began
        out.seek(0)
        err.seek(0)
        return Finished(process.returncode, out.read().decode(), err.read().decode(), wall, usage)


def run_logged(argv: list[str], *, env: Mapping[str, str], cwd: Path | None, log: IO[bytes]) -> int:
    """Runs a command for as long as it takes, with all that it prints in the log. Returns its exit code.

    Raises OSError where it cannot be started, CancelledError after it was killed.
    """
    marked = {**env, OWNER: owner_id()}
    with _group(argv, env=marked, cwd=cwd, stdout=log, stderr=subprocess.STDOUT) as process:
        _wait(process, math.inf)
    return process.returncode


@contextlib.contextmanager
def _group(
    argv: list[str],
    *,
    env: Mapping[str, str],
    stdout: IO[bytes],
    stderr: IO[bytes] | int,
    cwd: Path | None = None,
) -> Iterator[subprocess.Popen[bytes]]:
    """A command as the leader of a group of its own, which is killed where the block is left by an exception."""
    process = subprocess.Popen(
        argv, env=dict(env), cwd=cwd, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, start_new_session=True
    )
    try:
        yield process
    except BaseException:
        _signal_group(process.pid, signal.SIGKILL)
        process.wait()
        raise


def _wait(process: subprocess.Popen[bytes], deadline: float) -> float:
    """Waits as Popen.wait does, but by wait4, which alone tells what this one child used."""
    cancel = CANCEL.get()
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return usage.ru_utime + usage.ru_stime
        if cancel and cancel.is_set():
            raise CancelledError(f"{process.args!r} was cancelled")
        if time.monotonic() > deadline:
            raise TimeoutError(f"{process.args!r} did not end")
        time.sleep(0.005)
