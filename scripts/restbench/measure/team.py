"""The entries of a team: which apps run, how far each has come, and what happens when one fails."""

import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from typing import TypeVar

from restbench.catalog import Cell
from restbench.errors import AppDiedError, BackendError, EntryError, LoadError, MachineError, RestbenchError
from restbench.measure.backend_session import BackendSession
from restbench.measure.blame import WrongUnderLoadError, unforeseen
from restbench.measure.events import Failed, Missing, Observer
from restbench.measure.loaded_cell import LoadedCell
from restbench.measure.progress import Progress
from restbench.measure.tools import Tools
from restbench.results.models import Failure
from restbench.targets import Target
from restbench.targets.building import room_for

T = TypeVar("T")


class Team:
    """Entries that run side by side.

    `targets`: the apps that have been started, by entry. `capacities`: the throughput of each cell before its rounds,
    in requests per second.
    """

    def __init__(self, tools: Tools, entries: list[Progress], observe: Observer, backend: BackendSession) -> None:
        self.tools = tools
        self.entries = {progress.entry.id: progress for progress in entries}
        self.observe = observe
        self.backend = backend
        self.targets: dict[str, Target] = {}
        self.capacities: dict[Cell, float] = {}

    def all_loaded(self) -> list[Cell]:
        """Returns the `loaded` cells of all entries."""
        return [cell for progress in self.entries.values() for cell in progress.loaded]

    def app_of(self, cell: Cell) -> LoadedCell:
        """Returns a cell with its app, which has been started."""
        progress = self.entries[cell.entry]
        capacity = self.capacities.get(cell, inf)
        return LoadedCell(self.targets[cell.entry], progress.entry, cell, progress.right.get(cell), capacity)

    def with_backend(self, needed: bool, ask: Callable[[], T]) -> tuple[T, str | None]:
        """Calls `BackendSession.with_retry`. If the backend is gone for good, leaves out the cells that need it."""
        result, lost = self.backend.with_retry(needed, ask)
        if self.backend.unavailable_reason:
            self.leave_out(self.backend.unavailable_reason)
        return result, lost

    def leave_out(self, reason: str) -> None:
        for progress in self.entries.values():
            progress.leave_out(reason)

    @contextmanager
    def blaming(self, progress: Progress, check: str, cell: Cell | None = None) -> Iterator[None]:
        """Turns an exception in the block into a failure of the cell, or of the entry where `cell` is None.

        A failed cell is not measured any more. The whole entry fails when its app is gone, and for an unforeseen
        exception. When the backend is gone, the cells that need it are left out. When this machine failed, the entry is
        not measured. Raises ResultsError when rounds cannot be kept.
        """
        try:
            with room_for(progress.entry):
                yield
        except WrongUnderLoadError as error:
            self.fail(progress, cell, error.failure)
        except AppDiedError as error:
            self.fail(progress, None, Failure(check="alive", got=error.message), error.detail)
        except BackendError as error:
            self.leave_out(error.message)
        except MachineError as error:
            self.miss(progress, error.message)
        except (EntryError, LoadError) as error:
            self.fail(progress, cell, Failure(check=check, got=error.message), error.detail)
        except RestbenchError:
            raise
        except Exception as error:  # a fault in one entry must not end the run of the others
            self.fail(progress, None, unforeseen(error), traceback.format_exc())

    def miss(self, progress: Progress, reason: str) -> None:
        """Leaves out what is left of an entry, because this machine failed."""
        progress.miss(reason)
        self.observe(Missing(progress.entry.id, reason))

    def fail(self, progress: Progress, cell: Cell | None, failure: Failure, detail: str = "") -> None:
        for each in [cell] if cell else progress.alive:
            progress.failures[each] = failure
        self.observe(Failed(progress.entry.id, cell, failure, detail))
