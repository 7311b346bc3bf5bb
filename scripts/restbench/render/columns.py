"""The columns of the tables of scenarios, matrices and feature checks in README and report."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from restbench.board.models import FactsRow, FeatureLine, FeatureTable, Line, Matrix, Support
from restbench.board.rows import Row, Table
from restbench.render.formats import (
    MISSING,
    at_least,
    figure,
    interval,
    megabytes,
    optional,
    rank_range,
    tenths,
    times,
)
from restbench.render.grid import Column, Grid, Text, make_grid
from restbench.render.labels import limited_by, reason, reason_against, speed, total_reason
from restbench.results.models import Limit, RateKind
from restbench.stats.intervals import Interval, Kind

T = TypeVar("T")

_BASELINE = "1 (baseline)"


def table_grid(table: Table) -> Grid:
    """The table of a scenario. Rows with a reason refer to a note, and equal reasons share one note."""
    reasons = list(dict.fromkeys(r for row in table.rows if (r := reason(row))))

    def limit(row: Row) -> Text:
        said = reason(row)
        return Text(limited_by(row), note=reasons.index(said) + 1 if said else None)

    derived = any(row.derived for row in table.rows)
    columns: list[Column[Row]] = [
        Column("rank", _rank, number=True, required=True),
        Column("framework", _framework, required=True),
        *language_column(table.rows, lambda row: row),
        Column("variant", lambda row: row.variant or MISSING),
        *([Column("speed, req/s", lambda row: speed(row) or MISSING, number=True)] if derived else []),
        Column("% of best", lambda row: optional(tenths, row.percent_of_best), number=True),
        Column("× slowest", lambda row: optional(times, row.times_slowest), number=True),
        _interval_column("relative cost", table.rows, lambda row: row.relative_cost, _relative_cost),
        _interval_column("req/s measured", table.rows, lambda row: row.throughput, _throughput),
        _interval_column("total, s", table.rows, lambda row: row.seconds),
        _interval_column("overhead, ms", table.rows, lambda row: row.overhead),
        Column("bottleneck", limit, required=True),
        _common_latency(table.rows),
        Column("p50 / p99 at half of its req/s, ms", _latency(RateKind.HALF), number=True),
        _interval_column("CPU µs per request", table.rows, lambda row: row.cpu_us),
        Column("peak memory, MB", lambda row: optional(megabytes, row.memory_bytes), number=True),
    ]
    if len({row.measured.date() for row in table.rows}) > 1:
        columns.append(Column("measured", lambda row: row.measured.date().isoformat()))
    return make_grid(columns, table.rows, reasons, muted=lambda row: not row.ranked)


def _rank(row: Row) -> str:
    return rank_range(row.rank_first, row.rank_last) if row.rank_first and row.rank_last else MISSING


def _framework(row: Row) -> Text:
    flags = [row.version or "", "(unmaintained)" if row.unmaintained else "", "(stale)" if row.stale else ""]
    detail = [" ".join(filter(None, flags)), row.server or "", row.json_library or ""]
    return Text(row.title, row.homepage, " · ".join(filter(None, detail)))


def language_column(lines: Sequence[T], row: Callable[[T], Row | FactsRow]) -> list[Column[T]]:
    """The column with the language of each line. Empty if all lines have the same language."""
    if len({row(line).language for line in lines}) < 2:
        return []
    return [Column("language", lambda line: row(line).language)]


def _interval_column(
    title: str,
    rows: Sequence[Row],
    read: Callable[[Row], Interval | None],
    show: Callable[[Row, str], str] = lambda _, text: text,
) -> Column[Row]:
    """A column of figures with their bounds. The header names the kind of the bounds.

    If the rows have both kinds, the header names the interval, and each range is marked in its cell.
    """
    kinds = {value.kind for row in rows if (value := read(row))} - {Kind.SINGLE}
    header = f"{title} ({Kind.INTERVAL if Kind.INTERVAL in kinds else Kind.RANGE})" if kinds else title

    def cell(row: Row) -> str:
        value = read(row)
        return show(row, MISSING if value is None else interval(value, name_range=len(kinds) > 1))

    return Column(header, cell, number=True)


def _relative_cost(row: Row, text: str) -> str:
    return _BASELINE if row.baseline else text


def _throughput(row: Row, text: str) -> str:
    return at_least(text, row.limit == Limit.LOAD_GENERATOR)


def _latency(kind: RateKind) -> Callable[[Row], str]:
    def show(row: Row) -> str:
        at = row.latency.get(kind)
        return MISSING if at is None else f"{figure(at.latency.p50)} / {figure(at.latency.p99)}"

    return show


def _common_latency(rows: Sequence[Row]) -> Column[Row]:
    """The column of latencies at the rate that most rows have. A row that was measured at another rate names it."""
    rates = Counter(at.rate for row in rows if (at := row.latency.get(RateKind.COMMON)))
    usual = max(rates, key=lambda rate: (rates[rate], rate), default=0)

    def cell(row: Row) -> Text:
        at = row.latency.get(RateKind.COMMON)
        other = f"(at {at.rate:,}/s)" if at and at.rate != usual else ""
        return Text(_latency(RateKind.COMMON)(row), detail=other)

    return Column(f"p50 / p99 at {usual:,} req/s, ms", cell, number=True)


def matrix_grid(matrix: Matrix) -> Grid:
    """The table of one task under several conditions: totals in seconds, x for a failed batch, and notes."""
    totals = [total for line in matrix.lines for total in line.totals if total]
    reasons = list(dict.fromkeys(r for total in totals if (r := total_reason(total))))

    def total(line: Line, index: int) -> str | Text:
        here = line.totals[index]
        if here is None:
            return MISSING
        said = total_reason(here)
        text = "x" if here.failure else "not run" if here.not_run else optional(interval, here.seconds)
        return Text(text, detail=here.mark or "", note=reasons.index(said) + 1 if said else None)

    columns: list[Column[Line]] = [
        Column("framework", lambda line: _framework(line.row), required=True),
        *language_column(matrix.lines, lambda line: line.row),
        *(
            Column(f"{title}, s", partial(total, index=index), number=True, required=True)
            for index, title in enumerate(matrix.columns)
        ),
    ]
    left_out: dict[str, list[str]] = {}
    for column, why in matrix.not_run.items():
        left_out.setdefault(why, []).append(column)
    return make_grid(
        columns, matrix.lines, [*reasons, *(f"not run: {'; '.join(left)}: {why}" for why, left in left_out.items())]
    )


def features_grid(table: FeatureTable) -> Grid:
    """The table of feature checks: who provides each feature, and how many the framework provides by itself."""
    reasons = list(dict.fromkeys(r for line in table.lines if (r := reason_against(line.row))))

    def score(line: FeatureLine) -> Text:
        said = reason_against(line.row)
        if not line.support:
            text = "not run" if line.row.not_run else "failed"
        elif set(line.support) == {Support.MISSING}:
            text = "none"
        else:
            text = f"{line.score} of {len(table.features)}"
        return Text(text, note=reasons.index(said) + 1 if said else None)

    def support(line: FeatureLine, index: int) -> str:
        return line.support[index].value if line.support else MISSING

    columns: list[Column[FeatureLine]] = [
        Column("framework", lambda line: _framework(line.row), required=True),
        *language_column(table.lines, lambda line: line.row),
        Column("variant", lambda line: line.row.variant or MISSING),
        Column("by the framework", score, number=True, required=True),
        *(Column(name, partial(support, index=index), required=True) for index, name in enumerate(table.features)),
    ]
    return make_grid(columns, table.lines, reasons)
