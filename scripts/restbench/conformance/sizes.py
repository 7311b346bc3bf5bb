"""How large right answers are: load generators count bytes, and tell an app that answers less under load."""

import json
import random
import time
from dataclasses import dataclass

from restbench.catalog import Cell, Entry
from restbench.conformance.contracts import contract_of
from restbench.conformance.http import Answer, Client, Mismatch
from restbench.loadgen import LoadResult, Wrk
from restbench.loadgen.request_shapes import RequestShape

_MOST, _FEWEST = 12, 3
"""Answers that are asked for: a few where all are of one size, as load sends ids with the same number of digits."""
_SECONDS = 0.3
"""After which no more are asked for, beyond the fewest: some answers are computed for long."""

_SHARE, _BYTES = 0.02, 8
"""By how much the mean under load may lie outside of what was seen: a few answers do not show the whole range."""


@dataclass(frozen=True)
class AnswerSizes:
    """Bytes of the smallest and the largest answer, as wrk counts them and of bodies alone, as oha does."""

    whole: tuple[int, int]
    bodies: tuple[int, int]

    def misfit(self, load: LoadResult, shape: RequestShape) -> Mismatch | None:
        """What is wrong with the size of the mean answer under load; None where nothing is, or where errors have sizes
        of their own."""
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
    """Asks a few times what load generators ask. Raises Mismatch where an answer is wrong."""
    contract = contract_of(entry, cell)
    body = None if contract.shape.body is None else json.loads(contract.shape.body)
    began = time.monotonic()
    answers: list[Answer] = []
    with Client(base_url, writers=[Wrk().write]) as client:
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
