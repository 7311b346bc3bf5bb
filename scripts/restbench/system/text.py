"""What a message proposes in place of a name that nothing has."""

import difflib
from collections.abc import Iterable

_NEAR = 0.6
"""Least likeness, from 0 to 1, of a name that is proposed."""
_MUCH_NEARER = 0.15
"""Names that are less like a word than the nearest one by more than this are not proposed."""
_PROPOSED = 3
_FEW = 8
"""So many known names may be listed in a message."""


def did_you_mean(word: str, known: Iterable[str], listing: str = "") -> str:
    """The end of a message: at most three near names; else all names where these are few, else `listing`."""
    names = sorted(known)
    near = nearest(word, names)
    if near:
        return f"; did you mean {' or '.join(filter(None, [', '.join(near[:-1]), near[-1]]))}?"
    if len(names) > _FEW:
        return f"; {listing}" if listing else ""
    return f"; known: {', '.join(names)}" if names else ""


def nearest(word: str, names: Iterable[str]) -> list[str]:
    """At most three of the names, the nearest first. "falcon" is as near to python/falcon as can be."""
    likeness = {name: max(_likeness(word, name), _likeness(word, name.rpartition("/")[2])) for name in names}
    least = max([_NEAR, *(value - _MUCH_NEARER for value in likeness.values())])
    near = [name for name, value in likeness.items() if value >= least]
    return sorted(near, key=lambda name: (-likeness[name], name))[:_PROPOSED]


def _likeness(one: str, other: str) -> float:
    return difflib.SequenceMatcher(None, one, other).ratio()
