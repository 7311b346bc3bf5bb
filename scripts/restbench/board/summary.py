"""The summary of a section: how every framework did in the few tables that stand for all."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from restbench.board.models import Section, SuiteTables
from restbench.board.order import in_groups
from restbench.board.rows import Row, Table, best_rows


@dataclass(frozen=True)
class SummaryLine:
    """A framework. `row` is one of its rows. `best` has its best row in each table, or None where it has no row."""

    row: Row
    best: list[Row | None]


@dataclass(frozen=True)
class Summary:
    """The tables that stand for all, and a line for each framework that is in any of them.

    A row has the group that it has among the rows that are shown. The lines are in the order of the first table.
    Frameworks that it does not have follow, in the order of the next one. So a framework that takes part in some tables
    only changes nothing in the order of the others.
    """

    tables: list[Table]
    lines: list[SummaryLine]


@dataclass(frozen=True)
class Leading:
    """The first groups of a table among the best rows of all frameworks, and how many groups and frameworks follow.

    Rows that are not compared are in no group, and are not counted. There are no groups in a table whose languages
    nothing links.
    """

    groups: list[list[Row]]
    rest_groups: int = 0
    rest_rows: int = 0


def leading_groups(table: Table, most: int = 4) -> Leading:
    """The first `most` groups of a table."""
    grouped = [row for row in of_frameworks(table).rows if row.group]
    found = [list(rows) for _, rows in groupby(grouped, key=lambda row: row.group)]
    rest = found[most:]
    return Leading(found[:most], len(rest), sum(map(len, rest)))


@dataclass(frozen=True)
class Absent:
    """Frameworks that have no row in a table, for one reason. `table`: the likest one where all of them stand."""

    reason: str
    rows: list[Row]
    suite: SuiteTables
    table: Table


def absent_from(section: Section, suite: SuiteTables, table: Table) -> list[Absent]:
    """The frameworks of the section that have no row in a table, with the reason. No framework is missing silently."""
    scenarios = {row.cell.scenario for row in table.rows}
    others = [(suite, other) for other in suite.tables if scenarios & {row.cell.scenario for row in other.rows}]
    others += [(each, other) for each in [suite, *section.suites] for other in each.tables]
    seen = {row.entry.id for row in table.rows}
    found: list[Absent] = []
    for where, other in others:
        rows = [row for row in best_rows(other.rows).values() if row.entry.id not in seen]
        seen |= {row.entry.id for row in rows}
        if rows:
            without = "no typed variant" if table.schema else "typed variants alone"
            found.append(Absent(without if where is suite else "not in this suite", rows, where, other))
    return found


def build_summary(section: Section, places: Sequence[str]) -> Summary:
    """`places` names tables as suite/table. Tables that the section does not have are left out."""
    known = {f"{suite.name}/{table.name}": table for suite in section.suites for table in suite.tables}
    tables = [known[place] for place in places if place in known]
    best = [{row.entry.id: row for row in of_frameworks(table).rows} for table in tables]
    # rows with figures come first in each table, so those of all tables come before rows without any
    figures = [row for found in best for row in found.values() if row.throughput]
    first = best_rows([*figures, *(row for found in best for row in found.values())])
    return Summary(tables, [SummaryLine(row, [found.get(entry) for found in best]) for entry, row in first.items()])


def of_frameworks(table: Table) -> Table:
    """The table with only the best row of each framework, and with the groups that these have among each other."""
    best = list(best_rows(table.rows).values())
    return replace(table, rows=in_groups(best, table.certain) if table.linked else best)
