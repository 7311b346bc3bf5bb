"""A duet round: app and baseline are loaded at the same time on the same CPUs.

When something slows the core, it slows both apps within the same milliseconds. CPU time per request is compared instead
of elapsed time, so sharing the CPUs costs neither app anything.

The method is from L. Bulej, V. Horký, P. Tůma, F. Farquet and A. Prokopec, Duet Benchmarking: Improving Measurement
Accuracy in the Cloud (ICPE 2020). There, each side has a core of its own.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial

from restbench.errors import AppDiedError, EntryError, LoadError
from restbench.loadgen import LoadResult, run_together
from restbench.measure import gate
from restbench.measure.round import (
    LoadedCell,
    WrongUnderLoadError,
    check_alive,
    idle_share,
    observe,
    settle,
    taken_by_others,
    wrong_answers,
)
from restbench.measure.tools import Tools
from restbench.measure.usage import TICK_SECONDS
from restbench.results.rounds import DuetRound, Use


class BaselineLostError(EntryError):
    """The other side died or answered wrongly."""


def duet_round(tools: Tools, app: LoadedCell, baseline: LoadedCell, index: int) -> DuetRound:
    """Runs one duet round. When a load generator dies, the round is refused.

    Raises WrongUnderLoadError and AppDiedError about the app, BaselineLostError about the baseline.
    """
    at, targets, cpus = datetime.now(UTC), [app.target, baseline.target], tools.cpus.app
    load = tools.duet(app.scenario, app.capacity, baseline.capacity)

    def both() -> list[LoadResult | LoadError]:
        runs = [partial(tools.throughput.run, side.target.base_url, side.shape, load) for side in (app, baseline)]
        results = run_together(runs)
        settle(tools, targets)
        return results

    with _blaming_the_right_one(app, baseline):
        results, used = observe(tools, targets, both)
    mine, theirs = results
    if isinstance(mine, LoadResult) and (failure := wrong_answers(mine, app)):
        raise WrongUnderLoadError(failure)
    if isinstance(theirs, LoadResult) and (failure := wrong_answers(theirs, baseline)):
        raise BaselineLostError(f"{baseline.cell}: {failure}")
    loads = [result for result in results if isinstance(result, LoadResult)]
    requests = [result.requests if isinstance(result, LoadResult) else 0 for result in results]
    seconds = max((each.seconds for each in loads), default=used.wall)
    errors = {kind: count for each in loads for kind, count in each.errors.items()}
    use = Use(
        app_idle=idle_share(used.app_side, used.wall, seconds, len(cpus)),
        contention=taken_by_others(used.app_side, sum(used.apps), used.wall * len(cpus)),
        tick=TICK_SECONDS / seconds,
    )
    share = used.apps[0] / max(1e-9, sum(used.apps))
    died = ["a load generator died"] if len(loads) < len(results) else []
    return DuetRound(
        index=index,
        at=at,
        requests=requests[0],
        baseline_requests=requests[1],
        cpu_us=used.apps[0] / max(1, requests[0]) * 1e6,
        baseline_cpu_us=used.apps[1] / max(1, requests[1]) * 1e6,
        invalid=died + gate.reasons_against_duet(errors, requests, share, use),
    )


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
