"""Verifies the apps of a team before load."""

from dataclasses import replace

from restbench.catalog import Cell
from restbench.conformance import SLOW_SOURCE, Mismatch, fetching, in_production
from restbench.conformance.contracts import contract_of
from restbench.errors import EntryError
from restbench.measure.events import Remarked, Verifying
from restbench.measure.progress import Progress
from restbench.measure.round import LoadedCell, as_failure
from restbench.measure.team import Attempt, Team, failures_of
from restbench.measure.tools import app_settings
from restbench.results.models import Failure
from restbench.system.pools import result_of, stoppable_pool
from restbench.targets import Runtime

LANES = 3
"""How many apps are verified at the same time. Each spends much of its time waiting, and no figure is measured."""


def verify_all(team: Team, runtime: Runtime, *, is_known: bool = False) -> None:
    """Fails the cells of started apps that break the contract, and the cells that could not be asked.

    Cells that need the backend are verified in one app at a time, because the backend's requests are counted and it is
    made to fail. Meanwhile other apps are verified in the cells that need no backend.

    `is_known`: the same apps were verified at an earlier start. They are only asked for a few answers.
    """
    started = [progress for progress in team.entries.values() if progress.entry.id in team.targets and progress.alive]
    asked: set[Cell] = set()

    def without_backend(progress: Progress) -> None:
        with Attempt(team, progress, "start"):
            cells = _without_backend(progress)
            if not is_known:
                team.observe(Verifying(progress.entry.id))
                _ask_runtime(team, progress)
                _ask_with_slow_source(team, runtime, progress)
                if cells := _without_backend(progress):
                    team.take_out(progress, _broken(team, progress, cells))
                    _check_features(team, progress, cells)
            asked.update(_note_answers(team, progress, cells))

    with stoppable_pool(LANES) as pool:
        begun = [pool.submit(without_backend, progress) for progress in started]
        for progress, future in zip(started, begun, strict=True):
            result_of(future)
            cells = [] if is_known else progress.needs_backend_cells
            broken: dict[Cell, Failure] = {}
            for attempt in team.attempts(progress, "start", after_any_loss=True) if cells else ():
                with attempt:
                    broken.clear()
                    broken.update(_broken(team, progress, cells))
            team.take_out(progress, broken)
            with Attempt(team, progress, "start"):
                _check_features(team, progress, cells)
                asked.update(_note_answers(team, progress, progress.needs_backend_cells))
    for progress in team.entries.values():
        for cell in progress.alive:
            if cell not in asked:
                team.fail(progress, cell, Failure(check="start", got="the app could not be asked"))


def _without_backend(progress: Progress) -> list[Cell]:
    return [cell for cell in progress.alive if not progress.entry.needs_backend(cell)]


def _broken(team: Team, progress: Progress, cells: list[Cell]) -> dict[Cell, Failure]:
    """Returns the cells that are wrong before load. Raises BackendError when the backend is gone."""
    tools, entry = team.tools, progress.entry
    backend = tools.backend if entry.needs_backend(cells[0]) else None
    return failures_of(tools.before_load(team.targets[entry.id].base_url, entry, cells, tools.rng, backend), cells)


def _check_features(team: Team, progress: Progress, cells: list[Cell]) -> None:
    entry = progress.entry
    for cell in cells:
        if entry.scenario(cell).features and cell not in progress.not_run:
            progress.features[cell] = team.tools.check_features(team.targets[entry.id].base_url, entry, cell)


def _ask_runtime(team: Team, progress: Progress) -> None:
    """Notes what the runtime of a started app runs with. Fails an app that is not in production mode."""
    entry, target = progress.entry, team.targets[progress.entry.id]
    try:
        progress.runtime_settings = team.tools.runtime_settings(target, entry)
    except EntryError as error:
        if target.exit_reason():
            raise
        team.observe(Remarked(entry.id, f"what its runtime runs with is not known: {error.message}"))
    else:
        verdict = in_production(entry, progress.runtime_settings)
        team.take_out(progress, failures_of([verdict], progress.alive))


def _ask_with_slow_source(team: Team, runtime: Runtime, progress: Progress) -> None:
    """Starts the app once more with a slow data source, and fails the cells that do not wait for it.

    Does nothing if no cell of the app asks the data source.
    """
    entry, cells, tools = progress.entry, fetching(progress.entry, progress.alive), team.tools
    if not cells:
        return
    settings = app_settings(tools.cpus, progress.setup, tools.backend)
    slow = replace(settings, variables={**settings.variables, **SLOW_SOURCE})
    with runtime.target(entry, slow) as target:
        tools.wait_ready(target, entry, cells[0], tools.rng)
        team.take_out(progress, failures_of(tools.with_slow_source(target.base_url, entry, cells, tools.rng), cells))


def _note_answers(team: Team, progress: Progress, cells: list[Cell]) -> list[Cell]:
    """Notes what right answers look like, for the checks under load. Returns the cells that could be asked."""
    entry, target, tools = progress.entry, team.targets[progress.entry.id], team.tools
    for cell in cells:
        if not entry.scenario(cell).loaded:
            continue
        for attempt in team.attempts(cell, "start", after_any_loss=True):
            with attempt:
                try:
                    right = tools.right_answers(target.base_url, entry, cell, tools.rng)
                    contract, workers = contract_of(entry, cell), len(tools.cpus.app)
                    fetches = tools.fetch_counter(target.base_url, contract, workers, tools.rng)
                except Mismatch as broken:
                    team.fail(progress, cell, as_failure("answer", broken))
                else:
                    team.apps[cell] = LoadedCell(entry, cell, target, right, fetches)
    return cells
