"""The entries of a team: which apps run, how far each has come, and what happens when one fails."""

import random
import traceback
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from types import TracebackType
from typing import Self, TypeVar

from restbench.catalog import Cell
from restbench.conformance import CheckResult
from restbench.errors import (
    AppDiedError,
    BackendError,
    EntryError,
    LoadError,
    MachineError,
    RestbenchError,
    ToolError,
)
from restbench.measure.backend_session import BackendSession
from restbench.measure.events import Failed, Missing, Observer, Remarked, Visited
from restbench.measure.freezing import frozen
from restbench.measure.gate import loses_answers
from restbench.measure.progress import Progress
from restbench.measure.round import LoadedCell, WrongUnderLoadError, as_failure, checked_round, solo_round
from restbench.measure.tools import Tools
from restbench.results.journal import Journal
from restbench.results.models import Failure
from restbench.results.rounds import UNSTEADY, DuetRound, Round, SoloRound
from restbench.system.processes import end_if_cancelled
from restbench.targets import Target
from restbench.targets.building import FULL_DISK, is_full

E = TypeVar("E")
R = TypeVar("R", SoloRound, DuetRound)

ENTRIES_PER_TEAM = 8
"""How many apps run side by side at most. Most of them are idle at any time, but each takes memory."""


def random_order(items: Iterable[E], rng: random.Random) -> list[E]:
    """Returns the items in a random order: the cells of one round, or the apps of a team."""
    order = list(items)
    rng.shuffle(order)
    return order


def in_teams(entries: list[E], at_most: int = ENTRIES_PER_TEAM) -> Iterator[list[E]]:
    """Splits entries into teams that run side by side, with sizes as equal as possible and not above `at_most`.

    Neighbours stay together, so that a team has few languages.
    """
    count = -(-len(entries) // at_most)
    for i in range(count):
        yield entries[i * len(entries) // count : (i + 1) * len(entries) // count]


class Team:
    """Entries that run side by side.

    `targets`: the apps that have been started, by entry. `apps`: their cells that are loaded. `start`: how many times
    they were started before.
    """

    def __init__(
        self,
        tools: Tools,
        entries: list[Progress],
        backend: BackendSession,
        journal: Journal,
        observe: Observer,
        start: int = 0,
    ) -> None:
        self.start = start
        self.tools = replace(tools, backend=backend.backend)
        self.entries = {progress.entry.id: progress for progress in entries}
        self.backend = backend
        self.observe = observe
        self._journal = journal
        self.targets: dict[str, Target] = {}
        self.apps: dict[Cell, LoadedCell] = {}
        self._not_frozen: set[str] = set()

    def loaded(self) -> list[Cell]:
        """Returns the `loaded` cells of all entries."""
        return [cell for progress in self.entries.values() for cell in progress.loaded]

    def attempts(self, asked: Cell | Progress, check: str, *, after_any_loss: bool = False) -> Iterator["Attempt"]:
        """Yields an attempt to ask an app, and another one after an error for which the backend or a tool is to blame.

        `asked`: one cell, or all cells of an entry that need the backend. There is no attempt where nothing of it is
        measured any more: its app died, or the backend was lost, while others were asked. `after_any_loss`: there
        is another attempt as well where the backend was lost without an error.
        """
        cell, progress = (None, asked) if isinstance(asked, Progress) else (asked, self.entries[asked.entry])
        for is_last in (False, True):
            if cell not in progress.alive if cell else not progress.needs_backend_cells:
                return
            needs_backend = cell is None or progress.entry.needs_backend(cell)
            attempt = Attempt(self, progress, check, cell, needs_backend=needs_backend, is_last=is_last)
            yield attempt
            if not (attempt.lost or attempt.tool_failed) or (attempt.done and not after_any_loss):
                return

    @contextmanager
    def alone(self, cell: Cell) -> Iterator[None]:
        """Freezes the apps of other entries until the context ends. Says once of an app that it cannot be frozen."""
        others = {entry: target for entry, target in self.targets.items() if entry != cell.entry}
        with frozen(others) as troubles:
            for entry in troubles.keys() - self._not_frozen:
                self._not_frozen.add(entry)
                self.observe(Remarked(entry, troubles[entry]))
            yield

    def solo(self, cell: Cell, index: int) -> None:
        """Measures a solo round. It is refused if the backend was lost meanwhile.

        Where apps are started several times, it is also refused if the cell is not steady.
        """
        is_cold = self.tools.profile.starts > 1 and cell in self.entries[cell.entry].unsettled
        for attempt in self.attempts(cell, "under-load"):
            with attempt, self.alone(cell):
                seen = solo_round(self.tools, self.apps[cell], index).model_copy(update={"start": self.start})
            if attempt.done:
                self.keep(cell, refused(seen, UNSTEADY if is_cold else attempt.lost))

    def check(self, cell: Cell) -> None:
        """Reads every answer of a round."""
        for attempt in self.attempts(cell, "under-load"):
            with attempt, self.alone(cell):
                checked_round(self.tools, self.apps[cell])
                self.observe(Visited(cell, None, "checked"))

    def expect_answers(self, cell: Cell) -> None:
        """Fails a cell that has lost answers again and again."""
        progress = self.entries[cell.entry]
        lost, rounds = progress.lost(cell)
        if loses_answers(lost, rounds):
            got = f"requests without one in {lost} of {rounds} rounds"
            self.fail(progress, cell, Failure(check="answers", expected="an answer to each request", got=got))

    def keep(self, cell: Cell, seen: Round) -> None:
        """Adds a finished round to the progress of its entry and to the journal. Raises ResultsError."""
        # in the progress first: the journal waits for the disk, and Ctrl-C may come then. Results must have each round
        # that the journal has.
        self.entries[cell.entry].keep(cell, seen)
        self._journal.append(cell, seen)
        self.observe(Visited(cell, seen))

    def leave_out(self, reason: str) -> None:
        """Ends the measurement of the cells that need the backend."""
        for progress in self.entries.values():
            progress.leave_out(reason)

    def take_out(self, progress: Progress, failures: Mapping[Cell, Failure]) -> None:
        """Fails those of the cells that are still measured."""
        for cell, failure in failures.items():
            if cell in progress.alive:
                self.fail(progress, cell, failure)

    def fail(self, progress: Progress, cell: Cell | None, failure: Failure, detail: str = "") -> None:
        for each in [cell] if cell else progress.alive:
            progress.failures[each] = failure
        self.observe(Failed(progress.entry.id, cell, failure, detail))


class Attempt:
    """A context in which an app is asked something. An exception becomes the failure of what is at fault.

    A failed cell is not measured any more. The whole entry fails when its app is gone, for an unforeseen exception, and
    where there is no cell. When the backend is gone for good, the cells that need it are left out. When this machine
    failed, the entry is not measured. A tool that failed is tried once more, and then the cell is not measured.
    ResultsError is raised, because rounds cannot be kept then.

    `lost`: why the backend ended meanwhile, where the cell needs it; it has been started again then. `tool_failed`:
    whether a tool did, so that another attempt follows. `done`: whether there was no exception.
    """

    def __init__(
        self,
        team: Team,
        progress: Progress,
        check: str,
        cell: Cell | None = None,
        *,
        needs_backend: bool = False,
        is_last: bool = True,
    ) -> None:
        self._team, self._progress, self._check, self._cell = team, progress, check, cell
        self._needs_backend, self._is_last = needs_backend, is_last
        self.lost: str | None = None
        self.tool_failed = False
        self.done = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        team = self._team
        if self._needs_backend and (error is None or isinstance(error, (EntryError, LoadError, BackendError))):
            self.lost = team.backend.restart_if_lost()
            if team.backend.unavailable_reason:
                team.leave_out(team.backend.unavailable_reason)
        self.done = error is None
        # an error while the backend was lost says nothing about the app
        if self.done or (self.lost and (not self._is_last or team.backend.unavailable_reason)):
            return True
        if isinstance(error, ToolError) and not self._is_last:
            self.tool_failed = True
            team.observe(Remarked(self._progress.entry.id, f"{error.message.rstrip('.')}; it is tried once more"))
            return True
        return self._attribute_failure(error)

    def _attribute_failure(self, error: BaseException | None) -> bool:
        """Fails what is at fault. Returns False for an exception that is nobody's fault, such as Ctrl-C."""
        team, progress = self._team, self._progress
        match error:
            case OSError():  # of the harness's own calls: errors of a connection to the app are no answers
                self._miss(FULL_DISK if is_full(error) else str(error))
            case WrongUnderLoadError():
                team.fail(progress, self._cell, error.failure)
            case AppDiedError():
                team.fail(progress, None, Failure(check="alive", got=error.message), error.detail)
            case BackendError():
                team.leave_out(error.message)
            case ToolError():
                self._miss(error.message, self._cell)
            case MachineError():
                self._miss(error.message)
            case EntryError() | LoadError():
                team.fail(progress, self._cell, Failure(check=self._check, got=error.message), error.detail)
            case Exception() if not isinstance(error, RestbenchError):
                # a fault in one entry must not end the run of the others
                team.fail(progress, None, unforeseen(error), traceback.format_exc())
            case _:
                return False
        return True

    def _miss(self, reason: str, cell: Cell | None = None) -> None:
        self._progress.miss(reason, cell)
        self._team.observe(Missing(str(cell) if cell else self._progress.entry.id, reason))


def refused(seen: R, reason: str | None) -> R:
    """Returns the round, refused for that reason too, where there is one."""
    return seen.model_copy(update={"invalid": [reason, *seen.invalid]}) if reason else seen


def failures_of(verdicts: Iterable[CheckResult], cells: Iterable[Cell]) -> dict[Cell, Failure]:
    """Returns the first failure of each cell. A failure of the whole entry counts for each of its cells."""
    failures: dict[Cell, Failure] = {}
    for verdict in verdicts:
        end_if_cancelled()
        if verdict.broken:
            for cell in [verdict.cell] if verdict.cell else cells:
                failures.setdefault(cell, as_failure(verdict.check, verdict.broken))
    return failures


def unforeseen(error: Exception) -> Failure:
    """Returns the failure of an entry for an unforeseen exception of the harness."""
    return Failure(check="harness", got=f"{type(error).__name__}: {error}")
