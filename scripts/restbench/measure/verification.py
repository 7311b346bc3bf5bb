"""Before load: do the apps of a group keep the contract?"""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from restbench.catalog import Cell
from restbench.conformance import SLOW_SOURCE, fetching
from restbench.errors import BackendError
from restbench.measure.events import Verifying
from restbench.measure.progress import Progress
from restbench.measure.team import Team
from restbench.measure.tools import app_settings
from restbench.results.models import Failure
from restbench.system.pools import stoppable_pool
from restbench.targets import Runtime, Target

LANES = 3
"""Apps that are verified at a time: each spends much of its time waiting. What is verified is no figure."""


class Verification:
    """Takes out what breaks a rule, and what could not be asked. Apps that an earlier run verified only tell how large
    their answers are."""

    def __init__(self, team: Team, runtime: Runtime) -> None:
        self._team = team
        self._runtime = runtime

    def run(self) -> None:
        """Of all apps that have been started. One backend is asked through one app at a time, as requests are counted
        at it and it is made to fail; other apps answer meanwhile what they need no backend for."""
        started = [p for p in self._team.entries.values() if p.entry.id in self._team.targets and p.alive]
        with stoppable_pool(LANES) as pool:
            begun = [pool.submit(self._without_backend, progress) for progress in started]
            for progress, done in zip(started, begun, strict=True):
                done.result()
                self._with_backend(progress)
        for progress in self._team.entries.values():
            for cell in progress.alive:
                if cell not in progress.verified:
                    self._team.fail(progress, cell, Failure(check="start", got="the app could not be asked"))

    def _without_backend(self, progress: Progress) -> None:
        with self._team.blaming(progress, "start"):
            target = self._team.targets[progress.entry.id]
            if not self._team.tools.verified:
                self._team.observe(Verifying(progress.entry.id))
                self._ask_with_slow_source(progress)
                if cells := self._cells(progress, backend=False):
                    self._take_out(progress, self._team.tools.verifier.before(target, progress.entry, cells, None))
                    self._grade(progress, target, cells)
            self._note_sizes(progress, target, self._cells(progress, backend=False))
            progress.verified.update(self._cells(progress, backend=False))

    def _with_backend(self, progress: Progress) -> None:
        with self._team.blaming(progress, "start"):
            target, cells = self._team.targets[progress.entry.id], self._cells(progress, backend=True)
            if cells and not self._team.tools.verified:
                self._take_out(progress, self._verify_with_backend(progress, target, cells))
                self._grade(progress, target, cells)
            self._note_sizes(progress, target, self._cells(progress, backend=True))
            progress.verified.update(self._cells(progress, backend=True))

    def _cells(self, progress: Progress, backend: bool) -> list[Cell]:
        return [cell for cell in progress.alive if progress.entry.needs_backend(cell) == backend]

    def _verify_with_backend(self, progress: Progress, target: Target, cells: list[Cell]) -> dict[Cell, Failure]:
        """Which cells are wrong. An app is asked again where the backend was lost meanwhile. Raises BackendError."""
        ask = partial(self._team.tools.verifier.before, target, progress.entry, cells, self._team.tools.backend)
        failures, lost = self._team.minding_backend(True, ask)
        if lost and self._team.backend.gone:
            raise BackendError(self._team.backend.gone)
        return self._team.minding_backend(True, ask)[0] if lost else failures

    def _ask_with_slow_source(self, progress: Progress) -> None:
        """Starts the app once more beside a slow data source, where cells ask that."""
        entry, cells = progress.entry, fetching(progress.entry, progress.alive)
        if not cells:
            return
        settings = app_settings(self._team.tools.cpus, progress.setup, self._team.tools.backend)
        slow = replace(settings, variables={**settings.variables, **SLOW_SOURCE})
        with self._runtime.target(entry, slow) as target:
            self._team.tools.verifier.wait_ready(target, entry, cells[0])
            self._take_out(progress, self._team.tools.verifier.asks_source(target, entry, cells))

    def _take_out(self, progress: Progress, failures: dict[Cell, Failure]) -> None:
        for cell, failure in failures.items():
            self._team.fail(progress, cell, failure)

    def _grade(self, progress: Progress, target: Target, cells: Iterable[Cell]) -> None:
        for cell in cells:
            if progress.entry.scenario(cell).graded and cell not in progress.not_run:
                progress.marks[cell] = self._team.tools.verifier.marks(target, progress.entry, cell)

    def _note_sizes(self, progress: Progress, target: Target, cells: Iterable[Cell]) -> None:
        """How large right answers are."""
        for cell in (cell for cell in cells if progress.entry.scenario(cell).loaded):
            ask = partial(self._team.tools.verifier.sizes, target, progress.entry, cell)
            sizes, lost = self._team.minding_backend(progress.entry.needs_backend(cell), ask)
            if lost:
                sizes, _ = self._team.minding_backend(progress.entry.needs_backend(cell), ask)
            if isinstance(sizes, Failure):
                self._team.fail(progress, cell, sizes)
            else:
                progress.sizes[cell] = sizes
