"""The columns of the tables of README.md and of the pages in results/, which have no more than GitHub can show."""

from dataclasses import replace
from functools import partial

from restbench.board.rows import Row, Table
from restbench.board.summary import Summary, SummaryLine
from restbench.render.cells import (
    bottleneck_column,
    common_latency,
    framework,
    interval_column,
    language_column,
    rank,
    reasons_of,
    relative_cost,
    throughput,
)
from restbench.render.formats import MISSING
from restbench.render.grid import Column, Grid, Text, make_grid
from restbench.render.labels import limited_by, share


def page_grid(table: Table) -> Grid:
    """The table of a scenario with at most eight columns, for pages on GitHub. It has the notes of `table_grid`."""
    reasons = reasons_of(table.rows)
    batch = any(row.seconds for row in table.rows)
    waits = any(row.overhead for row in table.rows)
    time = [
        interval_column("total, s", table.rows, lambda row: row.seconds),
        interval_column("overhead, ms", table.rows, lambda row: row.overhead),
    ]
    columns: list[Column[Row]] = [
        Column("rank", rank, number=True, required=True),
        Column("framework", _with_variant, required=True),
        *language_column(table.rows, lambda row: row),
        Column("% of best", lambda row: share(row) or MISSING, number=True),
        interval_column("relative cost", table.rows, lambda row: row.relative_cost, relative_cost),
        *([] if batch else [interval_column("req/s measured", table.rows, lambda row: row.throughput, throughput)]),
        *(time if batch or waits else [common_latency(table.rows)]),
        bottleneck_column(reasons),
    ]
    return make_grid(columns, table.rows, reasons, muted=lambda row: not row.ranked)


def summary_grid(summary: Summary) -> Grid:
    """The summary: for each framework and table, the share of the best speed, and the range of ranks."""
    columns: list[Column[SummaryLine]] = [
        Column(
            "framework", lambda line: Text(line.row.title, line.row.homepage, line.row.version or ""), required=True
        ),
        *language_column(summary.lines, lambda line: line.row),
        *(
            Column(table.title, partial(_share_and_rank, number=number), number=True, required=True)
            for number, table in enumerate(summary.tables)
        ),
    ]
    return make_grid(columns, summary.lines)


def _share_and_rank(line: SummaryLine, number: int) -> str:
    row = line.best[number]
    if row is None:
        return MISSING
    if row.share is None:
        return limited_by(row)
    return f"{share(row, bounds=False)} % ({rank(row) if row.ranked else 'not ranked'})"


def _with_variant(row: Row) -> Text:
    return replace(framework(row), text=" · ".join(filter(None, [row.title, row.variant])))
