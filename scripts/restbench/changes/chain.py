"""The speed of an entry over time, as the chain of its change records.

Each record has the ratio of two versions that were measured at the same time on the same CPUs. So the chain does not
depend on the machines of different weeks, as throughputs do. Only differences that were claimed are links: the others
cannot be distinguished from noise, and noise would add up.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from math import exp, fsum, log

from pydantic import AwareDatetime

from restbench.board.links import Gains
from restbench.catalog import Cell, CellKey
from restbench.changes.records import ChangeRecord
from restbench.results.history import suite_of
from restbench.results.models import EarlierCost


@dataclass(frozen=True)
class ChainStep:
    """The speed of an entry in a suite after a record, as a share of the speed before the first record."""

    at: AwareDatetime
    record: str
    speed: float


def chain_of(records: Iterable[ChangeRecord], entry: str, suite: str) -> list[ChainStep]:
    """The links of one entry's cells of one suite, oldest first. Records that claim nothing there are left out."""
    links: list[ChainStep] = []
    total = 0.0
    for record in sorted(records, key=lambda r: r.at):
        if record.entry != entry:
            continue
        # the mean of the suite's cells, of which some may be unchanged
        cells = [name for name in record.cells if suite_of(name) == suite]
        effect = fsum(cell_effect(record, name) for name in cells) / len(cells) if cells else 0.0
        if effect:
            total += effect
            links.append(ChainStep(record.at, record.id, exp(-total)))
    return links


def speed_of(records: Iterable[ChangeRecord], entry: str, suite: str) -> float:
    """The newest speed of the chain, 1.0 where nothing has changed."""
    links = chain_of(records, entry, suite)
    return links[-1].speed if links else 1.0


def cell_effect(record: ChangeRecord, cell: str) -> float:
    """The logarithm of the ratio of a cell's costs that the record claims, 0.0 where it claims none.

    Where a difference is claimed for all cells together, each cell has the ratio that was measured for it. A cell
    without one has that of all cells.
    """
    own, whole = record.cells.get(cell), record.together
    together = whole is not None and whole.claimed
    if own and own.ratio and (own.claimed or together):
        return log(own.ratio)
    return log(whole.ratio) if together and whole and whole.ratio else 0.0


def gains_of(records: Iterable[ChangeRecord]) -> Gains:
    """What each record measured of a baseline's cell, whether or not it claims a difference.

    The board needs it where its rows are older or newer than the links.
    """
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
