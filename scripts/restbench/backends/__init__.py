"""What a suite needs in addition to the app: Solr, and the HTTP cache in front of it."""

from restbench.backends.docker import docker_solr
from restbench.backends.made_up import made_up
from restbench.backends.native import native_solr
from restbench.backends.numbers import DIGITS, NumberedText
from restbench.backends.solr import NUMBER_ELEMENT, NUMBERED_TEXT, SOLR, Backend, Outage
from restbench.errors import BackendError
from restbench.system.repository import Repository
from restbench.system.text import did_you_mean

__all__ = [
    "DIGITS",
    "NUMBERED_TEXT",
    "NUMBER_ELEMENT",
    "SOLR",
    "Backend",
    "NumberedText",
    "Outage",
    "made_up",
    "make_backend",
]


def make_backend(
    name: str, runtime: str, repository: Repository, cpus: tuple[int, ...] | None, port: int | None = None
) -> Backend:
    """Makes the backend for apps of that runtime, without starting it.

    `port`: the port to which native apps send their requests; a free one by default. Docker does not use it. Raises
    BackendError when the name is unknown, or when something that the backend needs is missing.
    """
    if name != SOLR:
        raise BackendError(f"no backend is called {name}{did_you_mean(name, [SOLR])}")
    return docker_solr(repository, cpus) if runtime == "docker" else native_solr(repository, cpus, port)
