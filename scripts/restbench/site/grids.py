"""The tables of the site: those of the board with links inside the site, and those of frameworks, changes and runs."""

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from restbench.board.models import Section, SuiteTables
from restbench.board.rows import Row, Table, best_rows
from restbench.board.summary import Summary
from restbench.catalog.load import Titles
from restbench.changes.comparison import Verdict
from restbench.changes.records import CellCost, ChangeRecord
from restbench.changes.regressions import ALL_CELLS
from restbench.changes.summary import beside_version, greatest, headline, speed_text
from restbench.render.columns import Shown, columns, group, reasons_of
from restbench.render.formats import MISSING, megabytes, optional, versions
from restbench.render.grid import Column, Grid, Text, make_grid
from restbench.render.labels import limited_by, share
from restbench.render.tables import table_grid
from restbench.results.history import EntryLine, History, RunLine
from restbench.results.models import RateKind
from restbench.site.health import RUNS, Health, is_slower

NAMED = 2
"""How many of the cells that failed alike are named in a table."""


@dataclass(frozen=True)
class TableRow:
    """A row of an entry, and the table that it is in."""

    suite: SuiteTables
    table: Table
    row: Row


def places_of(section: Section, entry: str) -> list[TableRow]:
    """The rows of an entry under one setting."""
    return [
        TableRow(suite, table, row)
        for suite in section.suites
        for table in suite.tables
        for row in table.rows
        if row.entry.id == entry
    ]


def board_grid(table: Table, summary: Summary, root: str, folder: str) -> Grid:
    """The whole table of a scenario. Names of frameworks link to their pages. `folder`: where the pages of tables are.

    The best row of each framework also has its speeds in the other tables of the summary.
    """
    best = {line.row.entry.id: line.best for line in summary.lines}
    first = {entry: row.key for entry, row in best_rows(table.rows).items()}

    def elsewhere(row: Row, number: int) -> str | Text:
        other = best[row.entry.id][number] if row.entry.id in best and first[row.entry.id] == row.key else None
        if other is None:
            return MISSING
        if other.share is None:
            return Text(limited_by(other), f"{folder}{other.cell.suite}/{summary.tables[number].name}/")
        return Text(f"{share(other, bounds=False)} %", heat=min(1.0, other.share.middle))

    others: list[Column[Row]] = [
        Column(other.title, partial(elsewhere, number=number), number=True)
        for number, other in enumerate(summary.tables)
        if other.name != table.name
    ]
    return table_grid(table, others, lambda row: framework_link(row.entry.id, root))


def framework_link(entry: str, root: str) -> str:
    return f"{root}framework/{entry}/"


def _framework(entry: str, root: str, titles: Titles, pages: Container[str]) -> Text:
    """The title of a framework, with a link to its page if it is among those that have one."""
    return Text(titles(entry), framework_link(entry, root) if entry in pages else None)


def framework_grid(places: Sequence[TableRow], board: str) -> Grid:
    """Where an entry stands under one setting. `board` is the address of the pages of that setting's tables."""
    rows = [place.row for place in places]
    shown = Shown(rows, reasons_of(rows, [RateKind.COMMON]))
    made: list[Column[TableRow]] = [
        _scenario_column(board),
        Column("group in its language", _group_in_language, required=True),
        *_of_rows(("speed, % of the first", "requests per second"), shown),
        Column("group of all", lambda p: _of(p.row, max(row.group or 0 for row in p.table.rows))),
        *_of_rows(("relative cost", "p50 / p90 / p99", "bottleneck"), shown),
    ]
    return make_grid(made, places, shown.notes, muted=lambda place: not place.row.compared)


def further_grid(places: Sequence[TableRow], board: str) -> Grid:
    """The figures of an entry that do not say where it stands."""
    shown = Shown([place.row for place in places])
    names = ("CPU µs per request", "peak memory", "total", "overhead", "measured")
    return make_grid([_scenario_column(board), *_of_rows(names, shown)], places)


def _of_rows(names: Sequence[str], shown: Shown) -> list[Column[TableRow]]:

    def placed(column: Column[Row]) -> Column[TableRow]:
        return Column(column.title, lambda place: column.cell(place.row), column.number, column.required)

    return list(map(placed, columns(names, shown)))


def _scenario_column(board: str) -> Column[TableRow]:
    def cell(place: TableRow) -> Text:
        return Text(place.table.title, f"{board}{place.suite.name}/{place.table.name}/", place.row.cell.variant or "")

    return Column("scenario", cell, required=True)


def _of(row: Row, groups: int) -> str:
    return f"{group(row)} of {groups}" if row.group else MISSING


def _group_in_language(place: TableRow) -> str:
    """The group of the row in the chain of its language, which has the best row of each framework."""
    for chain in place.table.chains:
        for row in (row for each in chain.groups for row in each):
            if row.key == place.row.key:
                return _of(row, len(chain.groups))
    return MISSING


def changes_grid(records: Sequence[ChangeRecord], root: str, titles: Titles, pages: Container[str] = ()) -> Grid:
    """The records with links to their pages, in their order. `pages`: the entries that have a page.

    Without `pages` the records are all of one framework, which is not named.
    """
    framework = Column[ChangeRecord]("framework", lambda r: _framework(r.entry, root, titles, pages), required=True)
    columns: list[Column[ChangeRecord]] = [
        Column("date", lambda r: Text(r.day.isoformat(), f"{root}changes/{r.id}/"), required=True),
        *([framework] if pages else []),
        Column("speed", lambda r: _toned(headline(r), r.claims, is_slower(r)), required=True),
        Column("version", lambda r: versions(r.version_before, r.version) or MISSING),
        Column("most affected", lambda r: optional(lambda cell: titles(cell[0]), greatest(r)), required=True),
        Column("what else differs", beside_version, required=True),
    ]
    return make_grid(columns, records)


def _toned(text: str, claimed: bool, slower: bool) -> Text:
    """A text about a change of speed, with the arrow and the colour of its direction."""
    if not claimed:
        return Text(text)
    return Text(f"{'▼' if slower else '▲'} {text}", tone="slower" if slower else "faster")


def cells_grid(cells: Mapping[str, CellCost], titles: Titles) -> Grid:
    """The scenarios of a change, the greatest difference first."""
    parts = sorted(cells.items(), key=lambda part: (part[0] != ALL_CELLS, -abs((part[1].ratio or 1.0) - 1)))
    columns: list[Column[tuple[str, CellCost]]] = [
        Column("scenario", lambda part: titles(part[0]), required=True),
        Column("speed", lambda part: _worded(part[1]), required=True),
        Column("CPU time per request, after ÷ before", lambda part: _ratio(part[1]), number=True),
        Column("starts", lambda part: str(part[1].starts or MISSING), number=True),
        Column("duet rounds", lambda part: str(part[1].rounds or MISSING), number=True),
    ]
    return make_grid(columns, parts, muted=lambda part: not part[1].claimed)


def _worded(cost: CellCost) -> Text:
    text = speed_text(cost) if cost.ratio else cost.verdict.value
    return _toned(text, cost.claimed, slower=cost.verdict is Verdict.SLOWER)


def _ratio(cost: CellCost) -> str:
    if cost.ratio is None:
        return MISSING
    bounds = f" ({cost.low:.3f}–{cost.high:.3f})" if cost.low and cost.high else ""
    return f"{cost.ratio:.3f}{bounds}"


def health_grid(health: Sequence[Health], root: str) -> Grid:
    """How each framework is, with a strip of its newest runs."""
    columns: list[Column[Health]] = [
        Column("framework", lambda h: Text(h.entry.title, framework_link(h.entry.id, root)), required=True),
        Column(f"newest {RUNS} runs", lambda h: h.strip, required=True),
        Column("now", _now, required=True),
    ]
    return make_grid(columns, health)


def _now(health: Health) -> Text:
    if health.broken_since:
        return Text(f"✗ {health.now}", tone="slower")
    return _toned(health.now, health.changed is not None, health.rank == 1)


@dataclass(frozen=True)
class Ran:
    """What was measured on one day under one setting. Each entry may have had a job and a machine of its own."""

    name: str
    lines: dict[str, RunLine]
    entries: list[EntryLine]

    @property
    def first(self) -> RunLine:
        return min(self.lines.values(), key=lambda line: line.at)

    @property
    def failed(self) -> int:
        return sum(len(entry.failed) for entry in self.entries)


def runs_of(histories: Iterable[History]) -> list[Ran]:
    """All runs, newest first."""
    found: dict[str, Ran] = {}
    for history in histories:
        for line in history.entries:
            run = history.runs[line.run]
            name = f"{run.at:%Y-%m-%d}-{run.target}-{run.profile}-{run.machine}"
            ran = found.setdefault(name, Ran(name, {}, []))
            ran.lines[run.run] = run
            ran.entries.append(line)
    return sorted(found.values(), key=lambda ran: (ran.first.at, ran.name), reverse=True)


def runs_grid(runs: Sequence[Ran], root: str) -> Grid:
    columns: list[Column[Ran]] = [
        Column("run", lambda r: Text(f"{r.first.at:%Y-%m-%d %H:%M}", f"{root}runs/{r.name}/"), required=True),
        Column("target", lambda r: r.first.target, required=True),
        Column("profile", lambda r: r.first.profile, required=True),
        Column("machine class", lambda r: r.first.machine),
        Column("CPUs", lambda r: ", ".join(sorted({line.cpu for line in r.lines.values()}))),
        Column("entries", lambda r: str(len(r.entries)), number=True, required=True),
        Column("cells with figures", lambda r: str(sum(len(e.figures) for e in r.entries)), number=True, required=True),
        Column("failed", lambda r: str(r.failed), number=True, required=True),
    ]
    return make_grid(columns, runs)


def run_grid(run: Ran, root: str, titles: Titles, pages: Container[str]) -> Grid:
    """What a run found of each entry. `pages`: the entries that have a page."""
    columns: list[Column[EntryLine]] = [
        Column("framework", lambda e: _framework(e.entry, root, titles, pages), required=True),
        Column("version", lambda e: e.version or MISSING),
        Column("runtime", lambda e: e.runtime or MISSING),
        Column("size, MB", lambda e: optional(megabytes, e.size), number=True),
        Column("cells with figures", lambda e: str(len(e.figures)), number=True, required=True),
        Column("failed cells", lambda e: _failed(e, titles), required=True),
        Column("CPU", lambda e: run.lines[e.run].cpu),
        Column("kernel", lambda e: run.lines[e.run].kernel),
    ]
    return make_grid(columns, sorted(run.entries, key=lambda entry: titles(entry.entry).casefold()))


def _failed(entry: EntryLine, titles: Titles) -> str:
    """The cells by the check that failed. Of many cells, only the first are named."""
    by_check: dict[str, list[str]] = defaultdict(list)
    for key, check in entry.failed.items():
        by_check[check].append(titles(str(key)))
    parts = []
    for check, cells in by_check.items():
        more = f" and {len(cells) - NAMED} more cells" if len(cells) > NAMED else ""
        parts.append(f"{check}: {', '.join(cells[:NAMED])}{more}")
    return "; ".join(parts) or MISSING
