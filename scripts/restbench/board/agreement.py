"""What two measurements of the same entries say of each other: their claims may not contradict each other.

Each entry is also put into tables as two copies, one from each measurement, of which none may be called slower.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from math import expm1
from statistics import median
from typing import NamedTuple

from restbench.board.build import build_board
from restbench.board.links import Gains
from restbench.board.measured import Claims, claims_of
from restbench.board.models import Board, Setting
from restbench.board.rows import Table
from restbench.catalog import Catalog
from restbench.errors import UsageError
from restbench.results.models import EntryResult
from restbench.stats.estimates import certainly_faster


class Results(NamedTuple):
    """Results of entries. `links` are those of the run that measured the baselines of all languages together.

    `gains`: what changes of baselines did to their costs.
    """

    entries: Sequence[EntryResult]
    links: Sequence[EntryResult] = ()
    gains: Gains | None = None


class Copies(NamedTuple):
    """Two rows of a table that are results of one entry, and of one variant of it.

    `spread`: highest speed ÷ lowest speed, minus 1. `different`: whether one of them is called slower.
    """

    entry: str
    spread: float
    different: bool


class Agreement(NamedTuple):
    """What two boards say of the same rows.

    `claims`: those of both boards together. `both`: how many both make. `contradicted`: claims of one board whose
    opposite the other one claims. `apart`: by how much each row's place in its table differs between the boards, as a
    share of its speed.
    """

    claims: Claims
    both: int
    contradicted: int
    apart: list[float]
    copies: list[Copies]


def agreement_of(catalog: Catalog, one: Results, other: Results) -> Agreement:
    """Compares the tables that both have in one setting. Raises UsageError where no setting or no row is in both."""
    boards = [build_board(catalog, *each) for each in (one, other)]
    settings = [{section.setting for section in board.sections} for board in boards]
    if all(settings) and not settings[0] & settings[1]:
        text = " and ".join(f"{each.target} {each.profile} {each.machine_class}" for each in chain(*settings))
        raise UsageError(f"the results have no setting in common ({text}): measure both alike")
    tables = [
        {(where, each.rows[0].cell.suite, each.name): each for where, each in tables_of(board)} for board in boards
    ]
    pairs = [(tables[0][name], table) for name, table in tables[1].items() if name in tables[0]]
    if not any({row.key for row in a.rows} & {row.key for row in b.rows} for a, b in pairs):
        raise UsageError("the results have no row in common: name results of the same entries")
    return Agreement(
        claims=claims_of([table for pair in pairs for table in pair]),
        both=sum(len(a.certain & b.certain) for a, b in pairs),
        contradicted=sum((slow, fast) in b.certain for a, b in pairs for fast, slow in a.certain),
        apart=[each for a, b in pairs for each in _apart(a, b)],
        copies=list(_copies(catalog, one, other)),
    )


def tables_of(board: Board) -> list[tuple[Setting, Table]]:
    """The tables of all settings."""
    return [
        (section.setting, table) for section in board.sections for suite in section.suites for table in suite.tables
    ]


def _apart(one: Table, other: Table) -> list[float]:
    """How far each row moved in its table, beyond what all rows moved in the median."""
    before = {row.key: row.estimate.log for row in one.compared if row.estimate}
    moved = [row.estimate.log - before[row.key] for row in other.compared if row.estimate and row.key in before]
    usual = median(moved or [0.0])
    return [abs(expm1(each - usual)) for each in moved]


def _copies(catalog: Catalog, one: Results, other: Results) -> Iterator[Copies]:
    """The two results of each entry that is measured beside a baseline, in tables as if they were of two entries."""
    others = {result.entry: result for result in other.entries}
    for result in one.entries:
        entry = catalog.entries.get(result.entry)
        if not entry or result.entry not in others or catalog.baseline_of(entry) in (None, entry):
            continue
        copies = [replace(entry, name=f"{entry.name}-{number}") for number in (1, 2)]
        named = [
            each.model_copy(update={"entry": copy.id})
            for copy, each in zip(copies, (result, others[result.entry]), strict=True)
        ]
        for _, table in tables_of(build_board(replace(catalog, entries={copy.id: copy for copy in copies}), named)):
            for variant in {row.cell.variant: None for row in table.compared}:
                rows = [row for row in table.compared if row.cell.variant == variant]
                estimates = [row.estimate for row in rows if row.estimate]
                shares = [row.share.middle for row in rows if row.share]
                if len(shares) > 1:
                    yield Copies(entry.id, max(shares) / min(shares) - 1, bool(certainly_faster(estimates)))
