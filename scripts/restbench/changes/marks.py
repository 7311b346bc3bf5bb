"""Marks: runs from which on figures were measured with another harness. A mark is no change of an entry."""

from collections.abc import Iterable
from typing import NamedTuple

from pydantic import AwareDatetime

from restbench.results.history import History


class Mark(NamedTuple):
    """The first run with another harness. `before` and `after` are the hashes of what measured."""

    at: AwareDatetime
    target: str
    before: str
    after: str


def marks_of(histories: Iterable[History]) -> list[Mark]:
    """The changes of the harness, oldest first, for each target by itself."""
    runs = sorted((run for history in histories for run in history.runs.values()), key=lambda run: run.at)
    newest: dict[str, str] = {}
    marks = []
    for run in runs:
        before = newest.get(run.target)
        if before is not None and before != run.harness:
            marks.append(Mark(run.at, run.target, before, run.harness))
        newest[run.target] = run.harness
    return marks
