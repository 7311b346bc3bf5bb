"""The tables of scenarios, matrices, feature checks and chains, and the summary: which columns each of them has."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from restbench.board.models import FeatureLine, FeatureTable, Matrix, MatrixLine, Support
from restbench.board.rows import Chain, Row, Table
from restbench.board.summary import Summary, SummaryLine
from restbench.render.columns import FASTEST_FIRST, Shown, columns, framework, group, language_column, reasons_of
from restbench.render.formats import MISSING, interval, optional
from restbench.render.grid import Column, Grid, Text, make_grid, noted
from restbench.render.labels import chain as chain_text
from restbench.render.labels import limited_by, rate, reason_against, share, total_reason
from restbench.render.markdown import anchor
from restbench.results.models import RateKind

SCORE = "score"
"""The header of the column with the number of features."""


def table_grid(table: Table, others: Sequence[Column[Row]] = (), link: Callable[[Row], str] | None = None) -> Grid:
    """The table of a scenario for screens. Rows with a reason refer to a note, and equal reasons share one note.

    The best row of each framework has the group that these have among each other, as they are shown first. A narrow
    screen shows the first three columns, of which the third orders the rows: the speed as a share of the first row's
    or, where nothing links the languages of the table, the throughput. `others`: columns about other scenarios.
    `link`: the page of a row's framework; else its home page.
    """
    shown = Shown(table.rows, reasons_of(table.rows), table, screen=True, link=link)
    speed = ["speed, % of the first"] if table.linked and table.measured else []
    folded = ("relative cost", "req/s", "CPU µs per request", "latency at half of its req/s")
    made = [
        *columns(["group", "framework", *speed, "requests per second"], shown, required=True),
        *columns(("language", "total", "overhead"), shown),
        *others,
        *columns(("p50 / p90 / p99", "peak memory", "bottleneck"), shown),
        *columns((*folded, "version", "server", "JSON", "measured"), shown, headed=True, folded=True),
    ]
    return make_grid(made, table.rows, shown.notes, lambda row: not row.compared, lambda row: bool(row.throughput))


def page_grid(table: Table) -> Grid:
    """The table of a scenario on GitHub, with at most eight columns, of which a phone shows the first two or three.

    Rows with a reason refer to a note, as on screens. Where a table has totals or overheads, these say what is to be
    known, and latencies have no room.
    """
    rows = table.rows
    batch, timed = any(row.seconds for row in rows), any(row.overhead for row in rows)
    latency = [] if batch or timed else ["p50 / p90 / p99"]
    names = [
        *("framework, and what it runs with", "speed, % of the first", "group", "language", "relative cost"),
        *([] if batch else ["req/s measured"]),
        *("total", "overhead", "bottleneck", *latency),
    ]
    shown = Shown(rows, reasons_of(rows, [RateKind.COMMON] if latency else []), table)
    return make_grid(columns(names, shown, headed=True), rows, shown.notes, muted=lambda row: not row.compared)


def summary_grid(summary: Summary) -> Grid:
    """The summary: for each framework and table, the share of the best speed, the group, and the variant."""
    columns: list[Column[SummaryLine]] = [
        Column(
            "framework",
            lambda line: Text(line.row.title, line.row.entry.manifest.homepage, line.row.run.version or ""),
            required=True,
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
        return Text(f"{rate(row)}/s", detail=row.cell.variant or "")
    if row.share is None:
        return Text(limited_by(row), f"{row.cell.suite}.md#{anchor(summary.tables[number].title)}")
    return Text(f"{share(row, bounds=False)} %{f' ({group(row)})' if row.group else ''}", detail=row.cell.variant or "")


def chains_grid(table: Table) -> Grid:
    """The frameworks of each language in groups, the fastest first."""
    columns = [
        Column[Chain]("language", lambda chain: chain.language, required=True),
        Column(FASTEST_FIRST, lambda chain: chain_text(table, chain), required=True),
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
    """The table of feature checks: who provides each feature, and how many the entry does not have to write."""
    reasons = list(dict.fromkeys(r for line in table.lines if (r := reason_against(line.row))))

    def score(line: FeatureLine) -> Text:
        if not line.support:
            text = "not run" if line.row.cell.not_run else "failed"
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
        Column("variant", lambda line: line.row.cell.variant or MISSING),
        Column("library", lambda line: line.library or MISSING),
        Column(SCORE, score, number=True, required=True),
        *(Column(name, partial(support, index=index), required=True) for index, name in enumerate(table.features)),
    ]
    grid = make_grid(columns, table.lines, reasons)
    return replace(grid, repeated=grid.headers.index(SCORE) + 1)
