"""The files that rounds depend on. An app that runs natively could write to them, so no round counts if one changed."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from restbench.catalog import Cell, Entry
from restbench.loadgen import OHA, WRK
from restbench.measure.events import Missing, Observer
from restbench.measure.machine import CHECKOUT, measuring_files
from restbench.measure.progress import Progress
from restbench.results.journal import Journal
from restbench.system.files import sources
from restbench.system.processes import find_program
from restbench.system.repository import Repository

_States = dict[Path, tuple[int, int]]
"""File → its size, and when it last changed in any way."""


class Basis:
    """What the rounds of some entries depend on, as it was at the beginning of a run.

    That is the harness with its load generators, the suites, and the files of the entries. The times of the last change
    are compared, and not the content: else an app could change a file and change it back. Only root can set that time.
    """

    def __init__(self, entries: Sequence[Entry], root: Path = CHECKOUT) -> None:
        self._root = root
        self._suites = {suite.folder for entry in entries for suite in entry.suites.values()}
        self._harness = _states(self._harness_files())
        self._of_entries = {entry.id: _states(entry.files()) for entry in entries}

    def _harness_files(self) -> Iterator[Path]:
        yield from measuring_files(self._root)
        for folder in self._suites:
            yield from folder.rglob("*")
        yield from (Path(path) for tool in (WRK, OHA) if (path := find_program(tool.name)))

    def changed(self, entries: Iterable[Entry]) -> str | None:
        """Returns the first file that changed since the beginning, as messages show it, or None."""
        pairs = [(self._harness, _states(self._harness_files()))]
        pairs += [(self._of_entries[entry.id], _states(entry.files())) for entry in entries]
        paths = {path for then, now in pairs for path in then | now if then.get(path) != now.get(path)}
        return Repository(self._root).relative(min(paths)) if paths else None

    @contextmanager
    def guarding(self, team: Sequence[Progress], journal: Journal, observe: Observer) -> Iterator[None]:
        """Lets nothing count that is measured of the team in this context, where a file changed before or during it."""
        cells = [(progress, progress.alive) for progress in team]
        is_void = self._void_if_changed(cells, journal, observe)
        try:
            yield
        finally:
            if not is_void:
                self._void_if_changed(cells, journal, observe)

    def _void_if_changed(self, cells: list[tuple[Progress, list[Cell]]], journal: Journal, observe: Observer) -> bool:
        path = self.changed(progress.entry for progress, _ in cells)
        if path is None:
            return False
        reason = f"{path} was written to during the run, so nothing counts that was measured meanwhile"
        reason += ": find out what writes to it, restore it, and run again"
        for progress, alive in cells:
            progress.void(alive, reason)
        journal.void()
        if names := ", ".join(progress.entry.id for progress, alive in cells if alive):
            observe(Missing(names, reason))
        return True


def _states(paths: Iterable[Path]) -> _States:
    states = {}
    for path in sources(paths):
        with suppress(OSError):  # it was removed at this moment
            found = path.stat()
            states[path] = found.st_size, found.st_ctime_ns
    return states
