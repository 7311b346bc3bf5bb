"""A/A test: one entry is measured several times as if it were several entries, and no difference may be claimed.

Each copy has a run of its own, with its own processes and its own baseline, as entries have in the service. The copies
are put into tables, and compared by the same code as the rows of the board.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median

from restbench.board import Table, build_board
from restbench.catalog import Catalog, Entry
from restbench.results.models import EntryResult


@dataclass(frozen=True)
class IdenticalTable:
    """One table of copies.

    `copies`: the copies that are compared. `slower`: how many of them are in a slower group than the first. `spread`:
    highest speed ÷ lowest speed, minus 1.
    """

    suite: str
    name: str
    copies: int
    slower: int
    spread: float


@dataclass(frozen=True)
class Identical:
    """The tables of the copies of an entry."""

    tables: list[IdenticalTable]

    @property
    def claiming(self) -> int:
        """The number of tables in which any copy is called slower. This is what the error rate of a table limits."""
        return sum(table.slower > 0 for table in self.tables)

    @property
    def copies(self) -> int:
        return sum(table.copies for table in self.tables)

    @property
    def slower(self) -> int:
        return sum(table.slower for table in self.tables)

    @property
    def spread(self) -> float:
        """The median of the tables' spreads. 0 without tables."""
        return median([table.spread for table in self.tables] or [0.0])


def judge_identical(entry: Entry, results: Sequence[EntryResult], catalog: Catalog, together: int) -> Identical:
    """Puts the results of an entry's runs into tables of so many copies, and counts what the board claims.

    `results`: a result for each run. A run that is left over is in no table. A table in which fewer than two copies
    are compared is left out.
    """
    found: list[IdenticalTable] = []
    for first in range(0, len(results) - together + 1, together):
        copies = [replace(entry, name=f"{entry.name}-{number}") for number in range(together)]
        named = [
            result.model_copy(update={"entry": copy.id})
            for copy, result in zip(copies, results[first : first + together], strict=True)
        ]
        board = build_board(replace(catalog, entries={copy.id: copy for copy in copies}), named)
        found += _judged(table for section in board.sections for suite in section.suites for table in suite.tables)
    return Identical(found)


def _judged(tables: Iterable[Table]) -> Iterable[IdenticalTable]:
    for table in tables:
        shares = [row.share.middle for row in table.compared if row.share]
        if len(shares) > 1:
            slower = sum(row.group != 1 for row in table.compared)
            yield IdenticalTable(table.rows[0].suite, table.name, len(shares), slower, max(shares) / min(shares) - 1)
