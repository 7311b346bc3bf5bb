"""How many files started processes may have open, and errors that say that this machine is out of something."""

import errno
import os
import resource

OPEN_FILES = 4096
"""The most files that a load generator or an app may have open, natively and in Docker.

It is the same wherever the hard limit allows it, because programs size their tables by it. A load whose answers are
read needs most: three for each of 512 connections.
"""

FEWEST_OPEN_FILES = 256
"""With fewer, apps and load generators cannot be started in order. Verification needs about 100."""

_SHORTAGES = (errno.EMFILE, errno.ENFILE, errno.EADDRNOTAVAIL, errno.ENOBUFS, errno.ENOMEM)


def open_files() -> int:
    """Returns how many files started processes may have open: OPEN_FILES, or the hard limit where it is lower."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)


def set_open_files() -> None:
    """Sets the soft limit of this process to `open_files`. Processes that it starts inherit it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != open_files():
        resource.setrlimit(resource.RLIMIT_NOFILE, (open_files(), hard))


def too_few_open_files(allowed: int, needed: int, what: str) -> str | None:
    """Returns None where enough files may be open, else why `what` is not possible here, with the remedy."""
    if needed <= allowed:
        return None
    return (
        f"this machine allows {allowed:,} open files, and {what} needs {needed:,}: raise the hard limit as root "
        f"with: ulimit -n {OPEN_FILES}, in Docker with --ulimit nofile={OPEN_FILES}"
    )


def is_shortage(error: OSError) -> bool:
    """Whether the error says that this machine is out of files, ports or memory."""
    return error.errno in _SHORTAGES


def says_shortage(text: str) -> bool:
    """Whether a program says so, in the words of the operating system."""
    return any(os.strerror(number).lower() in text.lower() for number in _SHORTAGES)
