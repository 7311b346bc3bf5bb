"""The suite `hello`."""

import random
from typing import Any

from restbench.conformance.contract import Contract
from restbench.conformance.http import Answer


class Hello(Contract):
    """The contract of a short text."""

    def random_body(self, rng: random.Random) -> Any:
        return None

    def misfits(self) -> list[Any]:
        return []

    def check_body(self, answer: Answer, identity: int, body: Any) -> None:
        if answer.body != b"Hello World":
            raise answer.fail("the body Hello World", answer.shown())
