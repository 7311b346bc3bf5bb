"""What the right answers of an app look like, learned from a few that were verified one by one.

Load generators count bytes, so that an app that answers less under load shows in every round. In checked rounds each
answer is held against the form of right ones.
"""

import random
import re
import time
from collections import defaultdict
from dataclasses import dataclass
from itertools import chain
from statistics import fmean, pstdev

from restbench.catalog import Cell, Entry
from restbench.conformance.contract import Contract
from restbench.conformance.contracts import contract_of
from restbench.conformance.http import Answer, Client, Mismatch
from restbench.loadgen import WRK, AnswerForm, LoadResult
from restbench.loadgen.interface import RequestShape

_MORE, _MOST = 1, 11
"""How many answers beyond one of each row are asked for, to requests with each body. One is enough when all answers of
a row have the same size.

Load sends ids with the same number of digits, so the id does not change the size.
"""
_SECONDS, _SECONDS_OF_ROWS = 0.3, 2.0
"""After this time, no more answers are asked for: some take long to compute. The second is that of cells with rows."""

_SHARE, _BYTES, _DEVIATIONS = 0.02, 8, 4
"""How far the mean size under load may be outside the range that was seen, and by how many times its standard
deviation: a few answers do not show all of it.
"""


@dataclass(frozen=True)
class RightAnswers:
    """Bytes of the smallest and of the largest right answer, and the forms that right answers have.

    `whole`: with status line and headers. `bodies`: only the bodies. Both are means over the bodies of requests and
    the rows. `deviation`: the standard deviation of these sizes. `forms`: those that were seen. Empty where answers to
    the same request differ in more than the number of the fetch, such as in the order of keys. `have_ids`: whether each
    answer holds the id of its request.
    """

    whole: tuple[float, float]
    bodies: tuple[float, float]
    deviation: float = 0.0
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
        spread = _BYTES + _DEVIATIONS * self.deviation / load.requests**0.5
        if smallest * (1 - _SHARE) - spread <= mean <= largest * (1 + _SHARE) + spread:
            return None
        verified = f"{smallest:.0f} bytes" if smallest == largest else f"{smallest:.0f} to {largest:.0f} bytes"
        asked = f"{load.requests} × {shape.method} {shape.path}"
        return Mismatch(asked, f"answers of {verified}, as when they were verified", f"{mean:.0f} bytes each")


@dataclass(frozen=True)
class _Seen:
    """Right answers to requests with one of the bodies that were made of one row, and the form of the first.

    `is_fixed`: whether all have this form.
    """

    answers: list[Answer]
    form: AnswerForm
    is_fixed: bool


def right_answers(base_url: str, entry: Entry, cell: Cell, rng: random.Random) -> RightAnswers:
    """Sends the request of the load generators a few times. Raises Mismatch when an answer is wrong."""
    contract = contract_of(entry, cell)
    with Client(base_url, writers=[WRK.write]) as client:
        seen = [
            each for which in range(max(1, len(contract.shape.bodies))) for each in _seen(contract, client, rng, which)
        ]
    wholes = [[answer.size for answer in each.answers] for each in seen]
    bodies = [[len(answer.body) for answer in each.answers] for each in seen]
    is_fixed, have_ids = all(each.is_fixed for each in seen), all(each.form.ids for each in seen)
    forms = tuple(each.form for each in seen) if is_fixed else ()
    deviation = pstdev(chain.from_iterable(bodies))
    return RightAnswers(_range(wholes), _range(bodies), deviation, forms, have_ids)


def _seen(contract: Contract, client: Client, rng: random.Random, which: int) -> list[_Seen]:
    """Returns right answers to requests with one of the bodies, for each row that was seen."""
    shape, rows, began = contract.shape, max(1, len(contract.rows)), time.monotonic()
    most_seconds = _SECONDS if rows == 1 else _SECONDS_OF_ROWS
    of_rows: defaultdict[int, list[tuple[Answer, int, int | None]]] = defaultdict(list)
    count, enough = 0, False
    while not enough:
        identity = contract.random_id(rng)
        if shape.bodies:
            identity += which - identity % len(shape.bodies)
        answer = client.ask(shape.method, shape.path_for(identity), raw=shape.body_for(identity))
        contract.check(answer, identity, contract.loaded_body(identity))
        number = contract.number_of(answer)
        of_rows[(number or 0) % rows].append((answer, identity, number))
        count += 1
        all_seen = len(of_rows) == rows and all(len({a.size for a, *_ in each}) == 1 for each in of_rows.values())
        is_late = time.monotonic() - began >= most_seconds
        enough = count > _MORE and (is_late or count >= rows + (_MORE if all_seen else _MOST))
    return [_seen_of(contract, which, row, made) for row, made in sorted(of_rows.items())]


def _seen_of(contract: Contract, which: int, row: int, made: list[tuple[Answer, int, int | None]]) -> _Seen:
    first, identity, number = made[0]
    body, places = contract.without_number(first.body, number), contract.places(first.body, number)
    offsets = tuple(found.start() for found in re.finditer(str(identity).encode(), body))
    form = AnswerForm(first.status, first.content_type, body, offsets, places, which, row)
    is_fixed = all(
        answer.content_type == form.content_type and answer.body == form.of(id_, number_)
        for answer, id_, number_ in made
    )
    return _Seen([answer for answer, *_ in made], form, is_fixed)


def _range(sizes: list[list[int]]) -> tuple[float, float]:
    """Returns the means of the smallest and of the largest sizes."""
    return fmean(map(min, sizes)), fmean(map(max, sizes))
