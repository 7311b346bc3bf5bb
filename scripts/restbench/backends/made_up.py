"""Documents that Solr does not have: the cache answers with them, so that it shows whether an app checks types."""

import json
import secrets
from dataclasses import dataclass
from functools import cache
from typing import Any

from restbench.backends.numbers import Step

_MISSING = object()

_BROKEN: list[tuple[tuple[Step, ...], Any]] = [
    (("document_type",), "many"),
    (("int_array", 1), "many"),
    (("child_objects", 1, "number"), "many"),
    (("document_type",), 1.5),
    (("int_array", 1), 1.5),
    (("child_objects", 1, "number"), 1.5),
    (("id",), 5),
    (("string_array", 1), 5),
    (("child_objects", 1, "name"), 5),
    (("id",), _MISSING),
    (("child_objects", 1), 5),
]
"""What is broken in the second of three documents: where, and what is in the place of the right value."""

_FIRST_STATUS = 800
"""The statuses by which Varnish tells these answers from each other. It does not send them."""


@dataclass(frozen=True)
class MadeUp:
    """An answer with documents of a type that nobody else knows. `broken`: what is wrong in it, None where nothing is.

    `status`: by which the configuration of the cache names it.
    """

    document_type: int
    documents: list[dict[str, Any]]
    broken: str | None
    status: int

    @property
    def json(self) -> str:
        """The answer as Solr would write it. It does not have the characters that end a long text of VCL."""
        answer = {
            "responseHeader": {"status": 0},
            "response": {"numFound": len(self.documents), "docs": self.documents},
        }
        return json.dumps(answer).replace('"}', '" }')


@cache
def made_up() -> list[MadeUp]:
    """Returns a right answer and broken ones. Their types are drawn once in each process of the harness."""
    answers: list[MadeUp] = []
    for i, (steps, value) in enumerate([((), None), *_BROKEN]):
        kind = 1000 + secrets.randbelow(2**31 - 1000)
        documents = [_document(kind, number) for number in range(3)]
        answers.append(MadeUp(kind, documents, _break(documents[1], steps, value), _FIRST_STATUS + i))
    return answers


def _document(kind: int, number: int) -> dict[str, Any]:
    children = [{"id": f"{kind}-{number}-{n}", "name": f"Harbour {n}", "number": 100 + n} for n in range(2)]
    return {
        "id": f"{kind}-{number}",
        "document_type": kind,
        "string_array": ["first", "second"],
        "int_array": [number, number + 1],
        "child_objects": children,
    }


def _break(document: dict[str, Any], steps: tuple[Step, ...], value: Any) -> str | None:
    """Puts a value in the place of another one, and returns what is wrong now. Without steps, nothing is."""
    if not steps:
        return None
    part: Any = document
    for step in steps[:-1]:
        part = part[step]
    where = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)[1:]
    if value is _MISSING:
        del part[steps[-1]]
        return f"{where} is missing"
    was = json.dumps(part[steps[-1]])
    part[steps[-1]] = value
    return f"{where} is {json.dumps(value)} in place of {was}"
