"""Waits until an app is ready."""

import random
import time
from typing import NamedTuple

from restbench.catalog import Cell, Entry
from restbench.conformance import Answer, Client, Mismatch, NoAnswer
from restbench.conformance.contracts import contract_of
from restbench.errors import StartError
from restbench.system.processes import end_if_cancelled
from restbench.targets import Target
from restbench.targets.interface import START_SECONDS

_FIRST_WAIT = 0.005
_LONGEST_WAIT = 0.1
_WRONG_SECONDS = 2.0
"""An app that answers wrongly for this long will not get better. It is not waited for: its checks say what is wrong."""


class Ready(NamedTuple):
    """An app that answers. `seconds`: until it did. `answer`: its first right one, None where its answers are wrong."""

    seconds: float
    answer: Answer | None = None


def wait_ready(target: Target, entry: Entry, cell: Cell, rng: random.Random, patience: float = START_SECONDS) -> Ready:
    """Polls the app until its first correct answer, or until it is clear that its answers are wrong.

    `patience`: seconds that it may take until its first answer. Raises StartError, with the end of the app's log, when
    it exits, gives no answer in time, or listens on one address alone.
    """
    contract = contract_of(entry, cell)
    began = time.monotonic()
    wait, answered = _FIRST_WAIT, None
    while True:
        end_if_cancelled()
        if reason := target.exit_reason():
            raise StartError(f"{entry.id}: the app {reason} before it answered", target.log_tail())
        _expect_every_address(target, entry)
        try:
            with Client(target.base_url) as client:
                answer = contract.right_answer(client, rng)
            _expect_every_address(target, entry)
            return Ready(time.monotonic() - began, answer)
        except NoAnswer as silent:
            if time.monotonic() - began > patience:
                message = f"{entry.id}: no answer within {patience:.0f} s of its start: {silent}"
                raise StartError(message, target.log_tail()) from silent
        except Mismatch:
            answered = answered or time.monotonic()
            if time.monotonic() - answered > _WRONG_SECONDS:
                return Ready(time.monotonic() - began)
        time.sleep(wait)
        wait = min(2 * wait, _LONGEST_WAIT)


def _expect_every_address(target: Target, entry: Entry) -> None:
    """Raises StartError where the app listens on one address alone: load may come from elsewhere."""
    if address := target.only_address():
        raise StartError(f"{entry.id}: the app listens on {address}, not on 0.0.0.0", target.log_tail())
