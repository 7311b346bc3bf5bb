"""The backends by their names in suite.toml. A new backend is registered here, and nowhere else."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from restbench.backends.docker import docker_solr, solr_images
from restbench.backends.interface import Backend
from restbench.backends.native import PACKERS, PROGRAMS, lacks_of_solr, native_solr
from restbench.catalog.manifests import Command
from restbench.containers.images import Image
from restbench.errors import BackendError
from restbench.system.repository import Repository
from restbench.system.text import did_you_mean
from restbench.targets.toolchains import Lack

Cpus = tuple[int, ...] | None


class _Native(Protocol):
    def __call__(self, repository: Repository, cpus: Cpus, port: int | None = None, /) -> Backend: ...


@dataclass(frozen=True)
class Kind:
    """How a backend of one name is made. `title` names it in sentences.

    `native` and `docker` make the backend for apps of that target, without starting it. `images` are those that the
    latter runs. `programs` are the commands
    that the native backend needs. `lacks` returns the needed commands that this machine does not have.
    """

    title: str
    native: _Native
    docker: Callable[[Repository, Cpus], Backend]
    images: Callable[[Repository], list[Image]]
    programs: dict[str, Command]
    lacks: Callable[[Repository], list[Lack]]


BACKENDS = {
    "solr": Kind(
        title="Solr and the cache in front of it",
        native=native_solr,
        docker=docker_solr,
        images=solr_images,
        programs={**PROGRAMS, **PACKERS},
        lacks=lacks_of_solr,
    )
}


def backend_kind(name: str) -> Kind:
    """Returns how the backend of that name in suite.toml is made. Raises BackendError for an unknown name."""
    if name not in BACKENDS:
        raise BackendError(f"no backend is called {name}{did_you_mean(name, BACKENDS)}")
    return BACKENDS[name]


def make_backend(name: str, runtime: str, repository: Repository, cpus: Cpus, port: int | None = None) -> Backend:
    """Makes the backend for apps of that runtime, without starting it.

    `port`: the port to which native apps send their requests; a free one by default. Docker does not use it. Raises
    BackendError when the name is unknown, or when something that the backend needs is missing.
    """
    kind = backend_kind(name)
    return kind.docker(repository, cpus) if runtime == "docker" else kind.native(repository, cpus, port)
