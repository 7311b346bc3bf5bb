"""What the harness asks of a place where entries run. `native` and `docker` are siblings behind this."""

import os
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from restbench.catalog import USUAL_SETUP, Entry, Setup
from restbench.errors import EntryError
from restbench.system.resource_use import Resources
from restbench.targets.links import Link

MEMORY_LIMIT_BYTES = 4 * 2**30
"""What an app may use; one that uses more is stopped, as a leak would take the machine down."""

BUILDS_AT_A_TIME = 2 * (os.cpu_count() or 1)
"""More than there are CPUs: half of a build is waiting for an index."""

START_SECONDS = 60.0
"""How long an app may take until its first answer."""


@dataclass(frozen=True)
class Build:
    """An entry made ready to start. Size: bytes of the image, or of the environment; 0 where there is none.

    `seconds` is what it took when it was made, which was earlier where it is `cached`; None where that is not known.
    """

    seconds: float | None
    size_bytes: int
    cached: bool


@dataclass(frozen=True)
class Settings:
    """What an app is given: CPUs, variables such as POOL_SIZE, and what the setup changes about either.

    `network`: in Docker, the network of a backend, which the app has to reach.
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
        """The variables of the contract, but for PORT and FIXTURES, which the target knows."""
        return {"WORKERS": str(self.workers), **self.variables, **dict(self.setup.environment)}


class Target(ABC):
    """One running app. A context manager: entering starts the process, leaving stops all of it, whatever happened."""

    base_url: str

    @abstractmethod
    def __enter__(self) -> Self:
        """Starts the app without waiting for it. Raises StartError."""

    @abstractmethod
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """SIGTERM, 5 s, SIGKILL; nothing is left behind."""

    @abstractmethod
    def link(self, delay_ms: float) -> AbstractContextManager[Link]:
        """The way from clients to the app, with that delay each way; 0 for none at all. Raises LoadError."""

    @abstractmethod
    def cpu_seconds(self) -> float:
        """CPU time used so far by all processes of the app, wherever they went, and by those that ended.

        It is the scheduler's count, not one in ticks, and takes far less than a millisecond. Raises AppDiedError.
        """

    @abstractmethod
    def resources(self) -> Resources:
        """The same CPU time, and the memory of the same processes. Raises AppDiedError."""

    @abstractmethod
    def exit_reason(self) -> str | None:
        """None while the app runs, else how it ended, such as "exited with code 3"."""

    @abstractmethod
    def log_tail(self, lines: int = 20) -> str:
        """The last lines that the app wrote."""

    @property
    @abstractmethod
    def log_command(self) -> str:
        """A command that shows what the app writes while it writes it."""


class Runtime(ABC):
    """A way to run entries on this machine."""

    name: str

    @abstractmethod
    def lacks(self, entry: Entry) -> str | None:
        """What is missing on this machine to run the entry, with how to get it, or None."""

    @abstractmethod
    def build(self, entry: Entry) -> Build:
        """Makes the entry's environment or image, from caches where nothing changed. Raises BuildError."""

    @abstractmethod
    def run_facts(self, entry: Entry, command: list[str]) -> str:
        """What the language's facts command prints in the entry's environment. Raises EntryError."""

    @abstractmethod
    def target(self, entry: Entry, settings: Settings) -> Target:
        """The app, not yet started."""


def facts_output(entry: Entry, argv: list[str]) -> str:
    """What the command prints. Raises EntryError."""
    try:
        return subprocess.run(argv, capture_output=True, text=True, check=True, timeout=60).stdout
    except (OSError, subprocess.SubprocessError) as error:
        said = error.stderr if isinstance(error, subprocess.CalledProcessError) else ""
        raise EntryError(f"{entry.id}: its facts could not be read: {error}", said) from error


def noted_seconds(file: Path) -> float | None:
    """How long a build took when it was made, as it was noted then; None where it was not."""
    text = file.read_text().strip() if file.is_file() else ""
    return float(text) if text else None
