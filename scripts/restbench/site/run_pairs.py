"""What differs between a run and the runs before it.

These are differences, not claims: two runs may have had different machines, and of a thousand cells some differ by
chance. Claims come from change records alone, whose two versions were measured at the same time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log
from statistics import median

from restbench.render.formats import MISSING, interval
from restbench.render.grid import Column, Grid, Text, make_grid
from restbench.results.history_lines import CellFigures, EntryLine
from restbench.site.points import Measured, Place, what_differs
from restbench.stats.intervals import Interval

SHOWN = 25
"""How many differences a page shows, the greatest ones."""


@dataclass(frozen=True)
class Difference:
    """The relative cost of a cell in a run, and the one that was measured last before it under the same setting."""

    before: Measured
    after: Measured
    cell: str
    old: Interval
    new: Interval

    @property
    def ratio(self) -> float:
        return self.new.middle / self.old.middle

    @property
    def size(self) -> float:
        return abs(log(self.ratio))


Pairs = Mapping[int, tuple[Measured, Measured]]
"""By the identity of an entry's line: what was measured of the entry last before it, and the line itself."""


def pairs_of(measured: Mapping[Place, Sequence[Measured]]) -> Pairs:
    return {id(after.line): (before, after) for found in measured.values() for before, after in pairwise(found)}


def differences(lines: Sequence[EntryLine], pairs: Pairs) -> list[Difference]:
    """Of all cells that have a relative cost both times, the greatest difference first."""
    found = []
    for line in lines:
        if id(line) not in pairs:
            continue
        before, after = pairs[id(line)]
        for cell, figures in line.cells.items():
            old, new = _cost(before.line.cells.get(cell)), _cost(figures)
            if old and new:
                found.append(Difference(before, after, cell, old, new))
    return sorted(found, key=lambda difference: -difference.size)


def _cost(cell: CellFigures | str | None) -> Interval | None:
    return cell.relative_cost_interval if isinstance(cell, CellFigures) else None


def typical(found: Sequence[Difference]) -> float:
    """The median size of the differences, in percent."""
    return 100 * median(difference.size for difference in found)


def differences_grid(found: Sequence[Difference], everything: Mapping[Place, Sequence[Measured]], root: str) -> Grid:
    """The greatest differences. `everything` has what was measured of all entries."""
    columns: list[Column[Difference]] = [
        Column(
            "framework", lambda d: Text(d.after.line.entry, f"{root}framework/{d.after.line.entry}/"), required=True
        ),
        Column("cell", lambda d: d.cell, required=True),
        Column("difference", lambda d: f"{100 * (d.ratio - 1):+.1f} %", number=True, required=True),
        Column("relative cost before", lambda d: interval(d.old), number=True, required=True),
        Column("relative cost", lambda d: interval(d.new), number=True, required=True),
        Column("before", lambda d: d.before.run.at.date().isoformat(), required=True),
        Column("what differs", lambda d: what_differs(d.before, d.after, everything) or MISSING, required=True),
    ]
    return make_grid(columns, found[:SHOWN])
