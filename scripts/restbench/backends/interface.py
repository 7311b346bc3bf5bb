"""The interface of a program (service) that a backend consists of.

`native` and `docker` both implement it: a program as processes on this machine, or as a container.
"""

from abc import ABC, abstractmethod

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
