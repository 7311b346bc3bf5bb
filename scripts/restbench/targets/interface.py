"""The interface of a target, and of the runtime that starts it. `native` and `docker` both implement it."""

import os
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import ValidationError

from restbench.catalog import USUAL_SETUP, Entry, Setup
from restbench.errors import EntryError
from restbench.system.processes import user_environment
from restbench.system.resource_use import Resources
from restbench.targets.links import NetworkLink

MEMORY_LIMIT_BYTES = 4 * 2**30
"""Memory that an app may use. An app that uses more is stopped, because a leak would take the machine down."""

BUILDS_AT_A_TIME = 2 * (os.cpu_count() or 1)
"""Twice the number of CPUs, because a build waits for a package index for half of its time."""

START_SECONDS = 60.0
"""How many seconds an app may take until its first answer."""

ENDING_SECONDS = 1.0
"""How long an app that gave no answer is watched for its end."""

_SHOWN = 80
"""How many characters of a wrong output are shown."""


@dataclass(frozen=True)
class Build:
    """An entry that is built and ready to start.

    `seconds`: how long the build took, None where that is not known. `cached`: whether the build was made earlier.
    """

    seconds: float | None
    cached: bool


@dataclass(frozen=True)
class Settings:
    """What an app is given: its CPUs, variables such as POOL_SIZE, and its setup.

    `setup` can change the number of workers and set more variables. `network`: in Docker, the network of a backend,
    which the app has to reach.
    """

    cpus: tuple[int, ...]
    pinned: bool = True
    variables: Mapping[str, str] = field(default_factory=dict)
    setup: Setup = USUAL_SETUP
    network: str | None = None
    memory_bytes: int = MEMORY_LIMIT_BYTES

    @property
    def workers(self) -> int:
        return self.setup.workers or len(self.cpus)

    @property
    def environment(self) -> dict[str, str]:
        """The variables of the contract, except PORT and FIXTURES, which the target adds."""
        return {"WORKERS": str(self.workers), **self.variables, **dict(self.setup.environment)}


class Target(ABC):
    """One running app. A context manager: entering starts the app, leaving stops all its processes in every case."""

    base_url: str

    @abstractmethod
    def __enter__(self) -> Self:
        """Starts the app without waiting for its first answer. Raises StartError."""

    @abstractmethod
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Sends SIGTERM and, after 5 s, SIGKILL. Nothing is left behind."""

    @abstractmethod
    def freeze(self) -> None:
        """Keeps all processes of the app from running until thaw(). They keep their memory, and notice only the time.

        Does nothing where the app has ended. Raises MachineError.
        """

    @abstractmethod
    def thaw(self) -> None:
        """Lets the app run again. Does nothing where it is not frozen, or has ended."""

    @abstractmethod
    def link(self, delay_ms: float) -> AbstractContextManager[NetworkLink]:
        """Returns the link from clients to the app, as a context. Raises ToolError.

        `delay_ms` is the delay in each direction; 0 adds no delay.
        """

    @abstractmethod
    def cpu_seconds(self) -> float:
        """Returns the CPU seconds used so far by all processes of the app, in any session, also by ended ones.

        The count is the scheduler's, except on kernels that have only ticks of 10 ms. To read it takes far less than a
        millisecond. Raises AppDiedError.
        """

    @abstractmethod
    def resources(self) -> Resources:
        """Returns the CPU time of cpu_seconds(), and the memory of the same processes. Raises AppDiedError."""

    def throttled_periods(self) -> int:
        """Returns in how many periods so far a CPU quota kept the app from running, beside those of this harness.

        It is 0 for a native app, which runs below the cgroups of this harness.
        """
        return 0

    @abstractmethod
    def exit_reason(self) -> str | None:
        """Returns None while the app runs, else how it ended, such as "exited with code 3"."""

    def how_it_ended(self) -> str | None:
        """Returns the exit reason of an app that gave no answer, None when it still runs after ENDING_SECONDS.

        An app that dies closes its sockets before its process is gone, so that exit_reason() alone would call it alive
        for some milliseconds more.
        """
        deadline = time.monotonic() + ENDING_SECONDS
        while (reason := self.exit_reason()) is None and time.monotonic() < deadline:
            time.sleep(0.01)
        return reason

    def only_address(self) -> str | None:
        """Returns the only address on which the app listens, None where it listens on every address, or on none yet.

        It is None also where the kernel's tables cannot be read, as where containers run in a machine of their own.
        """
        return None

    @abstractmethod
    def run_beside(self, command: list[str], variables: Mapping[str, str] | None = None) -> str:
        """Runs a command as the app runs: in its container, or on its CPUs. Returns what it prints.

        Placeholders in the command are replaced; {pid} is the app's first process. `variables`: its environment, where
        that matters. Raises EntryError.
        """

    @abstractmethod
    def log_tail(self, lines: int = 20) -> str:
        """Returns the last lines that the app wrote."""

    @property
    @abstractmethod
    def log_command(self) -> str:
        """A command that shows the app's log and follows it."""


class Runtime(ABC):
    """A way to run entries on this machine."""

    name: str

    @abstractmethod
    def unavailable_reason(self, entry: Entry) -> str | None:
        """Returns what this machine lacks to run the entry, with the remedy, or None."""

    @abstractmethod
    def is_built(self, entry: Entry) -> bool:
        """Whether the entry's environment or image is there, so that building it takes no time."""

    @abstractmethod
    def build(self, entry: Entry) -> Build:
        """Builds the entry's environment or image, or takes it from a cache if nothing changed.

        Raises BuildError where the entry is at fault, and MachineError where this machine or a server is.
        """

    @abstractmethod
    def size_bytes(self, entry: Entry) -> int:
        """Returns the bytes of all files of the entry's image or environment, a file with several hard links once.

        The entry has been built. Raises EntryError.
        """

    @abstractmethod
    def run_facts(self, entry: Entry, command: list[str]) -> str:
        """Runs the language's facts command in the entry's environment and returns its output. Raises EntryError."""

    @abstractmethod
    def target(self, entry: Entry, settings: Settings) -> Target:
        """Returns the app, not yet started."""

    @abstractmethod
    def link_unavailable_reason(self) -> str | None:
        """Returns why this machine cannot delay the link to an app, or None."""

    def freezing_unavailable_reason(self) -> str | None:
        """Returns why this machine cannot freeze apps, with the remedy, or None. Target.freeze() does nothing then."""
        return None


def facts_output(entry: Entry, argv: list[str], variables: Mapping[str, str] | None = None) -> str:
    """Runs a facts command and returns its output. Raises EntryError when it fails.

    `variables`: its environment, in place of the user's.
    """
    env = user_environment() if variables is None else dict(variables)
    try:
        return subprocess.run(argv, env=env, capture_output=True, encoding="utf-8", check=True, timeout=60).stdout
    except (OSError, subprocess.SubprocessError) as error:
        detail = error.stderr if isinstance(error, subprocess.CalledProcessError) else ""
        raise EntryError(f"{entry.id}: its facts could not be read: {error}", detail) from error


def misprinted(entry: Entry, key: str, output: str, mistakes: ValidationError) -> EntryError:
    """Returns the error of a language's command that printed something else than its key of language.toml asks for."""
    first = mistakes.errors()[0]
    where = "".join(f"{part}: " for part in first["loc"])
    return EntryError(
        f"{entry.language.name}/language.toml: {key}: its output is not as docs/ADDING-A-LANGUAGE.md says: "
        f"{where}{first['msg']} (it printed {output.strip()[:_SHOWN]!r})"
    )


def noted_seconds(file: Path) -> float | None:
    """Returns how many seconds a build took, as noted in the file, None where nothing is noted."""
    try:
        return float(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
