"""One round of a cell whose app is loaded alone: in a closed loop, as a batch, at a fixed rate, or to read all answers.

A checked round reads every answer, in place of figures. It has the connections and the bytes of a measured round, and
comes at a place that an app cannot foresee. So an app that answers wrongly in measured rounds answers wrongly here too.
"""

from datetime import UTC, datetime
from functools import partial

from restbench.conformance import TRIED_AGAIN, Mismatch, kept_answers
from restbench.conformance.contracts import contract_of
from restbench.loadgen import LoadResult
from restbench.loadgen.request_shapes import RequestShape
from restbench.measure.alone import HARNESS_BCRYPT
from restbench.measure.blame import WrongUnderLoadError, as_failure, blaming_the_app, wrong_answers
from restbench.measure.loaded_cell import LoadedCell
from restbench.measure.rounds import as_latency_round, as_solo_round
from restbench.measure.tools import Tools
from restbench.measure.window import Window, observe
from restbench.results.models import Failure, RateKind
from restbench.results.rounds import LatencyRound, SoloRound


def solo_round(tools: Tools, app: LoadedCell, index: int) -> SoloRound:
    """Runs one solo round. Raises WrongUnderLoadError for a wrong answer, AppDiedError when the app is gone."""
    at, backend = datetime.now(UTC), tools.backend_of(app.entry, app.cell)
    if app.scenario.batch:
        window, alone = run_batch(tools, app), _alone(tools, app)
    else:
        window, alone = _closed_loop(tools, app), None
    return as_solo_round(tools, app.scenario, window, backend, alone, index, at)


def _alone(tools: Tools, app: LoadedCell) -> float | None:
    """Returns the milliseconds that the hash of the scenario costs alone.

    None where the scenario computes nothing, or where the entry's library is not the one of the harness.
    """
    if app.scenario.computes is None or app.entry.language.manifest.bcrypt != HARNESS_BCRYPT:
        return None
    return tools.alone(tools.cpus.app)


def _closed_loop(tools: Tools, app: LoadedCell) -> Window:
    load = tools.closed_loop(app.scenario, tools.profile.solo_seconds, app.capacity)
    backend = tools.backend_of(app.entry, app.cell)
    asked = backend.requests() if backend else 0
    with blaming_the_app(app):
        window = observe(tools, app.target, load, partial(tools.throughput.run, app.target.base_url, app.shape))
    if failure := wrong_answers(window.load, app):
        raise WrongUnderLoadError(failure)
    if window.load.is_impossible:
        return window
    request = f"{window.load.requests} × {app.shape.method} {app.shape.path}"
    if backend and (kept := kept_answers(backend, asked, window.load.requests, request)):
        raise WrongUnderLoadError(as_failure("under-load", kept))
    return window


def run_batch(tools: Tools, app: LoadedCell) -> Window:
    """Runs a whole batch. Raises WrongUnderLoadError unless each request got a right answer."""
    with blaming_the_app(app), app.target.link(app.scenario.link_delay_ms) as link:
        load = tools.batch(app.scenario, link.through)
        window = observe(tools, app.target, load, partial(tools.latency.run, link.base_url, app.shape))
    if window.load.is_impossible:
        return window
    if window.load.requests != load.requests or window.load.errors:
        raise WrongUnderLoadError(_incomplete(window.load, app.shape, load.requests or 0))
    if failure := wrong_answers(window.load, app):
        raise WrongUnderLoadError(failure)
    return window


def latency_round(tools: Tools, app: LoadedCell, kind: RateKind, rate: int, index: int) -> LatencyRound:
    """Runs one latency round. `rate`: requests per second.

    Raises WrongUnderLoadError for a wrong answer, AppDiedError when the app is gone.
    """
    at = datetime.now(UTC)
    with blaming_the_app(app):
        result = tools.latency.run(app.target.base_url, app.shape, tools.at_rate(app.scenario, rate))
    seen = as_latency_round(kind, rate, result, index, at)
    if failure := wrong_answers(result, app):
        raise WrongUnderLoadError(failure)
    return seen


def checked_round(tools: Tools, app: LoadedCell, rate: float) -> None:
    """Reads all answers of one round. `rate`: the requests per second of a measured round.

    Raises WrongUnderLoadError for a wrong answer, AppDiedError when the app is gone, and LoadError.
    """
    load = tools.closed_loop(app.scenario, tools.profile.solo_seconds, app.capacity)
    contract, form = contract_of(app.entry, app.cell), app.right.form if app.right else None
    failure = None
    with blaming_the_app(app):
        try:
            tools.read_answers(app.target.base_url, contract, form, *tools.reading(app.scenario, load, rate))
        except TRIED_AGAIN:
            pass  # that answers do not come is left to the rounds that are measured
        except Mismatch as broken:
            failure = as_failure("every-answer", broken)
    if failure:
        raise WrongUnderLoadError(failure)


def _incomplete(load: LoadResult, shape: RequestShape, sent: int) -> Failure:
    """Returns the failure of a batch in which not every request was answered without an error."""
    seen = ", ".join([f"{load.requests} answers", *(f"{count} × {kind}" for kind, count in load.errors.items())])
    asked = f"{sent} × {shape.method} {shape.path}"
    return Failure(check="batch", request=asked, expected=f"{sent} answers without an error", got=seen)
