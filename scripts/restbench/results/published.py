"""Reads the published results of a folder: results/latest or results/links.

A file that cannot be read is an error where a person is there who can restore it. The service leaves it out.
"""

import logging
from pathlib import Path

from restbench.errors import ResultsError
from restbench.results.files import entry_path, read_entry
from restbench.results.models import EntryResult

log = logging.getLogger(__name__)


def read_published(folder: Path) -> dict[str, EntryResult]:
    """All results of a folder by entry. Raises ResultsError at the first that cannot be read."""
    return {result.entry: result for result in (_read(folder, path) for path in sorted(folder.glob("*/*.json")))}


def readable_results(folder: Path) -> dict[str, EntryResult]:
    """The results of a folder that can be read, by entry."""
    found: dict[str, EntryResult] = {}
    for path in sorted(folder.glob("*/*.json")):
        try:
            result = _read(folder, path)
            found[result.entry] = result
        except ResultsError as error:
            log.warning("%s; it is left out", error.message)
    return found


def _read(folder: Path, path: Path) -> EntryResult:
    result = read_entry(path)
    if entry_path(folder, result.entry) != path:
        raise ResultsError(f"{path}: is about {result.entry}: move it to {entry_path(folder, result.entry)}")
    return result
