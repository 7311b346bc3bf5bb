"""Finds the first difference between two JSON documents. Names it by its path, such as `$.issues[3].assigned`."""

from datetime import datetime
from typing import Any

from restbench.conformance.http import shorten


def difference(expected: Any, got: Any, path: str = "$") -> tuple[str, str, str] | None:
    """Returns (path, expected, got) of the first difference, or None.

    The order of keys is free. Date-times are compared as instants.
    """
    if isinstance(expected, dict) and isinstance(got, dict):
        return _in_objects(expected, got, path)
    if isinstance(expected, list) and isinstance(got, list):
        if len(expected) != len(got):
            return path, f"{len(expected)} items", f"{len(got)} items"
        pairs = enumerate(zip(expected, got, strict=True))
        return next((d for i, (e, g) in pairs if (d := difference(e, g, f"{path}[{i}]"))), None)
    # the types are compared too: Python takes 1, 1.0 and True as equal, and the contract does not
    if type(expected) is type(got) and (expected == got or _same_instant(expected, got)):
        return None
    return path, shorten(repr(expected)), shorten(repr(got))


def _in_objects(expected: dict[str, Any], got: dict[str, Any], path: str) -> tuple[str, str, str] | None:
    for key in expected:
        if key not in got:
            return f"{path}.{key}", shorten(repr(expected[key])), "nothing"
        if found := difference(expected[key], got[key], f"{path}.{key}"):
            return found
    extra = next((key for key in got if key not in expected), None)
    return None if extra is None else (f"{path}.{extra}", "nothing", shorten(repr(got[extra])))


def _same_instant(expected: Any, got: Any) -> bool:
    if not (isinstance(expected, str) and isinstance(got, str)):
        return False
    try:
        first, second = datetime.fromisoformat(expected), datetime.fromisoformat(got)
    except ValueError:
        return False
    return first.tzinfo is not None and second.tzinfo is not None and first == second
