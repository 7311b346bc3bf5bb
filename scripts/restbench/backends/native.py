"""Solr and the cache as processes of this machine."""

import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from restbench.backends import jars, programs
from restbench.backends.interface import Service
from restbench.backends.solr import Access, Backend
from restbench.catalog import Command
from restbench.errors import BackendError
from restbench.system import processes
from restbench.system.files import tail
from restbench.system.owners import owner_id, owner_lives
from restbench.system.ports import free_port, port_unavailable_reason
from restbench.system.processes import find_program
from restbench.system.repository import Repository
from restbench.system.resource_use import Resources
from restbench.targets.toolchains import Tool, commands, describe

PROGRAMS = {"java": Command(debian="default-jre-headless"), "varnishd": Command(debian="varnish")}
"""The commands that run Solr and the cache."""

PACKERS = {"mvn": Command(debian="maven"), "javac": Command(debian="default-jdk-headless")}
"""The commands that pack Solr's jars. They are needed once."""


class NativeService(Service):
    """A program as a process group with a folder of its own. Each start empties the folder."""

    def __init__(self, title: str, argv: list[str], port: int, folder: Path, cpus: tuple[int, ...] | None) -> None:
        self.title = title
        self.url = f"http://127.0.0.1:{port}"
        self._argv = argv
        self._port = port
        self._folder = folder
        self._cpus = cpus
        self._log = folder.with_suffix(".log")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        if self._process is not None:
            self._release_port(self._process)
        if taken := port_unavailable_reason(self._port):
            raise BackendError(f"{self.title} cannot start: {taken}, or choose another port")
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(parents=True)
        with self._log.open("wb") as log:
            env = processes.environment({})
            self._process = processes.start_group(self._argv, env=env, cwd=self._folder, log=log, cpus=self._cpus)

    def _release_port(self, before: subprocess.Popen[bytes]) -> None:
        """Kills the rest of an earlier process group and waits, for at most 5 s, until the port is free.

        Varnish is two processes. When one has died, the other can keep the port until its threads have ended.
        """
        processes.stop_group(before, grace=0)
        deadline = time.monotonic() + processes.GRACE_SECONDS
        while port_unavailable_reason(self._port) and time.monotonic() < deadline:
            time.sleep(0.01)

    def stop(self) -> None:
        if self._process is not None:
            processes.stop_group(self._process)

    def pause(self) -> None:
        if self._process is not None:
            processes.pause_group(self._process.pid)

    def resume(self) -> None:
        if self._process is not None:
            processes.resume_group(self._process.pid)

    def run(self, *arguments: str) -> str:
        return ran([find_program(arguments[0]) or arguments[0], *arguments[1:]])

    def resources(self) -> Resources:
        return Resources.of_group(self._process.pid) if self._process else Resources(0.0, 0)

    def exit_reason(self) -> str | None:
        code = self._process.poll() if self._process else None
        if code is None:
            return None
        return f"was ended by signal {-code}" if code < 0 else f"exited with code {code}"

    def log_tail(self, lines: int = 20) -> str:
        return tail(self._log, lines)


def ran(argv: list[str]) -> str:
    """Runs a command and returns its output. Raises BackendError when it fails."""
    try:
        return subprocess.run(argv, capture_output=True, text=True, check=True, timeout=60).stdout
    except (OSError, subprocess.SubprocessError) as error:
        said = error.stderr if isinstance(error, subprocess.CalledProcessError) else ""
        raise BackendError(f"{Path(argv[0]).name} failed: {error}", said) from error


def solr_tools(repository: Repository) -> list[Tool]:
    """Returns the tools that run Solr and the cache, and those that pack its jars where they are not packed yet."""
    return commands(PROGRAMS if jars.are_packed(repository) else {**PROGRAMS, **PACKERS})


def native_solr(repository: Repository, cpus: tuple[int, ...] | None, port: int | None = None) -> Backend:
    """Returns Solr and the cache as processes, not yet started.

    The cache gets `port`, or a free port by default. Solr always gets a free port. Raises BackendError when something
    is missing on this machine.
    """
    if lacking := describe(solr_tools(repository)):
        raise BackendError(lacking)
    java, varnishd = (find_program(name) or name for name in PROGRAMS)
    launcher = jars.packed(repository)
    scratch = _scratch(repository.state / "solr")
    solr_port, cache_port = free_port(), port or free_port()
    data, work = scratch / "solr", scratch / "varnish"
    home = repository.fixtures / "solr" / "home"
    solr = programs.solr_command(java, str(launcher), str(home), str(data), solr_port)
    cache = programs.cache_command(varnishd, str(work), f"127.0.0.1:{cache_port}", f"127.0.0.1:{solr_port}")
    return Backend(
        NativeService("Solr", solr, solr_port, data, cpus),
        NativeService("Varnish", cache, cache_port, work, cpus),
        str(work),
        Access({"SOLR_URL": f"http://127.0.0.1:{cache_port}{programs.CORE_PATH}"}),
        repository.fixtures,
        clean_up=lambda: shutil.rmtree(scratch, ignore_errors=True),
    )


def _scratch(parent: Path) -> Path:
    """Makes a folder for this run, and removes the folders that killed harnesses left behind."""
    for other in parent.glob("run-*"):
        if not owner_lives(other.name.split("-")[1]):
            shutil.rmtree(other, ignore_errors=True)
    return Path(tempfile.mkdtemp(prefix=f"run-{owner_id()}-", dir=parent))
