"""The columns of the tables of scenarios, matrices and feature checks in README and report."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from restbench.board.models import FeatureLine, FeatureTable, Line, Matrix, Support
from restbench.board.rows import Chain, Row, Table
from restbench.render.cells import (
    LATENCY,
    bottleneck_column,
    common_latency,
    framework,
    group,
    interval_column,
    language_column,
    latency,
    reasons_of,
    relative_cost,
    throughput,
)
from restbench.render.formats import MISSING, interval, megabytes, optional
from restbench.render.grid import Column, Grid, Text, make_grid, noted
from restbench.render.labels import chain as chain_text
from restbench.render.labels import reason_against, share, total_reason
from restbench.results.models import RateKind

SCORE = "by the framework"
"""The header of the column with the number of features."""


def table_grid(table: Table) -> Grid:
    """The table of a scenario. Rows with a reason refer to a note, and equal reasons share one note."""
    reasons = reasons_of(table.rows)
    return make_grid(table_columns(table, reasons), table.rows, reasons, muted=lambda row: not row.compared)


def table_columns(table: Table, reasons: Sequence[str]) -> list[Column[Row]]:
    """All columns of the table of a scenario. `reasons`: its notes."""
    columns: list[Column[Row]] = [
        Column("group", group, number=True, required=True),
        Column("framework", framework, required=True),
        *language_column(table.rows, lambda row: row),
        Column("variant", lambda row: row.variant or MISSING),
        Column("% of best", lambda row: share(row) or MISSING, number=True),
        interval_column("relative cost", table.rows, lambda row: row.relative_cost, relative_cost),
        interval_column("req/s measured", table.rows, lambda row: row.throughput, throughput),
        interval_column("total, s", table.rows, lambda row: row.seconds),
        interval_column("overhead, ms", table.rows, lambda row: row.overhead),
        bottleneck_column(reasons),
        common_latency(table.rows, reasons),
        Column(f"{LATENCY} at half of its req/s, ms", latency(RateKind.HALF, reasons), number=True),
        interval_column("CPU µs per request", table.rows, lambda row: row.cpu_us),
        Column("peak memory, MB", lambda row: optional(megabytes, row.memory_bytes), number=True),
    ]
    if len({row.measured.date() for row in table.rows}) > 1:
        columns.append(Column("measured", lambda row: row.measured.date().isoformat()))
    return columns


def chains_grid(table: Table) -> Grid:
    """The frameworks of each language in groups, the fastest first."""
    columns = [
        Column[Chain]("language", lambda chain: chain.language, required=True),
        Column("fastest first", lambda chain: chain_text(table, chain), required=True),
    ]
    return make_grid(columns, table.chains)


def matrix_grid(matrix: Matrix) -> Grid:
    """The table of one task under several conditions: totals in seconds, x for a failed batch, and notes."""
    totals = [total for line in matrix.lines for total in line.totals if total]
    reasons = list(dict.fromkeys(r for total in totals if (r := total_reason(total))))

    def total(line: Line, index: int) -> str | Text:
        here = line.totals[index]
        if here is None:
            return MISSING
        text = "x" if here.failure else "not run" if here.not_run else optional(interval, here.seconds)
        return noted(text, total_reason(here), reasons, here.mark or "")

    names: list[Column[Line]] = [
        Column("framework", lambda line: framework(line.row), required=True),
        *language_column(matrix.lines, lambda line: line.row),
    ]
    totals_of = [
        Column(f"{title}, s", partial(total, index=index), number=True, required=True)
        for index, title in enumerate(matrix.columns)
    ]
    left_out: dict[str, list[str]] = {}
    for column, why in matrix.not_run.items():
        left_out.setdefault(why, []).append(column)
    notes = [*reasons, *(f"not run: {'; '.join(left)}: {why}" for why, left in left_out.items())]
    return replace(make_grid([*names, *totals_of], matrix.lines, notes), repeated=len(names))


def features_grid(table: FeatureTable) -> Grid:
    """The table of feature checks: who provides each feature, and how many the framework provides by itself."""
    reasons = list(dict.fromkeys(r for line in table.lines if (r := reason_against(line.row))))

    def score(line: FeatureLine) -> Text:
        if not line.support:
            text = "not run" if line.row.not_run else "failed"
        elif set(line.support) == {Support.MISSING}:
            text = "none"
        else:
            text = f"{line.score} of {len(table.features)}"
        return noted(text, reason_against(line.row), reasons)

    def support(line: FeatureLine, index: int) -> str:
        return line.support[index].value if line.support else MISSING

    columns: list[Column[FeatureLine]] = [
        Column("framework", lambda line: framework(line.row), required=True),
        *language_column(table.lines, lambda line: line.row),
        Column("variant", lambda line: line.row.variant or MISSING),
        Column(SCORE, score, number=True, required=True),
        *(Column(name, partial(support, index=index), required=True) for index, name in enumerate(table.features)),
    ]
    grid = make_grid(columns, table.lines, reasons)
    return replace(grid, repeated=grid.headers.index(SCORE) + 1)
