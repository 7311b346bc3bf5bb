"""Merges whole runs into results/: the newest result of every cell, and lines of history.

All files are read and checked before one is written, so a bad file changes nothing. Merging a run again changes nothing
either.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from restbench.catalog import Catalog
from restbench.errors import ResultsError
from restbench.results.figures import earlier_cost, link_cost, link_level
from restbench.results.files import entry_path, read_entry, read_folder, write_entry
from restbench.results.history import append_history
from restbench.results.history_lines import Found, history_lines
from restbench.results.models import MOST_EARLIER, CellResult, EntryResult, Missed, Run
from restbench.results.rounds import with_earlier_latencies

LATEST = "latest"
HISTORY = "history"
LINKS = "links"
"""The folder of the links, and the profile of the run that measures them: all baselines together."""


def merge(run_folder: Path, results: Path, catalog: Catalog) -> list[Path]:
    """Merges a run's results into results/latest and results/history. Returns the files that changed.

    A run of the profile `links` replaces results/links instead.

    Raises ResultsError, having changed nothing, when there are no results, or a file cannot be read or names an unknown
    entry, cell or baseline.
    """
    fresh = read_folder(run_folder)
    if not fresh:
        raise ResultsError(f"{run_folder}: there are no results; run `restbench bench` first")
    for result in fresh.values():
        if unknown := what_is_unknown(result, catalog):
            raise ResultsError(f"{entry_path(run_folder, result.entry)}: {unknown}; nothing was merged")
    if all(run.profile == LINKS for result in fresh.values() for run in result.runs.values()):
        return merge_links(fresh.values(), results, catalog)
    return merge_results(fresh.values(), {}, results)


def merge_links(fresh: Iterable[EntryResult], results: Path, catalog: Catalog) -> list[Path]:
    """Replaces the links by checked results of one run. Returns the files that changed.

    Only baselines are links; the run's other results, such as that of the reference, are left out. Raises ResultsError,
    having changed nothing, where a cell that the last links had, and that a baseline still has, was not measured.
    """
    folder = results / LINKS
    suites = list(catalog.suites)
    wanted = {
        (entry.id, (cell.suite, cell.scenario, cell.variant))
        for entry in catalog.baselines
        for cell in entry.cells(suites)
    }
    before = read_folder(folder)
    found = {result.entry: result for result in fresh if own_cells(result)}
    had, has = ({(r.entry, cell.key) for r in links.values() for cell in own_cells(r)} for links in (before, found))
    if lost := sorted({entry for entry, _ in (had & wanted) - has}):
        raise ResultsError(f"{', '.join(lost)}: not measured as a whole, so the last links stay")
    found = _with_earlier_links(before, found)
    changed = append_history(results / HISTORY, [line for result in found.values() for line in history_lines(result)])
    for entry in before.keys() - found.keys():  # links of two runs could not be used together
        entry_path(folder, entry).unlink()
        changed.append(entry_path(folder, entry))
    return changed + [write_entry(folder, result) for result in found.values() if result != before.get(result.entry)]


def own_cells(result: EntryResult) -> list[CellResult]:
    """The cells of a baseline that others are compared with. An entry that is no baseline has none."""
    return [cell for cell in result.cells if cell.baseline and cell.baseline.is_of(result.entry, cell.variant)]


Cells = Mapping[tuple[str, tuple[str, str, str | None]], tuple[CellResult, Run]]
"""Each cell of several entries, with its run."""


def _with_earlier_links(before: Mapping[str, EntryResult], after: dict[str, EntryResult]) -> dict[str, EntryResult]:
    """The new links with the costs of earlier runs, where nothing has changed in any of them.

    Machines differ, so a cost is kept relative to the mean of all cells of its run.
    """

    def cells_of(links: Mapping[str, EntryResult]) -> Cells:
        return {(name, c.key): (c, result.runs[c.run]) for name, result in links.items() for c in result.cells}

    def conditions(cells: Cells) -> dict[object, object]:
        return {place: _conditions(*found) for place, found in cells.items()}

    old, new = cells_of(before), cells_of(after)
    if conditions(old) != conditions(new) or any(new[place][1].id == run.id for place, (_, run) in old.items()):
        return after
    level = link_level(cell for cell, _ in old.values())

    def with_earlier(name: str, cell: CellResult) -> CellResult:
        last, run = old[name, cell.key]
        known = link_cost(last, run, level)
        return cell.model_copy(update={"earlier": [known, *last.earlier][:MOST_EARLIER] if known else []})

    return {
        name: result.model_copy(update={"cells": [with_earlier(name, cell) for cell in result.cells]})
        for name, result in after.items()
    }


def merge_results(fresh: Iterable[EntryResult], missed: Mapping[str, Missed], results: Path) -> list[Path]:
    """Merges checked results of any number of runs, and marks entries as stale. Returns the files that changed.

    `missed` has the run that brought no result, by entry. An entry that was measured after that run is not marked.
    """
    latest = results / LATEST
    before: dict[str, EntryResult | None] = {}
    after: dict[str, EntryResult] = {}
    found: list[Found] = []
    for result in fresh:
        if result.entry not in before:
            before[result.entry] = _existing(latest, result.entry)
        after[result.entry] = _merged(after.get(result.entry) or before[result.entry], result)
        found += history_lines(result)
    for entry, miss in missed.items():
        if entry not in before:
            before[entry] = _existing(latest, entry)
        after[entry] = _marked(after.get(entry) or before[entry] or EntryResult(entry=entry, runs={}, cells=[]), miss)
    changed = append_history(results / HISTORY, found)
    return changed + [write_entry(latest, result) for entry, result in after.items() if result != before[entry]]


def _existing(latest: Path, entry: str) -> EntryResult | None:
    path = entry_path(latest, entry)
    return read_entry(path) if path.is_file() else None


def what_is_unknown(result: EntryResult, catalog: Catalog) -> str | None:
    """Which entry, cell or baseline of a result the catalogue does not have, as text; None where it has all."""
    entry = catalog.entries.get(result.entry)
    if entry is None:
        return f"there is no framework {result.entry} here"
    known = {(c.suite, c.scenario, c.variant) for c in entry.cells(list(catalog.suites))}
    for cell in result.cells:
        if cell.key not in known:
            name = "/".join(part for part in cell.key if part)
            return f"{result.entry} has no cell {name}"
        if cell.baseline and cell.baseline.entry not in catalog.entries:
            return f"there is no baseline {cell.baseline.entry} here"
    return None


def _merged(old: EntryResult | None, new: EntryResult) -> EntryResult:
    """The newest result of each cell on each target, and the runs that these came from.

    A result from containers does not replace a native one.
    """
    if old is None:
        return new
    runs = old.runs | new.runs
    cells = {(runs[cell.run].target, cell.key): cell for cell in old.cells}
    for cell in new.cells:
        place = (runs[cell.run].target, cell.key)
        before = cells.get(place)
        if before is None or runs[cell.run].started >= runs[before.run].started:
            cells[place] = _with_last_good(before, _with_earlier(before, cell, runs), old)
    used = {cell.run for cell in cells.values()}
    ordered = sorted(cells.values(), key=lambda c: (c.suite, c.scenario, c.variant or "", runs[c.run].target))
    missed = old.missed if old.missed and all(run.started < old.missed.started for run in new.runs.values()) else None
    return EntryResult(entry=new.entry, runs={k: runs[k] for k in sorted(used)}, cells=ordered, missed=missed)


def _marked(result: EntryResult, miss: Missed) -> EntryResult:
    """The result marked as stale, unless it has a run or a mark that is newer than the missed run."""
    known = [run.started for run in result.runs.values()] + ([result.missed.started] if result.missed else [])
    if any(started > miss.started for started in known):
        return result
    return result.model_copy(update={"missed": miss})


def _with_earlier(before: CellResult | None, cell: CellResult, runs: Mapping[str, Run]) -> CellResult:
    """The new cell with the relative costs and latencies of earlier runs, where nothing has changed since."""
    if before is None or before.run == cell.run:
        return cell
    if _conditions(before, runs[before.run]) != _conditions(cell, runs[cell.run]):
        return cell
    known = earlier_cost(before, runs[before.run])
    earlier = [known, *before.earlier][:MOST_EARLIER] if known else []
    latency = with_earlier_latencies(before.latency, cell.latency, cell.run)
    return cell.model_copy(update={"earlier": earlier, "latency": latency})


def _conditions(cell: CellResult, run: Run) -> tuple[object, ...]:
    """What a relative cost depends on, beside the machine and luck."""
    baseline = cell.baseline and (cell.baseline.entry, cell.baseline.variant, cell.baseline.files_hash)
    where = run.profile, run.machine.machine_class, run.machine.harness_hash
    return (*where, run.files_hash, run.version, run.runtime, cell.solo.connections, baseline)


def _with_last_good(before: CellResult | None, cell: CellResult, old: EntryResult) -> CellResult:
    """The new cell; a failed one with the time when it was last measured. A cell of the same run stays as it was."""
    if before is None or cell.failure is None or before.run == cell.run:
        return before if before and before.run == cell.run else cell
    last_good = before.last_good if before.failure or before.not_run else old.runs[before.run].started
    return cell.model_copy(update={"last_good": last_good})
