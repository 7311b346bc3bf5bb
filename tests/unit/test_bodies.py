"""The bodies that an app has to refuse, and those that a framework's lacks spare it."""

import json
import random
from collections.abc import Callable

import pytest

from restbench.conformance.bodies import malformed, task


def bodies(*, comments: bool = True, trailing: bool = True) -> list[bytes]:
    rng = random.Random(1)
    return malformed(task(rng), validates=True, comments=comments, trailing=trailing, rng=rng)


def goes_on(body: bytes) -> bool:
    """Whether the body is a whole value and something behind it."""
    try:
        _, end = json.JSONDecoder().raw_decode(body.decode())
    except ValueError:
        return False
    return bool(body[end:].strip())


@pytest.mark.parametrize(
    ("lacking", "spared"),
    [("trailing", goes_on), ("comments", lambda body: b"/* c */" in body or body.endswith(b"// c"))],
)
def test_a_lack_spares_an_app_only_the_bodies_that_it_is_about(lacking: str, spared: Callable[[bytes], bool]) -> None:
    assert any(map(spared, bodies()))
    assert bodies(**{lacking: False}) == [body for body in bodies() if not spared(body)]
