"""What the right answers of an app look like, learned from a few that were verified one by one.

Load generators count bytes, so that an app that answers less under load shows in every round. In checked rounds each
answer is held against the form of right ones.
"""

import random
import re
import time
from dataclasses import dataclass
from statistics import fmean

from restbench.catalog import Cell, Entry
from restbench.conformance.contract import Contract
from restbench.conformance.contracts import contract_of
from restbench.conformance.http import Answer, Client, Mismatch
from restbench.loadgen import WRK, AnswerForm, LoadResult
from restbench.loadgen.interface import RequestShape

_MOST, _FEWEST = 12, 2
"""How many answers to requests with each body are asked for. The fewest are enough when all have the same size.

Load sends ids with the same number of digits, so the id does not change the size.
"""
_SECONDS = 0.3
"""After this time, no answers beyond the fewest are asked for: some answers take long to compute."""

_SHARE, _BYTES = 0.02, 8
"""How far the mean size under load may be outside the range that was seen: a few answers do not show all of it."""


@dataclass(frozen=True)
class RightAnswers:
    """Bytes of the smallest and of the largest right answer, and the forms that right answers have.

    `whole`: with status line and headers. `bodies`: only the bodies. Both are means over the bodies of requests.
    `forms`: one for each body of a request. Empty where answers to the same request differ in more than the number of
    the fetch, such as in the order of keys. `have_ids`: whether each answer holds the id of its request.
    """

    whole: tuple[float, float]
    bodies: tuple[float, float]
    forms: tuple[AnswerForm, ...] = ()
    have_ids: bool = False

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
        verified = f"{smallest:.0f} bytes" if smallest == largest else f"{smallest:.0f} to {largest:.0f} bytes"
        asked = f"{load.requests} × {shape.method} {shape.path}"
        return Mismatch(asked, f"answers of {verified}, as when they were verified", f"{mean:.0f} bytes each")


def right_answers(base_url: str, entry: Entry, cell: Cell, rng: random.Random) -> RightAnswers:
    """Sends the request of the load generators a few times. Raises Mismatch when an answer is wrong."""
    contract = contract_of(entry, cell)
    with Client(base_url, writers=[WRK.write]) as client:
        seen = [_seen(contract, client, rng, which) for which in range(max(1, len(contract.shape.bodies)))]
    wholes = [[answer.size for answer in answers] for answers, *_ in seen]
    bodies = [[len(answer.body) for answer in answers] for answers, *_ in seen]
    forms = [form for _, form, _ in seen]
    is_fixed, have_ids = all(is_fixed for *_, is_fixed in seen), all(form.ids for form in forms)
    return RightAnswers(_range(wholes), _range(bodies), tuple(forms) if is_fixed else (), have_ids)


def _seen(contract: Contract, client: Client, rng: random.Random, which: int) -> tuple[list[Answer], AnswerForm, bool]:
    """Returns right answers to requests with one of the bodies, the form of the first, and whether all have it."""
    shape, began = contract.shape, time.monotonic()
    answers: list[Answer] = []
    made_of: list[tuple[int, int | None]] = []
    enough = False
    while not enough:
        identity = contract.random_id(rng)
        if shape.bodies:
            identity += which - identity % len(shape.bodies)
        answer = client.ask(shape.method, shape.path_for(identity), raw=shape.body_for(identity))
        contract.check(answer, identity, contract.loaded_body(identity))
        answers.append(answer)
        made_of.append((identity, contract.number_of(answer)))
        all_seen = len({each.size for each in answers}) == 1 or len(answers) >= _MOST
        enough = len(answers) >= _FEWEST and (all_seen or time.monotonic() - began >= _SECONDS)
    first, (identity, number) = answers[0], made_of[0]
    body, places = contract.without_number(first.body, number), contract.places(first.body, number)
    offsets = tuple(found.start() for found in re.finditer(str(identity).encode(), body))
    form = AnswerForm(first.status, first.content_type, body, offsets, places)
    fixed = all(
        answer.content_type == form.content_type and answer.body == form.of(*of)
        for answer, of in zip(answers, made_of, strict=True)
    )
    return answers, form, fixed


def _range(sizes: list[list[int]]) -> tuple[float, float]:
    """Returns the means of the smallest and of the largest sizes."""
    return fmean(map(min, sizes)), fmean(map(max, sizes))
