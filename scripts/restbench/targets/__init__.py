"""Runs entries natively or in Docker, behind one interface, as the option --target says."""

import sys

from restbench.catalog import Entry
from restbench.catalog.select import TARGETS
from restbench.containers import engine
from restbench.errors import MissingToolError, UsageError
from restbench.system import processes
from restbench.system.advice import option
from restbench.system.owners import owner_id
from restbench.system.repository import Repository
from restbench.targets import links
from restbench.targets.docker import DockerRuntime
from restbench.targets.interface import BUILDS_AT_A_TIME, Build, Runtime, Settings, Target
from restbench.targets.native import NativeRuntime

__all__ = [
    "BUILDS_AT_A_TIME",
    "Build",
    "Runtime",
    "Settings",
    "Target",
    "choose_runtime",
    "remove_orphans",
]


def choose_runtime(
    name: str, entries: list[Entry], repository: Repository, first_port: int | None = None, *, starts: bool = True
) -> Runtime:
    """Returns the runtime of that name.

    "auto" is native where this machine can run every entry. Otherwise it is Docker, if an engine answers whose
    containers can be measured from here, and each entry that cannot run natively has a Dockerfile; if not, it is
    native. One run has one target, because figures of two targets never share a table.

    `first_port`: the port of the first native app; free ports by default. `starts`: whether apps are to be started, and
    not only built, which any engine can do. Raises UsageError for an unknown name, and MissingToolError when Docker is
    asked for and no engine answers, or one whose containers cannot be measured from here.
    """
    if name not in TARGETS:
        raise UsageError(f"no target is called {name}; known: {', '.join(TARGETS)}")
    native = NativeRuntime(repository, first_port)
    if name == "native":
        return native
    unavailable = engine.docker_unavailable_reason()
    if name == "docker" and unavailable:
        remedy = f"start one, or use {option('target', 'native')}"
        raise MissingToolError(f"no Docker engine answers ({unavailable}): {remedy}")
    if name == "docker":
        if starts and (elsewhere := engine.elsewhere_reason()):
            raise MissingToolError(elsewhere)
        return DockerRuntime(repository)
    lacking = [entry for entry in entries if native.unavailable_reason(entry)]
    if unavailable or not images_help(lacking):
        return native
    if elsewhere := engine.elsewhere_reason():
        print(f"Docker is not used: {elsewhere}", file=sys.stderr)
        return native
    return DockerRuntime(repository)


def images_help(lacking: list[Entry]) -> bool:
    """Returns whether Docker can run all entries that this machine cannot run natively.

    It cannot run an entry without a Dockerfile. The remedy is then to install the toolchain.
    """
    return bool(lacking) and all(entry.dockerfile().is_file() for entry in lacking)


def remove_orphans() -> list[str]:
    """Removes processes, links and containers that killed harnesses left behind. Returns a description of each."""
    owner_id()  # raises MissingToolError where /proc shows other processes, which must not be taken for orphans
    containers = [] if engine.docker_unavailable_reason() else engine.remove_orphans()
    return processes.remove_orphans() + links.remove_orphans() + containers
