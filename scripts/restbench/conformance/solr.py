"""The suite `solr`: in each request, apps fetch documents from Solr, parse them into types and anonymise them.

An OpenAPI document describes the app.
"""

import random
import time
from collections.abc import Collection, Iterable
from functools import cached_property, partial
from itertools import chain
from typing import Any

from restbench.backends import NUMBER_ELEMENT, NUMBERED_TEXT, Outage, made_up
from restbench.conformance import bodies
from restbench.conformance.contract import Contract, Rule, too_few_requests
from restbench.conformance.difference import check_json
from restbench.conformance.http import UNAVAILABLE, Answer, Client, Mismatch
from restbench.conformance.openapi import Description
from restbench.loadgen.interface import request_shape

ANONYMOUS_BELOW = 100

_DOCUMENT = ("id", "document_type", "string_array", "int_array", "child_objects")
_CHILD = ("id", "name", "number")

_OUTAGE_SECONDS = 2.0
_TRIES = 3
"""How often an answer is asked for in an outage: a machine that is busy with other work makes anything slow once."""

BAD_INPUT = {
    "missing": ("",),
    "text": ("?document_type=test", "?document_type=", "?document_type=1x"),
    "fraction": ("?document_type=1.5",),
    "huge": ("?document_type=4294967296", "?document_type=99999999999999999999"),
    "repeated": ("?document_type=1&document_type=2", "?document_type=1&document_type=1"),
}
"""Query strings of json_serialization that an app has to refuse, by feature."""

_REFUSED = (400, 404, 422)

CHECKED_DOCUMENTS = "checked-documents"
"""What an entry may lack whose framework cannot parse Solr's answer into types (fixtures/solr/suite.toml)."""

_UNFIT = (500, *UNAVAILABLE)
"""The statuses of answers that would be made of documents that do not fit the types."""


class Solr(Contract):
    """The contract of documents: in Solr's order, with only the fields of the types."""

    texts = (NUMBERED_TEXT,)

    @cached_property
    def rows(self) -> list[list[dict[str, Any]]]:
        return [self._expected(self.suite.document("documents.json"))]

    def check_body(self, answer: Answer, identity: int, body: Any) -> None:
        (text,) = self.texts
        if answer.json() == text.with_end(self.rows[0], NUMBER_ELEMENT):
            got = f"{NUMBER_ELEMENT}: the app does not send Solr the request of docs/CONTRACT.md"
            raise answer.fail(f"the number of the cache at the end of {text.path}", got)
        self.check_numbered(answer, lambda documents: documents)

    def check_numbers(self, numbers: Collection[int], began: float, ended: float) -> None:
        super().check_numbers(numbers, began, ended)
        others = [number for number in numbers if not self.backend.numbers.is_given(number, began, ended)]
        if others:
            got = f"{len(others)} others, such as {others[0]}: kept or made up"
            raise Mismatch(self._each_of(numbers), "numbers that the cache gave meanwhile", got)

    def _expected(self, documents: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [as_answered(document, hide=self.scenario.name == "anonymization") for document in documents]

    def features(self, client: Client) -> dict[str, bool]:
        if self.scenario.name == "openapi":
            none = dict.fromkeys(self.scenario.features, False)
            return self._description(client).features() if self._document else none
        return {
            name: all(client.ask("GET", self.shape.path + query).status in _REFUSED for query in queries)
            for name, queries in BAD_INPUT.items()
        }

    def own_rules(self, rng: random.Random) -> Iterable[Rule]:
        match self.scenario.name:
            case "json_serialization":
                yield "asks-each-time", partial(self._asks_each_time, rng)
                yield "other-types", partial(self._other_types, rng)
                yield "fresh-documents", partial(self._fresh_documents, rng)
                if CHECKED_DOCUMENTS not in self.entry.manifest.lacks:
                    yield CHECKED_DOCUMENTS, partial(self._documents_are_checked, rng)
                for outage in Outage:
                    yield f"outage-{outage.name.lower()}", partial(self._outage, rng, outage)
            case "anonymization":
                yield "asks-each-time", partial(self._asks_each_time, rng)
                yield "outage-error", partial(self._outage, rng, Outage.ERROR)
            case "validation":
                lacked = self.entry.documented(self.suite.name).lacks
                for name, queries in ((name, queries) for name, queries in BAD_INPUT.items() if name not in lacked):
                    yield f"rejects-{name}", partial(self._rejects, queries)
            case "openapi" if self._document:
                yield "valid", lambda client: self._description(client).check_valid()
                yield "true-of-answers", self._true_of_answers

    def _asks_each_time(self, rng: random.Random, client: Client) -> None:
        """Finds an app that keeps answers, or gives an answer of Solr to a later request."""
        asked, before = 6, self.backend.requests()
        began = time.time()
        numbers = [self.number_of(self.right_answer(client, rng)) for _ in range(asked)]
        self.check_numbers([number for number in numbers if number is not None], began, time.time())
        if missing := too_few_requests(self.backend, before, asked, f"{asked} × GET {self.shape.path}"):
            raise missing

    def _other_types(self, rng: random.Random, client: Client) -> None:
        """Types without documents give an empty list, and the app asks Solr for each of them."""
        types = [2, 0, 2**31 - 1, *(rng.randrange(1000, 2**31) for _ in range(3))]
        before = self.backend.requests(numbered=False)
        for each in types:
            answer = client.ask("GET", f"{self._path}?document_type={each}")
            self.check_status(answer)
            check_json(answer, [])
        asked = f"{self._path} of {len(types)} types"
        if missing := too_few_requests(self.backend, before, len(types), asked, numbered=False):
            raise missing

    def _fresh_documents(self, rng: random.Random, client: Client) -> None:
        """Solr gets new random documents, which the app cannot know before."""
        kind = rng.randrange(1000, 2**31)
        fresh = [_random_document(rng, kind, n) for n in range(3)]
        with self.backend.holding(fresh):
            answer = client.ask("GET", f"{self._path}?document_type={kind}")
            self.check_status(answer)
            check_json(answer, self._expected(fresh))

    def _documents_are_checked(self, rng: random.Random, client: Client) -> None:
        """Solr sends documents with values of wrong types. One answer of made-up documents is right."""
        for each in rng.sample(made_up(), len(made_up())):
            answer = client.ask("GET", f"{self._path}?document_type={each.document_type}")
            if each.broken is None:
                self.check_status(answer)
                check_json(answer, self._expected(each.documents))
            elif answer.status not in _UNFIT:
                expected = f"500, 502, 503 or 504, as in a document of Solr {each.broken}"
                raise answer.fail(expected, answer.shown())

    def _outage(self, rng: random.Random, outage: Outage, client: Client) -> None:
        with self.backend.outage(outage):
            for _ in range(_TRIES):
                began = time.monotonic()
                answer = client.ask("GET", self.shape.path)
                took = time.monotonic() - began
                if answer.status not in UNAVAILABLE:
                    raise answer.fail(f"502, 503 or 504 while Solr {outage}", answer.shown())
                if took <= _OUTAGE_SECONDS:
                    break
            else:
                raise answer.fail(
                    f"an answer within {_OUTAGE_SECONDS:g} s while Solr {outage}", f"one after {took:.1f} s"
                )
        self._recovers(rng, client)

    def _recovers(self, rng: random.Random, client: Client) -> None:
        """Waits until the app answers right again after an outage. Raises Mismatch when it takes too long.

        Connections that broke in the outage may fail once.
        """
        deadline = time.monotonic() + _OUTAGE_SECONDS
        while True:
            try:
                self.right_answer(client, rng)
                return
            except Mismatch:
                if time.monotonic() > deadline:
                    raise
            time.sleep(0.1)

    def _rejects(self, queries: Iterable[str], client: Client) -> None:
        for query in queries:
            answer = client.ask("GET", self.shape.path + query)
            if answer.status not in _REFUSED:
                raise answer.fail("status 400, 404 or 422", answer.shown())

    @property
    def _document(self) -> str | None:
        """The path of the entry's OpenAPI document, or None when it makes none."""
        return self.entry.documented(self.suite.name).openapi

    def _description(self, client: Client) -> Description:
        assert self._document, f"{self.entry.id} makes no OpenAPI document"
        return Description.of(client.ask("GET", self._document), [self._path, self._path_of("anonymization")])

    def _true_of_answers(self, client: Client) -> None:
        description = self._description(client)
        for path, query in zip(description.paths, ("?document_type=1", ""), strict=True):
            description.check_answer(path, client.ask("GET", path + query))
        for query in chain.from_iterable(BAD_INPUT.values()):
            description.check_answer(self._path, client.ask("GET", self._path + query))

    @property
    def _path(self) -> str:
        """The path of json_serialization in this cell's variant, without a query."""
        return self._path_of("json_serialization").partition("?")[0]

    def _path_of(self, scenario: str) -> str:
        return request_shape(self.suite, self.suite.scenario(scenario), self.cell).path


def as_answered(document: dict[str, Any], *, hide: bool) -> dict[str, Any]:
    """Returns a document of Solr as the contract wants it, with only the known fields.

    `hide`: whether the numbers of children below ANONYMOUS_BELOW become 0.
    """
    answered = {key: document[key] for key in _DOCUMENT if key in document}
    if "child_objects" in answered:
        children = [{key: child[key] for key in _CHILD if key in child} for child in answered["child_objects"]]
        for child in children:
            if hide and child.get("number", ANONYMOUS_BELOW) < ANONYMOUS_BELOW:
                child["number"] = 0
        answered["child_objects"] = children
    return answered


def _random_document(rng: random.Random, kind: int, number: int) -> dict[str, Any]:
    identity = f"fresh-{kind}-{number}"
    numbers = (99, 100, 101, rng.randrange(-(2**31), 2**31))
    children = [{"id": f"{identity}-{n}", "name": bodies.solr_text(rng), "number": n} for n in numbers]
    return {
        "id": identity,
        "document_type": kind,
        "string_array": [bodies.solr_text(rng) for _ in range(3)],
        "int_array": [rng.randrange(-(2**31), 2**31) for _ in range(3)],
        "child_objects": children,
        "name": "not a field of a document",
    }
