"""What scripts/wrk/reading.lua gets, and what it writes: every answer to a load is read."""

import os
import time
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from restbench.errors import ToolError
from restbench.loadgen.interface import LoadResult

MOST_BYTES = 256 * 2**20
"""How many bytes of answers that have to be parsed are written at most."""


@dataclass(frozen=True)
class AnswerForm:
    """What some right answers of an app look like: the bytes of one, and where the others differ from it.

    `ids`: the offsets in the body at which the id of the request stands. `places`: the offsets at which the number of
    the fetch may stand; it stands at the place that is its remainder when divided by their number. At all other places,
    `body` has letters. `which`: the index of the request's body. `row`: the remainder of the number when it is divided
    by how many rows there are.
    """

    status: int
    content_type: str
    body: bytes
    ids: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    which: int = 0
    row: int = 0

    def of(self, identity: int, number: int | None) -> bytes:
        """Returns the body of the right answer to an id, with that number of the fetch."""
        body = bytearray(self.body)
        for offset in self.ids:
            body[offset : offset + len(str(identity))] = str(identity).encode()
        if number is not None:
            place = self.places[number % len(self.places)]
            body[place : place + len(str(number))] = str(number).encode()
        return bytes(body)


@dataclass(frozen=True)
class OddAnswer:
    """An answer that does not have the form of right ones.

    `count`: how many answers its thread had, with this one. `to_wrong`: whether it answers a wrong request. `id`: that
    of its request, where it has one. `is_known`: whether a request of that id waited for an answer.
    """

    count: int
    to_wrong: bool
    id: int | None
    is_known: bool
    status: int
    content_type: str
    encoding: str
    body: bytes


@dataclass(frozen=True)
class Closed:
    """A connection that the app closed after so many answers. `announced`: whether the last of them said so."""

    answers: int
    announced: bool


@dataclass(frozen=True)
class Read:
    """What the load brought, the numbers of the fetches in answers of the right form, and all other answers.

    `closed`: the connections that the app closed, unless the last answer was an error that said so. Where threads have
    several connections, only those whose closing was announced. `wrong`, `refused`: how many wrong requests were sent,
    and how many of them were refused. `soonest_ms`: the shortest time of an answer that came sooner than it may, else
    None. `bare`: how many answers had no header field, where wrk tells only that they came. `began`, `ended`: between
    which times it was, as of time.time().
    """

    load: LoadResult
    numbers: list[int]
    odd: list[OddAnswer]
    closed: list[Closed]
    began: float = 0.0
    ended: float = 0.0
    wrong: int = 0
    refused: int = 0
    soonest_ms: float | None = None
    bare: int = 0


@dataclass(frozen=True)
class Reading:
    """How answers are read.

    `forms`: those of right answers that are known. Answers without one are parsed. `rows`: how many rows there are of
    which answers are made. `have_ids`: whether each answer holds the id of its request. `soonest_ms`: the fewest
    milliseconds that an answer may take. `wrong`: bodies of requests that have to be refused. About half of so many
    `mixed` requests have one. They begin after the share `after` of the load. `most_bytes`: how many bytes of answers
    that have to be parsed are kept; further ones are not checked.
    """

    forms: tuple[AnswerForm, ...] = ()
    rows: int = 1
    have_ids: bool = False
    soonest_ms: float = 0.0
    wrong: tuple[bytes, ...] = ()
    mixed: int = 0
    after: float = 0.0
    most_bytes: int = MOST_BYTES

    def table(self, answers: int, bodies: int, wrong: list[bytes]) -> dict[str, Any]:
        """Returns the table that reading.lua gets, and writes the bodies of the forms to a file.

        `answers`, `bodies`: the numbers of open files. `wrong`: the bytes of the requests that have to be refused.
        """
        starts = [0, *accumulate(len(each.body) for each in self.forms)]
        os.write(bodies, b"".join(each.body for each in self.forms))
        forms = [
            {
                "status": each.status,
                "type": each.content_type,
                "start": start,
                "length": len(each.body),
                "ids": each.ids,
                "places": each.places,
                "which": each.which,
                "row": each.row,
            }
            for each, start in zip(self.forms, starts, strict=False)
        ]
        return {
            "answers": answers,
            "bodies": bodies,
            "size": starts[-1],
            "most_bytes": self.most_bytes,
            "soonest": self.soonest_ms,
            "have_ids": self.have_ids,
            "rows": self.rows,
            "forms": forms,
            "wrong": wrong,
            "mixed": self.mixed,
            "from": self.after,
        }


def parse_answers(answers: int, load: LoadResult, began: float) -> Read:
    """Returns what reading.lua wrote to an open file about a load that has just ended. `began`: as of time.time().

    Raises ToolError when it is not as reading.lua writes it.
    """
    numbers: list[int] = []
    odd: list[OddAnswer] = []
    closed: list[Closed] = []
    soonest: list[float] = []
    wrong = refused = told = 0
    with os.fdopen(os.dup(answers), "rb") as file:
        file.seek(0)
        while line := file.readline():
            match line.decode(errors="replace").split():
                case ["number", number]:
                    numbers.append(int(number))
                case ["wrong"]:
                    wrong += 1
                case ["refused"]:
                    refused += 1
                case ["read", count]:
                    told += int(count)
                case ["soon", milliseconds]:
                    soonest.append(float(milliseconds))
                case ["closed" | "closes" as how, count]:
                    closed.append(Closed(int(count), how == "closes"))
                case ["answer", count, kind, identity, status, of_type, of_encoding, of_body]:
                    content_type = file.read(int(of_type)).decode(errors="replace")
                    encoding = file.read(int(of_encoding)).decode(errors="replace")
                    id_ = int(identity) if identity.isdigit() else None
                    answer = OddAnswer(
                        int(count), kind == "wrong", id_, identity != "?", int(status), content_type, encoding,
                        file.read(int(of_body)),
                    )  # fmt: skip
                    odd.append(answer)
                case _:
                    raise ToolError("what wrk read is not as reading.lua writes it", repr(line[:200]))
    bare = 0
    if load.sent == load.requests and "read" not in load.errors:
        # No connection was closed before its answer: where reading.lua takes one for closed, the answer was bare.
        bare, closed = load.requests - told, [each for each in closed if each.announced]
    return Read(load, numbers, odd, closed, began, time.time(), wrong, refused, min(soonest, default=None), bare)


def lua(value: Any) -> str:
    """Returns Lua code for a value: a dict with text keys, a list, bytes, a text, a number or None."""
    match value:
        case None:
            return "nil"
        case bool():
            return str(value).lower()
        case dict():
            return "{" + ",".join(f"{key}={lua(each)}" for key, each in value.items()) + "}"
        case list() | tuple():
            return "{" + ",".join(map(lua, value)) + "}"
        case bytes():
            # three digits each, as those that follow an escape would belong to it
            return '"' + "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:03}" for b in value) + '"'
        case str():
            return lua(value.encode())
        case _:
            return repr(value)
