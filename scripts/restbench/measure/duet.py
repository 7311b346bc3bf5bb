"""A duet round: app and baseline are loaded at the same time on the same CPUs.

When something slows the core, it slows both apps within the same milliseconds. CPU time per request is compared instead
of elapsed time, so sharing the CPUs costs neither app anything.

The method is from L. Bulej, V. Horký, P. Tůma, F. Farquet and A. Prokopec, Duet Benchmarking: Improving Measurement
Accuracy in the Cloud (ICPE 2020). There, each side has a core of its own.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from restbench.errors import AppDiedError, EntryError, LoadError
from restbench.loadgen import LoadResult
from restbench.loadgen.together import run_together
from restbench.measure import gate
from restbench.measure.blame import WrongUnderLoadError, check_alive, wrong_answers
from restbench.measure.loaded_cell import LoadedCell
from restbench.measure.settle import settle
from restbench.measure.tools import Tools
from restbench.measure.usage import TICK_SECONDS, CpuTimes
from restbench.measure.window import idle_share, taken_by_others
from restbench.results.rounds import DuetRound


class BaselineLostError(EntryError):
    """The other side died or answered wrongly."""


@dataclass(frozen=True)
class _Used:
    """What was used while both apps were loaded.

    `app`, `baseline`: CPU seconds of each. `side`: times of the CPUs that both share. `wall`: elapsed seconds.
    """

    app: float
    baseline: float
    side: CpuTimes
    wall: float


def duet_round(tools: Tools, app: LoadedCell, baseline: LoadedCell, index: int) -> DuetRound:
    """Runs one duet round. When a load generator dies, the round is refused.

    Raises WrongUnderLoadError and AppDiedError about the app, BaselineLostError about the baseline.
    """
    at = datetime.now(UTC)
    load = tools.duet(app.scenario, app.capacity, baseline.capacity)
    runs = [partial(tools.throughput.run, side.target.base_url, side.shape, load) for side in (app, baseline)]
    with _blaming_the_right_one(app, baseline):
        settle(tools, [app.target, baseline.target])
        before, began, cpus = _cpu_seconds(app, baseline), tools.clock(), tools.cpu_times(tools.cpus.app)
        results = run_together(runs)
        settle(tools, [app.target, baseline.target])
        after, wall = _cpu_seconds(app, baseline), tools.clock() - began
    used = _Used(after[0] - before[0], after[1] - before[1], tools.cpu_times(tools.cpus.app) - cpus, wall)
    mine, theirs = results
    if isinstance(mine, LoadResult) and (failure := wrong_answers(mine, app)):
        raise WrongUnderLoadError(failure)
    if isinstance(theirs, LoadResult) and (failure := wrong_answers(theirs, baseline)):
        raise BaselineLostError(f"{baseline.cell}: {failure}")
    return _as_round(tools, index, at, results, used)


@contextmanager
def _blaming_the_right_one(app: LoadedCell, baseline: LoadedCell) -> Iterator[None]:
    """Raises AppDiedError when the app ends during the block, else BaselineLostError when the baseline ends."""
    try:
        yield
    except AppDiedError as error:
        check_alive(app, error)
        raise BaselineLostError(error.message, error.detail) from error
    check_alive(app)
    if reason := baseline.target.exit_reason():
        raise BaselineLostError(f"{baseline.entry.id}: the app {reason} under load", baseline.target.log_tail())


def _cpu_seconds(app: LoadedCell, baseline: LoadedCell) -> tuple[float, float]:
    return app.target.cpu_seconds(), baseline.target.cpu_seconds()


def _as_round(tools: Tools, index: int, at: datetime, results: list[LoadResult | LoadError], used: _Used) -> DuetRound:
    loads = [result for result in results if isinstance(result, LoadResult)]
    requests = [result.requests if isinstance(result, LoadResult) else 0 for result in results]
    share = used.app / max(1e-9, used.app + used.baseline)
    seconds = max((load.seconds for load in loads), default=used.wall)
    died = ["a load generator died"] if len(loads) < len(results) else []
    seen = gate.ObservedDuet(
        errors={kind: count for load in loads for kind, count in load.errors.items()},
        requests=requests[0],
        baseline_requests=requests[1],
        share=share,
        idle_share=idle_share(used.side, used.wall, seconds, len(tools.cpus.app)),
        contention=taken_by_others(used.side, used.app + used.baseline, used.wall * len(tools.cpus.app)),
        tick_share=TICK_SECONDS / seconds,
    )
    return DuetRound(
        index=index,
        at=at,
        requests=requests[0],
        baseline_requests=requests[1],
        cpu_us=used.app / max(1, requests[0]) * 1e6,
        baseline_cpu_us=used.baseline / max(1, requests[1]) * 1e6,
        invalid=died + gate.reasons_against_duet(seen),
    )
