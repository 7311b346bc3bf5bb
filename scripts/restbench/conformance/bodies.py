"""Random bodies, with texts that a parser, a serialiser or a cache may get wrong."""

import random
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


AFTER_JSON = [b" xyz", b"{}", b"}", b"]", b" 1"]
"""Bytes that follow a whole JSON value and make the body invalid JSON."""

MALFORMED = [b"{", b'{"summary": ', b"[1, 2", b"not json", b'{"a": 1,}', b"\xff\xfe", b'{"summary": "open']
"""Bodies that no JSON parser accepts."""
