"""What changes did to the costs of baselines, as the board needs it: rows may be older or newer than the links."""

from collections import defaultdict
from collections.abc import Iterable
from math import log

from restbench.board.links import Gains
from restbench.catalog import Cell, CellKey
from restbench.changes.records import ChangeRecord
from restbench.results.models import EarlierCost


def gains_of(records: Iterable[ChangeRecord]) -> Gains:
    """Returns what each record measured of each cell, whether or not it claims a difference."""
    found: dict[tuple[Cell, str], list[EarlierCost]] = defaultdict(list)
    for record in records:
        for name, cost in record.cells.items():
            if cost.ratio and cost.low and cost.high:
                cell = Cell(record.entry, *CellKey.parse(name))
                # the 95 % interval reaches about two standard errors to each side
                error = log(cost.high / cost.low) / 4
                found[cell, record.target].append(
                    EarlierCost(at=record.at, log_cost=log(cost.ratio), variance=error**2)
                )
    return found
