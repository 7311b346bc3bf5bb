"""Locks between harnesses. A harness waits for the holder of a lock, or fails with a message that names it."""

import hashlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from filelock import FileLock, Timeout

from restbench.errors import UsageError


@contextmanager
def one_at_a_time(lock: Path) -> Iterator[None]:
    """Waits until no other thread or process holds the lock, and holds it until the context ends.

    The kernel frees the lock when its holder dies.
    """
    lock.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(lock):
        yield


@contextmanager
def writing(out: Path, locks: Path) -> Iterator[None]:
    """Locks the folder `out` for a run until the context ends. The lock file is in the folder `locks`.

    Raises UsageError where another run holds the lock.
    """
    lock = locks / f"out-{hashlib.sha256(str(out.resolve()).encode()).hexdigest()[:12]}"
    lock.parent.mkdir(parents=True, exist_ok=True)
    holder = lock.with_suffix(".holder")
    try:
        held = FileLock(lock).acquire(timeout=0)
    except Timeout as error:
        who = holder.read_text() if holder.is_file() else "another restbench"
        raise UsageError(f"{out} is being written by {who}: wait for it, or give another folder with --out") from error
    with held:
        command = " ".join(["restbench", *sys.argv[1:]])
        holder.write_text(f"{command} (PID {os.getpid()}, since {datetime.now():%H:%M})")
        yield
