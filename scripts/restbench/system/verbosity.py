"""How much a command prints about its steps."""

import time
from dataclasses import dataclass, field
from enum import IntEnum

from restbench.errors import UsageError


class Verbosity(IntEnum):
    """The levels, the quietest first."""

    QUIET = 0
    """Failures and the result."""
    NORMAL = 1
    VERBOSE = 2
    """Every step, with the seconds since the command began."""


def verbosity(verbose: bool, quiet: bool) -> Verbosity:
    """Returns the level for both flags. Raises UsageError where both are given."""
    if verbose and quiet:
        raise UsageError("--verbose and --quiet contradict each other: give one of them")
    return Verbosity.VERBOSE if verbose else Verbosity.QUIET if quiet else Verbosity.NORMAL


@dataclass(frozen=True)
class Clock:
    """The time since the command began. A verbose command prints it before each line."""

    began: float = field(default_factory=time.monotonic)

    def stamp(self) -> str:
        """Returns the seconds in eight characters, and a space: "  12.3 s "."""
        return f"{time.monotonic() - self.began:6.1f} s "
