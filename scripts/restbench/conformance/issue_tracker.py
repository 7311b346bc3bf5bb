"""The suite `issue-tracker`."""

import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from restbench.conformance import bodies
from restbench.conformance.contract import Contract, Rule
from restbench.conformance.difference import check_json
from restbench.conformance.http import Answer, ByChance, Client

_DIGITS = 10
"""The digits of the number of a fetch. They stand in place of the last characters of a text (docs/CONTRACT.md)."""

_NUMBER = re.compile(r"[1-9][0-9]{9}")
_DESCRIPTION = re.compile(rb'"description_short"\s*:\s*"((?:[^"\\]|\\.)*)"')

_ASKED_AGAIN = 3
"""How often the same is asked for, on each of two connections."""

_UPDATES = 5


Step = str | int
"""The name of a member, or the index of an item, of a JSON document."""


@dataclass(frozen=True)
class _Text:
    """A text of a row that may end in the number of a fetch, and the steps that lead to it."""

    steps: tuple[Step, ...]
    text: str

    @property
    def start(self) -> str:
        return self.text[:-_DIGITS]

    @property
    def path(self) -> str:
        return "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.steps)


class IssueTracker(Contract):
    """The contract of a sprint board in JSON."""

    def random_body(self, rng: random.Random) -> Any:
        return bodies.task(rng) if self.shape.bodies else None

    def misfits(self) -> list[Any]:
        return bodies.misfitting_tasks() if self.shape.bodies else []

    def own_rules(self, rng: random.Random) -> Iterable[Rule]:
        if self.shape.bodies:
            yield "unknown-fields", partial(self._unknown_fields_are_ignored, rng)
        if self._texts:
            yield "fresh-rows", partial(self._each_answer_has_a_row_of_its_own, rng)
        elif self.numbered:
            yield "fetches", partial(self._each_update_is_a_fetch, rng)

    @property
    def numbered(self) -> "IssueTracker | None":
        if self._texts:
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

    def number_of(self, answer: Answer) -> int | None:
        return self._find_number(answer.json()) if self._texts else None

    def places(self, body: bytes, number: int | None) -> tuple[int, ...]:
        """Returns the offsets in a right answer at which the numbers of fetches may stand."""
        if number is None:
            return ()
        if self.scenario.name == "sprint":
            return tuple(found.end(1) - _DIGITS for found in _DESCRIPTION.finditer(body))
        return (body.find(str(number).encode()),)

    def without_number(self, body: bytes, number: int | None) -> bytes:
        """Returns a right answer with the text of the fixture in place of the number of its fetch."""
        if number is None:
            return body
        text = self._texts[number % len(self._texts)].text
        return body.replace(str(number).encode(), text[-_DIGITS:].encode(), 1)

    def check_body(self, answer: Answer, identity: int, body: Any) -> None:
        if self.scenario.content_type is None:
            if answer.body:
                raise answer.fail("no body", answer.shown())
            return
        number = self._find_number(answer.json())
        check_json(answer, self._expected(identity, body, number))
        if number is None:
            raise answer.fail(f"the number of the fetch at the end of {self._texts[0].path}", "no number")

    @cached_property
    def _texts(self) -> list[_Text]:
        """The texts of the row of which one ends in the number of the fetch. It is the number's remainder."""
        match self.scenario.name:
            case "userinfo":
                return [_Text(("picture",), self.suite.document("user.json")["picture"])]
            case "create-task":
                return [_Text(("author", "picture"), self.suite.document("task.json")["author"]["picture"])]
            case "sprint":
                issues = enumerate(self.suite.document("sprint.json")["issues"])
                return [_Text(("issues", i, "description_short"), issue["description_short"]) for i, issue in issues]
            case _:
                return []

    def _find_number(self, document: Any) -> int | None:
        """Returns the first number in one of the texts that may have it, wherever it should be; None without one."""
        for text in self._texts:
            got = _at(document, text.steps)
            if isinstance(got, str) and got.startswith(text.start) and _NUMBER.fullmatch(got, len(text.start)):
                return int(got[len(text.start) :])
        return None

    def _expected(self, identity: int, body: Any, number: int | None) -> Any:
        match self.scenario.name:
            case "userinfo":
                row = self.suite.document("user.json")
                row = row | {"sub": f"{row['sub']}-{identity}"}
            case "sprint":
                row = self.suite.document("sprint.json")
                row = row | {"sprint": row["sprint"] | {"id": identity}}
            case _:
                row = self.suite.document("task.json") | body | {"board": identity}
        if number is None:
            return row
        text = self._texts[number % len(self._texts)]
        return _with(row, text.steps, f"{text.start}{number}")


def _at(document: Any, steps: Iterable[Step]) -> Any:
    """Returns the value at the end of the steps, or None where there is none."""
    for step in steps:
        try:
            document = document[step]
        except (LookupError, TypeError):
            return None
    return document


def _with(document: Any, steps: Sequence[Step], value: Any) -> Any:
    """Returns the document with another value at the end of the steps. What does not differ is shared."""
    if not steps:
        return value
    changed = document.copy()
    changed[steps[0]] = _with(document[steps[0]], steps[1:], value)
    return changed
