"""What an answer has to be, given the id and the body that were sent: the base of one class per suite.

fixtures/<suite>/suite.toml holds what is plain data.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any

from restbench.backends import Backend
from restbench.catalog import RAW, Cell, Entry
from restbench.conformance.http import Answer, Client
from restbench.loadgen.request_shapes import LOADED_IDS, request_shape

Rule = tuple[str, Callable[[Client], None]]
"""The name of a check, and what asks the app and raises Mismatch where it breaks the rule."""


class Contract(ABC):
    """The rules of one cell."""

    def __init__(self, entry: Entry, cell: Cell, backend: Backend | None = None) -> None:
        """`backend`: what runs beside the app; rules of its suite that look behind the app need it."""
        self.entry = entry
        self.cell = cell
        self.suite = entry.suites[cell.suite]
        self.scenario = entry.scenario(cell)
        self.shape = request_shape(self.suite, self.scenario, cell)
        self._backend = backend

    @property
    def backend(self) -> Backend:
        assert self._backend, f"{self.cell}: the backend of its suite does not run"
        return self._backend

    @property
    def validates(self) -> bool:
        """Whether a body that does not fit the declared types has to be refused."""
        return self.shape.body is not None and self.cell.variant not in (None, RAW)

    @abstractmethod
    def random_body(self, rng: random.Random) -> Any:
        """A body that the scenario accepts, unlike any before; None where it takes none."""

    @abstractmethod
    def misfits(self) -> list[Any]:
        """Bodies that are JSON and do not fit the declared types."""

    @abstractmethod
    def check_body(self, answer: Answer, identity: int, body: Any) -> None:
        """Raises Mismatch unless the answer's body is right for that id and body."""

    def marks(self, client: Client) -> dict[str, bool]:
        """Which marks of a graded scenario the app has. Raises Mismatch where that cannot be told."""
        return {}

    def own_rules(self, rng: random.Random) -> Iterable[Rule]:
        """What this scenario alone is checked for."""
        return ()

    def ask(self, client: Client, identity: int, body: Any) -> Answer:
        return client.ask(self.shape.method, self.shape.path_for(identity), body)

    def check(self, answer: Answer, identity: int, body: Any) -> None:
        """Everything about an answer: status, content type, body. Raises Mismatch."""
        self.check_status(answer)
        self.check_content_type(answer)
        self.check_body(answer, identity, body)

    def check_status(self, answer: Answer) -> None:
        if answer.status != self.scenario.status:
            raise answer.fail(f"status {self.scenario.status}", answer.shown())

    def check_content_type(self, answer: Answer) -> None:
        wanted = self.scenario.content_type
        if wanted is None:
            return
        got = answer.content_type.lower().replace(" ", "")
        # JSON is UTF-8 by definition (RFC 8259), so a charset may follow or not; for text it must be said
        right = got.partition(";")[0] == wanted if wanted == "application/json" else got == wanted.replace(" ", "")
        if not right:
            raise answer.fail(f"content-type {wanted}", answer.content_type or "none")

    def random_id(self, rng: random.Random) -> int:
        """One that load generators send too."""
        return rng.choice(LOADED_IDS)

    def ask_and_check(self, client: Client, rng: random.Random) -> None:
        """One request with a random id and body. Raises Mismatch."""
        identity, body = self.random_id(rng), self.random_body(rng)
        self.check(self.ask(client, identity, body), identity, body)
