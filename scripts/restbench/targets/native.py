"""Entries as processes on this machine, with an environment of their own.

The processes of an app are pinned, counted and stopped together.
"""

import contextlib
import hashlib
import itertools
import shlex
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from stat import S_ISREG
from typing import Self

from uv import find_uv_bin

from restbench.catalog import Entry
from restbench.errors import AppDiedError, FullDiskError, MachineError, StartError
from restbench.system import processes
from restbench.system.advice import option
from restbench.system.files import one_at_a_time, tail
from restbench.system.ports import free_port, only_address, port_unavailable_reason
from restbench.system.repository import Repository
from restbench.system.resource_use import Resources, proportional_memory
from restbench.targets import interpreters, jdks
from restbench.targets.app_processes import AppProcesses
from restbench.targets.building import BUILD_SECONDS, FULL_DISK, is_full, is_of_entry, room_for, run_build
from restbench.targets.cpu_time import app_processes
from restbench.targets.interface import Build, Runtime, Settings, Target, facts_output, noted_seconds
from restbench.targets.links import NetworkLink, native_link, native_link_unavailable_reason
from restbench.targets.toolchains import jdk_versions_allowed, python_versions_allowed, tools_unavailable_reason

DONE = ".restbench-built"
"""The file in an environment that is whole. It has the seconds of the build."""


class NativeRuntime(Runtime):
    """Builds and starts entries by the commands of language.toml. An entry can have build commands of its own."""

    name = "native"

    def __init__(self, repository: Repository, first_port: int | None = None) -> None:
        self._repository = repository
        self._ports = None if first_port is None else itertools.count(first_port)

    def unavailable_reason(self, entry: Entry) -> str | None:
        return tools_unavailable_reason(entry)

    def is_built(self, entry: Entry) -> bool:
        return not entry.native_build or (self.environment(entry) / DONE).is_file()

    def build(self, entry: Entry) -> Build:
        # revisions of an entry take turns, because their builds write to one folder of the cache
        with one_at_a_time(self._repository.state / "locks" / f"{entry.language.name}-{entry.name}"):
            return self._build(entry)

    def _build(self, entry: Entry) -> Build:
        env = self.environment(entry)
        done = env / DONE
        if done.is_file() or not entry.native_build:
            return Build(noted_seconds(done), cached=True)
        began = time.monotonic()
        try:
            with room_for(entry):
                self._run_build(entry, env)
                for other in env.parent.glob(f"{env.name.rpartition('-')[0]}-*"):
                    if other != env and len(other.name) == len(env.name):  # of an earlier version of the same entry
                        shutil.rmtree(other, ignore_errors=True)
                seconds = time.monotonic() - began
                done.write_text(f"{seconds:.1f}\n", encoding="utf-8")
        except BaseException:
            shutil.rmtree(env, ignore_errors=True)  # half of an environment only takes room
            raise
        return Build(seconds, cached=False)

    def _run_build(self, entry: Entry, env: Path) -> None:
        for folder in (env, self._cache(entry)):
            folder.mkdir(parents=True, exist_ok=True)
        log, deadline = self._log(entry, "build"), time.monotonic() + BUILD_SECONDS
        what = f"the build failed with code {{code}}; its log is {self._repository.relative(log)}"
        with log.open("wb") as out:
            for command in entry.native_build:
                argv, left = self._words(entry, command), deadline - time.monotonic()
                variables = processes.user_environment()
                run_build(entry, argv, variables, log, out, cwd=entry.folder, what=what, seconds=left)

    def size_bytes(self, entry: Entry) -> int:
        # without the bytecode that Python writes into the environment when the app first runs, if it writes any
        files = [path.lstat() for path in self.environment(entry).rglob("*") if path.parent.name != "__pycache__"]
        return sum({(each.st_dev, each.st_ino): each.st_size for each in files if S_ISREG(each.st_mode)}.values())

    def run_facts(self, entry: Entry, command: list[str]) -> str:
        return facts_output(entry, self._words(entry, command))

    def link_unavailable_reason(self) -> str | None:
        return native_link_unavailable_reason()

    def target(self, entry: Entry, settings: Settings) -> "NativeTarget":
        argv = self._words(entry, entry.language.manifest.native.start)
        port = free_port() if self._ports is None else next(self._ports)
        asking = partial(self._words, entry)
        return NativeTarget(entry, argv, port, settings, self._repository.fixtures, self._log(entry, "app"), asking)

    def _log(self, entry: Entry, kind: str) -> Path:
        path = self._repository.state / "logs" / entry.language.name / f"{entry.place}.{kind}.log"
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def environment(self, entry: Entry) -> Path:
        """Returns the folder of the entry's environment. Its name has a hash of all that the environment depends on."""
        digest = hashlib.sha256(repr((entry.native_build, str(self._python(entry) or self._jdk(entry)))).encode())
        for name, path in entry.build_inputs().items():
            digest.update(f"{name}\0".encode() + path.read_bytes())
        return self._repository.state / "env" / entry.language.name / f"{entry.place}-{digest.hexdigest()[:12]}"

    def _cache(self, entry: Entry) -> Path:
        """Returns the folder that builds of one language share, such as for compiled dependencies."""
        return self._repository.state / "cache" / entry.language.name

    def _python(self, entry: Entry) -> Path | None:
        if entry.language.manifest.toolchain.python is None:
            return None
        chosen = interpreters.choose(python_versions_allowed(entry))
        return chosen.path if chosen else None

    def _jdk(self, entry: Entry) -> Path | None:
        if entry.language.manifest.toolchain.jdk is None:
            return None
        chosen = jdks.choose(jdk_versions_allowed(entry))
        return chosen.home if chosen else None

    def _words(self, entry: Entry, command: list[str], **more: object) -> list[str]:
        values = {
            "entry": entry.folder,
            "code": entry.code_folder,
            "language": entry.language.folder,
            "env": self.environment(entry),
            "cache": self._cache(entry),
            "python": self._python(entry),
            "jdk": self._jdk(entry),
            "uv": find_uv_bin(),
            "package": entry.manifest.package.partition(":")[2],
            **more,
        }
        return [word.format_map(values) for word in command]


class NativeTarget(Target):
    """One app as processes of this machine."""

    def __init__(
        self,
        entry: Entry,
        argv: list[str],
        port: int,
        settings: Settings,
        fixtures: Path,
        log: Path,
        words: Callable[..., list[str]],
    ) -> None:
        """`words`: replaces the placeholders in a command of the language."""
        self.base_url = f"http://127.0.0.1:{port}"
        self._entry = entry
        self._argv = argv
        self._port = port
        self._settings = settings
        self._variables = {"PORT": str(port), "FIXTURES": str(fixtures), **settings.environment}
        self._log = log
        self._words = words
        self._leader: subprocess.Popen[bytes] | None = None
        self._processes: AppProcesses | None = None
        self._stopped_for: str | None = None

    def __enter__(self) -> Self:
        if taken := port_unavailable_reason(self._port):
            raise StartError(f"{self._entry.id}: {taken}, or choose others with {option('port', 'NUMBER')}")
        try:
            self._processes = app_processes()
            env = processes.environment({**self._variables, **self._processes.environment})
            # the app is pinned after it entered the cgroup: on some kernels, entering one resets the CPUs of a process
            pinned = processes.pinned(self._argv, self._settings.cpus if self._settings.pinned else None)
            argv = self._processes.command(pinned)
            with self._log.open("wb") as log:
                self._leader = processes.start_group(argv, env=env, cwd=self._entry.folder, log=log, cpus=None)
            self._processes.started(self._leader)
        except OSError as error:
            self._stop(grace=0)
            if is_full(error):
                raise FullDiskError(f"{self._entry.id}: {FULL_DISK}") from error
            kind = StartError if is_of_entry(error, self._argv) else MachineError
            raise kind(f"{self._entry.id}: the app could not be started: {error}") from error
        except BaseException:
            self._stop(grace=0)
            raise
        return self

    def __exit__(self, *raised: object) -> None:
        self._stop(processes.GRACE_SECONDS)

    def _stop(self, grace: float) -> None:
        if self._processes is None:
            return
        try:
            if self._leader is not None:
                self.thaw()  # a process that is stopped gets SIGTERM only when it goes on
                processes.stop_all(self._leader, self._processes.members, grace)
        finally:
            # also when an exception interrupts the stop: no process may be left behind
            self._processes.close()

    def freeze(self) -> None:
        try:
            if self._processes is not None:
                self._processes.freeze()
        except OSError as error:
            if not self.exit_reason():
                raise MachineError(f"{self._entry.id}: the app cannot be frozen: {error}") from error

    def thaw(self) -> None:
        if self._processes is not None:
            with contextlib.suppress(OSError):  # the app has ended
                self._processes.thaw()

    def link(self, delay_ms: float) -> AbstractContextManager[NetworkLink]:
        return native_link(self.base_url, delay_ms)

    def cpu_seconds(self) -> float:
        try:
            return self._running().cpu_seconds()
        except OSError as error:
            raise self._death() from error

    def _running(self) -> AppProcesses:
        if self._processes is None or self.exit_reason():
            raise self._death()
        return self._processes

    def _death(self) -> AppDiedError:
        return AppDiedError(f"{self._entry.id}: the app {self.exit_reason() or 'is gone'}", self.log_tail())

    def resources(self) -> Resources:
        used = Resources(self.cpu_seconds(), proportional_memory(self._running().members()))
        if used.memory_bytes > self._settings.memory_bytes:
            self._stopped_for = f"used {used.memory_bytes / 1e6:,.0f} MB, more than an app may, and was stopped"
            self._stop(grace=0)
            raise self._death()
        return used

    def exit_reason(self) -> str | None:
        return self._stopped_for or processes.exit_reason(self._leader)

    def only_address(self) -> str | None:
        return only_address(self._port)

    def run_beside(self, command: list[str], variables: Mapping[str, str] | None = None) -> str:
        if self._leader is None or self.exit_reason():
            raise self._death()
        argv = self._words(command, pid=self._leader.pid)
        on_its_cpus = processes.pinned(argv, self._settings.cpus if self._settings.pinned else None)
        return facts_output(self._entry, on_its_cpus, variables)

    def log_tail(self, lines: int = 20) -> str:
        return self._entry.in_own_files(tail(self._log, lines))

    @property
    def log_command(self) -> str:
        return f"tail -f {shlex.quote(str(self._log))}"
