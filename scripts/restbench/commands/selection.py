"""The first step of bench, verify and others: selects entries and a runtime, and removes leftovers of earlier runs."""

import sys
from collections.abc import Callable
from dataclasses import dataclass

from restbench.backends import Backend, make_backend
from restbench.catalog import Catalog, Entry
from restbench.catalog.load import load_with_folders
from restbench.catalog.select import broken_entries, select_both
from restbench.errors import MissingToolError, UsageError
from restbench.loadgen import WRK
from restbench.system.cpus import this_machine
from restbench.system.limits import FEWEST_OPEN_FILES, open_files, too_few_open_files
from restbench.system.repository import Repository, find_repository
from restbench.system.versions import cannot_pin
from restbench.targets import Runtime, choose_runtime, remove_orphans
from restbench.targets.toolchains import tools_unavailable_reason


@dataclass(frozen=True)
class Selection:
    """What a command works on. `entries` are the entries asked for that this machine can run."""

    repository: Repository
    catalog: Catalog
    entries: list[Entry]
    suites: list[str]
    runtime: Runtime
    mistakes: list[str]
    """Lines about broken manifests of entries that were asked for and are left out. They have been printed."""

    @property
    def backend(self) -> str | None:
        """The backend that cells of the selection need, or None if they need none.

        Raises UsageError if they need several, because only one runs at a time.
        """
        cells = [(entry, cell) for entry in self.entries for cell in entry.cells(self.suites)]
        names = sorted({name for entry, cell in cells if (name := entry.suites[cell.suite].manifest.backend)})
        if len(names) > 1:
            raise UsageError(f"the suites asked for need {' and '.join(names)}: name suites that need one of them")
        return names[0] if names else None

    def make_backend(self) -> Backend:
        """Makes that backend, on CPUs of its own if there are enough. Raises BackendError if something is missing."""
        assert self.backend, "no suite of the selection needs a backend"
        cpus = this_machine()
        return make_backend(self.backend, self.runtime.name, self.repository, cpus.backend if cpus.confined else None)


def expect_tools() -> None:
    """Raises MissingToolError where this machine lacks what every load needs, before anything is built."""
    cpus = this_machine()
    for reason in (
        WRK.unusable(),
        cannot_pin(cpus.app + cpus.load) if cpus.pinned else None,
        too_few_open_files(open_files(), FEWEST_OPEN_FILES, "a run"),
    ):
        if reason:
            raise MissingToolError(str(reason))


def select(
    frameworks: list[str] | None,
    suites: list[str] | None,
    target: str,
    port: int | None = None,
    *,
    starts: bool = True,
) -> Selection:
    """Reads the catalogue, selects entries, suites and a runtime, and removes what a killed run left behind.

    `starts`: whether apps are to be started, and not only built. Prints which entries this machine cannot run. Raises
    MissingToolError if it can run none of them, and UsageError if none of them takes part in the suites.
    """
    repository = find_repository()
    catalog, names = load_with_folders(repository, frameworks or [])
    entries, chosen = select_both(catalog, names, suites or [])
    broken = broken_entries(catalog, names)
    for mistake in broken:
        print(mistake, file=sys.stderr)
    runtime = choose_runtime(target, entries, repository, port, starts=starts)
    if target == "auto" and runtime.name == "docker":
        _say_of(entries, "cannot be run natively, so this is a run in Docker", tools_unavailable_reason)
    _say_of(entries, "left out", runtime.unavailable_reason)
    entries = [entry for entry in entries if runtime.unavailable_reason(entry) is None]
    if not entries:
        raise MissingToolError("none of the frameworks asked for can be run on this machine")
    for orphan in remove_orphans():
        print(f"removed what an earlier run left behind: {orphan}", file=sys.stderr)
    return Selection(repository, catalog, entries, chosen, runtime, broken)


def _say_of(entries: list[Entry], what: str, lacks: Callable[[Entry], str | None]) -> None:
    """Prints one line for each reason, with the entries that it applies to."""
    reasons: dict[str, list[str]] = {}
    for entry in entries:
        if reason := lacks(entry):
            reasons.setdefault(reason, []).append(entry.id)
    for reason, names in reasons.items():
        print(f"{what}: {', '.join(names)}: {reason}", file=sys.stderr)
