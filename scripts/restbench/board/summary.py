"""The summary of a section: how every framework did in the few tables that stand for all."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import geometric_mean

from restbench.board.models import Section
from restbench.board.rows import Row, Table


@dataclass(frozen=True)
class SummaryLine:
    """A framework. `row` is one of its rows. `best` has its best row in each table, or None where it has no row."""

    row: Row
    best: list[Row | None]


@dataclass(frozen=True)
class Summary:
    """The tables that stand for all, and a line for each framework that is in any of them.

    The lines are in the order of the geometric mean of their shares of the best speed. The mean is over the tables in
    which every framework has a row. Without a speed there, a framework counts as the slowest one.
    """

    tables: list[Table]
    lines: list[SummaryLine]


def build_summary(section: Section, places: Sequence[str]) -> Summary:
    """`places` names tables as suite/table. Tables that the section does not have are left out."""
    known = {f"{suite.name}/{table.name}": table for suite in section.suites for table in suite.tables}
    tables = [known[place] for place in places if place in known]
    best = [_best(table.rows) for table in tables]
    rows = {entry: row for found in best for entry, row in found.items()}
    lines = [SummaryLine(row, [found.get(entry) for found in best]) for entry, row in rows.items()]
    common = [number for number in range(len(tables)) if all(line.best[number] for line in lines)]
    return Summary(tables, sorted(lines, key=lambda line: (-_mean(line, tables, common), line.row.title.casefold())))


def _best(rows: Iterable[Row]) -> dict[str, Row]:
    """The first row of each entry. Rows are in the order of a table, so it is the entry's best one."""
    found: dict[str, Row] = {}
    for row in rows:
        found.setdefault(row.entry, row)
    return found


def _mean(line: SummaryLine, tables: Sequence[Table], common: Sequence[int]) -> float:
    shares = []
    for number in common:
        row = line.best[number]
        slowest = min((other.share.middle for other in tables[number].rows if other.share), default=1.0)
        shares.append(row.share.middle if row and row.share else slowest)
    return geometric_mean(shares) if shares else 0.0
