"""Finds the first difference between two JSON documents. Names it by its path, such as `$.issues[3].assigned`."""

import re
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

from restbench.conformance.http import Answer, shorten

_DATE_TIME = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2}[Tt](?:[01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2})(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})"
)


def check_json(answer: Answer, expected: Any) -> None:
    """Raises Mismatch with the first difference unless the answer's body is this document."""
    if found := difference(expected, answer.json()):
        path, wanted, got = found
        raise answer.fail(f"{path} = {wanted}", got)


def check_text(answer: Answer, expected: str) -> None:
    """Raises Mismatch unless the answer's body is this text."""
    if answer.body != expected.encode():
        raise answer.fail(f"the body {expected}", answer.shown())


def difference(expected: Any, got: Any, path: str = "$") -> tuple[str, str, str] | None:
    """Returns (path, expected, got) of the first difference, or None.

    The order of keys is free. Date-times are compared as instants.
    """
    if isinstance(expected, dict) and isinstance(got, dict):
        for key in expected | got:
            if key not in got:
                return f"{path}.{key}", shorten(repr(expected[key])), "nothing"
            if key not in expected:
                return f"{path}.{key}", "nothing", shorten(repr(got[key]))
            if found := difference(expected[key], got[key], f"{path}.{key}"):
                return found
        return None
    if isinstance(expected, list) and isinstance(got, list):
        if len(expected) != len(got):
            return path, f"{len(expected)} items", f"{len(got)} items"
        pairs = enumerate(zip(expected, got, strict=True))
        return next((d for i, (e, g) in pairs if (d := difference(e, g, f"{path}[{i}]"))), None)
    # the types are compared too: Python takes 1, 1.0 and True as equal, and the contract does not
    if type(expected) is type(got) and expected == got:
        return None
    if isinstance(expected, str) and isinstance(got, str) and (then := instant(expected)) and then == instant(got):
        return None
    return path, shorten(repr(expected)), shorten(repr(got))


def instant(text: str) -> tuple[datetime, Fraction] | None:
    """Returns the second of a date-time, in UTC, and the fraction of it; None where the text is no date-time.

    Source: RFC 3339, 5.6. `T` and `Z` may be lower-case letters. A fraction has any number of digits.
    """
    found = _DATE_TIME.fullmatch(text)
    if not found:
        return None
    whole, fraction, offset = found.groups()
    leap = whole.endswith(":60")
    try:
        second = datetime.fromisoformat(f"{whole[:-2]}59" if leap else whole)
        hours, minutes = (0, 0) if offset in "Zz" else (int(offset[1:3]), int(offset[4:]))
        if hours > 23 or minutes > 59:
            return None
        away = timedelta(hours=hours, minutes=minutes) * (-1 if offset[0] == "-" else 1)
        return second + timedelta(seconds=leap) - away, Fraction(f"0{fraction or ''}")
    except (ValueError, OverflowError):
        return None
