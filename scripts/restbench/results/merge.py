"""Merges whole runs into results/: the newest result of every cell, and lines of history.

All files are read and checked before one is written, so a bad file changes nothing. Merging a run again changes nothing
either. `Precedence` says which of two results of a cell is published.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from restbench.catalog import Catalog
from restbench.catalog.profiles import load_profiles
from restbench.errors import ResultsError
from restbench.results.figures import earlier_cost, is_own, link_cost, link_level
from restbench.results.files import entry_path, read_folder, readable_results, write_entry
from restbench.results.history import Found, append_history, history_lines
from restbench.results.models import MOST_EARLIER, CellResult, EntryResult, Failure, Missed, Run
from restbench.results.rounds import UNSTEADY, with_earlier_latencies
from restbench.system.advice import command_line


@dataclass(frozen=True)
class Precedence:
    """Decides whether the figures of a run take the place of published ones: the newer ones do, unless these say more.

    A run by hand may be short, or on another machine, and a job that waited long measures an older commit than the one
    that was published meanwhile.

    `is_ancestor`: whether the first of two commits comes before the second in the history of a branch. Without it, the
    time of the runs decides. `replace`: a person said that this run replaces what is published, if it is newer.
    """

    is_ancestor: Callable[[str, str], bool] = lambda _commit, _other: False
    replace: bool = False

    def why_kept(self, published: Run, run: Run) -> str | None:
        """Why the published figures stay. None where the run takes their place."""
        is_later = self.is_before(published.machine.commit, run)
        if self.is_before(run.machine.commit, published) or (run.started < published.started and not is_later):
            return "they are newer than this run"
        return None if self.replace else is_smaller(run, published)

    def is_before(self, commit: str | None, run: Run) -> bool:
        """Whether a commit comes before the one that a run measured. False where it is not known."""
        after = run.machine.commit
        return bool(commit and after and commit != after and self.is_ancestor(commit, after))


USUAL = Precedence()


def is_smaller(run: Run, published: Run) -> str | None:
    """Why the published figures say more than those of a run with a smaller profile. None where they do not."""
    if _size(run.profile) >= _size(published.profile):
        return None
    return f"they are of the profile {published.profile}, which measures more than {run.profile}"


def is_elsewhere(run: Run, published: Run) -> str | None:
    """Why the figures of a run cannot be compared with the published ones: another machine. None where they can."""
    here, there = run.machine.machine_class, published.machine.machine_class
    return None if here == there else f"they are of the machine class {there}, and this run is of {here}"


def _size(profile: str) -> float:
    """How much a profile measures: the seconds of its rounds of one cell. An unknown profile measures nothing."""
    found = load_profiles().get(profile)
    if found is None:
        return 0.0
    return found.solo_rounds * found.solo_seconds + found.latency_rounds * found.latency_seconds


LATEST = "latest"
HISTORY = "history"
LINKS = "links"
"""The folder of the links, and the profile of the run that measures them: all baselines together."""

log = logging.getLogger(__name__)


def merge(run_folder: Path, results: Path, catalog: Catalog, precedence: Precedence = USUAL) -> list[Path]:
    """Merges a run's results into results/latest and results/history. Returns the files that changed.

    A run of the profile `links` replaces results/links instead.

    Raises ResultsError, having changed nothing, when there are no results, or a file cannot be read or names an unknown
    entry, cell or baseline. Without `precedence.replace`, also when the run would replace figures of a larger profile
    or of another class of machines.
    """
    fresh = read_folder(run_folder)
    if not fresh:
        raise ResultsError(f"{run_folder}: there are no results; measure first: {command_line('bench')}")
    for result in fresh.values():
        if unknown := what_is_unknown(result, catalog):
            raise ResultsError(f"{entry_path(run_folder, result.entry)}: {unknown}; nothing was merged")
    are_links = all(run.profile == LINKS for result in fresh.values() for run in result.runs.values())
    published = read_folder(results / (LINKS if are_links else LATEST))
    if not precedence.replace:
        _check_uncontested(run_folder, fresh.values(), published)
    if are_links:
        return merge_links(fresh.values(), results, catalog, precedence)
    return merge_results(fresh.values(), {}, results, precedence)


def _check_uncontested(run_folder: Path, fresh: Iterable[EntryResult], published: Mapping[str, EntryResult]) -> None:
    """Raises ResultsError where published figures of a larger profile or of another machine would be replaced."""
    contested: dict[str, list[str]] = {}
    for result in fresh:
        old = published.get(result.entry)
        if old is None:
            continue
        for run in result.runs.values():
            keys = {cell.key for cell in result.cells if cell.run == run.id}
            there = [old.runs[cell.run] for cell in old.cells if cell.key in keys]
            reasons = (
                is_smaller(run, other) or is_elsewhere(run, other) for other in there if other.target == run.target
            )
            if reason := next(filter(None, reasons), None):
                contested.setdefault(reason, []).append(result.entry)
    for reason, names in contested.items():
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        raise ResultsError(
            f"the published figures of {names[0]}{more} would be replaced, and {reason}: nothing was merged; "
            f"if that is meant: {command_line('merge', str(run_folder), replace=True)}"
        )


def merge_links(
    fresh: Iterable[EntryResult], results: Path, catalog: Catalog, precedence: Precedence = USUAL
) -> list[Path]:
    """Replaces the links by checked results of one run. Returns the files that changed.

    Only baselines are links; the run's other results, such as that of the reference, are left out. Published links that
    cannot be read are replaced.

    Raises ResultsError, having changed nothing, where a cell that the last links had, and that a baseline still has,
    was not measured, and where the last links are newer.
    """
    folder = results / LINKS
    suites = list(catalog.suites)
    wanted = {(entry.id, cell.key) for entry in catalog.baselines for cell in entry.cells(suites)}
    before = readable_results(folder)
    fresh = list(fresh)
    found = {result.entry: result for result in fresh if own_cells(result)}
    had, has = ({(r.entry, cell.key) for r in links.values() for cell in own_cells(r)} for links in (before, found))
    cold = {(result.entry, cell.key) for result in fresh for cell in result.cells if UNSTEADY in cell.refused}
    for entry, key in sorted(cold, key=str):
        log.info("%s: no link to other languages in %s, as it was not steady", entry, key)
    if lost := sorted({entry for entry, _ in (had & wanted) - has - cold}):
        raise ResultsError(f"{', '.join(lost)}: not measured as a whole, so the last links stay")
    last, run = _run_of_links(before), _run_of_links(found)
    if last and run and last.id != run.id:
        if reason := precedence.why_kept(last, run):
            raise ResultsError(f"the last links stay: {reason}")
        if elsewhere := is_elsewhere(run, last):
            log.info("the links between languages were replaced: %s", elsewhere)
    found = _with_earlier_links(before, found)
    changed = append_history(results / HISTORY, [line for result in found.values() for line in history_lines(result)])
    changed += [write_entry(folder, result) for result in found.values() if result != before.get(result.entry)]
    # links of two runs could not be used together
    written = {entry_path(folder, entry) for entry in found}
    for path in sorted(folder.glob("*/*.json")):
        if path not in written:
            path.unlink()
            changed.append(path)
    return changed


def _run_of_links(links: Mapping[str, EntryResult]) -> Run | None:
    """The run that measured the links. They are of one run."""
    return next((run for result in links.values() for run in result.runs.values()), None)


def own_cells(result: EntryResult) -> list[CellResult]:
    """The cells of a baseline that others are compared with. An entry that is no baseline has none."""
    return [cell for cell in result.cells if is_own(result.entry, cell)]


def _with_earlier_links(before: Mapping[str, EntryResult], after: dict[str, EntryResult]) -> dict[str, EntryResult]:
    """The new links with the costs of earlier runs, where nothing has changed in any of them.

    Machines differ, so a cost is kept relative to the mean of all cells of its run.
    """
    old, new = (
        {(name, cell.key): (cell, result.runs[cell.run]) for name, result in links.items() for cell in result.cells}
        for links in (before, after)
    )
    if {place: _conditions(*each) for place, each in old.items()} != {
        place: _conditions(*each) for place, each in new.items()
    }:
        return after
    level = link_level(cell for cell, _ in old.values())
    found = {}
    for name, result in after.items():
        cells = []
        for cell in result.cells:
            last, run = old[name, cell.key]
            earlier = last.earlier  # of the same links once more
            if run.id != cell.run:
                known = link_cost(last, run, level)
                earlier = [*([known] if known else []), *last.earlier][:MOST_EARLIER]
            cells.append(cell.model_copy(update={"earlier": earlier}))
        found[name] = result.model_copy(update={"cells": cells})
    return found


def merge_results(
    fresh: Iterable[EntryResult],
    missed: Mapping[str, Missed],
    results: Path,
    precedence: Precedence = USUAL,
    *,
    commit: str | None = None,
) -> list[Path]:
    """Merges checked results of any number of runs, and marks entries as stale. Returns the files that changed.

    `missed` has the run that brought no result, by entry, and `commit` is what that run was to measure. An entry that
    was measured after that run, or at a later commit, is not marked. A published file that cannot be read is replaced.
    """
    latest = results / LATEST
    before = readable_results(latest)
    after: dict[str, EntryResult] = {}
    found: list[Found] = []
    merging = _Merging(precedence)
    for result in fresh:
        after[result.entry] = merging.merged(after.get(result.entry) or before.get(result.entry), result)
        found += history_lines(result)
    for entry, miss in missed.items():
        known = after.get(entry) or before.get(entry) or EntryResult(entry=entry, runs={}, cells=[])
        after[entry] = merging.marked(known, miss, commit)
    for (entry, what, reason), count in merging.counts.items():
        log.info("%s: %d cell%s %s: %s", entry, count, "s" * (count != 1), what, reason)
    changed = append_history(results / HISTORY, found)
    for entry, result in after.items():
        if result != before.get(entry):
            changed.append(write_entry(latest, result))
    return changed


def what_is_unknown(result: EntryResult, catalog: Catalog) -> str | None:
    """Which entry, cell or baseline of a result the catalogue does not have, as text; None where it has all."""
    entry = catalog.entries.get(result.entry)
    if entry is None:
        return f"there is no framework {result.entry} here"
    known = {c.key for c in entry.cells(list(catalog.suites))}
    for cell in result.cells:
        if cell.key not in known:
            name = str(cell.key)
            return f"{result.entry} has no cell {name}"
        if cell.baseline and cell.baseline.entry not in catalog.entries:
            return f"there is no baseline {cell.baseline.entry} here"
    return None


class _Merging:
    """Merges results, and counts the cells that stayed or were replaced by figures of another machine, by reason."""

    def __init__(self, precedence: Precedence) -> None:
        self._precedence = precedence
        self.counts = Counter[tuple[str, str, str]]()

    def merged(self, old: EntryResult | None, new: EntryResult) -> EntryResult:
        """The newest result of each cell on each target, and the runs that these came from.

        A result from containers does not replace a native one.
        """
        if old is None:
            return new
        runs = dict(old.runs)
        for run in new.runs.values():
            # a run that was resumed knows more at its end than before
            had, has = (sum(cell.rounds for cell in each.cells if cell.run == run.id) for each in (old, new))
            if run.id not in runs or has > had:
                runs[run.id] = run
        cells = {(runs[cell.run].target, cell.key): cell for cell in old.cells}
        for cell in new.cells:
            place = (runs[cell.run].target, cell.key)
            before = cells.get(place)
            cells[place] = self._chosen(new.entry, before, cell, runs) if before else cell
        used = {cell.run for cell in cells.values()}
        ordered = sorted(cells.values(), key=lambda c: (c.suite, c.scenario, c.variant or "", runs[c.run].target))
        stays = old.missed and all(run.started < old.missed.started for run in new.runs.values())
        missed = old.missed if stays else None
        return EntryResult(entry=new.entry, runs={k: runs[k] for k in sorted(used)}, cells=ordered, missed=missed)

    def _chosen(self, entry: str, before: CellResult, cell: CellResult, runs: Mapping[str, Run]) -> CellResult:
        """Which of two results of a cell is published.

        Where nothing has changed since, the newer one has the relative costs and latencies of earlier runs.
        """
        if before.run == cell.run:
            return _further(before, cell)
        published, run = runs[before.run], runs[cell.run]
        if reason := self._precedence.why_kept(published, run):
            if run.started > published.started:
                self.counts[entry, "stayed as they were", reason] += 1
            return before
        last = before.missed
        twice = before.slow_build or (last and last.slow_build and last.started != run.started)
        if cell.slow_build and twice:
            failure = Failure(check="build", got=f"{cell.not_run}; it was so in two runs in a row")
            cell = cell.model_copy(update={"failure": failure, "not_run": None, "slow_build": False})
        # where its machine failed, the newer result says nothing of the app
        if cell.not_run:
            return _missing(before, cell, run, cell.not_run)
        had_cost = before.baseline and before.baseline.cpu_us
        if cell.no_baseline and cell.baseline_missed and had_cost and not cell.failure:
            return _missing(before, cell, run, cell.no_baseline)
        if elsewhere := is_elsewhere(run, published):
            self.counts[entry, "were replaced", elsewhere] += 1
        if cell.failure:
            last_good = before.last_good if before.failure or before.not_run else published.started
            cell = cell.model_copy(update={"last_good": last_good})
        if _conditions(before, published) != _conditions(cell, run):
            return cell
        known = earlier_cost(entry, before, published)
        earlier = [*([known] if known else []), *before.earlier][:MOST_EARLIER]
        latency = with_earlier_latencies(before.latency, cell.latency, cell.run)
        return cell.model_copy(update={"earlier": earlier, "latency": latency})

    def marked(self, result: EntryResult, miss: Missed, commit: str | None) -> EntryResult:
        """The result marked as stale, unless it has a run or a mark that is newer than the missed run."""
        known = [run.started for run in result.runs.values()] + ([result.missed.started] if result.missed else [])
        later = any(self._precedence.is_before(commit, run) for run in result.runs.values())
        if later or any(started > miss.started for started in known):
            return result
        return result.model_copy(update={"missed": miss})


def _further(before: CellResult, cell: CellResult) -> CellResult:
    """Of two results of a cell from one run, the one that has come further. A run that was resumed has more rounds.

    It keeps the costs of earlier runs. The requests of a kind of rate are those of the result with more of them.
    """
    if _progress(cell) <= _progress(before):
        return before
    latencies = {each.kind: each for each in before.latency}
    for each in cell.latency:
        known = latencies.get(each.kind)
        latencies[each.kind] = each if known is None or each.histogram.total > known.histogram.total else known
    return cell.model_copy(update={"earlier": before.earlier, "latency": list(latencies.values())})


def _progress(cell: CellResult) -> tuple[int, ...]:
    requests = sum(each.histogram.total for each in cell.latency)
    return cell.rounds, len(cell.latency), requests, len(cell.features), int(cell.failure is not None)


def _missing(before: CellResult, cell: CellResult, run: Run, reason: str) -> CellResult:
    """What is published where a machine could not measure a cell: the last verdict, with the reason.

    Between two builds that ran out of time there may be runs that did not come to build.
    """
    last = before.missed
    slow = cell.slow_build or before.slow_build or (last is not None and last.slow_build)
    if not before.has_verdict:
        return cell.model_copy(update={"slow_build": slow})
    if last and last.started > run.started:
        return before
    return before.model_copy(update={"missed": Missed(started=run.started, reason=reason, slow_build=slow)})


def _conditions(cell: CellResult, run: Run) -> tuple[object, ...]:
    """What a relative cost depends on, beside the machine and chance."""
    baseline = cell.baseline and (cell.baseline.entry, cell.baseline.variant, cell.baseline.files_hash)
    machine = run.machine
    # on a machine of one's own, another CPU model is another machine
    where = run.profile, machine.machine_class, None if machine.hosted else machine.cpu_model, machine.harness_hash
    runs_with = run.runtime, run.runtime_settings
    return (*where, cell.contract, run.files_hash, run.version, *runs_with, cell.solo.connections, baseline)
