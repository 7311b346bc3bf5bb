"""Verifies the apps of a team before load."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from restbench.backends import Backend
from restbench.catalog import Cell
from restbench.conformance import SLOW_SOURCE, Mismatch, RightAnswers, fetching
from restbench.errors import BackendError
from restbench.measure.blame import as_failure, failures_of
from restbench.measure.events import Verifying
from restbench.measure.progress import Progress
from restbench.measure.team import Team
from restbench.measure.tools import app_settings
from restbench.results.models import Failure
from restbench.system.pools import result_of, stoppable_pool
from restbench.targets import Runtime, Target

LANES = 3
"""How many apps are verified at the same time. Each spends much of its time waiting, and no figure is measured."""


class Verification:
    """Fails the cells that break the contract, and the cells that could not be asked.

    Apps that an earlier run verified are only asked for a few answers.
    """

    def __init__(self, team: Team, runtime: Runtime) -> None:
        self._team = team
        self._runtime = runtime

    def run(self) -> None:
        """Verifies all apps that have been started.

        Cells that need the backend are verified in one app at a time, because the backend's requests are counted and it
        is made to fail. Meanwhile other apps are verified in the cells that need no backend.
        """
        started = [p for p in self._team.entries.values() if p.entry.id in self._team.targets and p.alive]
        with stoppable_pool(LANES) as pool:
            begun = [pool.submit(self._without_backend, progress) for progress in started]
            for progress, future in zip(started, begun, strict=True):
                result_of(future)
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
                    self._take_out(progress, self._failures(progress, target, cells, None))
                    self._check_features(progress, target, cells)
            self._note_answers(progress, target, self._cells(progress, backend=False))
            progress.verified.update(self._cells(progress, backend=False))

    def _with_backend(self, progress: Progress) -> None:
        with self._team.blaming(progress, "start"):
            target, cells = self._team.targets[progress.entry.id], self._cells(progress, backend=True)
            if cells and not self._team.tools.verified:
                self._take_out(progress, self._verify_with_backend(progress, target, cells))
                self._check_features(progress, target, cells)
            self._note_answers(progress, target, self._cells(progress, backend=True))
            progress.verified.update(self._cells(progress, backend=True))

    def _cells(self, progress: Progress, backend: bool) -> list[Cell]:
        return [cell for cell in progress.alive if progress.entry.needs_backend(cell) == backend]

    def _failures(
        self, progress: Progress, target: Target, cells: list[Cell], backend: Backend | None
    ) -> dict[Cell, Failure]:
        """Returns the cells that are wrong before load. Raises BackendError when the backend is gone."""
        tools = self._team.tools
        return failures_of(tools.before_load(target.base_url, progress.entry, cells, tools.rng, backend), cells)

    def _verify_with_backend(self, progress: Progress, target: Target, cells: list[Cell]) -> dict[Cell, Failure]:
        """Returns the cells that are wrong. An app is asked again if the backend was lost meanwhile.

        Raises BackendError when the backend cannot be started again.
        """
        ask = partial(self._failures, progress, target, cells, self._team.tools.backend)
        failures, lost = self._team.with_backend(True, ask)
        if lost and self._team.backend.unavailable_reason:
            raise BackendError(self._team.backend.unavailable_reason)
        return self._team.with_backend(True, ask)[0] if lost else failures

    def _ask_with_slow_source(self, progress: Progress) -> None:
        """Starts the app once more with a slow data source, and fails the cells that do not wait for it.

        Does nothing if no cell of the app asks the data source.
        """
        entry, cells = progress.entry, fetching(progress.entry, progress.alive)
        if not cells:
            return
        tools = self._team.tools
        settings = app_settings(tools.cpus, progress.setup, tools.backend)
        slow = replace(settings, variables={**settings.variables, **SLOW_SOURCE})
        with self._runtime.target(entry, slow) as target:
            tools.wait_ready(target, entry, cells[0], tools.rng)
            verdicts = tools.with_slow_source(target.base_url, entry, cells, tools.rng)
            self._take_out(progress, failures_of(verdicts, cells))

    def _take_out(self, progress: Progress, failures: dict[Cell, Failure]) -> None:
        for cell, failure in failures.items():
            self._team.fail(progress, cell, failure)

    def _check_features(self, progress: Progress, target: Target, cells: Iterable[Cell]) -> None:
        for cell in cells:
            if progress.entry.scenario(cell).features and cell not in progress.not_run:
                progress.features[cell] = self._team.tools.check_features(target.base_url, progress.entry, cell)

    def _note_answers(self, progress: Progress, target: Target, cells: Iterable[Cell]) -> None:
        """Notes what right answers look like, for the checks under load."""
        for cell in (cell for cell in cells if progress.entry.scenario(cell).loaded):
            ask = partial(self._right_answers, progress, target, cell)
            right, lost = self._team.with_backend(progress.entry.needs_backend(cell), ask)
            if lost:
                right, _ = self._team.with_backend(progress.entry.needs_backend(cell), ask)
            if isinstance(right, Failure):
                self._team.fail(progress, cell, right)
            else:
                progress.right[cell] = right

    def _right_answers(self, progress: Progress, target: Target, cell: Cell) -> RightAnswers | Failure:
        try:
            return self._team.tools.right_answers(target.base_url, progress.entry, cell, self._team.tools.rng)
        except Mismatch as broken:
            return as_failure("answer", broken)
