"""What the harness asks of a backend, and a backend of the programs that it is made of.

`native` and `docker` are siblings behind `Service`: a program as processes on this machine, or as a container.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum
from types import TracebackType
from typing import Any, Self

from restbench.system.resource_use import Resources


class Service(ABC):
    """One program beside the apps. It can be started again after it was stopped, at the same address."""

    title: str
    url: str
    """Where the harness finds it, without a path; known once it runs."""

    @abstractmethod
    def start(self) -> None:
        """Starts it, without waiting for its first answer. Raises BackendError."""

    @abstractmethod
    def stop(self) -> None:
        """SIGTERM, 5 s, SIGKILL, also where it never ran."""

    @abstractmethod
    def pause(self) -> None:
        """It stays where it is, and does nothing at all."""

    @abstractmethod
    def resume(self) -> None:
        """It goes on after a pause."""

    @abstractmethod
    def run(self, *words: str) -> str:
        """What a command prints that is run beside the program, such as its statistics. Raises BackendError."""

    @abstractmethod
    def resources(self) -> Resources:
        """CPU time and memory; nothing where it does not run."""

    @abstractmethod
    def exit_reason(self) -> str | None:
        """None while it runs, else how it ended."""

    @abstractmethod
    def log_tail(self, lines: int = 20) -> str:
        """The last lines that it wrote."""


class Outage(StrEnum):
    """How a backend is out of order for an app."""

    ERROR = "answers with an error"
    SILENCE = "does not answer"
    GONE = "cannot be reached"


@dataclass(frozen=True)
class Access:
    """How apps reach a backend: variables that they are started with, and in Docker a network."""

    variables: Mapping[str, str]
    network: str | None = None


class Backend(ABC):
    """A context manager: entering starts and fills it, and waits until it answers right; leaving stops all of it.

    Entering raises BackendError.
    """

    name: str
    start_seconds: float
    """From start to the first right answer through the cache."""

    @abstractmethod
    def __enter__(self) -> Self: ...

    @abstractmethod
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    @property
    @abstractmethod
    def access(self) -> Access:
        """What apps are told."""

    @property
    @abstractmethod
    def front(self) -> str:
        """Where the cache answers, without a path."""

    @property
    @abstractmethod
    def source(self) -> str:
        """Where Solr itself does."""

    @property
    @abstractmethod
    def core_path(self) -> str:
        """The path of the core that apps are told, such as /solr/performance."""

    @property
    @abstractmethod
    def query(self) -> str:
        """Path and parameters of what apps ask most."""

    @abstractmethod
    def versions(self) -> str:
        """Such as "Solr 9.10.1, Varnish 7.1.1"."""

    @abstractmethod
    def holding(self, more: list[dict[str, Any]]) -> AbstractContextManager[None]:
        """Holds more documents for as long as the context lasts."""

    @abstractmethod
    def requests(self) -> int:
        """How many requests the cache has had. To be asked when nobody is asking anything else."""

    @abstractmethod
    def resources(self) -> Resources:
        """Of all its programs together."""

    @abstractmethod
    def trouble(self) -> str | None:
        """None while it works, else what became of it."""

    @abstractmethod
    def revive(self) -> None:
        """Starts what no longer runs, where it was before. Raises BackendError."""

    @abstractmethod
    def outage(self, kind: Outage) -> AbstractContextManager[None]:
        """Out of order for as long as the context lasts; afterwards it answers right."""
