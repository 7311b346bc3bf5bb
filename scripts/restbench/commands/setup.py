"""What bench and verify begin with: the catalogue, the entries asked for, a runtime, and no leftovers."""

import sys
from dataclasses import dataclass

from restbench.catalog import Catalog, Entry, load_catalog
from restbench.catalog.select import DEFAULT, broken_entries, select_entries, select_suites
from restbench.errors import UsageError
from restbench.repository import Repository, find_repository
from restbench.targets import Runtime, choose_runtime, remove_orphans


@dataclass(frozen=True)
class Selection:
    """What a command works on."""

    repository: Repository
    catalog: Catalog
    entries: list[Entry]
    suites: list[str]
    runtime: Runtime
    broken: bool
    """Some of the entries asked for are left out: their manifests have mistakes, which have been printed."""


def select(frameworks: list[str], suites: list[str], target: str, port: int | None) -> Selection:
    """Reads the catalogue, chooses, and removes what a killed harness left behind."""
    repository = find_repository()
    catalog = load_catalog(repository)
    entries = select_entries(catalog, frameworks or list(DEFAULT))
    chosen = select_suites(catalog, suites)
    if not any(entry.cells(chosen) for entry in entries):
        raise UsageError(f"none of {', '.join(e.id for e in entries)} takes part in {', '.join(chosen)}")
    broken = broken_entries(catalog, frameworks or list(DEFAULT))
    for mistake in broken:
        print(mistake, file=sys.stderr)
    runtime = choose_runtime(target, entries, repository, port)
    for orphan in remove_orphans():
        print(f"removed what an earlier run left behind: {orphan}", file=sys.stderr)
    return Selection(repository, catalog, entries, chosen, runtime, bool(broken))
