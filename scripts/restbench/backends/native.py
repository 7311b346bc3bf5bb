"""Solr and the cache as processes of this machine."""

import hashlib
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from restbench.backends import programs
from restbench.backends.numbers import Numbers
from restbench.backends.solr import Access, Backend, Service
from restbench.catalog import Command
from restbench.errors import BackendError
from restbench.system import processes
from restbench.system.files import one_at_a_time, tail
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

PACK_SECONDS = 1200.0
PACK_MB = 110
"""About how many MB Maven downloads for it."""


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
            processes.pause_group(self._process)

    def resume(self) -> None:
        if self._process is not None:
            processes.signal_group(self._process, signal.SIGCONT)

    def run(self, *arguments: str) -> str:
        return ran([find_program(arguments[0]) or arguments[0], *arguments[1:]])

    def resources(self) -> Resources:
        return Resources.of_group(self._process) if self._process else Resources(0.0, 0)

    def exit_reason(self) -> str | None:
        return processes.exit_reason(self._process)

    def log_tail(self, lines: int = 20) -> str:
        return tail(self._log, lines)


def ran(argv: list[str]) -> str:
    """Runs a command and returns its output. Raises BackendError when it fails."""
    try:
        return subprocess.run(argv, capture_output=True, encoding="utf-8", check=True, timeout=60).stdout
    except (OSError, subprocess.SubprocessError) as error:
        detail = error.stderr if isinstance(error, subprocess.CalledProcessError) else ""
        raise BackendError(f"{Path(argv[0]).name} failed: {error}", detail) from error


def solr_tools(repository: Repository) -> list[Tool]:
    """Returns the tools that run Solr and the cache, and those that pack its jars where they are not packed yet."""
    return commands(PROGRAMS if _jars(repository).is_dir() else {**PROGRAMS, **PACKERS})


def native_solr(repository: Repository, cpus: tuple[int, ...] | None, port: int | None = None) -> Backend:
    """Returns Solr and the cache as processes, not yet started.

    The cache gets `port`, or a free port by default. Solr always gets a free port. Raises BackendError when something
    is missing on this machine.
    """
    if lacking := describe(solr_tools(repository)):
        raise BackendError(lacking)
    java, varnishd = (find_program(name) or name for name in PROGRAMS)
    launcher = _jars(repository)
    with one_at_a_time(repository.state / "locks" / "solr"):
        if not launcher.is_dir():
            _pack(launcher, repository)
    for other in (repository.state / "solr").glob("run-*"):
        if not owner_lives(other.name.split("-")[1]):  # a killed harness left it
            shutil.rmtree(other, ignore_errors=True)
    scratch = Path(tempfile.mkdtemp(prefix=f"run-{owner_id()}-", dir=repository.state / "solr"))
    solr_port, cache_port = free_port(), port or free_port()
    data, work = scratch / "solr", scratch / "varnish"
    home = repository.fixtures / "solr" / "home"
    solr = programs.solr_command(java, str(launcher), str(home), str(data), solr_port)
    numbers = Numbers.drawn()
    configuration = programs.cache_configuration(repository.fixtures, f"127.0.0.1:{solr_port}", numbers)
    cache = programs.cache_command(varnishd, str(work), f"127.0.0.1:{cache_port}", configuration)
    return Backend(
        NativeService("Solr", solr, solr_port, data, cpus),
        NativeService("Varnish", cache, cache_port, work, cpus),
        str(work),
        Access({"SOLR_URL": f"http://127.0.0.1:{cache_port}{programs.CORE_PATH}"}),
        repository.fixtures,
        numbers,
        clean_up=lambda: shutil.rmtree(scratch, ignore_errors=True),
    )


def _jars(repository: Repository) -> Path:
    """The folder with launcher.jar and lib/. There is one for each version of fixtures/solr/launcher."""
    digest = hashlib.sha256()
    for path in sorted(p for p in (repository.fixtures / "solr" / "launcher").rglob("*") if p.is_file()):
        digest.update(path.read_bytes())
    return repository.state / "solr" / digest.hexdigest()[:12]


def _pack(folder: Path, repository: Repository) -> None:
    """Maven packs the jars into a temporary folder, which becomes `folder`, so that `folder` is never incomplete."""
    log = repository.state / "logs" / "solr.build.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        pom = repository.fixtures / "solr" / "launcher" / "pom.xml"
        argv = ["mvn", "--batch-mode", "-Dmaven.test.skip", f"-Dout={scratch}/out", "--file", str(pom)]
        with log.open("wb") as out:
            try:
                code = processes.run_logged(
                    [*argv, "package"], env=processes.user_environment(), cwd=None, log=out, timeout=PACK_SECONDS
                )
            except TimeoutError as error:
                raise BackendError(f"Solr's jars were not packed within {PACK_SECONDS / 60:.0f} minutes") from error
        if code != 0:
            where = repository.relative(log)
            raise BackendError(f"the jars of Solr could not be fetched and packed; the log is {where}", tail(log, 10))
        shutil.move(Path(scratch) / "out", folder)
