"""What bench and verify begin with: the catalogue, the entries asked for, a runtime, and no leftovers."""

import sys
from collections.abc import Callable
from dataclasses import dataclass

from restbench.catalog import Catalog, Entry, load_catalog
from restbench.catalog.select import DEFAULT, broken_entries, select_entries, select_suites
from restbench.errors import MissingToolError, UsageError
from restbench.system.repository import Repository, find_repository
from restbench.targets import Runtime, choose_runtime, remove_orphans
from restbench.targets.toolchains import missing_tools


@dataclass(frozen=True)
class Selection:
    """What a command works on: `entries` are those of the ones asked for that this machine can run."""

    repository: Repository
    catalog: Catalog
    entries: list[Entry]
    suites: list[str]
    runtime: Runtime
    mistakes: list[str]
    """Lines of the manifests of those that were asked for and are left out, which have been printed."""


def select(frameworks: list[str], suites: list[str], target: str, port: int | None) -> Selection:
    """Reads the catalogue, chooses, and removes what a killed harness left behind.

    Names what this machine cannot have. Raises MissingToolError where that is all of it.
    """
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
    if target == "auto" and runtime.name == "docker":
        _say_of(entries, "cannot be run natively, so this is a run in Docker", missing_tools)
    entries = _within_reach(entries, runtime)
    for orphan in remove_orphans():
        print(f"removed what an earlier run left behind: {orphan}", file=sys.stderr)
    return Selection(repository, catalog, entries, chosen, runtime, broken)


def _within_reach(entries: list[Entry], runtime: Runtime) -> list[Entry]:
    """Those that this machine can run; of the others it is said what would bring them."""
    reached = [entry for entry in entries if runtime.lacks(entry) is None]
    _say_of(entries, "left out", runtime.lacks)
    if not reached:
        raise MissingToolError("none of the frameworks asked for can be run on this machine")
    return reached


def _say_of(entries: list[Entry], what: str, lacks: Callable[[Entry], str | None]) -> None:
    """One line for each reason, with the entries that it keeps out."""
    reasons: dict[str, list[str]] = {}
    for entry in entries:
        if reason := lacks(entry):
            reasons.setdefault(reason, []).append(entry.id)
    for reason, names in reasons.items():
        print(f"{what}: {', '.join(names)}: {reason}", file=sys.stderr)
