"""The columns of the tables that README and report print: those of scenarios, matrices and marks."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from restbench.board.models import FactsRow, Grade, Grades, GradesLine, Line, Matrix
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
    """One scenario. Rows of which there is more to say point to notes, which are shared where they read alike."""
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
        Column("limited by", limit, required=True),
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
    detail = [row.version or "", "(unmaintained)" if row.unmaintained else "", "(stale)" if row.stale else ""]
    return Text(row.title, row.homepage, " ".join(filter(None, detail)))


def language_column(lines: Sequence[T], row: Callable[[T], Row | FactsRow]) -> list[Column[T]]:
    """The column that says each line's language, where they have more than one."""
    if len({row(line).language for line in lines}) < 2:
        return []
    return [Column("language", lambda line: row(line).language)]


def _interval_column(
    title: str,
    rows: Sequence[Row],
    read: Callable[[Row], Interval | None],
    show: Callable[[Row, str], str] = lambda _, text: text,
) -> Column[Row]:
    """A column of figures with their bounds. The header says what the bounds are; where they are of two kinds, each
    range says that it is one."""
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
    """Latencies at the rate that most rows have. A row that was measured at another rate says so."""
    rates = Counter(at.rate for row in rows if (at := row.latency.get(RateKind.COMMON)))
    usual = max(rates, key=lambda rate: (rates[rate], rate), default=0)

    def cell(row: Row) -> Text:
        at = row.latency.get(RateKind.COMMON)
        other = f"(at {at.rate:,}/s)" if at and at.rate != usual else ""
        return Text(_latency(RateKind.COMMON)(row), detail=other)

    return Column(f"p50 / p99 at {usual:,} req/s, ms", cell, number=True)


def matrix_grid(matrix: Matrix) -> Grid:
    """One task under several conditions: total seconds, an x where there was no end, and notes for what needs one."""
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


def grades_grid(grades: Grades) -> Grid:
    """Marks in place of figures, and how many of them the framework makes by itself."""
    reasons = list(dict.fromkeys(r for line in grades.lines if (r := reason_against(line.row))))

    def score(line: GradesLine) -> Text:
        said = reason_against(line.row)
        if not line.grades:
            text = "not run" if line.row.not_run else "failed"
        elif set(line.grades) == {Grade.MISSING}:
            text = "none"
        else:
            text = f"{line.score} of {len(grades.marks)}"
        return Text(text, note=reasons.index(said) + 1 if said else None)

    def grade(line: GradesLine, index: int) -> str:
        return line.grades[index].value if line.grades else MISSING

    columns: list[Column[GradesLine]] = [
        Column("framework", lambda line: _framework(line.row), required=True),
        *language_column(grades.lines, lambda line: line.row),
        Column("by the framework", score, number=True, required=True),
        *(Column(mark, partial(grade, index=index), required=True) for index, mark in enumerate(grades.marks)),
    ]
    return make_grid(columns, grades.lines, reasons)
