"""Finds the commit that each entry is to be compared with: the one at which its change records end."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from restbench.catalog import Catalog, Entry
from restbench.changes.records import ChangeRecord
from restbench.changes.touched import change_of, changed_files
from restbench.errors import RestbenchError
from restbench.results.history import read_history
from restbench.results.models import Commit, EntryResult
from restbench.system.git import git

TARGET: Literal["docker"] = "docker"
"""Where the service measures, and therefore compares."""


class Uncompared(BaseModel):
    """Why an entry that may have changed is not compared with what it was.

    `before` is the commit at which its records end, where it will never be compared from there: its next record begins
    at this run. It is None where the next run tries again.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    why: str
    before: Commit | None = None


@dataclass(frozen=True)
class Bases:
    """The commits that changed entries are to be compared with, by entry, and what cannot be compared."""

    commits: dict[str, str] = field(default_factory=dict)
    uncompared: dict[str, Uncompared] = field(default_factory=dict)


def bases_of(
    entries: Sequence[Entry],
    catalog: Catalog,
    measured: Mapping[str, Sequence[str]],
    records: Sequence[ChangeRecord],
    root: Path,
) -> Bases:
    """Returns the bases of those entries that differ between their last compared commit and HEAD.

    An entry that was never compared is compared with the commit at which it was measured first. So no change is left
    out where a comparison was lost, and the entry measured all the same. `measured` has these commits, oldest first.
    `records` are the published ones. `root` is a checkout with the history of its branch, of which files may be missing
    (`git clone --filter=blob:none`). An entry that has never been published has no base.
    """
    bases = Bases()
    concerned: dict[str, set[str]] = {}
    history = set(git(root, "rev-list", "HEAD").split())
    for entry in entries:
        end = last_compared(entry.id, records)
        earlier = [end] if end else list(measured.get(entry.id, ()))
        if not earlier:
            continue
        known = next((commit for commit in earlier if commit in history), None)
        if known is None:
            why = f"commit {earlier[-1][:10]}, of its last results, is not in the history of this branch"
            bases.uncompared[entry.id] = Uncompared(why=why, before=end)
            continue
        try:
            if known not in concerned:
                change = change_of(changed_files(root, known), catalog)
                concerned[known] = {changed.id for changed in change.entries}
            names = [entry.id, *catalog.former_names(entry.id)]
            manifests = [f"frameworks/{name}/framework.toml" for name in names]
            # this reads no file of the commit
            if entry.id in concerned[known] and git(root, "ls-tree", "--name-only", known, "--", *manifests):
                bases.commits[entry.id] = known
        except RestbenchError as error:
            bases.uncompared[entry.id] = Uncompared(why=error.message)
    return bases


def commits_measured(entries: Iterable[str], results: Mapping[str, EntryResult], history: Path) -> dict[str, list[str]]:
    """The commits at which each of the entries was measured, as far as they are published, oldest first.

    `history` is the folder of the files of history. Lines that cannot be read are left out.
    """
    found: dict[str, dict[str, None]] = {entry: {} for entry in entries}
    for path in sorted(history.glob("*.jsonl")):
        month = read_history(path)
        for line in sorted(month.entries, key=lambda line: month.runs[line.run].at):
            run = month.runs[line.run]
            if line.entry in found and run.target == TARGET and run.commit and line.cells:
                found[line.entry][run.commit] = None
    for entry, commits in found.items():
        if result := results.get(entry):
            with_figures = {cell.run for cell in result.cells if cell.measured}
            runs = [run for run in result.runs.values() if run.target == TARGET and run.id in with_figures]
            newest = max(runs, key=lambda run: run.started, default=None)
            if newest and newest.machine.commit:
                commits.setdefault(newest.machine.commit, None)
    return {entry: list(commits) for entry, commits in found.items()}


def last_compared(entry: str, records: Iterable[ChangeRecord]) -> str | None:
    """Returns the commit at which the entry's records end, None where it has none.

    Its next record has to begin there. Else what happened in between would be counted twice, or not at all.
    """
    own = [r for r in records if r.entry == entry and r.target == TARGET]
    return own[-1].after if own else None
