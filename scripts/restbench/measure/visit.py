"""One visit to a cell: load as its scenario is measured, and what came of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial

from restbench.catalog import Cell, Entry
from restbench.conformance import kept_answers
from restbench.errors import AppDiedError, EntryError, LoadError
from restbench.loadgen import LoadResult
from restbench.measure.prover import as_failure
from restbench.measure.rounds import as_fixed_rate, as_round
from restbench.measure.tools import Tools
from restbench.measure.window import Window, observe
from restbench.requests import RequestShape, request_shape
from restbench.results.models import Failure, FixedRate, Round
from restbench.targets import Target


class WrongUnderLoadError(EntryError):
    """An answer under load was wrong: the cell fails."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(str(failure))
        self.failure = failure


def shape_of(entry: Entry, cell: Cell) -> RequestShape:
    return request_shape(entry.suites[cell.suite], entry.scenario(cell), cell)


def warm_up(tools: Tools, target: Target, entry: Entry, cell: Cell) -> float:
    """Load that does not count. Returns the throughput, in requests per second, from which rates follow."""
    with _blaming_the_app(target, entry):
        load = tools.closed_loop(entry.scenario(cell), tools.profile.warm_up_seconds)
        return tools.throughput.run(target.base_url, shape_of(entry, cell), load).throughput


def visit(tools: Tools, target: Target, entry: Entry, cell: Cell, index: int, capacity: float | None) -> Round:
    """One round of a cell, of which warm-up saw that capacity. Raises WrongUnderLoadError for a wrong answer,
    AppDiedError when the app is gone."""
    at, scenario, backend = datetime.now(UTC), entry.scenario(cell), tools.beside(entry, cell)
    if scenario.batch:
        alone = tools.alone(scenario.computes, tools.cpus.app) if scenario.computes else None
        return as_round(tools, scenario, _batch(tools, target, entry, cell), None, backend, alone, index, at)
    window = _closed_loop(tools, target, entry, cell, capacity)
    rate = tools.rate(capacity)
    fixed = _fixed_rate(tools, target, entry, cell, rate) if rate else None
    return as_round(tools, scenario, window, fixed, backend, None, index, at)


def _closed_loop(tools: Tools, target: Target, entry: Entry, cell: Cell, capacity: float | None) -> Window:
    shape = shape_of(entry, cell)
    load = tools.closed_loop(entry.scenario(cell), tools.profile.load_seconds, capacity)
    backend = tools.beside(entry, cell)
    asked = backend.requests() if backend else 0
    with _blaming_the_app(target, entry), tools.prover.watch(target, entry, cell) as watch:
        window = observe(tools, target, load, partial(tools.throughput.run, target.base_url, shape))
    if failure := watch.failure() or _wrong_statuses(window.load, shape):
        raise WrongUnderLoadError(failure)
    request = f"{window.load.requests} × {shape.method} {shape.path}"
    if backend and (kept := kept_answers(backend, asked, window.load.requests, request)):
        raise WrongUnderLoadError(as_failure("under-load", kept))
    return window


def _batch(tools: Tools, target: Target, entry: Entry, cell: Cell) -> Window:
    """Nothing is sampled meanwhile: a sample would take its share of a small number of requests. All are counted."""
    shape, scenario = shape_of(entry, cell), entry.scenario(cell)
    with _blaming_the_app(target, entry), target.link(scenario.link_delay_ms) as link:
        load = tools.batch(scenario, link.through)
        window = observe(tools, target, load, partial(tools.latency.run, link.base_url, shape))
    if window.load.requests != load.requests or window.load.errors:
        raise WrongUnderLoadError(_incomplete(window.load, shape, load.requests or 0))
    return window


def _fixed_rate(tools: Tools, target: Target, entry: Entry, cell: Cell, rate: float) -> FixedRate:
    shape = shape_of(entry, cell)
    with _blaming_the_app(target, entry):
        load = tools.fixed_rate(entry.scenario(cell), rate)
        fixed = as_fixed_rate(rate, tools.latency.run(target.base_url, shape, load))
    if failure := _wrong_at_fixed_rate(fixed, shape):
        raise WrongUnderLoadError(failure)
    return fixed


def _wrong_statuses(load: LoadResult, shape: RequestShape) -> Failure | None:
    """An answer with an error status is a wrong answer, whatever its share."""
    count = load.errors.get("status", 0)
    if count == 0:
        return None
    asked = f"{load.requests} × {shape.method} {shape.path}"
    return Failure(check="under-load", request=asked, expected="no error status", got=f"{count} answers with one")


def _incomplete(load: LoadResult, shape: RequestShape, sent: int) -> Failure:
    """A batch is whole, or it is nothing."""
    seen = ", ".join([f"{load.requests} answers", *(f"{count} × {kind}" for kind, count in load.errors.items())])
    asked = f"{sent} × {shape.method} {shape.path}"
    return Failure(check="batch", request=asked, expected=f"{sent} answers without an error", got=seen)


def _wrong_at_fixed_rate(fixed: FixedRate, shape: RequestShape) -> Failure | None:
    """The same, at half the load: there is even less excuse."""
    wrong = {kind: count for kind, count in fixed.errors.items() if kind.startswith("status ")}
    if not wrong:
        return None
    seen = ", ".join(f"{count} × {kind}" for kind, count in wrong.items())
    asked = f"{shape.method} {shape.path} at {fixed.rate:g}/s"
    return Failure(check="under-load", request=asked, expected="no error status", got=seen)


@contextmanager
def _blaming_the_app(target: Target, entry: Entry) -> Iterator[None]:
    """Raises AppDiedError when the app is gone after the block; a failing load generator is then only what follows."""
    try:
        yield
    except LoadError as error:
        _still_runs(target, entry, error)
        raise
    _still_runs(target, entry)


def _still_runs(target: Target, entry: Entry, cause: Exception | None = None) -> None:
    if reason := target.exit_reason():
        raise AppDiedError(f"{entry.id}: the app {reason} under load", target.log_tail()) from cause
