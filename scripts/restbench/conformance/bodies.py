"""Random bodies, with texts that a parser, a serialiser or a cache may get wrong."""

import json
import random
import re
from typing import Any

_PLAIN = "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789"
_AWKWARD = [
    '"quoted"', "back\\slash", "new\nline", "tab\t", "\u0000", "</script>", "é", "ß", "日本語", "Привет", "🦀",
    "👩\u200d👩\u200d👧", "\u2028", "\u202e", "null", "true", "[]", "{}", "%7B", "&amp;", "'", "\x7f",
]  # fmt: skip
_LONG = 4000


def text(rng: random.Random) -> str:
    """Returns a random text: mostly short, sometimes long or empty. A text that is not empty has an awkward part."""
    kind = rng.random()
    if kind < 0.1:
        return ""
    length = _LONG if kind > 0.9 else rng.randrange(1, 60)
    letters = "".join(rng.choices(_PLAIN, k=length))
    at = rng.randrange(length)
    return letters[:at] + rng.choice(_AWKWARD) + letters[at:]


def solr_text(rng: random.Random) -> str:
    """Returns a random text that Solr stores unchanged.

    Solr stores no more than 32,766 bytes, which these texts never reach. It does not keep the byte 0 in every case.
    """
    return text(rng).replace("\0", "")


def task(rng: random.Random) -> dict[str, Any]:
    """Returns a random body of create-task and update-task (docs/CONTRACT.md)."""
    return {
        "summary": text(rng),
        "description": text(rng),
        "issue_type": rng.choice(["Bug", "Story", "Task", text(rng)]),
        "priority": rng.choice(["Low", "High", text(rng)]),
        "labels": [text(rng) for _ in range(rng.randrange(5))],
        "components": [text(rng) for _ in range(rng.randrange(4))],
    }


def misfitting_tasks() -> list[Any]:
    """Returns bodies that are JSON but do not have the shape of a task."""
    right = task(random.Random(0))
    return [
        [],
        "text",
        right | {"summary": {"text": "an object"}},
        right | {"labels": "not a list"},
        right | {"labels": [{"name": "an object"}]},
        right | {"components": None},
        {key: value for key, value in right.items() if key != "summary"},
        {key: value for key, value in right.items() if key != "labels"},
    ]


_NO_JSON = [b"", b"{", b'{"summary": ', b"[1, 2", b"not json", b"\xff\xfe", b'{"summary": "open']
"""Bodies that no JSON parser accepts."""

_TRAILING = [b" xyz", b"{}", b"}", b"]", b" 1"]
"""Bytes that follow a whole JSON value and make the body invalid JSON."""


def malformed(body: Any, *, validates: bool, comments: bool, trailing: bool, rng: random.Random) -> list[bytes]:
    """Returns bodies that are not JSON (docs/CONTRACT.md). But for what makes them so, they are a right body.

    `validates`: whether the app has declared types for the body. Then one has a number that JSON does not have.
    `comments`: whether some have comments. `trailing`: whether some begin with a right body that is whole.
    """
    whole, plain = json.dumps(body).encode(), json.dumps(_plain(body)).encode()
    extended = [
        plain.replace(b'"', b"'"),
        plain[:-1] + b",}",
        plain[:-1],
        whole[: rng.randrange(1, len(whole))],
    ]
    trailed = [whole + rest for rest in (*_TRAILING, whole)] if trailing else []
    commented = [b"/* c */" + plain, plain.replace(b"{", b"{/* c */", 1)] if comments else []
    commented += [plain + b"// c"] if comments and trailing else []
    numbers = [plain.replace(b'"x"', b"NaN", 1)] if validates else []
    return [*_NO_JSON, *trailed, *extended, *commented, *numbers]


_TEXT = re.compile(rb'("(?:[^"\\]|\\.)*")(\s*:)?')
"""A text of JSON, and the colon behind a key."""


def wrong_under_load(body: bytes, *, validates: bool, rng: random.Random) -> list[bytes]:
    """Returns bodies that have to be refused, with the length of this object of JSON, and with its beginning.

    `validates`: whether the app has declared types for the body. Then one has an object in the place of a text.
    """
    found = list(_TEXT.finditer(body))
    texts = [each for each in found if not each[2]]
    colon = next(each.end() - 1 for each in reversed(found) if each[2])
    unended = rng.choice(texts[len(texts) // 2 :]).end() - 1
    wrong = [body[:-1] + b"]", body[:colon] + b";" + body[colon + 1 :], body[:unended] + b"_" + body[unended + 1 :]]
    if validates:
        last = texts[-1]
        wrong.append(body[: last.start()] + b"{}".ljust(len(last[1])) + body[last.end() :])
    return wrong


def _plain(body: Any) -> Any:
    """The body with a letter in place of each text, so that no text looks like a part of the syntax."""
    if isinstance(body, dict):
        return {key: _plain(value) for key, value in body.items()}
    return [_plain(value) for value in body] if isinstance(body, list) else "x"
