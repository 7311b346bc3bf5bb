"""Counts an app's fetches from the emulated data source: each process numbers its own one by one (docs/CONTRACT.md)."""

import random
from contextlib import ExitStack

from restbench.conformance.checks import TRIES
from restbench.conformance.contract import Contract
from restbench.conformance.http import Client, Mismatch

_ONE_PROCESS = 10**7
"""Numbers of fetches that differ by less come from one process: no load makes so many fetches.

Two processes begin at random numbers, of which there are 8 × 10⁹.
"""

_CLIENTS_PER_WORKER = 8
"""Over how many connections each of several workers is asked, as the kernel chooses the worker of a connection."""


class FetchCounter:
    """Counts the fetches between two looks. A look asks for answers that show the numbers of their own fetches."""

    def __init__(self, base_url: str, contract: Contract, workers: int, rng: random.Random) -> None:
        """`contract`: that of the cell whose fetches are counted. `workers`: how many processes the app has."""
        self._base_url, self._contract, self._rng = base_url, contract, rng
        self._clients = 1 if workers == 1 else workers * _CLIENTS_PER_WORKER
        self._latest: list[int] = []

    def look(self) -> tuple[int, bool]:
        """Returns how many fetches there were since the last look, and whether all processes had been seen before.

        Raises Mismatch for a wrong answer.
        """
        numbered, fetches, all_known = self._contract.numbered, 0, True
        assert numbered, f"{self._contract.cell}: no answer shows how many fetches there were"
        with ExitStack() as opened:
            clients = [opened.enter_context(Client(self._base_url)) for _ in range(self._clients)]
            answers = [numbered.right_answer(client, self._rng) for client in clients]
        for number in sorted(filter(None, map(numbered.number_of, answers))):
            mine = [i for i, latest in enumerate(self._latest) if 0 < number - latest < _ONE_PROCESS]
            if mine:
                fetches += number - self._latest[mine[0]] - 1
                self._latest[mine[0]] = number
            else:
                self._latest.append(number)
                all_known = False
        return fetches, all_known

    def too_few(self, answered: int) -> Mismatch | None:
        """Returns a Mismatch when there were fewer fetches than answers since the last look, else None.

        None also where a process was not known: its fetches cannot be counted yet.
        """
        fetches = 0
        for _ in range(TRIES):
            more, all_known = self.look()
            fetches += more
            if fetches >= answered or not all_known:
                return None
        asked = f"{answered} × {self._contract.shape.method} {self._contract.shape.path}"
        return Mismatch(asked, f"{answered} fetches", f"{fetches} fetches: the data source is not asked each time")


def fetch_counter(base_url: str, contract: Contract, workers: int, rng: random.Random) -> FetchCounter | None:
    """Returns a counter that has looked once, or None where no answer of the app shows its fetches.

    Raises Mismatch for a wrong answer.
    """
    if not (contract.scenario.source_fetches and contract.numbered):
        return None
    counter = FetchCounter(base_url, contract, workers, rng)
    counter.look()
    return counter
