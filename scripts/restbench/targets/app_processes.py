"""All processes of one app, wherever they went: what a native target counts and stops."""

import subprocess
from abc import ABC, abstractmethod
from collections.abc import Mapping

import psutil


class AppProcesses(ABC):
    """Made before the app is started, as that is when its processes can be held together."""

    @property
    @abstractmethod
    def environment(self) -> Mapping[str, str]:
        """Variables that the app has to be started with."""

    @abstractmethod
    def command(self, argv: list[str]) -> list[str]:
        """The command that starts the app, with what comes before it."""

    @abstractmethod
    def started(self, leader: subprocess.Popen[bytes]) -> None:
        """Tells the first process. Returns when all that it starts will be counted."""

    @abstractmethod
    def cpu_seconds(self) -> float:
        """Seconds on a CPU so far, also of processes and threads that ended. Raises OSError."""

    @abstractmethod
    def members(self) -> list[psutil.Process]:
        """The processes that still run, without zombies."""

    @abstractmethod
    def close(self) -> None:
        """Kills the processes that are left, and removes what was made for them."""
