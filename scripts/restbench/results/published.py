"""Reads the published results of a folder: results/latest or results/links.

A file that cannot be read costs its entry alone where `damaged` is told of it, as the service does. Otherwise it is an
error, because a person is there who can restore it.
"""

from collections.abc import Callable
from pathlib import Path

from restbench.errors import ResultsError
from restbench.results.files import entry_path, read_entry
from restbench.results.models import EntryResult

Damaged = Callable[[str], None]


def read_published(folder: Path, damaged: Damaged | None = None) -> dict[str, EntryResult]:
    """All results of a folder by entry. Without `damaged`, raises ResultsError at the first that cannot be read."""
    found: dict[str, EntryResult] = {}
    for path in sorted(folder.glob("*/*.json")):
        if result := _read(folder, path, damaged):
            found[result.entry] = result
    return found


def read_one(folder: Path, entry: str, damaged: Damaged | None = None) -> EntryResult | None:
    """The published result of an entry. None where there is none.

    Without `damaged`, raises ResultsError where the file cannot be read.
    """
    path = entry_path(folder, entry)
    return _read(folder, path, damaged) if path.is_file() else None


def _read(folder: Path, path: Path, damaged: Damaged | None) -> EntryResult | None:
    try:
        result = read_entry(path)
        if entry_path(folder, result.entry) != path:
            raise ResultsError(f"{path}: is about {result.entry}: move it to {entry_path(folder, result.entry)}")
    except ResultsError as error:
        if damaged is None:
            raise
        damaged(f"{error.message}; it is left out")
        return None
    return result
