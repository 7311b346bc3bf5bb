"""The columns of the tables of README.md and of the pages in results/, which have no more than GitHub can show."""

from dataclasses import replace
from functools import partial

from restbench.board.rows import Row, Table
from restbench.board.summary import Summary, SummaryLine
from restbench.render.cells import (
    bottleneck_column,
    common_latency,
    framework,
    group,
    interval_column,
    language_column,
    reasons_of,
    relative_cost,
    throughput,
)
from restbench.render.formats import MISSING
from restbench.render.grid import Column, Grid, Text, make_grid
from restbench.render.labels import limited_by, rate, share
from restbench.render.markdown import anchor
from restbench.results.models import RateKind


def page_grid(table: Table) -> Grid:
    """The table of a scenario with at most eight columns, of which a phone shows the first two or three.

    Rows with a reason refer to a note, as on screens. Where a table has totals or overheads, these say what is to be
    known, and latencies have no room.
    """
    rows = table.rows
    batch, timed = any(row.seconds for row in rows), any(row.overhead for row in rows)
    reasons = reasons_of(rows, [] if batch or timed else [RateKind.COMMON])
    columns: list[Column[Row]] = [
        Column("framework", _with_variant, required=True),
        Column("speed, % of the first", lambda row: share(row) or MISSING, number=True),
        Column("group", group, number=True, required=True),
        *language_column(rows, lambda row: row),
        interval_column("relative cost", rows, lambda row: row.relative_cost, relative_cost),
        *([] if batch else [interval_column("req/s measured", rows, lambda row: row.throughput, throughput)]),
        interval_column("total, s", rows, lambda row: row.seconds),
        interval_column("overhead, ms", rows, lambda row: row.overhead),
        bottleneck_column(reasons),
        *([] if batch or timed else [common_latency(rows, reasons)]),
    ]
    return make_grid(columns, rows, reasons, muted=lambda row: not row.compared)


def summary_grid(summary: Summary) -> Grid:
    """The summary: for each framework and table, the share of the best speed, the group, and the variant."""
    columns: list[Column[SummaryLine]] = [
        Column(
            "framework", lambda line: Text(line.row.title, line.row.homepage, line.row.version or ""), required=True
        ),
        *language_column(summary.lines, lambda line: line.row),
        *(
            Column(table.title, partial(_share_and_group, summary=summary, number=number), number=True, required=True)
            for number, table in enumerate(summary.tables)
        ),
    ]
    return make_grid(columns, summary.lines)


def _share_and_group(line: SummaryLine, summary: Summary, number: int) -> str | Text:
    """The cell of a table. What has no figure leads to the page that has the reason."""
    row = line.best[number]
    if row is None:
        return MISSING
    if row.throughput and not summary.tables[number].linked:
        return Text(f"{rate(row)}/s", detail=row.variant or "")
    if row.share is None:
        return Text(limited_by(row), f"{row.suite}.md#{anchor(summary.tables[number].title)}")
    return Text(f"{share(row, bounds=False)} %{f' ({group(row)})' if row.group else ''}", detail=row.variant or "")


def _with_variant(row: Row) -> Text:
    return replace(framework(row), text=" · ".join(filter(None, [row.title, row.variant])))
