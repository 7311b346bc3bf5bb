"""Which contract a suite has."""

from restbench.backends import Backend
from restbench.catalog import Cell, Entry
from restbench.conformance.contract import Contract
from restbench.conformance.hello import Hello
from restbench.conformance.issue_tracker import IssueTracker
from restbench.conformance.solr import Solr
from restbench.conformance.workload import Workload

CONTRACTS: dict[str, type[Contract]] = {
    "hello": Hello,
    "issue-tracker": IssueTracker,
    "solr": Solr,
    "workload": Workload,
}


def contract_of(entry: Entry, cell: Cell, backend: Backend | None = None) -> Contract:
    """The rules of a cell."""
    return CONTRACTS[cell.suite](entry, cell, backend)
