"""The columns of the tables of README.md and of the pages in results/, which have no more than GitHub can show."""

from dataclasses import replace
from functools import partial

from restbench.board.rows import Row, Table
from restbench.board.summary import Summary, SummaryLine
from restbench.render.cells import LATENCY, framework, group, language_column, reasons_of
from restbench.render.columns import table_columns
from restbench.render.formats import MISSING
from restbench.render.grid import Column, Grid, Text, make_grid
from restbench.render.labels import limited_by, share
from restbench.results.models import RateKind

LEFT_OUT = ("variant", f"{LATENCY} at half", "CPU µs", "peak memory", "measured")
"""How the titles of columns begin that pages have no room for. The variant is named with the framework."""


def page_grid(table: Table) -> Grid:
    """The table of a scenario with at most eight columns, for pages on GitHub. It has the notes of `table_grid`."""
    out: tuple[str, ...] = LEFT_OUT
    if any(row.seconds for row in table.rows):
        out += ("req/s", LATENCY)
    elif any(row.overhead for row in table.rows):
        out += (LATENCY,)
    shows_latency = not any(LATENCY.startswith(start) for start in out)
    reasons = reasons_of(table.rows, [RateKind.COMMON] if shows_latency else [])
    columns = [column for column in table_columns(table, reasons) if not column.title.startswith(out)]
    named = [replace(column, cell=_with_variant) if column.title == "framework" else column for column in columns]
    return make_grid(named, table.rows, reasons, muted=lambda row: not row.compared)


def summary_grid(summary: Summary) -> Grid:
    """The summary: for each framework and table, the share of the best speed, the group, and the variant."""
    columns: list[Column[SummaryLine]] = [
        Column(
            "framework", lambda line: Text(line.row.title, line.row.homepage, line.row.version or ""), required=True
        ),
        *language_column(summary.lines, lambda line: line.row),
        *(
            Column(table.title, partial(_share_and_group, number=number), number=True, required=True)
            for number, table in enumerate(summary.tables)
        ),
    ]
    return make_grid(columns, summary.lines)


def _share_and_group(line: SummaryLine, number: int) -> str | Text:
    row = line.best[number]
    if row is None:
        return MISSING
    if row.share is None:
        return limited_by(row)
    return Text(f"{share(row, bounds=False)} %{f' ({group(row)})' if row.group else ''}", detail=row.variant or "")


def _with_variant(row: Row) -> Text:
    return replace(framework(row), text=" · ".join(filter(None, [row.title, row.variant])))
