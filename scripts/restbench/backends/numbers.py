"""Numbers that show for which request an answer was made: ten digits in place of the end of a text."""

import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import floor, gcd
from typing import Any, ClassVar, Self

DIGITS = 10

_NUMBER = re.compile(r"[1-9][0-9]{9}")

Step = str | int
"""The name of a member, or the index of an item, of a JSON document."""


@dataclass(frozen=True)
class NumberedText:
    """The text of a document whose last characters a number may take the place of: the steps that lead to it."""

    steps: tuple[Step, ...]

    @property
    def path(self) -> str:
        return "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.steps)

    def end_of(self, document: Any) -> str:
        """Returns the characters in whose place the number stands. Empty where the document has no such text."""
        text = _at(document, self.steps)
        return text[-DIGITS:] if isinstance(text, str) else ""

    def number_in(self, document: Any) -> int | None:
        """Returns the number at the end of the text in a document, or None where there is none."""
        end = self.end_of(document)
        return int(end) if _NUMBER.fullmatch(end) else None

    def with_end(self, document: Any, end: object) -> Any:
        """Returns the document with another end of the text. What does not differ is shared."""
        return _with(document, self.steps, f"{_at(document, self.steps)[:-DIGITS]}{end}")


@dataclass(frozen=True)
class Numbers:
    """How a cache makes the numbers of its answers: of the time, and of Varnish's id of the request.

    `factor` is a secret of the harness, so that an app cannot make a number itself. It has no divisor in common with
    SPAN, so that each time and id give a number of their own.
    """

    factor: int

    A_SECOND: ClassVar[int] = 10
    """The time is counted in tenths of a second."""
    TIMES: ClassVar[int] = 900
    """After so many tenths of a second the time begins anew."""
    IDS: ClassVar[int] = 10**7
    """After so many requests the ids begin anew."""
    SPAN: ClassVar[int] = TIMES * IDS
    FIRST: ClassVar[int] = 10 ** (DIGITS - 1)

    @classmethod
    def drawn(cls) -> Self:
        """Draws a factor. It has nine digits, as its product with a number below SPAN has to fit into 64 bits."""
        factor = 0
        while gcd(factor, cls.SPAN) != 1:
            factor = 10**8 + secrets.randbelow(9 * 10**8)
        return cls(factor)

    def is_given(self, number: int, began: float, ended: float) -> bool:
        """Returns whether the cache may have given a number between two times, in seconds as of time.time().

        Where the clock was set back meanwhile, it may.
        """
        time = (number - self.FIRST) * pow(self.factor, -1, self.SPAN) % self.SPAN // self.IDS
        first, last = floor(began * self.A_SECOND), floor(ended * self.A_SECOND)
        return last < first or (time - first) % self.TIMES <= last - first


def _at(document: Any, steps: Iterable[Step]) -> Any:
    """Returns the value at the end of the steps, or None where there is none."""
    for step in steps:
        try:
            document = document[step]
        except (LookupError, TypeError):
            return None
    return document


def _with(document: Any, steps: Sequence[Step], value: Any) -> Any:
    if not steps:
        return value
    changed = document.copy()
    changed[steps[0]] = _with(document[steps[0]], steps[1:], value)
    return changed
