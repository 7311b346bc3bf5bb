"""Writes files completely or not at all, reads the end of logs, hashes files, and holds locks between harnesses."""

import contextlib
import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from filelock import FileLock, Timeout

from restbench.errors import UnwritableError, UsageError
from restbench.system.advice import option


def write_atomically(path: Path, content: bytes) -> None:
    """Replaces the file. Raises UnwritableError where that fails; the old content is then still there."""
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
            temporary = Path(file.name)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o644)
        temporary.replace(path)
    except OSError as error:
        if temporary is not None:
            with contextlib.suppress(OSError):
                temporary.unlink()
        raise UnwritableError(
            f"{path}: cannot be written ({error.strerror}); what was there is untouched: make room and try again"
        ) from error


def tail(path: Path, lines: int) -> str:
    """Returns the last lines of a log. Only its end is read, because logs can be long. Empty where there is no log."""
    if not path.is_file():
        return ""
    with path.open("rb") as log:
        log.seek(0, 2)
        log.seek(max(0, log.tell() - 300 * lines))
        return "\n".join(log.read().decode(errors="replace").splitlines()[-lines:])


def sources(paths: Iterable[Path]) -> list[Path]:
    """Returns the files among the paths, each once and in order, without what Python compiled."""
    return sorted({path for path in paths if path.is_file() and "__pycache__" not in path.parts})


def files_hash(paths: Iterable[Path], root: Path, content: Callable[[Path], bytes] = Path.read_bytes) -> str:
    """Returns a short hash of the sources among the paths: of their places below `root`, and of their content."""
    digest = hashlib.sha256()
    for path in sources(paths):
        digest.update(os.fsencode(path.relative_to(root)) + b"\0")
        digest.update(hashlib.sha256(content(path)).digest())
    return digest.hexdigest()[:12]


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
        who = holder.read_text(encoding="utf-8") if holder.is_file() else "another restbench"
        remedy = f"wait for it, or give another folder with {option('out', 'FOLDER')}"
        raise UsageError(f"{out} is being written by {who}: {remedy}") from error
    with held:
        command = " ".join(["restbench", *sys.argv[1:]])
        holder.write_text(f"{command} (PID {os.getpid()}, since {datetime.now():%H:%M})", encoding="utf-8")
        yield
