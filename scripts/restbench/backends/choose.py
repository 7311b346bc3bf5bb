"""A suite's backend by its name, as the apps of a run are run."""

from restbench.backends.docker import docker_solr
from restbench.backends.interface import Backend
from restbench.backends.native import native_solr
from restbench.system.repository import Repository


def make_backend(
    runtime: str, repository: Repository, cpus: tuple[int, ...] | None, port: int | None = None
) -> Backend:
    """Solr and its cache beside apps of that runtime, not yet started. Raises BackendError for what is missing.

    `port`: of the cache, natively; a free one by default.
    """
    return docker_solr(repository, cpus) if runtime == "docker" else native_solr(repository, cpus, port)
