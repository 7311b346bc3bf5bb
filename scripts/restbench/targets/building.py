"""Runs builds within a limit of time, and tells apart what fails: the entry, this machine or a server."""

import errno
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from restbench.catalog import Entry
from restbench.errors import BuildError, FullDiskError, SlowBuildError
from restbench.system.processes import run_logged
from restbench.targets.build_logs import FULL_DISK, NOT_BUILT, failure

BUILD_SECONDS = 1200.0
"""How long the build of an entry may take (docs/CONTRACT.md). The longest takes less than a quarter of it."""

_FULL = (errno.ENOSPC, errno.EDQUOT)


def run_build(
    entry: Entry,
    argv: list[str],
    env: Mapping[str, str],
    log: Path,
    out: IO[bytes],
    *,
    cwd: Path | None,
    what: str,
    seconds: float = BUILD_SECONDS,
) -> None:
    """Runs a command of a build, and writes what it prints to the log, which is open as `out`.

    `what` is said where it fails and the log does not say why. Raises BuildError where the entry is at fault,
    SlowBuildError after that many seconds, and another MachineError where this machine or a server is.
    """
    try:
        code = run_logged(argv, env=env, cwd=cwd, log=out, timeout=seconds)
    except TimeoutError as error:
        minutes = BUILD_SECONDS / 60
        raise SlowBuildError(f"{entry.id}: {NOT_BUILT}: it takes more than {minutes:.0f} minutes") from error
    except OSError as error:
        if is_full(error):
            raise FullDiskError(f"{entry.id}: {NOT_BUILT}: {FULL_DISK}") from error
        raise BuildError(f"{entry.id}: the build could not start: {error}") from error
    if code != 0:
        raise failure(entry, what.format(code=code), log)


@contextmanager
def room_for(entry: Entry) -> Iterator[None]:
    """Raises FullDiskError where a file cannot be written in the block because the disk is full."""
    try:
        yield
    except OSError as error:
        if is_full(error):
            raise FullDiskError(f"{entry.id}: {FULL_DISK}") from error
        raise


def is_full(error: OSError) -> bool:
    """Whether the error says that there is no room on the disk."""
    return error.errno in _FULL
