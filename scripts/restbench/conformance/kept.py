"""Checks that an app asks its backend for each answer, and does not keep answers."""

from restbench.backends import Backend
from restbench.conformance.http import Mismatch

_READINGS = 10
"""How often the count is read. On a busy machine the cache adds up its counters late."""


def kept_answers(backend: Backend, before: int, answered: int, request: str) -> Mismatch | None:
    """Returns a Mismatch when the app gave more answers than it sent requests to its backend, else None.

    `before`: how many requests the cache had received before the app was asked. `answered`: how many answers the app
    gave since. There may be more requests than answers, as some answers came too late to be counted.
    """
    seen = 0
    for _ in range(_READINGS):
        seen = backend.requests() - before
        if seen >= answered:
            return None
    return Mismatch(
        request, f"{answered} requests at the cache", f"{seen} requests at the cache: the app keeps answers"
    )
