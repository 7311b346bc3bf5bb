"""Checks an app: whether it is ready, and whether it keeps the contract before, during and after load."""

import random
import time
from collections.abc import Iterable
from typing import NamedTuple

from restbench.backends import Backend
from restbench.catalog import Cell, Entry
from restbench.conformance import (
    TRIED_AGAIN,
    Answer,
    Client,
    Mismatch,
    NoAnswer,
    RightAnswers,
    Verdict,
    after_load,
    before_load,
    check_features,
    read_answers,
    right_answers,
    with_slow_source,
)
from restbench.conformance.contracts import contract_of
from restbench.errors import StartError
from restbench.loadgen import Load
from restbench.measure.blame import as_failure
from restbench.measure.loaded_cell import LoadedCell
from restbench.results.models import Failure
from restbench.system.processes import CANCEL, CancelledError
from restbench.targets import Target
from restbench.targets.interface import START_SECONDS

_FIRST_WAIT = 0.005
_LONGEST_WAIT = 0.1
_WRONG_SECONDS = 2.0
"""An app that answers wrongly for this long will not get better. It is not waited for: `before` says what is wrong."""


class Ready(NamedTuple):
    """An app that answers. `seconds`: until it did. `answer`: its first right one, None where its answers are wrong."""

    seconds: float
    answer: Answer | None = None


class Verifier:
    """Verifies apps over HTTP."""

    def __init__(self, seed: int, patience: float = START_SECONDS) -> None:
        """`patience`: seconds that an app may take until its first answer."""
        self._rng = random.Random(seed)
        self._patience = patience

    def wait_ready(self, target: Target, entry: Entry, cell: Cell) -> Ready:
        """Polls the app until its first correct answer, or until it is clear that its answers are wrong.

        Raises StartError, with the end of the app's log, when it exits, gives no answer in time, or listens on one
        address alone.
        """
        contract = contract_of(entry, cell)
        began = time.monotonic()
        wait, answered = _FIRST_WAIT, None
        while True:
            _end_if_cancelled()
            if reason := target.exit_reason():
                raise StartError(f"{entry.id}: the app {reason} before it answered", target.log_tail())
            _expect_every_address(target, entry)
            try:
                with Client(target.base_url) as client:
                    answer = contract.right_answer(client, self._rng)
                _expect_every_address(target, entry)
                return Ready(time.monotonic() - began, answer)
            except NoAnswer as silent:
                if time.monotonic() - began > self._patience:
                    message = f"{entry.id}: no answer within {self._patience:.0f} s of its start: {silent}"
                    raise StartError(message, target.log_tail()) from silent
            except Mismatch:
                answered = answered or time.monotonic()
                if time.monotonic() - answered > _WRONG_SECONDS:
                    return Ready(time.monotonic() - began)
            time.sleep(wait)
            wait = min(2 * wait, _LONGEST_WAIT)

    def before(self, target: Target, entry: Entry, cells: list[Cell], backend: Backend | None) -> dict[Cell, Failure]:
        """Verifies the cells before load. Returns those that are wrong, each with its first failure.

        Raises BackendError when the backend is gone.
        """
        return _failures(before_load(target.base_url, entry, cells, self._rng, backend), cells)

    def asks_source(self, target: Target, entry: Entry, cells: list[Cell]) -> dict[Cell, Failure]:
        """Returns the cells whose answers do not wait for the data source. The app was started with SLOW_SOURCE."""
        return _failures(with_slow_source(target.base_url, entry, cells, self._rng), cells)

    def features(self, target: Target, entry: Entry, cell: Cell) -> dict[str, bool]:
        """Returns the feature checks of the cell's scenario, each with whether the cell passes it."""
        return check_features(target.base_url, entry, cell)

    def right_answers(self, target: Target, entry: Entry, cell: Cell) -> RightAnswers | Failure:
        """Returns what right answers to the requests of load look like, or the failure where an answer is wrong."""
        try:
            return right_answers(target.base_url, entry, cell, self._rng)
        except Mismatch as broken:
            return as_failure("answer", broken)

    def read(self, app: LoadedCell, load: Load, requests: int) -> Failure | None:
        """Loads a cell, and reads every answer. Returns the failure of the first wrong one. Raises LoadError.

        `requests`: how many each connection sends. That answers do not come is left to the rounds that are measured.
        """
        try:
            contract, form = contract_of(app.entry, app.cell), app.right.form if app.right else None
            read_answers(app.target.base_url, contract, form, load, requests)
        except TRIED_AGAIN:
            return None
        except Mismatch as broken:
            return as_failure("every-answer", broken)
        return None

    def after(self, target: Target, entry: Entry, cells: list[Cell]) -> dict[Cell, Failure]:
        """Verifies the cells after load. Returns those that are wrong, each with its first failure."""
        return _failures(after_load(target, entry, cells, self._rng), cells)


def _expect_every_address(target: Target, entry: Entry) -> None:
    """Raises StartError where the app listens on one address alone: load may come from elsewhere."""
    if address := target.only_address():
        raise StartError(f"{entry.id}: the app listens on {address}, not on 0.0.0.0", target.log_tail())


def _failures(verdicts: Iterable[Verdict], cells: list[Cell]) -> dict[Cell, Failure]:
    """Returns the first failure of each cell. A failure of the whole entry counts for each of its cells."""
    failures: dict[Cell, Failure] = {}
    for verdict in verdicts:
        _end_if_cancelled()
        if verdict.broken is None:
            continue
        for cell in [verdict.cell] if verdict.cell else cells:
            failures.setdefault(cell, as_failure(verdict.check, verdict.broken))
    return failures


def _end_if_cancelled() -> None:
    """Raises CancelledError if this thread was told to end."""
    cancel = CANCEL.get()
    if cancel and cancel.is_set():
        raise CancelledError
