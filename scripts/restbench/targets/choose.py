"""--target auto, native or docker → a runtime."""

from restbench.catalog import Entry
from restbench.catalog.select import TARGETS
from restbench.containers import engine
from restbench.errors import MissingToolError, UsageError
from restbench.system import processes
from restbench.system.repository import Repository
from restbench.targets import links
from restbench.targets.docker import DockerRuntime
from restbench.targets.interface import Runtime
from restbench.targets.native import NativeRuntime


def choose_runtime(name: str, entries: list[Entry], repository: Repository, first_port: int | None = None) -> Runtime:
    """The runtime of that name. "auto" is native where this machine can run every entry, else Docker where it answers
    and what natively cannot be run has a Dockerfile.

    One run has one target: figures of two never share a table.
    """
    if name not in TARGETS:
        raise UsageError(f"no target is called {name}; known: {', '.join(TARGETS)}")
    native = NativeRuntime(repository, first_port)
    if name == "native":
        return native
    trouble = engine.engine_trouble()
    if name == "docker" and trouble:
        raise MissingToolError(f"no Docker engine answers ({trouble}): start one, or use --target native")
    if name == "docker" or (not trouble and images_help([entry for entry in entries if native.lacks(entry)])):
        return DockerRuntime(repository)
    return native


def images_help(lacking: list[Entry]) -> bool:
    """Whether Docker can run entries that this machine cannot. Without a Dockerfile the toolchain is the remedy."""
    return bool(lacking) and all(entry.dockerfile().is_file() for entry in lacking)


def remove_orphans() -> list[str]:
    """Removes what a killed harness left behind, natively and in Docker. Returns a description of each."""
    containers = [] if engine.engine_trouble() else engine.remove_orphans()
    return processes.remove_orphans() + links.remove_orphans() + containers
