"""The columns of every table that README and report print."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from restbench.board.models import FactsRow, Grade, Grades, GradesLine, Line, Matrix, Row, Section, Table
from restbench.grid import Column, Grid, Text, make_grid
from restbench.numbers import (
    MISSING,
    cpu_numbers,
    figure,
    gibibytes,
    interval,
    mean_sd,
    megabytes,
    optional,
    percent,
    tenths,
    times,
)
from restbench.profiles import Profile
from restbench.results.models import FixedRate, Latencies, Machine
from restbench.stats import Estimate
from restbench.words import pinning, reason, reason_against, total_reason

T = TypeVar("T")


def table_grid(table: Table) -> Grid:
    """One scenario. Rows that are not ranked or lack rounds point to notes, which are shared where they read alike."""
    reasons = list(dict.fromkeys(r for row in table.rows if (r := reason(row))))
    ties = Counter(row.rank for row in table.rows)

    def rank(row: Row) -> str:
        if row.rank is None:
            return MISSING
        return f"{row.rank}=" if ties[row.rank] > 1 else str(row.rank)

    def limit(row: Row) -> Text:
        said = reason(row)
        text = "failed" if row.failure else "not run" if row.not_run else optional(str, row.limit)
        return Text(text, note=reasons.index(said) + 1 if said else None)

    columns: list[Column[Row]] = [
        Column("rank", rank, number=True, required=True),
        Column("framework", _framework, required=True),
        *_language([row for row in table.rows if not row.reference], lambda row: row),
        Column("variant", lambda row: row.variant or MISSING),
        Column("req/s (95 % interval)", lambda row: optional(interval, row.throughput), number=True, required=True),
        Column("% of best", lambda row: optional(percent, row.percent_of_best), number=True),
        Column("× slowest", lambda row: optional(times, row.times_slowest), number=True),
        Column("req/s, mean ± sd", lambda row: optional(mean_sd, row.throughput), number=True),
        Column("total, s", lambda row: optional(interval, row.seconds), number=True),
        Column("overhead, ms", lambda row: optional(interval, row.overhead), number=True),
        Column("limited by", limit, required=True),
        Column("p50, ms", _fixed_rate(lambda f: f.latency.p50), number=True),
        Column("p75, ms", _fixed_rate(lambda f: f.latency.p75), number=True),
        Column("p99, ms", _fixed_rate(lambda f: f.latency.p99), number=True),
        Column("at req/s", _fixed_rate(lambda f: f.rate), number=True),
        Column("CPU µs per request", lambda row: optional(interval, row.cpu_us), number=True),
        Column("peak memory, MB", lambda row: optional(megabytes, row.memory_bytes), number=True),
        Column("saturated average, ms", _saturated(lambda s: s.mean), number=True),
        Column("saturated p50, ms", _saturated(lambda s: s.p50), number=True),
        Column("saturated p75, ms", _saturated(lambda s: s.p75), number=True),
        Column("% of reference", lambda row: optional(_of_reference, row.ratio), number=True),
    ]
    if len({row.measured.date() for row in table.rows}) > 1:
        columns.append(Column("measured", lambda row: row.measured.date().isoformat()))
    return make_grid(columns, table.rows, reasons, muted=lambda row: row.rank is None)


def _framework(row: Row) -> Text:
    detail = [row.version or "", "(unmaintained)" if row.unmaintained else "", "(stale)" if row.stale else ""]
    return Text(row.title, row.homepage, " ".join(filter(None, detail)))


def _language(lines: Sequence[T], row: Callable[[T], Row | FactsRow]) -> list[Column[T]]:
    """The column that says each line's language, where they have more than one."""
    if len({row(line).language for line in lines}) < 2:
        return []
    return [Column("language", lambda line: row(line).language)]


def _fixed_rate(read: Callable[[FixedRate], float]) -> Callable[[Row], str]:
    return lambda row: MISSING if row.fixed_rate is None else figure(read(row.fixed_rate))


def _saturated(read: Callable[[Latencies], float]) -> Callable[[Row], str]:
    return lambda row: MISSING if row.saturated is None else figure(read(row.saturated))


def _of_reference(ratio: Estimate) -> str:
    return figure(100 * ratio.median)


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
        *_language(matrix.lines, lambda line: line.row),
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
        *_language(grades.lines, lambda line: line.row),
        Column("by the framework", score, number=True, required=True),
        *(Column(mark, partial(grade, index=index), required=True) for index, mark in enumerate(grades.marks)),
    ]
    return make_grid(columns, grades.lines, reasons)


def facts_grid(facts: Sequence[FactsRow]) -> Grid:
    """What is true of each entry before it does anything."""
    return make_grid([*_FACTS[:1], *_language(facts, lambda f: f), *_FACTS[1:]], facts)


def resources_grid(facts: Sequence[FactsRow]) -> Grid:
    """What each entry takes of a machine, whatever the scenario."""
    return make_grid([*_RESOURCES[:1], *_language(facts, lambda f: f), *_RESOURCES[1:]], facts)


_FACTS: list[Column[FactsRow]] = [
    Column("framework", lambda f: Text(f.title, f.homepage), required=True),
    Column("documentation", lambda f: Text("docs", f.documentation)),
    Column("source", lambda f: Text(f.entry, f.source)),
    Column("version", lambda f: f.version or MISSING),
    Column("released", lambda f: Text(optional(str, f.released), detail="(unmaintained)" if f.unmaintained else "")),
    Column("licence", lambda f: f.licence or MISSING),
    Column("interface", lambda f: f.interface),
    Column("server", lambda f: f.server or MISSING),
    Column("OpenAPI", lambda f: "from code" if f.openapi else MISSING),
    Column("packages", lambda f: optional(str, f.packages), number=True),
    Column("size, MB", lambda f: optional(megabytes, f.size_bytes), number=True),
    Column("build, s", lambda f: optional(tenths, f.build_seconds), number=True),
    Column("lines of the entry", lambda f: optional(str, f.code_lines), number=True),
]

_RESOURCES: list[Column[FactsRow]] = [
    Column("framework", lambda f: Text(f.title, f.homepage), required=True),
    Column("start, s", lambda f: optional(figure, f.start_seconds), number=True),
    Column("idle CPU, %", lambda f: optional(_percent_of_cpu, f.idle_cpu_share), number=True),
    Column("memory after start, MB", lambda f: optional(megabytes, f.memory_start_bytes), number=True),
    Column("peak, MB", lambda f: optional(megabytes, f.memory_peak_bytes), number=True),
    Column("after load, MB", lambda f: optional(megabytes, f.memory_after_bytes), number=True),
]


def _percent_of_cpu(share: float) -> str:
    return percent(100 * share)


def machines_grid(section: Section) -> Grid:
    """The machines of a section; those that differ in nothing shown are one line."""
    grid = make_grid(_MACHINES, section.machines)
    lines = {tuple(line.cells): line for line in grid.lines}
    return Grid(grid.headers, grid.numbers, list(lines.values()))


def _split(machine: Machine) -> str:
    return pinning(machine, cpu_numbers(machine.app_cpus), cpu_numbers(machine.load_cpus))


_MACHINES: list[Column[Machine]] = [
    Column("CPU", lambda m: m.cpu_model, required=True),
    Column("CPUs", lambda m: str(m.cpus), number=True),
    Column("CPU split", _split),
    Column("memory", lambda m: gibibytes(m.memory_bytes), number=True),
    Column("kernel", lambda m: m.kernel),
    Column("runner image", lambda m: m.runner or MISSING),
    Column("Docker", lambda m: m.docker or MISSING),
    Column("wrk", lambda m: m.wrk or MISSING, required=True),
    Column("oha", lambda m: m.oha or MISSING, required=True),
    Column("restbench", lambda m: f"{m.restbench} ({m.harness_hash})"),
]


def profiles_grid(profiles: Sequence[Profile]) -> Grid:
    """How long and how hard each profile measures."""
    return make_grid(_PROFILES, profiles)


_PROFILES: list[Column[Profile]] = [
    Column("profile", lambda p: p.name),
    Column("what for", lambda p: p.about),
    Column("rounds", lambda p: str(p.rounds), number=True),
    Column("warm-up, s", lambda p: str(p.warm_up_seconds), number=True),
    Column("wrk per round, s", lambda p: str(p.load_seconds), number=True),
    Column("oha per round, s", lambda p: f"{p.fixed_rate_seconds:g}" if p.fixed_rate else MISSING, number=True),
    Column("connections", lambda p: str(p.connections), number=True),
    Column("CPUs pinned", lambda p: "yes" if p.pin else "no"),
    Column("load per cell, s", lambda p: f"{p.planned_seconds():g}", number=True),
]
