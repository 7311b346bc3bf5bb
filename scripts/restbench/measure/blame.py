"""Whose fault is it: what goes wrong under load, told as a failure of a cell or of an app."""

from collections.abc import Iterator
from contextlib import contextmanager

from restbench.catalog import Cell, Entry
from restbench.conformance import AnswerSizes, Mismatch
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
    """The failure of an entry that the harness stumbled over."""
    return Failure(check="harness", got=f"{type(error).__name__}: {error}")


def shape_of(entry: Entry, cell: Cell) -> RequestShape:
    """What load generators send to a cell."""
    return request_shape(entry.suites[cell.suite], entry.scenario(cell), cell)


def wrong_answers(load: LoadResult, shape: RequestShape, sizes: AnswerSizes | None) -> Failure | None:
    """An answer with an error status is a wrong answer, whatever its share, and so is one of another size than those
    that were verified."""
    if count := load.errors.get("status", 0):
        asked = f"{load.requests} × {shape.method} {shape.path}"
        return Failure(check="under-load", request=asked, expected="no error status", got=f"{count} answers with one")
    misfit = sizes.misfit(load, shape) if sizes else None
    return as_failure("answer-size", misfit) if misfit else None


def as_failure(check: str, broken: Mismatch) -> Failure:
    return Failure(check=check, request=broken.request, expected=broken.expected, got=broken.got)


@contextmanager
def blaming_the_app(target: Target, entry: Entry) -> Iterator[None]:
    """Raises AppDiedError when the app is gone after the block, or in it; a failing load generator is then only what
    follows."""
    try:
        yield
    except (AppDiedError, LoadError) as error:
        check_alive(target, entry, error)
        raise
    check_alive(target, entry)


def check_alive(target: Target, entry: Entry, cause: Exception | None = None) -> None:
    """Raises AppDiedError where the app is gone."""
    if reason := target.exit_reason():
        raise AppDiedError(f"{entry.id}: the app {reason} under load", target.log_tail()) from cause
