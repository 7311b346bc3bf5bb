"""Turns broken checks, and errors under load, into failures of a cell or of an app."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from restbench.catalog import Cell
from restbench.conformance import Mismatch, Verdict, unasked_answers
from restbench.errors import AppDiedError, EntryError, LoadError
from restbench.loadgen import LoadResult
from restbench.measure.loaded_cell import LoadedCell
from restbench.results.models import Failure
from restbench.system.processes import end_if_cancelled


class WrongUnderLoadError(EntryError):
    """An answer under load was wrong: the cell fails."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(str(failure))
        self.failure = failure


def unforeseen(error: Exception) -> Failure:
    """Returns the failure of an entry for an unforeseen exception of the harness."""
    return Failure(check="harness", got=f"{type(error).__name__}: {error}")


def wrong_answers(load: LoadResult, app: LoadedCell) -> Failure | None:
    """Returns the failure when answers under load were wrong, else None.

    A single answer with an error status is a failure. So is an answer without a request, and a mean answer size that
    does not fit the verified answers. Where the app needs a backend, an error status is none: on a machine that is busy
    with other work the backend may answer too late, and the app says so. Then the round does not count.
    """
    asked = f"{app.shape.method} {app.shape.path}"
    statuses = [f"{count} × {kind}" for kind, count in load.errors.items() if kind.startswith("status")]
    if statuses and not app.entry.needs_backend(app.cell):
        request, got = f"{load.requests} × {asked}", ", ".join(statuses)
        return Failure(check="under-load", request=request, expected="no error status", got=got)
    if unasked := unasked_answers(load, asked):
        return as_failure("under-load", unasked)
    misfit = app.right.misfit(load, app.shape) if app.right else None
    return as_failure("answer-size", misfit) if misfit else None


def as_failure(check: str, broken: Mismatch) -> Failure:
    return Failure(check=check, request=broken.request, expected=broken.expected, got=broken.got)


def failures_of(verdicts: Iterable[Verdict], cells: Iterable[Cell]) -> dict[Cell, Failure]:
    """Returns the first failure of each cell. A failure of the whole entry counts for each of its cells."""
    failures: dict[Cell, Failure] = {}
    for verdict in verdicts:
        end_if_cancelled()
        if verdict.broken is None:
            continue
        for cell in [verdict.cell] if verdict.cell else cells:
            failures.setdefault(cell, as_failure(verdict.check, verdict.broken))
    return failures


@contextmanager
def blaming_the_app(app: LoadedCell) -> Iterator[None]:
    """Raises AppDiedError when the app ends during the block.

    An error of the load generator in the block is then only a consequence, so AppDiedError replaces it.
    """
    try:
        yield
    except (AppDiedError, LoadError) as error:
        check_alive(app, error)
        raise
    check_alive(app)


def check_alive(app: LoadedCell, cause: Exception | None = None) -> None:
    """Raises AppDiedError when the app does not run any more. `cause`: an error that its death would explain."""
    if reason := app.target.how_it_ended() if cause else app.target.exit_reason():
        raise AppDiedError(f"{app.entry.id}: the app {reason} under load", app.target.log_tail()) from cause
