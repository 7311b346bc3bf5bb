"""The suite `issue-tracker`."""

import random
from collections.abc import Iterable
from functools import partial
from typing import Any

from restbench.conformance import bodies
from restbench.conformance.contract import Contract, Rule
from restbench.conformance.difference import difference
from restbench.conformance.http import Answer, Client


class IssueTracker(Contract):
    """The contract of a sprint board in JSON."""

    def random_body(self, rng: random.Random) -> Any:
        return bodies.task(rng) if self.shape.body is not None else None

    def misfits(self) -> list[Any]:
        return bodies.misfitting_tasks() if self.shape.body is not None else []

    def own_rules(self, rng: random.Random) -> Iterable[Rule]:
        if self.shape.body is not None:
            yield "unknown-fields", partial(self._unknown_fields_are_ignored, rng)

    def _unknown_fields_are_ignored(self, rng: random.Random, client: Client) -> None:
        identity, body = self.random_id(rng), self.random_body(rng)
        self.check(self.ask(client, identity, body | {"unheard_of": {"by": ["anybody"]}}), identity, body)

    def check_body(self, answer: Answer, identity: int, body: Any) -> None:
        expected = self._expected(identity, body)
        if expected is None:
            if answer.body:
                raise answer.fail("no body", answer.shown())
            return
        if found := difference(expected, answer.json()):
            path, wanted, got = found
            raise answer.fail(f"{path} = {wanted}", got)

    def _expected(self, identity: int, body: Any) -> Any:
        match self.scenario.name:
            case "userinfo":
                row = self.suite.document("user.json")
                return row | {"sub": f"{row['sub']}-{identity}"}
            case "sprint":
                row = self.suite.document("sprint.json")
                return row | {"sprint": row["sprint"] | {"id": identity}}
            case "create-task":
                return self.suite.document("task.json") | body | {"board": identity}
            case _:
                return None
