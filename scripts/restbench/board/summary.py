"""The summary of a section: how every framework did in the few tables that stand for all."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from restbench.board.models import Section
from restbench.board.order import groups_of
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


def build_summary(section: Section, places: Sequence[str]) -> Summary:
    """`places` names tables as suite/table. Tables that the section does not have are left out."""
    known = {f"{suite.name}/{table.name}": table for suite in section.suites for table in suite.tables}
    tables = [known[place] for place in places if place in known]
    best = [_with_groups(best_rows(table.rows)) for table in tables]
    # rows with figures come first in each table, so those of all tables come before rows without any
    figures = [row for found in best for row in found.values() if row.throughput]
    first = best_rows([*figures, *(row for found in best for row in found.values())])
    return Summary(tables, [SummaryLine(row, [found.get(entry) for found in best]) for entry, row in first.items()])


def _with_groups(best: dict[str, Row]) -> dict[str, Row]:
    """The rows, with the groups that they have among each other."""
    compared = {entry: row.estimate for entry, row in best.items() if row.estimate}
    numbers = dict(zip(compared, groups_of(compared.values()), strict=True))
    return {entry: replace(row, group=numbers.get(entry)) for entry, row in best.items()}
