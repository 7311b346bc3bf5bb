"""Texts for people: names that are near to an unknown one, and texts from elsewhere that are made harmless."""

import difflib
import re
import unicodedata
from collections.abc import Iterable
from textwrap import fill

_NEAR = 0.6
"""The smallest likeness, from 0 to 1, of a name that is proposed."""
_MUCH_NEARER = 0.15
"""How much smaller than the nearest name's likeness that of a proposed name may be."""
_PROPOSED = 3
_FEW = 8
"""The most names that a message lists."""


def did_you_mean(word: str, known: Iterable[str], listing: str = "") -> str:
    """Returns the end of a message. It proposes at most three names that are near the word.

    Where no name is near, it lists all known names if they are few, and else says `listing`.
    """
    names = sorted(known)
    near = nearest(word, names)
    if near:
        return f"; did you mean {' or '.join(filter(None, [', '.join(near[:-1]), near[-1]]))}?"
    if len(names) > _FEW:
        return f"; {listing}" if listing else ""
    return f"; known: {', '.join(names)}" if names else ""


def nearest(word: str, names: Iterable[str]) -> list[str]:
    """Returns at most three names that are like the word, the nearest first.

    The part after the last slash may match alone: "falcon" is as near to python/falcon as the full name is.
    """
    likeness = {name: max(_likeness(word, name), _likeness(word, name.rpartition("/")[2])) for name in names}
    least = max([_NEAR, *(value - _MUCH_NEARER for value in likeness.values())])
    near = [name for name, value in likeness.items() if value >= least]
    return sorted(near, key=lambda name: (-likeness[name], name))[:_PROPOSED]


def _likeness(one: str, other: str) -> float:
    return difflib.SequenceMatcher(None, one, other).ratio()


_WORD_JOINER = "\u2060"
"""A character that nobody sees, and that no command has."""

_COMMAND = re.compile(r"^(\s*)(?=::)|(?<=##)(?=\[)", re.MULTILINE)

_DROPPED = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Categories of characters: those that control something, and bytes of a path that are no UTF-8."""

LONGEST = 500


def harmless(text: str) -> str:
    """The text without control characters, and without anything that a runner would take for a command."""
    printable = "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in _DROPPED)
    return _COMMAND.sub(lambda found: (found[1] or "") + _WORD_JOINER, printable)


def one_line(text: str, longest: int = LONGEST) -> str:
    """The harmless text on one line of at most so many characters."""
    line = harmless(" ".join(text.split()))
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def telling_line(output: str) -> str:
    """Returns the first line of a program's output that says something, on its own. Empty where there is none."""
    lines = (line for line in output.splitlines() if line.strip() and not line.startswith((" ", "\t", "Traceback")))
    return one_line(next(lines, ""))


_HELD = "\xa0"
"""A space at which textwrap does not fold."""


def folded(text: str, width: int) -> str:
    """The text, folded to that width after punctuation alone, so that a command in it stays whole and can be copied."""
    lines = re.sub(r"(?<![,:;.?]) ", _HELD, text).split("\n")
    folds = (fill(line, width, break_long_words=False, break_on_hyphens=False) for line in lines)
    return "\n".join(folds).replace(_HELD, " ")
