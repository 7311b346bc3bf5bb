"""The suite `solr`: documents fetched from Solr in each request, parsed into types, anonymised, and documented."""

import random
import time
from collections.abc import Iterable
from functools import partial
from itertools import chain
from typing import Any

from restbench.backends import Outage
from restbench.conformance import bodies
from restbench.conformance.contract import Contract, Rule
from restbench.conformance.difference import difference
from restbench.conformance.http import Answer, Client, Mismatch
from restbench.conformance.kept import kept_answers
from restbench.conformance.openapi import Description

ANONYMOUS_BELOW = 100

_DOCUMENT = ("id", "document_type", "string_array", "int_array", "child_objects")
_CHILD = ("id", "name", "number")

_UNAVAILABLE = (502, 503, 504)
_OUTAGE_SECONDS = 2.0
_TRIES = 3
"""A machine that is busy elsewhere makes anything slow once."""

BAD_INPUT = {
    "missing": ("",),
    "text": ("?document_type=test", "?document_type=", "?document_type=1x"),
    "fraction": ("?document_type=1.5",),
    "huge": ("?document_type=4294967296", "?document_type=99999999999999999999"),
    "repeated": ("?document_type=1&document_type=2", "?document_type=1&document_type=1"),
}
"""What has to be refused, by its mark: parameters of json_serialization."""

_REFUSED = (400, 404, 422)


class Solr(Contract):
    """Documents in Solr's order, with only the fields of the types."""

    def random_body(self, rng: random.Random) -> Any:
        return None

    def misfits(self) -> list[Any]:
        return []

    def check_body(self, answer: Answer, identity: int, body: Any) -> None:
        _same(answer, self._expected(self.suite.document("documents.json")))

    def _expected(self, documents: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [as_answered(document, hide=self.scenario.name == "anonymization") for document in documents]

    def marks(self, client: Client) -> dict[str, bool]:
        if self.scenario.name == "openapi":
            return self._description(client).marks() if self._document else dict.fromkeys(self.scenario.graded, False)
        return {mark: all(_refuses(client, self.shape.path + query) for query in BAD_INPUT[mark]) for mark in BAD_INPUT}

    def own_rules(self, rng: random.Random) -> Iterable[Rule]:
        match self.scenario.name:
            case "json_serialization":
                yield "asks-each-time", partial(self._asks_each_time, rng)
                yield "other-types", partial(self._other_types, rng)
                yield "fresh-documents", partial(self._fresh_documents, rng)
                for outage in Outage:
                    yield f"outage-{outage.name.lower()}", partial(self._outage, rng, outage)
            case "anonymization":
                yield "asks-each-time", partial(self._asks_each_time, rng)
                yield "outage-error", partial(self._outage, rng, Outage.ERROR)
            case "validation":
                lacked = self.entry.documented(self.suite.name).lacks
                for mark, queries in ((mark, queries) for mark, queries in BAD_INPUT.items() if mark not in lacked):
                    yield f"rejects-{mark}", partial(self._rejects, queries)
            case "openapi" if self._document:
                yield "valid", lambda client: self._description(client).check_valid()
                yield "true-of-answers", self._true_of_answers

    def _asks_each_time(self, rng: random.Random, client: Client) -> None:
        """An app that keeps an answer asks less often than it answers."""
        asked, before = 6, self.backend.requests()
        for _ in range(asked):
            self.ask_and_check(client, rng)
        if kept := kept_answers(self.backend, before, asked, f"{asked} × GET {self.shape.path}"):
            raise kept

    def _other_types(self, rng: random.Random, client: Client) -> None:
        """Types without documents have none, and each of them is asked for."""
        types, before = [2, 0, 2**31 - 1, *(rng.randrange(1000, 2**31) for _ in range(3))], self.backend.requests()
        for each in types:
            answer = client.ask("GET", f"/json_serialization?document_type={each}")
            self.check_status(answer)
            _same(answer, [])
        if kept := kept_answers(self.backend, before, len(types), f"json_serialization of {len(types)} types"):
            raise kept

    def _fresh_documents(self, rng: random.Random, client: Client) -> None:
        """Documents that nobody could know before."""
        kind = rng.randrange(1000, 2**31)
        fresh = [_random_document(rng, kind, n) for n in range(3)]
        with self.backend.holding(fresh):
            answer = client.ask("GET", f"/json_serialization?document_type={kind}")
            self.check_status(answer)
            _same(answer, self._expected(fresh))

    def _outage(self, rng: random.Random, outage: Outage, client: Client) -> None:
        with self.backend.outage(outage):
            for _ in range(_TRIES):
                began = time.monotonic()
                answer = client.ask("GET", self.shape.path)
                took = time.monotonic() - began
                if answer.status not in _UNAVAILABLE:
                    raise answer.fail(f"502, 503 or 504 while Solr {outage}", answer.shown())
                if took <= _OUTAGE_SECONDS:
                    break
            else:
                raise answer.fail(
                    f"an answer within {_OUTAGE_SECONDS:g} s while Solr {outage}", f"one after {took:.1f} s"
                )
        self._recovers(rng, client)

    def _recovers(self, rng: random.Random, client: Client) -> None:
        """Right again soon after the outage: connections that broke in it may fail once."""
        deadline = time.monotonic() + _OUTAGE_SECONDS
        while True:
            try:
                self.ask_and_check(client, rng)
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
        """The path of the entry's OpenAPI document."""
        return self.entry.documented(self.suite.name).openapi

    def _description(self, client: Client) -> Description:
        assert self._document, f"{self.entry.id} makes no OpenAPI document"
        return Description.of(client.ask("GET", self._document))

    def _true_of_answers(self, client: Client) -> None:
        description = self._description(client)
        for path, query in (("/json_serialization", "?document_type=1"), ("/anonymization", "")):
            description.check_answer(path, client.ask("GET", path + query))
        for query in chain.from_iterable(BAD_INPUT.values()):
            description.check_answer("/json_serialization", client.ask("GET", "/json_serialization" + query))


def as_answered(document: dict[str, Any], *, hide: bool) -> dict[str, Any]:
    """A document of Solr as the contract wants it: known fields alone, and small numbers hidden where asked for."""
    answered = {key: document[key] for key in _DOCUMENT if key in document}
    if "child_objects" in answered:
        answered["child_objects"] = [_child(child, hide) for child in answered["child_objects"]]
    return answered


def _child(child: dict[str, Any], hide: bool) -> dict[str, Any]:
    answered = {key: child[key] for key in _CHILD if key in child}
    if hide and answered.get("number", ANONYMOUS_BELOW) < ANONYMOUS_BELOW:
        answered["number"] = 0
    return answered


def _same(answer: Answer, expected: Any) -> None:
    if found := difference(expected, answer.json()):
        path, wanted, got = found
        raise answer.fail(f"{path} = {wanted}", got)


def _refuses(client: Client, path: str) -> bool:
    return client.ask("GET", path).status in _REFUSED


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
