"""The columns of the tables of scenarios, matrices and feature checks on screens, and of chains everywhere."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from restbench.board.models import FeatureLine, FeatureTable, Matrix, MatrixLine, Support
from restbench.board.rows import Chain, Row, Table
from restbench.board.summary import of_frameworks
from restbench.render.cells import (
    bottleneck_column,
    common_latency,
    framework,
    group,
    interval_column,
    language_column,
    latency,
    latency_title,
    named,
    reasons_of,
    relative_cost,
    throughput,
)
from restbench.render.formats import MISSING, interval, megabytes, optional
from restbench.render.grid import Column, Grid, Text, make_grid, noted
from restbench.render.labels import chain as chain_text
from restbench.render.labels import rate, reason_against, share, total_reason
from restbench.results.models import RateKind

SCORE = "by the framework"
"""The header of the column with the number of features."""


def table_grid(table: Table, others: Sequence[Column[Row]] = (), link: Callable[[Row], str] | None = None) -> Grid:
    """The table of a scenario for screens. Rows with a reason refer to a note, and equal reasons share one note.

    The best row of each framework has the group that these have among each other, as they are shown first. A narrow
    screen shows the first three columns, of which the third orders the rows. `others`: columns about other scenarios.
    `link`: the page of a row's framework; else its home page.
    """
    rows = table.rows
    reasons = reasons_of(rows)
    best = {row.key: row for row in of_frameworks(table).rows}
    columns: list[Column[Row]] = [
        Column("group", lambda row: group(best.get(row.key, row)), number=True, required=True),
        Column("framework", lambda row: named(row, link), required=True),
        *speed_columns(table),
        *language_column(rows, lambda row: row),
        Column("total, s", lambda row: optional(interval, row.seconds), number=True),
        Column("overhead, ms", lambda row: optional(interval, row.overhead), number=True),
        *others,
        common_latency(rows, reasons),
        Column("peak memory, MB", lambda row: optional(megabytes, row.memory_bytes), number=True),
        bottleneck_column(reasons),
        interval_column("relative cost", rows, lambda row: row.relative_cost, relative_cost, folded=True),
        interval_column("req/s", rows, lambda row: row.throughput, throughput, folded=True),
        interval_column("CPU µs per request", rows, lambda row: row.cpu_us, folded=True),
        Column(
            f"{latency_title(rows, RateKind.HALF)} at half of its req/s, ms",
            latency(RateKind.HALF, rows, reasons),
            number=True,
            folded=True,
        ),
        Column("version", lambda row: row.version or MISSING, folded=True),
        Column("server", lambda row: row.server or MISSING, folded=True),
        Column("JSON", lambda row: row.json_library or MISSING, folded=True),
        Column("measured", lambda row: row.measured.date().isoformat(), folded=True),
    ]
    return make_grid(columns, rows, reasons, lambda row: not row.compared, lambda row: row.throughput is not None)


def speed_columns(table: Table) -> list[Column[Row]]:
    """What orders the rows, with a bar in the colour of the language, and the measured throughput.

    It is the speed as a share of the first row's or, where nothing links the languages of the table, the throughput.
    """
    widest = max((row.share.high for row in table.rows if row.share), default=1.0)
    longest = max((row.throughput.middle for row in table.rows if row.throughput), default=1.0)

    def speed(row: Row) -> Text:
        if row.share is None:
            return Text(MISSING)
        bounds = (row.share.low / widest, row.share.high / widest) if row.share.certain else None
        return Text(share(row), bar=row.share.middle / widest, bounds=bounds, colour=row.colour)

    def measured(row: Row) -> Text:
        if row.throughput is None:
            return Text(MISSING)
        return Text(rate(row), bar=None if table.linked else row.throughput.middle / longest, colour=row.colour)

    return [
        *([Column("speed, % of the first", speed, number=True, required=True)] if table.linked else []),
        Column("requests per second", measured, number=True, required=True),
    ]


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

    def total(line: MatrixLine, index: int) -> str | Text:
        here = line.totals[index]
        if here is None:
            return MISSING
        text = "x" if here.failure else "not run" if here.not_run else optional(interval, here.seconds)
        return noted(text, total_reason(here), reasons, here.mark or "")

    names: list[Column[MatrixLine]] = [
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
