"""Reads JSON as the contract wants it: RFC 8259, in UTF-8 without a mark, and no object with a key twice."""

import codecs
import json
from collections import Counter
from typing import Any, NoReturn


def strict_json(content: bytes) -> Any:
    """Returns the document. Raises ValueError, and RecursionError where it is nested too deeply.

    json.loads would take UTF-16 and UTF-32 too, a byte order mark, NaN, and the last of several values of a key.
    """
    if content.startswith(codecs.BOM_UTF8):
        raise ValueError("it begins with a byte order mark")
    return _DECODER.decode(content.decode("utf-8"))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        repeated, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise ValueError(f"the key {repeated!r} is there twice")
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_constant)
