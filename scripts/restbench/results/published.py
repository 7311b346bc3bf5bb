"""Reads the published results of a folder: results/latest or results/links.

A result whose entry was renamed since has the new name. A file that cannot be read costs its entry alone where
`damaged` is told of it, as the service does. Otherwise it is an error, because a person is there who can restore it.
"""

from collections.abc import Callable
from pathlib import Path

from restbench.errors import ResultsError
from restbench.results.files import entry_path, read_entry
from restbench.results.models import EntryResult
from restbench.results.renames import NO_RENAMES, Renames

Damaged = Callable[[str], None]


def read_published(
    folder: Path, renames: Renames = NO_RENAMES, damaged: Damaged | None = None
) -> dict[str, EntryResult]:
    """All results of a folder by entry. Without `damaged`, raises ResultsError at the first that cannot be read."""
    found: dict[str, EntryResult] = {}
    for path in sorted(folder.glob("*/*.json")):
        result = _read(folder, path, damaged)
        if result:
            result = renames.result(result)
            found[result.entry] = _together(found.get(result.entry), result)
    return found


def read_one(
    folder: Path, entry: str, renames: Renames = NO_RENAMES, damaged: Damaged | None = None
) -> EntryResult | None:
    """The published result of an entry, from its file and those of its former names. None where there is none.

    Without `damaged`, raises ResultsError where a file cannot be read.
    """
    found = None
    for name in (*renames.former(entry), entry):
        path = entry_path(folder, name)
        if path.is_file() and (result := _read(folder, path, damaged)):
            found = _together(found, renames.result(result))
    return found


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


def _together(one: EntryResult | None, other: EntryResult) -> EntryResult:
    """The newest result of each cell of an entry that has files under two names."""
    if one is None:
        return other
    runs = {**one.runs, **other.runs}
    cells = {(runs[cell.run].target, cell.key): cell for cell in one.cells}
    for cell in other.cells:
        place = runs[cell.run].target, cell.key
        if place not in cells or runs[cell.run].started >= runs[cells[place].run].started:
            cells[place] = cell
    used = {cell.run for cell in cells.values()}
    missed = max((m for m in (one.missed, other.missed) if m), key=lambda m: m.started, default=None)
    kept = {name: run for name, run in runs.items() if name in used}
    return EntryResult(entry=other.entry, runs=kept, cells=list(cells.values()), missed=missed)
