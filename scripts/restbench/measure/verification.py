"""Verifies the apps of a team before they are measured: before load and under load, as `restbench verify` does."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial

from restbench.catalog import Cell, Setup
from restbench.conformance import (
    BRIEF,
    CROWD_SOURCE_MS,
    SLOW_SOURCE,
    CheckResult,
    Mismatch,
    RightAnswers,
    asked_settings,
    fetching,
    in_production,
)
from restbench.conformance.contracts import contract_of
from restbench.errors import AppDiedError
from restbench.measure.events import Remarked, Verifying
from restbench.measure.progress import Progress
from restbench.measure.round import LoadedCell, as_failure
from restbench.measure.team import Attempt, Team, failures_of
from restbench.measure.tools import app_settings
from restbench.results.models import Failure
from restbench.system.pools import result_of, stoppable_pool
from restbench.targets import Runtime, Target

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
            if not is_known:
                _verify_idle(team, runtime, progress)
            asked.update(_note_answers(team, progress, _without_backend(progress)))
            if not is_known:
                team.take_out(progress, _broken_under_load(team, progress, _without_backend(progress)))
                _load_with_slow_source(team, runtime, progress)

    with stoppable_pool(LANES) as pool:
        begun = [pool.submit(without_backend, progress) for progress in started]
        for progress, future in zip(started, begun, strict=True):
            result_of(future)
            if not is_known:
                _verify_with_backend(team, progress, _broken)
            with Attempt(team, progress, "start"):
                _check_features(team, progress, progress.needs_backend_cells)
                asked.update(_note_answers(team, progress, progress.needs_backend_cells))
            if not is_known:
                _verify_with_backend(team, progress, _broken_under_load)
    for progress in team.entries.values():
        for cell in progress.alive:
            if cell not in asked:
                team.fail(progress, cell, Failure(check="start", got="the app could not be asked"))


def _verify_idle(team: Team, runtime: Runtime, progress: Progress) -> None:
    """Verifies a started app before load, in the cells that need no backend."""
    team.observe(Verifying(progress.entry.id))
    _ask_runtime(team, progress)
    _ask_with_slow_source(team, runtime, progress)
    if cells := _without_backend(progress):
        team.take_out(progress, _broken(team, progress, cells))
        _check_features(team, progress, cells)


def _verify_with_backend(
    team: Team, progress: Progress, verify: Callable[[Team, Progress, list[Cell]], dict[Cell, Failure]]
) -> None:
    """Verifies the cells that need the backend, and once more where that was lost meanwhile."""
    broken: dict[Cell, Failure] = {}
    cells = progress.needs_backend_cells
    for attempt in team.attempts(progress, "start", after_any_loss=True) if cells else ():
        with attempt:
            broken.clear()
            broken.update(verify(team, progress, cells))
    team.take_out(progress, broken)


def _without_backend(progress: Progress) -> list[Cell]:
    return [cell for cell in progress.alive if not progress.entry.needs_backend(cell)]


def _broken(team: Team, progress: Progress, cells: list[Cell]) -> dict[Cell, Failure]:
    """Returns the cells that are wrong before load. Raises BackendError when the backend is gone."""
    tools, entry = team.tools, progress.entry
    backend = tools.backend if entry.needs_backend(cells[0]) else None
    verdicts = tools.before_load(team.targets[entry.id].base_url, entry, cells, tools.rng, backend)
    return _failures(team, progress, verdicts, cells)


def _broken_under_load(team: Team, progress: Progress, cells: list[Cell]) -> dict[Cell, Failure]:
    """Returns the cells that are wrong under load. Raises AppDiedError, and BackendError when the backend is gone.

    Cells that fetch get no crowd here: the app that is measured fetches too fast to show whether it waits.
    """
    tools, entry, target = team.tools, progress.entry, team.targets[progress.entry.id]
    if not cells:
        return {}
    _expect_alive(progress, target)
    backend = tools.backend if entry.needs_backend(cells[0]) else None
    verdicts = tools.under_load(
        target, entry, cells, tools.cpus, tools.rng, backend, 0.0, BRIEF, _rights(team, cells), fetching(entry, cells)
    )
    broken = _failures(team, progress, verdicts, cells)
    _expect_alive(progress, target, " under load")
    return broken


def _rights(team: Team, cells: Iterable[Cell]) -> dict[Cell, RightAnswers]:
    """What right answers of cells look like, as far as that was noted.

    Cells of other apps are not looked at: these are verified at the same time, and add theirs.
    """
    return {cell: app.right for cell in cells if (app := team.apps.get(cell)) and app.right}


def _expect_alive(progress: Progress, target: Target, when: str = "") -> None:
    """Raises AppDiedError, as cells are not to be blamed where the app has ended. `when` stands after the reason."""
    if reason := target.exit_reason():
        raise AppDiedError(f"{progress.entry.id}: the app {reason}{when}", target.log_tail())


def _failures(
    team: Team, progress: Progress, verdicts: Iterable[CheckResult], cells: list[Cell]
) -> dict[Cell, Failure]:
    """Returns the first failure of each cell. A check that was kept at a later try is reported."""

    def reported() -> Iterator[CheckResult]:
        for verdict in verdicts:
            if verdict.kept and verdict.tries > 1:
                where = verdict.cell or progress.entry.id
                team.observe(Remarked(progress.entry.id, f"{where}: {verdict.check} was kept {verdict.found}"))
            yield verdict

    return failures_of(reported(), cells)


def _check_features(team: Team, progress: Progress, cells: list[Cell]) -> None:
    entry = progress.entry
    for cell in cells:
        if entry.scenario(cell).features and cell not in progress.not_run:
            progress.features[cell] = team.tools.check_features(team.targets[entry.id].base_url, entry, cell)


def _ask_runtime(team: Team, progress: Progress) -> None:
    """Notes what the runtime of a started app runs with. Fails an app that is not in production mode, or cannot say so.

    Raises AppDiedError.
    """
    entry, target = progress.entry, team.targets[progress.entry.id]
    settings = asked_settings(entry, partial(team.tools.runtime_settings, target, entry))
    if isinstance(settings, Mismatch):
        _expect_alive(progress, target)
        verdict = CheckResult("production", None, settings)
    else:
        progress.runtime_settings = settings
        verdict = in_production(entry, settings)
    team.take_out(progress, failures_of([verdict], progress.alive))


def _ask_with_slow_source(team: Team, runtime: Runtime, progress: Progress) -> None:
    """Starts the app once more with a slow data source, and fails the cells that do not wait for it.

    Does nothing if no cell of the app asks the data source.
    """
    entry, cells, tools = progress.entry, fetching(progress.entry, progress.alive), team.tools
    if not cells:
        return
    with _started(team, runtime, progress, Setup(workers=1), SLOW_SOURCE) as target:
        verdicts = tools.with_slow_source(target.base_url, entry, cells, tools.rng)
        team.take_out(progress, _failures(team, progress, verdicts, cells))


def _load_with_slow_source(team: Team, runtime: Runtime, progress: Progress) -> None:
    """Starts the app once more with a data source that takes a time which it cannot know, and loads the cells that ask.

    Does nothing if no cell of the app asks the data source.
    """
    tools, entry, cells = team.tools, progress.entry, fetching(progress.entry, progress.alive)
    if not cells:
        return
    source_ms = tools.rng.choice(CROWD_SOURCE_MS)
    with _started(team, runtime, progress, progress.setup, {"POOL_LATENCY_MS": str(source_ms)}) as target:
        verdicts = tools.waits_under_load(target, entry, cells, tools.cpus, tools.rng, source_ms, _rights(team, cells))
        team.take_out(progress, _failures(team, progress, verdicts, cells))
        _expect_alive(progress, target, " under load")


@contextmanager
def _started(
    team: Team, runtime: Runtime, progress: Progress, setup: Setup, source: Mapping[str, str]
) -> Iterator[Target]:
    """Starts the app of an entry beside the one that is measured, with these variables of the data source."""
    tools, entry = team.tools, progress.entry
    with runtime.target(entry, app_settings(tools.cpus, setup, tools.backend, source)) as target:
        tools.wait_ready(target, entry, fetching(entry, progress.alive)[0], tools.rng)
        yield target


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
                    backend = tools.backend if entry.needs_backend(cell) else None
                except Mismatch as broken:
                    team.fail(progress, cell, as_failure("answer", broken))
                else:
                    team.apps[cell] = LoadedCell(entry, cell, target, right, fetches, backend=backend)
    return cells
