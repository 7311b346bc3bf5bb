"""The contract of each suite."""

import random
from collections.abc import Iterable
from typing import Any, NoReturn

from restbench.backends import Backend
from restbench.catalog import Cell, Entry
from restbench.conformance.contract import Contract, Rule
from restbench.conformance.difference import check_text
from restbench.conformance.http import Answer, Client, Mismatch, Request
from restbench.conformance.issue_tracker import IssueTracker
from restbench.conformance.solr import Solr
from restbench.conformance.workload import Workload


class Hello(Contract):
    """The contract of a short text."""

    def check_body(self, answer: Answer, identity: int, body: Any) -> None:
        check_text(answer, "Hello World")


CONTRACTS: dict[str, type[Contract]] = {
    "hello": Hello,
    "issue-tracker": IssueTracker,
    "solr": Solr,
    "workload": Workload,
}


def contract_of(entry: Entry, cell: Cell, backend: Backend | None = None, source_ms: float = 0.0) -> Contract:
    """Returns the contract of a cell. The parameters are those of Contract."""
    return CONTRACTS.get(cell.suite, _Unwritten)(entry, cell, backend, source_ms)


class _Unwritten(Contract):
    """The contract of a suite that has a folder in fixtures/ but no rules yet. Every app fails it."""

    def check_body(self, answer: Answer, identity: int, body: Any) -> None:
        self._fail()

    def ask(self, client: Client, identity: int, body: Any) -> Answer:
        self._fail()

    def request(self, client: Client, identity: int, body: Any) -> Request:
        self._fail()

    def own_rules(self, rng: random.Random) -> Iterable[Rule]:
        yield "contract", lambda _client: self._fail()

    def _fail(self) -> NoReturn:
        where = "scripts/restbench/conformance/contracts.py"
        raise Mismatch(f"suite {self.suite.name}", f"a contract in {where}", "none: nothing can be verified")
