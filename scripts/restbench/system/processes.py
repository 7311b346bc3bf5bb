"""Starts, marks, stops and finds processes.

Every started process has $RESTBENCH_OWNER in its environment: the identity of the harness that started it. A harness
that was killed leaves processes whose owner no longer lives. The next harness uses the variable to find these
processes, and no others. Cgroups have the same identity in their names.
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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import psutil

from restbench.system import own_cgroups
from restbench.system.cpus import cpu_list
from restbench.system.limits import set_open_files
from restbench.system.owners import owner_id, owner_lives
from restbench.system.repository import find_repository

OWNER = "RESTBENCH_OWNER"
GRACE_SECONDS = 5.0
"""How long an app may take to stop after SIGTERM (docs/CONTRACT.md)."""


LOCALE = {"LC_ALL": "C.UTF-8", "LANGUAGE": ""}
"""The locale of what restbench starts: it does the same on all machines, and what it says is not translated."""


def environment(extra: Mapping[str, str]) -> dict[str, str]:
    """The environment of a started process: some variables of this machine, the owner, and `extra`.

    Variables of the harness's own virtual environment are left out.
    """
    names = ("CARGO_HOME", "TMPDIR", "TZ", "USER")
    inherited = {name: os.environ[name] for name in names if name in os.environ}
    return {**inherited, **_usual(), OWNER: owner_id(), **extra}


def user_environment() -> dict[str, str]:
    """The environment of builds: all variables of the user, who may have set mirrors, proxies and certificates."""
    return {**{name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}, **_usual()}


def _usual() -> dict[str, str]:
    """The variables that every process gets."""
    home = homes()[0]
    home.mkdir(parents=True, exist_ok=True)
    variables = {**LOCALE, "HOME": str(home), "PATH": search_path()}
    if home == find_repository().state / "home":
        variables["MAVEN_OPTS"] = f"{os.environ.get('MAVEN_OPTS', '')} -Duser.home={home}"  # Java does not ask $HOME
    return variables


def homes() -> list[Path]:
    """The folders with files of this user. Programs may write to the first, which is one of restbench's own where the
    user may not write to the home, or has none: a user ID without an account, and no $HOME.
    """
    own = find_repository().state / "home"
    try:
        home = Path.home()
    except RuntimeError:
        return [own]
    if os.access(home, os.W_OK | os.X_OK):
        return [home]
    return [own, home] if os.access(home, os.R_OK | os.X_OK) else [own]


def search_path() -> str:
    """PATH, after the programs that restbench has installed for itself, and before folders that a person's PATH often
    lacks: cargo's, and those of system programs.
    """
    own, path = find_repository().state / "bin", os.environ.get("PATH", os.defpath)
    named = os.environ.get("CARGO_HOME")
    cargo = [Path(named)] if named else [home / ".cargo" for home in homes()]
    return os.pathsep.join(
        [str(own), path, *(f"{each}/bin" for each in cargo), "/usr/local/sbin", "/usr/sbin", "/sbin"]
    )


def find_program(name: str) -> str | None:
    """Returns the path of a program, or None where it is missing."""
    return shutil.which(name, path=search_path())


def pinned(argv: Iterable[str], cpus: tuple[int, ...] | None) -> list[str]:
    """Returns the command, pinned to those CPUs from its first instruction. With None, the kernel chooses the CPUs."""
    return list(argv) if cpus is None else ["taskset", "--cpu-list", cpu_list(cpus), *argv]


def start_group(
    argv: list[str], *, env: Mapping[str, str], cwd: Path, log: IO[bytes], cpus: tuple[int, ...] | None
) -> subprocess.Popen[bytes]:
    """Starts a command as the leader of a process group of its own, so that Ctrl-C reaches the harness only."""
    set_open_files()
    return subprocess.Popen(
        pinned(argv, cpus),
        env=dict(env),
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


def group_of(leader: subprocess.Popen[bytes]) -> int | None:
    """Returns the ID of the group and session that a process began, None where it may be a stranger's by now.

    The kernel gives the ID to no other process while a process of the group or session is left. So when the leader has
    been waited for, a process that has its PID is a stranger.
    """
    return None if leader.returncode is not None and psutil.pid_exists(leader.pid) else leader.pid


def group_members(leader: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """The processes of the group that `leader` began, as far as they still run."""
    members = []
    group = group_of(leader)
    for pid in psutil.pids() if group else ():
        with contextlib.suppress(ProcessLookupError, psutil.NoSuchProcess):
            if os.getpgid(pid) == group and (process := psutil.Process(pid)).status() != psutil.STATUS_ZOMBIE:
                members.append(process)
    return members


def exit_reason(process: subprocess.Popen[bytes] | None) -> str | None:
    """Returns how a process ended. None for one that runs, and for none."""
    code = process.poll() if process else None
    if code is None:
        return None
    return f"was ended by signal {-code}" if code < 0 else f"exited with code {code}"


def stop_group(leader: subprocess.Popen[bytes], grace: float = GRACE_SECONDS) -> bool:
    """Stops a process group, as stop_all() does."""
    return stop_all(leader, lambda: group_members(leader), grace)


def stop_all(
    leader: subprocess.Popen[bytes], members: Callable[[], list[psutil.Process]], grace: float = GRACE_SECONDS
) -> bool:
    """Sends SIGTERM to a group and to members outside it, and SIGKILL to those that still run after `grace` seconds.

    `members` returns the processes that still run, in the group and outside it. Returns whether SIGTERM was enough.
    """
    try:
        _signal_all(leader, members(), signal.SIGTERM)
        deadline = time.monotonic() + grace
        while time.monotonic() < deadline:
            if leader.poll() is not None and not members():
                return True
            time.sleep(0.02)
    except BaseException:  # Ctrl-C: nobody waits any longer for the processes to end by themselves
        _kill_all(leader, members)
        raise
    _kill_all(leader, members)
    return False


def _kill_all(leader: subprocess.Popen[bytes], members: Callable[[], list[psutil.Process]]) -> None:
    """Kills a group and members outside it, and waits for them: they keep their ports until they have ended."""
    deadline = time.monotonic() + GRACE_SECONDS
    _signal_all(leader, [], signal.SIGKILL)
    while (left := members()) and time.monotonic() < deadline:
        _signal_all(leader, left, signal.SIGKILL)
        time.sleep(0.005)
    leader.wait()


def _signal_all(leader: subprocess.Popen[bytes], members: list[psutil.Process], number: signal.Signals) -> None:
    # the whole group gets the signal at once, so that no member forks between two signals
    signal_group(leader, number)
    for process in members:
        with contextlib.suppress(psutil.NoSuchProcess, ProcessLookupError):
            if os.getpgid(process.pid) != leader.pid:
                process.send_signal(number)


def signal_group(leader: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Sends a signal to the group that `leader` began, if a process of it is left."""
    if group := group_of(leader):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(group, number)


def pause_group(leader: subprocess.Popen[bytes]) -> None:
    """Sends SIGSTOP to the whole group, and waits until every thread has stopped, GRACE_SECONDS at most.

    Without waiting, threads may still run for a moment after the signal was sent.
    """
    signal_group(leader, signal.SIGSTOP)
    deadline = time.monotonic() + GRACE_SECONDS
    while not all(_has_stopped(process.pid) for process in group_members(leader)) and time.monotonic() < deadline:
        time.sleep(0.005)


def _has_stopped(pid: int) -> bool:
    with contextlib.suppress(OSError):  # a thread has ended meanwhile
        stats = [
            task.joinpath("stat").read_text(encoding="utf-8", errors="replace")
            for task in Path(f"/proc/{pid}/task").iterdir()
        ]
        return all(stat.rpartition(")")[2].split()[0] == "T" for stat in stats)
    return False


def kill_own() -> None:
    """Kills all processes that this harness started, without giving them time to stop."""
    me = owner_id()
    _kill_those_of(lambda owner: owner == me)


def _kill_those_of(is_meant: Callable[[str], bool]) -> list[str]:
    """Kills all processes whose owner `is_meant` accepts. Returns a description of each."""
    killed = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            owner = process.environ().get(OWNER)
            if owner and is_meant(owner):
                killed.append(f"{process.name()} (PID {process.pid})")
                process.kill()
    return killed


def remove_orphans() -> list[str]:
    """Kills the processes and removes the cgroups whose owner no longer lives. Returns a description of each."""
    removed = _kill_those_of(lambda owner: not owner_lives(owner))
    orphans = [cgroup for cgroup in own_cgroups.find() if not owner_lives(own_cgroups.owner_of(cgroup))]
    return removed + [f"cgroup {cgroup}" for cgroup in orphans if own_cgroups.remove(cgroup)]


@dataclass(frozen=True)
class Finished:
    """A command that ran to its end. `cpu_seconds` is the user and system time of the command and its children."""

    returncode: int
    stdout: str
    stderr: str
    wall_seconds: float
    cpu_seconds: float


CANCEL: ContextVar[threading.Event | None] = ContextVar("CANCEL", default=None)
"""An event for threads other than the main thread, which get no Ctrl-C. When it is set from outside, the command that
runs in the thread is killed.
"""


class CancelledError(BaseException):
    """The work of a thread was cancelled. As with Ctrl-C, `except Exception` must not catch it."""


def end_if_cancelled() -> None:
    """Raises CancelledError where CANCEL is set."""
    cancel = CANCEL.get()
    if cancel and cancel.is_set():
        raise CancelledError


def _pause(_process: int, seconds: float) -> None:
    time.sleep(seconds)


def run_measured(
    argv: list[str],
    *,
    cpus: tuple[int, ...] | None,
    timeout: float,
    env: Mapping[str, str] | None = None,
    files: Sequence[int] = (),
    attend: Callable[[int, float], None] = _pause,
) -> Finished:
    """Runs a command to its end and measures its CPU time. `env`: its environment, None for that of a load generator.

    `files`: the numbers of open files that the command inherits. `attend`: gets its process ID and for how many seconds
    to wait, again and again until the command has ended. Where it raises an error, the command is killed.

    Raises OSError where the command cannot be started, TimeoutError where it takes more than `timeout` seconds, and
    CancelledError where CANCEL is set. The command has been killed then.
    """
    set_open_files()
    marked = environment({}) if env is None else {**env, OWNER: owner_id()}
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        began = time.monotonic()
        with _group(pinned(argv, cpus), env=marked, stdout=out, stderr=err, files=files) as process:
            usage = _wait(process, began + timeout, attend)
        wall = time.monotonic() - began
        out.seek(0)
        err.seek(0)
        said, errors = (file.read().decode(errors="replace") for file in (out, err))
        return Finished(process.returncode, said, errors, wall, usage)


def run_logged(
    argv: list[str], *, env: Mapping[str, str], cwd: Path | None, log: IO[bytes], timeout: float = math.inf
) -> int:
    """Runs a command, and writes all that it prints to the log. Returns its exit code.

    Raises OSError where the command cannot be started, TimeoutError where it takes more than `timeout` seconds, and
    CancelledError where CANCEL is set. The command has been killed then.
    """
    marked = {**env, OWNER: owner_id()}
    with _group(argv, env=marked, cwd=cwd, stdout=log, stderr=subprocess.STDOUT) as process:
        _wait(process, time.monotonic() + timeout)
    return process.returncode


@contextlib.contextmanager
def output_of(argv: list[str], seconds: float) -> Iterator[IO[bytes]]:
    """Runs a command with this harness's own environment. Yields its output, which the block has to read to its end.

    Raises subprocess.CalledProcessError where the command fails or is killed, which it is after so many seconds, and
    CancelledError where CANCEL is set.
    """
    marked = {**os.environ, OWNER: owner_id()}
    with (
        tempfile.TemporaryFile() as errors,
        _group(argv, env=marked, stdout=subprocess.PIPE, stderr=errors) as process,
    ):
        assert process.stdout
        late = threading.Timer(seconds, process.kill)
        late.start()
        try:
            yield process.stdout
            process.stdout.read()
            _wait(process, math.inf)
        finally:
            late.cancel()
            process.stdout.close()
        if process.returncode:
            errors.seek(0)
            raise subprocess.CalledProcessError(process.returncode, argv, stderr=errors.read().decode(errors="replace"))


@contextlib.contextmanager
def _group(
    argv: list[str],
    *,
    env: Mapping[str, str],
    stdout: IO[bytes] | int,
    stderr: IO[bytes] | int,
    cwd: Path | None = None,
    files: Sequence[int] = (),
) -> Iterator[subprocess.Popen[bytes]]:
    """Runs a command as the leader of its own process group. Where an exception ends the block, the group is killed.

    Descendants in other groups are killed too: ninja gives each compiler a group of its own.
    """
    process = subprocess.Popen(
        argv,
        env=dict(env),
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=stderr,
        start_new_session=True,
        pass_fds=files,
    )
    try:
        yield process
    except BaseException:
        descendants = []
        with contextlib.suppress(psutil.NoSuchProcess):
            descendants = psutil.Process(process.pid).children(recursive=True)
        _signal_all(process, descendants, signal.SIGKILL)
        process.wait()
        raise


def _wait(process: subprocess.Popen[bytes], deadline: float, attend: Callable[[int, float], None] = _pause) -> float:
    """Waits until the process ends. Returns its user and system time in seconds.

    It calls wait4 and not Popen.wait, because only wait4 tells what this one child used. `deadline` is a time of
    time.monotonic(). Raises TimeoutError after it, and CancelledError where CANCEL is set.
    """
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
        attend(process.pid, 0.005)
