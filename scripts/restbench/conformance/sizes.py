"""The sizes of right answers. Load generators count bytes: this shows an app that answers less under load."""

import json
import random
import time
from dataclasses import dataclass

from restbench.catalog import Cell, Entry
from restbench.conformance.contracts import contract_of
from restbench.conformance.http import Answer, Client, Mismatch
from restbench.loadgen import WRK, LoadResult
from restbench.loadgen.request_shapes import RequestShape

_MOST, _FEWEST = 12, 3
"""How many answers are asked for. The fewest are enough when all have the same size.

Load sends ids with the same number of digits, so the id does not change the size.
"""
_SECONDS = 0.3
"""After this time, no answers beyond the fewest are asked for: some answers take long to compute."""

_SHARE, _BYTES = 0.02, 8
"""How far the mean size under load may be outside the range that was seen: a few answers do not show all of it."""


@dataclass(frozen=True)
class AnswerSizes:
    """Bytes of the smallest and of the largest answer.

    `whole`: with status line and headers. `bodies`: the bodies alone.
    """

    whole: tuple[int, int]
    bodies: tuple[int, int]

    def misfit(self, load: LoadResult, shape: RequestShape) -> Mismatch | None:
        """Returns a Mismatch when the mean answer under load has a wrong size, else None.

        With errors the size is not compared, as an error has another size than a right answer.
        """
        if load.errors or not load.requests:
            return None
        smallest, largest = self.whole if load.counts_heads else self.bodies
        mean = load.received / load.requests
        if smallest * (1 - _SHARE) - _BYTES <= mean <= largest * (1 + _SHARE) + _BYTES:
            return None
        verified = f"{smallest} bytes" if smallest == largest else f"{smallest} to {largest} bytes"
        asked = f"{load.requests} × {shape.method} {shape.path}"
        return Mismatch(asked, f"answers of {verified}, as when they were verified", f"{mean:.0f} bytes each")


def sizes_of(base_url: str, entry: Entry, cell: Cell, rng: random.Random) -> AnswerSizes:
    """Sends the request of the load generators a few times. Raises Mismatch when an answer is wrong."""
    contract = contract_of(entry, cell)
    body = None if contract.shape.body is None else json.loads(contract.shape.body)
    began = time.monotonic()
    answers: list[Answer] = []
    with Client(base_url, writers=[WRK.write]) as client:
        while not _enough(answers, time.monotonic() - began):
            identity = contract.random_id(rng)
            path = contract.shape.path_for(identity)
            answer = client.ask(contract.shape.method, path, raw=contract.shape.body)
            contract.check(answer, identity, body)
            answers.append(answer)
    whole, bodies = [answer.size for answer in answers], [len(answer.body) for answer in answers]
    return AnswerSizes((min(whole), max(whole)), (min(bodies), max(bodies)))


def _enough(answers: list[Answer], seconds: float) -> bool:
    if len(answers) < _FEWEST:
        return False
    return len({answer.size for answer in answers}) == 1 or len(answers) >= _MOST or seconds >= _SECONDS
