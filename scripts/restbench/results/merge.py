"""Brings whole runs into results/: the newest of every cell, and a line of history for each.

Everything is read and checked before anything is written, so a bad file changes nothing. Merging a run again changes
nothing either.
"""

from pathlib import Path

from restbench.catalog import Catalog
from restbench.errors import ResultsError
from restbench.results.files import entry_path, read_entry, read_folder, write_entry
from restbench.results.history import append_history, history_lines
from restbench.results.models import CellResult, EntryResult

LATEST = "latest"
HISTORY = "history"


def merge(run_folder: Path, results: Path, catalog: Catalog) -> list[Path]:
    """Merges a run's results into results/latest and results/history. Returns the files that changed.

    Raises ResultsError, having changed nothing, for a file that cannot be read or names an unknown entry or cell.
    """
    fresh = read_folder(run_folder)
    if not fresh:
        raise ResultsError(f"{run_folder}: there are no results; run `restbench bench` first")
    for result in fresh.values():
        _check_known(entry_path(run_folder, result.entry), result, catalog)
    latest = results / LATEST
    merged = [_merged(_existing(latest, entry), result) for entry, result in fresh.items()]
    changed = append_history(results / HISTORY, [line for result in fresh.values() for line in history_lines(result)])
    return changed + [write_entry(latest, result) for result in merged]


def _existing(latest: Path, entry: str) -> EntryResult | None:
    path = entry_path(latest, entry)
    return read_entry(path) if path.is_file() else None


def _check_known(path: Path, result: EntryResult, catalog: Catalog) -> None:
    entry = catalog.entries.get(result.entry)
    if entry is None:
        raise ResultsError(f"{path}: there is no framework {result.entry} here; nothing was merged")
    known = {(c.suite, c.scenario, c.variant) for c in entry.cells(list(catalog.suites))}
    for cell in result.cells:
        if cell.key not in known:
            name = "/".join(part for part in cell.key if part)
            raise ResultsError(f"{path}: {result.entry} has no cell {name}; nothing was merged")


def _merged(old: EntryResult | None, new: EntryResult) -> EntryResult:
    """The newest result of each cell on each target, and the runs that these came from: what ran in containers does not
    take the place of what ran natively."""
    if old is None:
        return new
    runs = old.runs | new.runs
    cells = {(runs[cell.run].target, cell.key): cell for cell in old.cells}
    for cell in new.cells:
        place = (runs[cell.run].target, cell.key)
        before = cells.get(place)
        if before is None or runs[cell.run].started >= runs[before.run].started:
            cells[place] = _with_last_good(before, cell, old)
    used = {cell.run for cell in cells.values()}
    ordered = sorted(cells.values(), key=lambda c: (c.suite, c.scenario, c.variant or "", runs[c.run].target))
    return EntryResult(entry=new.entry, runs={k: runs[k] for k in sorted(used)}, cells=ordered)


def _with_last_good(before: CellResult | None, cell: CellResult, old: EntryResult) -> CellResult:
    """A failed cell remembers when it was last measured."""
    if before is None or cell.failure is None or before.run == cell.run:
        return before if before and before.run == cell.run else cell
    last_good = before.last_good if before.failure or before.not_run else old.runs[before.run].started
    return cell.model_copy(update={"last_good": last_good})
