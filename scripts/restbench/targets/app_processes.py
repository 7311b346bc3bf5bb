"""All processes of one app, whatever session or parent they have. A native target counts and stops them."""

import subprocess
from abc import ABC, abstractmethod
from collections.abc import Mapping

import psutil


class AppProcesses(ABC):
    """The processes of one app. It is made before the app starts, because later a process could be missed."""

    @property
    @abstractmethod
    def environment(self) -> Mapping[str, str]:
        """Variables that the app has to be started with."""

    @abstractmethod
    def command(self, argv: list[str]) -> list[str]:
        """Returns the command that starts the app: `argv`, with a command before it where one is needed."""

    @abstractmethod
    def started(self, leader: subprocess.Popen[bytes]) -> None:
        """Takes the app's first process. Returns when all processes that it starts will be counted."""

    @abstractmethod
    def cpu_seconds(self) -> float:
        """Returns the CPU seconds used so far, including processes and threads that ended. Raises OSError."""

    @abstractmethod
    def members(self) -> list[psutil.Process]:
        """Returns the processes that still run, without zombies."""

    @abstractmethod
    def close(self) -> None:
        """Kills the processes that are left, and removes what was made for them."""
