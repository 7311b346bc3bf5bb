"""Does an app ask its backend for each answer anew?"""

from restbench.backends import Backend
from restbench.conformance.http import Mismatch

_READINGS = 10
"""On a busy machine the cache is late in adding up what it has counted."""


def kept_answers(backend: Backend, before: int, answered: int, request: str) -> Mismatch | None:
    """What is wrong where an app answered more often than it asked, None where it did not.

    `before`: the requests that the cache had had before the app was asked for so many answers. There may be more than
    answers: some of these came too late to be counted.
    """
    seen = 0
    for _ in range(_READINGS):
        seen = backend.requests() - before
        if seen >= answered:
            return None
    return Mismatch(request, f"{answered} requests at the cache", f"{seen} requests at the cache: answers are kept")
