"""The suite `issue-tracker`."""

import random
import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

from restbench.backends import DIGITS, NumberedText
from restbench.conformance import bodies
from restbench.conformance.contract import Contract, Rule
from restbench.conformance.http import Answer, ByChance, Client

_DESCRIPTION = re.compile(rb'"description_short"\s*:\s*"((?:[^"\\]|\\.)*)"')

_ROWS = {"userinfo": "users.json", "sprint": "sprints.json", "create-task": "tasks.json"}
"""The file with the rows of each scenario whose answers show the number of the fetch."""

_ISSUES = 100
"""How many issues each sprint has."""

_ASKED_AGAIN = 3
"""How often the same is asked for, on each of two connections."""

_UPDATES = 5


class IssueTracker(Contract):
    """The contract of a sprint board in JSON."""

    def random_body(self, rng: random.Random) -> Any:
        return bodies.task(rng) if self.shape.bodies else None

    def misfits(self) -> list[Any]:
        return bodies.misfitting_tasks() if self.shape.bodies else []

    def own_rules(self, rng: random.Random) -> Iterable[Rule]:
        if self.shape.bodies:
            yield "unknown-fields", partial(self._unknown_fields_are_ignored, rng)
        if self.texts:
            yield "fresh-rows", partial(self._each_answer_has_a_row_of_its_own, rng)
        elif self.numbered:
            yield "fetches", partial(self._each_update_is_a_fetch, rng)

    @property
    def numbered(self) -> "IssueTracker | None":
        if self.texts:
            return self
        cell = replace(self.cell, scenario="userinfo")
        if cell not in self.entry.cells([cell.suite]):
            return None
        return IssueTracker(self.entry, cell, source_ms=self._source_ms)

    def _unknown_fields_are_ignored(self, rng: random.Random, client: Client) -> None:
        identity, body = self.random_id(rng), self.random_body(rng)
        self.check(self.ask(client, identity, body | {"unheard_of": {"by": ["anybody"]}}), identity, body)

    def _each_answer_has_a_row_of_its_own(self, rng: random.Random, client: Client) -> None:
        """Asks for the same several times. An app that keeps rows or answers gives a number again."""
        identity, body = self.random_id(rng), self.random_body(rng)
        seen: set[int] = set()
        with Client(client.base_url) as other:
            for each in _ASKED_AGAIN * [client, other]:
                answer = self.ask(each, identity, body)
                self.check(answer, identity, body)
                number = self.number_of(answer)
                if number in seen:
                    raise answer.fail("a row of its own for each answer", f"the fetch {number} again: a row is kept")
                if number is not None:
                    seen.add(number)

    def _each_update_is_a_fetch(self, rng: random.Random, client: Client) -> None:
        """Counts fetches by the numbers before and after some updates, of which two are the same.

        An app may pass a connection on to another process, which has other numbers.
        """
        assert self.numbered, "fetches are counted by the answers of userinfo"
        updates = [(self.random_id(rng), self.random_body(rng)) for _ in range(_UPDATES - 1)]
        before = self.numbered.fetch(client, rng)
        for identity, body in [*updates, updates[-1]]:
            self.check(self.ask(client, identity, body), identity, body)
        fetches = self.numbered.fetch(client, rng) - before - 1
        if fetches != _UPDATES:
            asked = f"{_UPDATES} × {self.shape.method} {self.shape.path}"
            raise ByChance(asked, f"{_UPDATES} fetches from the data source", f"{fetches}")

    def fetch(self, client: Client, rng: random.Random) -> int:
        """Asks for an answer with a number, and checks it. Returns the number of the fetch."""
        number = self.number_of(self.right_answer(client, rng))
        assert number is not None, "a right answer of this scenario has a number"
        return number

    def places(self, body: bytes, number: int | None) -> tuple[int, ...]:
        """Returns the offsets in a right answer at which the numbers of fetches may stand."""
        if number is not None and self.scenario.name == "sprint":
            return tuple(found.end(1) - DIGITS for found in _DESCRIPTION.finditer(body))
        return super().places(body, number)

    def check_body(self, answer: Answer, identity: int, body: Any) -> None:
        if self.scenario.content_type is None:
            if answer.body:
                raise answer.fail("no body", answer.shown())
            return
        self.check_numbered(answer, partial(self._expected, identity, body))

    @cached_property
    def rows(self) -> list[Any]:
        rows: list[Any] = self.suite.document(_ROWS[self.scenario.name]) if self.texts else []
        return rows

    @cached_property
    def texts(self) -> list[NumberedText]:
        match self.scenario.name:
            case "userinfo":
                return [NumberedText(("picture",))]
            case "create-task":
                return [NumberedText(("author", "picture"))]
            case "sprint":
                return [NumberedText(("issues", i, "description_short")) for i in range(_ISSUES)]
            case _:
                return []

    def _expected(self, identity: int, body: Any, row: Any) -> Any:
        match self.scenario.name:
            case "userinfo":
                return row | {"sub": f"{row['sub']}-{identity}"}
            case "sprint":
                return row | {"sprint": row["sprint"] | {"id": identity}}
            case _:
                return row | body | {"board": identity}
