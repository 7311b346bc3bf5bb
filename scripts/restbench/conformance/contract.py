"""The right answer to an id and a body: the base class of the contracts, with one subclass per suite.

The plain data of a contract, such as paths and statuses, is in fixtures/<suite>/suite.toml.
"""

import json
import random
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from restbench.backends import Backend, NumberedText
from restbench.catalog import Cell, Entry
from restbench.conformance.difference import check_json
from restbench.conformance.http import UNAVAILABLE, Answer, BackendSilent, Client, Mismatch, Request
from restbench.loadgen.interface import LOADED_IDS, request_shape

Rule = tuple[str, Callable[[Client], object]]
"""The name of a check, and a function that asks the app. It raises Mismatch when the app breaks the rule."""

TIMER_SLACK = 0.9
"""Share of a wait that is enough: timers of event loops count whole milliseconds and may end one too early."""

_TIMER_MS = 1.0
"""How many milliseconds earlier a fetch may end, for the same reason."""

_READINGS = 10
"""How often the count of a backend's requests is read. On a busy machine the cache adds up its counters late."""


class Contract(ABC):
    """The rules of one cell."""

    def __init__(self, entry: Entry, cell: Cell, backend: Backend | None = None, source_ms: float = 0.0) -> None:
        """`backend`: the running backend of the suite, for rules that count its requests or change its state.

        `source_ms`: the milliseconds that a fetch takes in the app that is verified. 0: no answer is too soon for it.
        """
        self.entry = entry
        self.cell = cell
        self.suite = entry.suites[cell.suite]
        self.scenario = entry.scenario(cell)
        self.shape = request_shape(self.suite, self.scenario, cell)
        self._backend = backend
        self._source_ms = source_ms

    @property
    def backend(self) -> Backend:
        assert self._backend, f"{self.cell}: the backend of its suite does not run"
        return self._backend

    @property
    def soonest_ms(self) -> float:
        """How many milliseconds after its request a right answer comes at the earliest."""
        fetches = self.scenario.source_fetches * self._source_ms - _TIMER_MS
        return max(0.0, TIMER_SLACK * self.scenario.waits_ms, fetches)

    @property
    def validates(self) -> bool:
        """Whether a body that does not fit the declared types has to be refused."""
        return bool(self.shape.bodies) and self.entry.has_schema(self.cell.suite, self.cell.variant)

    def random_body(self, rng: random.Random) -> Any:
        """Returns a new random body that the scenario accepts, or None when the scenario takes no body."""
        return None

    def misfits(self) -> list[Any]:
        """Returns bodies that are JSON but do not fit the declared types."""
        return []

    @abstractmethod
    def check_body(self, answer: Answer, identity: int, body: Any) -> None:
        """Raises Mismatch unless the answer's body is right for the id and the body that were sent."""

    def features(self, client: Client) -> dict[str, bool]:
        """Returns for each feature check of the scenario whether the app passes it.

        Raises Mismatch when that cannot be found out.
        """
        return {}

    def own_rules(self, rng: random.Random) -> Iterable[Rule]:
        """Returns the rules that only this scenario has."""
        return ()

    @property
    def numbered(self) -> "Contract | None":
        """The contract of a cell of this app whose answers show how many fetches there were: this one if they do."""
        return None

    @property
    def rows(self) -> Sequence[Any]:
        """What answers are made of: the row whose index is the remainder of the number of the fetch.

        Empty where answers have no number.
        """
        return ()

    @property
    def texts(self) -> Sequence[NumberedText]:
        """The texts of a row, and of its answer, of which one ends in the number: the one that is its remainder.

        Empty where answers have no number.
        """
        return ()

    def number_of(self, answer: Answer) -> int | None:
        """Returns the number of the fetch that a right answer was made of. None where answers have no number.

        It is the first number in one of the texts that may have it, wherever it should be.
        """
        document = answer.json() if self.texts else None
        return next((found for text in self.texts if (found := text.number_in(document)) is not None), None)

    def check_numbered(self, answer: Answer, expected: Callable[[Any], Any]) -> None:
        """Raises Mismatch unless the answer is right for its row, with the number of the fetch in the right text.

        `expected`: returns the answer to the request that a row gives.
        """
        number = self.number_of(answer)
        if number is not None:
            check_json(answer, self._text_of(number).with_end(expected(self._row_of(number)), number))
            return
        if len(self.rows) == 1:  # else the answer may be of any row
            check_json(answer, expected(self.rows[0]))
        raise answer.fail(f"the number of the fetch at the end of {self.texts[0].path}", "no number")

    def check_numbers(self, numbers: Collection[int], began: float, ended: float) -> None:
        """Checks the numbers of all answers to requests that were sent and answered between two times.

        `began`, `ended`: seconds as of time.time(). Raises Mismatch where a number cannot be that of its own request.
        """
        number, times = next(iter(Counter(numbers).most_common(1)), (0, 0))
        if times > 1:
            got = f"the fetch {number} in {times} answers: rows or answers are kept"
            raise Mismatch(self._each_of(numbers), "a fetch of its own for each answer", got)

    def places(self, body: bytes, number: int | None) -> tuple[int, ...]:
        """Returns the offsets in a right answer at which the numbers of fetches may stand, in order of remainders."""
        return () if number is None else (body.find(str(number).encode()),)

    def without_number(self, body: bytes, number: int | None) -> bytes:
        """Returns a right answer with the text of the fixture in place of the number of its fetch."""
        if number is None:
            return body
        return body.replace(str(number).encode(), self._text_of(number).end_of(self._row_of(number)).encode(), 1)

    def _row_of(self, number: int) -> Any:
        return self.rows[number % len(self.rows)]

    def _text_of(self, number: int) -> NumberedText:
        return self.texts[number % len(self.texts)]

    def _each_of(self, numbers: Collection[int]) -> str:
        return f"{len(numbers)} × {self.shape.method} {self.shape.path}"

    def loaded_body(self, identity: int) -> Any:
        """Returns the body that load generators send with that id, or None."""
        content = self.shape.body_for(identity)
        return None if content is None else json.loads(content)

    def ask(self, client: Client, identity: int, body: Any) -> Answer:
        return client.ask(self.shape.method, self.path(identity), body)

    def request(self, client: Client, identity: int, body: Any) -> Request:
        """Writes the request that `ask` sends."""
        return client.request(self.shape.method, self.path(identity), body)

    def path(self, identity: int) -> str:
        return self.shape.path_for(identity)

    def check(self, answer: Answer, identity: int, body: Any) -> None:
        """Checks status, content type, body and time of an answer. Raises Mismatch."""
        self.check_status(answer)
        self.check_content_type(answer)
        self.check_body(answer, identity, body)
        if answer.seconds * 1e3 < self.soonest_ms:
            work = self.scenario.waits_ms
            waits = f"its work takes {work:g} ms" if work else f"a fetch takes {self._source_ms:g} ms"
            expected = f"an answer after {self.soonest_ms:g} ms or later, as {waits}"
            raise answer.fail(expected, f"one after {answer.seconds * 1e3:.1f} ms")

    def check_status(self, answer: Answer) -> None:
        expected = f"status {self.scenario.status}"
        if self.suite.manifest.backend and answer.status in UNAVAILABLE:
            raise BackendSilent(answer.request, expected, answer.shown())
        if answer.status != self.scenario.status:
            raise answer.fail(expected, answer.shown())

    def check_content_type(self, answer: Answer) -> None:
        wanted = self.scenario.content_type
        if wanted is None:
            return
        got = answer.content_type.lower().replace(" ", "")
        # JSON is UTF-8 by definition (RFC 8259), so its charset may be left out. For text it must be given
        right = got.partition(";")[0] == wanted if wanted == "application/json" else got == wanted.replace(" ", "")
        if not right:
            raise answer.fail(f"content-type {wanted}", answer.content_type or "none")

    def random_id(self, rng: random.Random) -> int:
        """Returns an id that load generators send too."""
        return rng.choice(LOADED_IDS)

    def right_answer(self, client: Client, rng: random.Random) -> Answer:
        """Sends one request with a random id and body, and returns its answer. Raises Mismatch unless it is right."""
        identity, body = self.random_id(rng), self.random_body(rng)
        answer = self.ask(client, identity, body)
        self.check(answer, identity, body)
        return answer


def too_few_requests(
    backend: Backend, before: int, answered: int, request: str, *, numbered: bool = True
) -> Mismatch | None:
    """Returns a Mismatch when the app gave more answers than it sent requests to its backend, else None.

    `before`: how many requests the cache had received before the app was asked. `answered`: how many answers the app
    gave since. There may be more requests than answers, as some answers came too late to be counted. `numbered`: which
    requests count (`Backend.requests`).
    """
    seen = 0
    for _ in range(_READINGS):
        seen = backend.requests(numbered=numbered) - before
        if seen >= answered:
            return None
    return Mismatch(
        request, f"{answered} requests at the cache", f"{seen} requests at the cache: the app keeps answers"
    )
