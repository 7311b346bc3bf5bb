"""The interface of a backend, and the interface of the programs (services) that it consists of.

`native` and `docker` both implement `Service`: a program as processes on this machine, or as a container.
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
    """One program of a backend. After a stop it can be started again, at the same address."""

    title: str
    url: str
    """The address for the harness, without a path. It is known once the program runs."""

    @abstractmethod
    def start(self) -> None:
        """Starts the program without waiting for its first answer. Raises BackendError."""

    @abstractmethod
    def stop(self) -> None:
        """Sends SIGTERM and, after 5 s, SIGKILL. It may also be called when the program never ran."""

    @abstractmethod
    def pause(self) -> None:
        """Freezes the program: it keeps its port and its connections, and does nothing."""

    @abstractmethod
    def resume(self) -> None:
        """Lets the program go on after a pause."""

    @abstractmethod
    def run(self, *arguments: str) -> str:
        """Runs a command where the program runs, such as one for its statistics, and returns the output.

        Raises BackendError when the command fails.
        """

    @abstractmethod
    def resources(self) -> Resources:
        """Returns CPU time and memory. Both are zero when the program does not run."""

    @abstractmethod
    def exit_reason(self) -> str | None:
        """Returns None while the program runs, else how it ended."""

    @abstractmethod
    def log_tail(self, lines: int = 20) -> str:
        """Returns the last lines that the program wrote."""


class Outage(StrEnum):
    """How a backend is out of order, as an app sees it."""

    ERROR = "answers with an error"
    SILENCE = "does not answer"
    GONE = "cannot be reached"


@dataclass(frozen=True)
class Access:
    """How apps reach a backend: by variables that they are started with and, in Docker, by a network."""

    variables: Mapping[str, str]
    network: str | None = None


class Backend(ABC):
    """A backend as a context manager.

    Entering starts and fills it, and waits until it answers right. Raises BackendError when that fails. Leaving stops
    all its programs.
    """

    name: str
    start_seconds: float
    """Seconds from the start to the first right answer through the cache."""

    @abstractmethod
    def __enter__(self) -> Self: ...

    @abstractmethod
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    @property
    @abstractmethod
    def access(self) -> Access:
        """How apps reach the backend."""

    @property
    @abstractmethod
    def front(self) -> str:
        """The address of the cache, without a path."""

    @property
    @abstractmethod
    def source(self) -> str:
        """The address of Solr itself, without a path."""

    @property
    @abstractmethod
    def core_path(self) -> str:
        """The path of the core in the URL that apps get, such as /solr/performance."""

    @property
    @abstractmethod
    def query(self) -> str:
        """Path and parameters of the request that apps send most."""

    @abstractmethod
    def versions(self) -> str:
        """Returns the versions of the programs, such as "Solr 9.10.1, Varnish 7.1.1"."""

    @abstractmethod
    def holding(self, more: list[dict[str, Any]]) -> AbstractContextManager[None]:
        """Adds documents, and removes them when the context ends."""

    @abstractmethod
    def requests(self) -> int:
        """Returns how many requests the cache has had. Call it only while nobody sends requests."""

    @abstractmethod
    def resources(self) -> Resources:
        """Returns CPU time and memory of all programs together."""

    @abstractmethod
    def unavailable_reason(self) -> str | None:
        """Returns None while all programs run, else which one ended, and how."""

    @abstractmethod
    def revive(self) -> None:
        """Starts the programs that have ended, at their old addresses, and fills the backend. Raises BackendError."""

    @abstractmethod
    def outage(self, kind: Outage) -> AbstractContextManager[None]:
        """Puts the backend out of order. When the context ends, waits until the backend answers again."""
