"""Which contract a suite has."""

from restbench.catalog import Cell, Suite
from restbench.conformance.contract import Contract
from restbench.conformance.hello import Hello
from restbench.conformance.issue_tracker import IssueTracker
from restbench.conformance.workload import Workload

CONTRACTS: dict[str, type[Contract]] = {"hello": Hello, "issue-tracker": IssueTracker, "workload": Workload}


def contract_of(suite: Suite, cell: Cell) -> Contract:
    """The rules of a cell."""
    return CONTRACTS[suite.name](suite, suite.scenario(cell.scenario), cell)
