"""The tables of the site: those of the board with links inside the site, and those of frameworks, changes and runs."""

from collections import defaultdict
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace

from restbench.board.models import Section, SuiteTables
from restbench.board.rows import Row, Table
from restbench.board.summary import Summary
from restbench.changes.records import CellCost, ChangeRecord
from restbench.changes.summary import causes_text, greatest, told
from restbench.render.cells import LATENCY, bottleneck_column, latency, reasons_of, relative_cost
from restbench.render.columns import table_grid
from restbench.render.formats import MISSING, interval, megabytes, optional, versions
from restbench.render.grid import Column, Grid, Line, Text, make_grid
from restbench.render.labels import share
from restbench.render.page_columns import summary_grid
from restbench.results.history import History
from restbench.results.history_lines import EntryLine, RunLine
from restbench.results.models import RateKind

NAMED = 2
"""How many of the cells that failed alike are named in a table."""


@dataclass(frozen=True)
class Place:
    """A row of an entry, and the table that it is in."""

    suite: SuiteTables
    table: Table
    row: Row


def places_of(section: Section, entry: str) -> list[Place]:
    """The rows of an entry under one setting."""
    return [
        Place(suite, table, row)
        for suite in section.suites
        for table in suite.tables
        for row in table.rows
        if row.entry == entry
    ]


def board_grid(table: Table, root: str) -> Grid:
    """The whole table of a scenario. Names of frameworks link to their pages."""
    grid = table_grid(table)
    return replace(grid, lines=_linked(grid, table.rows, grid.headers.index("framework"), root))


def summary_with_links(summary: Summary, root: str) -> Grid:
    grid = summary_grid(summary)
    return replace(grid, lines=_linked(grid, [line.row for line in summary.lines], 0, root))


def _linked(grid: Grid, rows: Iterable[Row], column: int, root: str) -> list[Line]:
    lines = []
    for line, row in zip(grid.lines, rows, strict=True):
        cells = list(line.cells)
        cells[column] = replace(cells[column], href=framework_link(row.entry, root))
        lines.append(replace(line, cells=cells))
    return lines


def framework_link(entry: str, root: str) -> str:
    return f"{root}framework/{entry}/"


def _group_of(place: Place) -> str:
    return f"{place.row.group} of {place.table.groups}" if place.row.group else MISSING


def framework_grid(places: Sequence[Place], board: str) -> Grid:
    """Every figure of an entry under one setting. `board` is the address of the pages of that setting's tables."""
    reasons = reasons_of([place.row for place in places], [RateKind.COMMON])
    bottleneck = bottleneck_column(reasons)
    columns: list[Column[Place]] = [
        Column("suite", lambda p: p.suite.title, required=True),
        Column("scenario", lambda p: Text(p.table.title, f"{board}{p.suite.name}/#{p.table.name}"), required=True),
        Column("variant", lambda p: p.row.variant or MISSING),
        Column("group", _group_of, number=True, required=True),
        Column("% of best", lambda p: share(p.row) or MISSING, number=True),
        Column("relative cost", lambda p: relative_cost(p.row, optional(interval, p.row.relative_cost)), number=True),
        Column("req/s measured", lambda p: optional(interval, p.row.throughput), number=True),
        Column("total, s", lambda p: optional(interval, p.row.seconds), number=True),
        Column("overhead, ms", lambda p: optional(interval, p.row.overhead), number=True),
        Column(f"{LATENCY}, ms", lambda p: latency(RateKind.COMMON, reasons)(p.row), number=True),
        Column("CPU µs per request", lambda p: optional(interval, p.row.cpu_us), number=True),
        Column("peak memory, MB", lambda p: optional(megabytes, p.row.memory_bytes), number=True),
        Column("bottleneck", lambda p: bottleneck.cell(p.row), required=True),
        Column("version", lambda p: p.row.version or MISSING),
        Column("measured", lambda p: p.row.measured.date().isoformat()),
    ]
    return make_grid(columns, places, reasons, muted=lambda place: not place.row.compared)


def changes_grid(records: Sequence[ChangeRecord], root: str) -> Grid:
    """The records with links to their pages, in their order."""
    columns: list[Column[ChangeRecord]] = [
        Column("date", lambda r: Text(r.day.isoformat(), f"{root}changes/{r.id}/"), required=True),
        Column("framework", lambda r: Text(r.entry, framework_link(r.entry, root)), required=True),
        Column("version", lambda r: versions(r.version_before, r.version) or MISSING),
        Column("CPU time per request, all cells", lambda r: told(r.together), number=True, required=True),
        Column("greatest change of a cell", lambda r: optional(str, greatest(r))),
        Column("what differs", lambda r: causes_text(r.causes), required=True),
    ]
    return make_grid(columns, records)


def cells_grid(record: ChangeRecord) -> Grid:
    """The cells of a change, the greatest difference first."""
    parts: list[tuple[str, CellCost]] = list(record.cells.items())
    if record.together:
        parts.append(("all cells together", record.together))
    parts.sort(key=lambda part: (not part[1].claimed, -abs((part[1].ratio or 1.0) - 1)))
    columns: list[Column[tuple[str, CellCost]]] = [
        Column("cell", lambda part: part[0], required=True),
        Column("verdict", lambda part: part[1].verdict.value, required=True),
        Column("ratio after ÷ before", lambda part: _ratio(part[1]), number=True),
        Column("starts", lambda part: str(part[1].starts or MISSING), number=True),
        Column("duet rounds", lambda part: str(part[1].rounds or MISSING), number=True),
    ]
    return make_grid(columns, parts, muted=lambda part: not part[1].claimed)


def _ratio(cost: CellCost) -> str:
    if cost.ratio is None:
        return MISSING
    bounds = f" ({cost.low:.3f}–{cost.high:.3f})" if cost.low and cost.high else ""
    return f"{cost.ratio:.3f}{bounds}"


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


def run_grid(run: Ran, root: str, pages: Container[str]) -> Grid:
    """What a run found of each entry. `pages`: the entries that have a page."""
    columns: list[Column[EntryLine]] = [
        Column(
            "framework",
            lambda e: Text(e.entry, framework_link(e.entry, root) if e.entry in pages else None),
            required=True,
        ),
        Column("version", lambda e: e.version or MISSING),
        Column("runtime", lambda e: e.runtime or MISSING),
        Column("size, MB", lambda e: optional(megabytes, e.size), number=True),
        Column("cells with figures", lambda e: str(len(e.figures)), number=True, required=True),
        Column("failed cells", _failed, required=True),
        Column("CPU", lambda e: run.lines[e.run].cpu),
        Column("kernel", lambda e: run.lines[e.run].kernel),
    ]
    return make_grid(columns, sorted(run.entries, key=lambda entry: entry.entry))


def _failed(entry: EntryLine) -> str:
    """The cells by the check that failed. Of many cells, only the first are named."""
    by_check: dict[str, list[str]] = defaultdict(list)
    for key, check in entry.failed.items():
        by_check[check].append("/".join(filter(None, key)))
    return "; ".join(f"{check}: {_named(cells)}" for check, cells in by_check.items()) or MISSING


def _named(cells: Sequence[str]) -> str:
    more = len(cells) - NAMED
    return ", ".join(cells[:NAMED]) + (f" and {more} more cells" if more > 0 else "")
