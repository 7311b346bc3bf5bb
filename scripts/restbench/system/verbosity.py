"""How much a command says of its steps."""

import time
from dataclasses import dataclass, field
from enum import IntEnum

from restbench.errors import UsageError


class Verbosity(IntEnum):
    """Levels, the most silent first."""

    QUIET = 0
    """Failures and the result."""
    NORMAL = 1
    VERBOSE = 2
    """Every step, with the seconds since the command began."""


def verbosity(verbose: bool, quiet: bool) -> Verbosity:
    """The level of both flags. Raises UsageError where they contradict each other."""
    if verbose and quiet:
        raise UsageError("--verbose and --quiet contradict each other: give one of them")
    return Verbosity.VERBOSE if verbose else Verbosity.QUIET if quiet else Verbosity.NORMAL


@dataclass(frozen=True)
class Clock:
    """Seconds since the command began, as they stand before each line of a verbose command."""

    began: float = field(default_factory=time.monotonic)

    def stamp(self) -> str:
        """Seconds in eight places and a space: "  12.3 s ", to stand before a line."""
        return f"{time.monotonic() - self.began:6.1f} s "
