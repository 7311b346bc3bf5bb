"""The board's figures as CSV and JSON. Both have the same rows and columns."""

import csv
import io
from typing import Any

from restbench.board.models import Board
from restbench.board.rows import Row
from restbench.render.labels import limited_by
from restbench.results.models import RateKind
from restbench.site.write import compact

COLUMNS = {
    "target": "native or docker",
    "profile": "how long and how hard was measured",
    "machine_class": "figures of two classes cannot be compared",
    "suite": "hello, issue-tracker, solr or workload",
    "scenario": "the table: the scenario, with -raw or -schema where a suite has both",
    "entry": "language/framework",
    "variant": "how the entry reads and writes JSON: raw, or a library that validates; empty without variants",
    "version": "of the framework",
    "measured": "when the run started, as ISO 8601",
    "group": "the number of its group; empty where the row is not compared",
    "percent_of_best": "speed in % of the first row's, by CPU time per request; by throughput where it is not "
    "compared; empty where nothing links the languages",
    "percent_of_best_low": "of the 95 % interval of the comparison with the first row",
    "percent_of_best_high": "of the 95 % interval of the comparison with the first row",
    "relative_cost": "CPU time per request ÷ that of the language's baseline, each alone, in one job",
    "relative_cost_low": "of the 95 % interval",
    "relative_cost_high": "of the 95 % interval",
    "throughput": "requests per second, median of the rounds",
    "throughput_low": "of the 95 % interval or, with fewer than six rounds, the slowest round",
    "throughput_high": "of the 95 % interval or, with fewer than six rounds, the fastest round",
    "cpu_us": "CPU µs per request, median of the rounds",
    "p50_ms": "latency at the common rate",
    "p90_ms": "latency at the common rate",
    "p99_ms": "latency at the common rate; each percentile is empty where too few requests count",
    "latency_requests": "requests that count at the common rate",
    "memory_bytes": "peak under load",
    "seconds": "total time of a batch",
    "bottleneck": "what kept the throughput from being higher, or failed, refused, not run",
    "reason": "why there is no figure",
}
"""Column → what it holds. Rows are empty where a figure was not measured."""

Figures = dict[str, str | int | float | None]


def rows_of(board: Board) -> list[Figures]:
    """A row for each cell of the board, in the order of its tables."""
    return [
        {
            "target": section.setting.target,
            "profile": section.setting.profile,
            "machine_class": section.setting.machine_class,
            "suite": suite.name,
            "scenario": table.name,
            **_figures(row),
        }
        for section in board.sections
        for suite in section.suites
        for table in suite.tables
        for row in table.rows
    ]


def downloads(board: Board) -> dict[str, bytes]:
    """downloads/board.csv and .json."""
    rows = rows_of(board)
    return {"downloads/board.csv": _csv(rows), "downloads/board.json": compact({"columns": COLUMNS, "rows": rows})}


def _figures(row: Row) -> Figures:
    common = row.latency.get(RateKind.COMMON)
    cost, rate = row.relative_cost, row.throughput
    return {
        "entry": row.entry,
        "variant": row.variant,
        "version": row.version,
        "measured": row.measured.isoformat(),
        "group": row.group,
        "percent_of_best": 100 * row.share.middle if row.share else None,
        "percent_of_best_low": 100 * row.share.low if row.share and row.share.certain else None,
        "percent_of_best_high": 100 * row.share.high if row.share and row.share.certain else None,
        "relative_cost": 1.0 if row.is_baseline else cost.middle if cost else None,
        "relative_cost_low": cost.low if cost else None,
        "relative_cost_high": cost.high if cost else None,
        "throughput": rate.middle if rate else None,
        "throughput_low": rate.low if rate else None,
        "throughput_high": rate.high if rate else None,
        "cpu_us": row.cpu_us.middle if row.cpu_us else None,
        "p50_ms": common.p50 if common else None,
        "p90_ms": common.p90 if common else None,
        "p99_ms": common.p99 if common else None,
        "latency_requests": common.requests if common else None,
        "memory_bytes": row.memory_bytes,
        "seconds": row.seconds.middle if row.seconds else None,
        "bottleneck": limited_by(row),
        "reason": row.failure or row.not_run or row.refused,
    }


def _csv(rows: list[Figures]) -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _harmless(value) for name, value in row.items()} for row in rows)
    return text.getvalue().encode()


def _harmless(value: Any) -> Any:
    """A text that a spreadsheet would run as a formula gets an apostrophe (OWASP, CSV injection)."""
    return f"'{value}" if isinstance(value, str) and value[:1] in "=+-@\t\r" else value
