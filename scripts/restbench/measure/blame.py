"""Turns errors under load into failures of a cell or of an app."""

from collections.abc import Iterator
from contextlib import contextmanager

from restbench.catalog import Cell, Entry
from restbench.conformance import Mismatch, RightAnswers, unasked_answers
from restbench.errors import AppDiedError, EntryError, LoadError
from restbench.loadgen import LoadResult
from restbench.loadgen.request_shapes import RequestShape, request_shape
from restbench.results.models import Failure
from restbench.targets import Target


class WrongUnderLoadError(EntryError):
    """An answer under load was wrong: the cell fails."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(str(failure))
        self.failure = failure


def unforeseen(error: Exception) -> Failure:
    """Returns the failure of an entry for an unforeseen exception of the harness."""
    return Failure(check="harness", got=f"{type(error).__name__}: {error}")


def shape_of(entry: Entry, cell: Cell) -> RequestShape:
    """Returns the shape of the requests that load generators send to a cell."""
    return request_shape(entry.suites[cell.suite], entry.scenario(cell), cell)


def wrong_answers(load: LoadResult, entry: Entry, cell: Cell, right: RightAnswers | None) -> Failure | None:
    """Returns the failure when answers under load were wrong, else None.

    A single answer with an error status is a failure. So is an answer without a request, and a mean answer size that
    does not fit the verified answers. Where the app needs a backend, an error status is none: on a machine that is busy
    with other work the backend may answer too late, and the app says so. Then the round does not count.
    """
    shape = shape_of(entry, cell)
    asked = f"{shape.method} {shape.path}"
    statuses = [f"{count} × {kind}" for kind, count in load.errors.items() if kind.startswith("status")]
    if statuses and not entry.needs_backend(cell):
        request, got = f"{load.requests} × {asked}", ", ".join(statuses)
        return Failure(check="under-load", request=request, expected="no error status", got=got)
    if unasked := unasked_answers(load, asked):
        return as_failure("under-load", unasked)
    misfit = right.misfit(load, shape) if right else None
    return as_failure("answer-size", misfit) if misfit else None


def as_failure(check: str, broken: Mismatch) -> Failure:
    return Failure(check=check, request=broken.request, expected=broken.expected, got=broken.got)


@contextmanager
def blaming_the_app(target: Target, entry: Entry) -> Iterator[None]:
    """Raises AppDiedError when the app ends during the block.

    An error of the load generator in the block is then only a consequence, so AppDiedError replaces it.
    """
    try:
        yield
    except (AppDiedError, LoadError) as error:
        check_alive(target, entry, error)
        raise
    check_alive(target, entry)


def check_alive(target: Target, entry: Entry, cause: Exception | None = None) -> None:
    """Raises AppDiedError when the app does not run any more. `cause`: an error that its death would explain."""
    if reason := target.how_it_ended() if cause else target.exit_reason():
        raise AppDiedError(f"{entry.id}: the app {reason} under load", target.log_tail()) from cause
