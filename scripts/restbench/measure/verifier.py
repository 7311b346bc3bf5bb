"""Conformance as measurement needs it: ready, right before, right during, right after.

An interface, so that the schedule runs in tests without an app to ask.
"""

import random
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable
from contextlib import AbstractContextManager

from restbench.backends import Backend
from restbench.catalog import Cell, Entry
from restbench.conformance import (
    AnswerSizes,
    Client,
    Mismatch,
    NoAnswer,
    Sampler,
    Verdict,
    after_load,
    before_load,
    marks_of,
    sizes_of,
    with_slow_source,
)
from restbench.conformance.contracts import contract_of
from restbench.errors import StartError
from restbench.measure.blame import as_failure
from restbench.results.models import Failure
from restbench.system.processes import CANCEL, CancelledError
from restbench.targets import Target
from restbench.targets.interface import START_SECONDS

_FIRST_WAIT = 0.005
_LONGEST_WAIT = 0.1
_WRONG_SECONDS = 2.0
"""An app that answers, but wrongly for this long, will not get better: conformance says what is wrong with it."""


class Watch(ABC):
    """Looks at answers while load goes on."""

    @abstractmethod
    def failure(self) -> Failure | None:
        """The first wrong answer, once the load is over."""


class Verifier(ABC):
    """Asks apps whether they keep the contract."""

    @abstractmethod
    def wait_ready(self, target: Target, entry: Entry, cell: Cell) -> float:
        """Polls until the first correct answer, or until it is clear that answers are wrong. Seconds it took.

        Raises StartError with the app's last words when none comes.
        """

    @abstractmethod
    def before(self, target: Target, entry: Entry, cells: list[Cell], backend: Backend | None) -> dict[Cell, Failure]:
        """The cells that are wrong, with the first rule each broke. Raises BackendError where that is gone."""

    @abstractmethod
    def asks_source(self, target: Target, entry: Entry, cells: list[Cell]) -> dict[Cell, Failure]:
        """The cells whose answers do not ask the data source, of an app that was started with SLOW_SOURCE."""

    @abstractmethod
    def marks(self, target: Target, entry: Entry, cell: Cell) -> dict[str, bool]:
        """Which marks of its scenario a graded cell has."""

    @abstractmethod
    def sizes(self, target: Target, entry: Entry, cell: Cell) -> AnswerSizes | Failure:
        """How large right answers to the requests of load are; the rule that one broke."""

    @abstractmethod
    def watch(self, target: Target, entry: Entry, cell: Cell) -> AbstractContextManager[Watch]:
        """Samples answers for as long as the context lasts."""

    @abstractmethod
    def after(self, target: Target, entry: Entry, cells: list[Cell]) -> dict[Cell, Failure]:
        """The cells that are wrong after load."""


class HttpVerifier(Verifier):
    """Asks over HTTP."""

    def __init__(self, seed: int, patience: float = START_SECONDS) -> None:
        """`patience`: seconds that an app may take until its first answer."""
        self._rng = random.Random(seed)
        self._patience = patience

    def wait_ready(self, target: Target, entry: Entry, cell: Cell) -> float:
        contract = contract_of(entry, cell)
        began = time.monotonic()
        wait, answered = _FIRST_WAIT, None
        while True:
            _end_if_cancelled()
            if reason := target.exit_reason():
                raise StartError(f"{entry.id}: the app {reason} before it answered", target.log_tail())
            try:
                with Client(target.base_url) as client:
                    contract.ask_and_check(client, self._rng)
                return time.monotonic() - began
            except NoAnswer as silent:
                if time.monotonic() - began > self._patience:
                    message = f"{entry.id}: no answer within {self._patience:.0f} s of its start: {silent}"
                    raise StartError(message, target.log_tail()) from silent
            except Mismatch:
                answered = answered or time.monotonic()
                if time.monotonic() - answered > _WRONG_SECONDS:
                    return time.monotonic() - began
            time.sleep(wait)
            wait = min(2 * wait, _LONGEST_WAIT)

    def before(self, target: Target, entry: Entry, cells: list[Cell], backend: Backend | None) -> dict[Cell, Failure]:
        return _failures(before_load(target.base_url, entry, cells, self._rng, backend), cells)

    def asks_source(self, target: Target, entry: Entry, cells: list[Cell]) -> dict[Cell, Failure]:
        return _failures(with_slow_source(target.base_url, entry, cells, self._rng), cells)

    def marks(self, target: Target, entry: Entry, cell: Cell) -> dict[str, bool]:
        return marks_of(target.base_url, entry, cell)

    def sizes(self, target: Target, entry: Entry, cell: Cell) -> AnswerSizes | Failure:
        try:
            return sizes_of(target.base_url, entry, cell, self._rng)
        except Mismatch as broken:
            return as_failure("answer", broken)

    def watch(self, target: Target, entry: Entry, cell: Cell) -> "SampledWatch":
        return SampledWatch(target, entry, cell, self._rng.randrange(2**32))

    def after(self, target: Target, entry: Entry, cells: list[Cell]) -> dict[Cell, Failure]:
        return _failures(after_load(target, entry, cells, self._rng), cells)


class SampledWatch(Sampler, Watch):
    """The sampler of conformance, telling failures as results keep them."""

    def __init__(self, target: Target, entry: Entry, cell: Cell, seed: int) -> None:
        super().__init__(target.base_url, contract_of(entry, cell), seed)

    def failure(self) -> Failure | None:
        return as_failure("under-load", self.broken) if self.broken else None


def _failures(verdicts: Iterable[Verdict], cells: list[Cell]) -> dict[Cell, Failure]:
    """The first failure of each cell; one of the whole entry counts for each of its cells."""
    failures: dict[Cell, Failure] = {}
    for verdict in verdicts:
        _end_if_cancelled()
        if verdict.broken is None:
            continue
        for cell in [verdict.cell] if verdict.cell else cells:
            failures.setdefault(cell, as_failure(verdict.check, verdict.broken))
    return failures


def _end_if_cancelled() -> None:
    """Raises CancelledError in a thread that is to end."""
    cancel = CANCEL.get()
    if cancel and cancel.is_set():
        raise CancelledError
