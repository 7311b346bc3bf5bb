"""Finds the commit that each entry is to be compared with: the newest one for which it is known how fast it was."""

import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from restbench.catalog import Catalog, Entry
from restbench.changes.records import ChangeRecord
from restbench.compare.changes import change_of, changed_files
from restbench.results.models import EntryResult

TARGET: Literal["docker"] = "docker"
"""Where the service measures, and therefore compares."""


@dataclass(frozen=True)
class Bases:
    """The commits that changed entries are to be compared with, by entry.

    `uncompared` has the reason for each entry that may have changed and cannot be compared.
    """

    commits: dict[str, str] = field(default_factory=dict)
    uncompared: dict[str, str] = field(default_factory=dict)


def bases_of(
    entries: Sequence[Entry],
    catalog: Catalog,
    results: Mapping[str, EntryResult],
    records: Sequence[ChangeRecord],
    root: Path,
) -> Bases:
    """Returns the bases of those entries that differ between their last compared commit and HEAD.

    `results` and `records` are the published ones. `root` is a checkout with the history of its branch. An entry that
    has never been published has no base.
    """
    bases = Bases()
    concerned: dict[str, set[str]] = {}
    for entry in entries:
        known = last_compared(entry.id, records) or _last_measured(results.get(entry.id))
        if known is None:
            continue
        if not _succeeds(root, "merge-base", "--is-ancestor", known, "HEAD"):
            bases.uncompared[entry.id] = (
                f"commit {known[:10]}, of its last results, is not in the history of this branch"
            )
            continue
        if known not in concerned:
            change = change_of(changed_files(root, known), catalog)
            concerned[known] = {changed.id for changed in change.entries}
        manifests = [f"{known}:frameworks/{name}/framework.toml" for name in (entry.id, *entry.formerly)]
        if entry.id in concerned[known] and any(_succeeds(root, "cat-file", "-e", each) for each in manifests):
            bases.commits[entry.id] = known
    return bases


def last_compared(entry: str, records: Iterable[ChangeRecord]) -> str | None:
    """Returns the commit at which the entry's records end, None where it has none.

    Its next record has to begin there. Else what happened in between would be counted twice, or not at all.
    """
    own = [r for r in records if r.entry == entry and r.target == TARGET]
    return own[-1].after if own else None


def _last_measured(result: EntryResult | None) -> str | None:
    """The commit of the newest published run in which a cell of the entry was measured. None where it is not known."""
    if result is None:
        return None
    measured = {cell.run for cell in result.cells if cell.measured}
    runs = [run for run in result.runs.values() if run.target == TARGET and run.id in measured]
    newest = max(runs, key=lambda run: run.started, default=None)
    return newest.machine.commit if newest else None


def _succeeds(root: Path, *arguments: str) -> bool:
    return subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, check=False).returncode == 0
