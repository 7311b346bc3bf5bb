"""Measures one round of a cell whose app is loaded alone: in a closed loop, as a batch, or at a fixed rate."""

from datetime import UTC, datetime
from functools import partial

from restbench.catalog import Cell, Entry
from restbench.conformance import RightAnswers, kept_answers
from restbench.loadgen import LoadResult
from restbench.loadgen.request_shapes import RequestShape
from restbench.measure.alone import HARNESS_BCRYPT
from restbench.measure.blame import WrongUnderLoadError, as_failure, blaming_the_app, shape_of, wrong_answers
from restbench.measure.rounds import as_latency_round, as_solo_round
from restbench.measure.tools import Tools
from restbench.measure.window import Window, observe
from restbench.results.models import Failure, RateKind
from restbench.results.rounds import LatencyRound, SoloRound
from restbench.targets import Target


def solo_round(
    tools: Tools,
    target: Target,
    entry: Entry,
    cell: Cell,
    right: RightAnswers | None,
    index: int,
    capacity: float | None,
) -> SoloRound:
    """Runs one solo round of a cell. `capacity`: its throughput in the warm-up, in requests per second.

    Raises WrongUnderLoadError for a wrong answer, AppDiedError when the app is gone.
    """
    at, scenario, backend = datetime.now(UTC), entry.scenario(cell), tools.backend_of(entry, cell)
    if scenario.batch:
        batch = run_batch(tools, target, entry, cell, right)
        return as_solo_round(tools, scenario, batch, backend, _alone(tools, entry, cell), index, at)
    window = _closed_loop(tools, target, entry, cell, right, capacity)
    return as_solo_round(tools, scenario, window, backend, None, index, at)


def _alone(tools: Tools, entry: Entry, cell: Cell) -> float | None:
    """Returns the milliseconds that the hash of the scenario costs alone.

    None where the scenario computes nothing, or where the entry's library is not the one of the harness.
    """
    if entry.scenario(cell).computes is None or entry.language.manifest.bcrypt != HARNESS_BCRYPT:
        return None
    return tools.alone(tools.cpus.app)


def _closed_loop(
    tools: Tools, target: Target, entry: Entry, cell: Cell, right: RightAnswers | None, capacity: float | None
) -> Window:
    shape = shape_of(entry, cell)
    load = tools.closed_loop(entry.scenario(cell), tools.profile.solo_seconds, capacity)
    backend = tools.backend_of(entry, cell)
    asked = backend.requests() if backend else 0
    with blaming_the_app(target, entry):
        window = observe(tools, target, load, partial(tools.throughput.run, target.base_url, shape))
    if failure := wrong_answers(window.load, entry, cell, right):
        raise WrongUnderLoadError(failure)
    request = f"{window.load.requests} × {shape.method} {shape.path}"
    if backend and (kept := kept_answers(backend, asked, window.load.requests, request)):
        raise WrongUnderLoadError(as_failure("under-load", kept))
    return window


def run_batch(tools: Tools, target: Target, entry: Entry, cell: Cell, right: RightAnswers | None = None) -> Window:
    """Runs a whole batch. Raises WrongUnderLoadError unless each request got a right answer."""
    shape, scenario = shape_of(entry, cell), entry.scenario(cell)
    with blaming_the_app(target, entry), target.link(scenario.link_delay_ms) as link:
        load = tools.batch(scenario, link.through)
        window = observe(tools, target, load, partial(tools.latency.run, link.base_url, shape))
    if window.load.requests != load.requests or window.load.errors:
        raise WrongUnderLoadError(_incomplete(window.load, shape, load.requests or 0))
    if failure := wrong_answers(window.load, entry, cell, right):
        raise WrongUnderLoadError(failure)
    return window


def latency_round(
    tools: Tools,
    target: Target,
    entry: Entry,
    cell: Cell,
    right: RightAnswers | None,
    kind: RateKind,
    rate: int,
    index: int,
) -> LatencyRound:
    """Runs one latency round. `rate`: requests per second.

    Raises WrongUnderLoadError for a wrong answer, AppDiedError when the app is gone.
    """
    at, shape = datetime.now(UTC), shape_of(entry, cell)
    with blaming_the_app(target, entry):
        result = tools.latency.run(target.base_url, shape, tools.at_rate(entry.scenario(cell), rate))
    seen = as_latency_round(kind, rate, result, index, at)
    if failure := wrong_answers(result, entry, cell, right):
        raise WrongUnderLoadError(failure)
    return seen


def _incomplete(load: LoadResult, shape: RequestShape, sent: int) -> Failure:
    """Returns the failure of a batch in which not every request was answered without an error."""
    seen = ", ".join([f"{load.requests} answers", *(f"{count} × {kind}" for kind, count in load.errors.items())])
    asked = f"{sent} × {shape.method} {shape.path}"
    return Failure(check="batch", request=asked, expected=f"{sent} answers without an error", got=seen)
