"""A cell that is loaded, with its running app."""

from dataclasses import dataclass
from math import inf

from restbench.catalog import Cell, Entry, Scenario
from restbench.conformance import RightAnswers
from restbench.loadgen.request_shapes import RequestShape, request_shape
from restbench.targets import Target


@dataclass(frozen=True)
class LoadedCell:
    """`right`: what its right answers look like, where that is known.

    `capacity`: its requests per second before the rounds, which decides over how many connections it is loaded. It is
    infinite until it is known.
    """

    target: Target
    entry: Entry
    cell: Cell
    right: RightAnswers | None = None
    capacity: float = inf

    @property
    def scenario(self) -> Scenario:
        return self.entry.scenario(self.cell)

    @property
    def shape(self) -> RequestShape:
        """The shape of the requests that load generators send to it."""
        return request_shape(self.entry.suites[self.cell.suite], self.scenario, self.cell)
