"""The board's figures as CSV and JSON. Both have the same rows and columns."""

import csv
import io
from typing import Any

from restbench.board.models import Board
from restbench.render.columns import COLUMNS, Value
from restbench.site.write import compact

NAMES = (
    *("framework", "variant", "version", "measured", "group", "speed, % of the first", "relative cost"),
    *("req/s measured", "CPU µs per request", "p50 / p90 / p99", "peak memory", "total", "bottleneck"),
)
"""The columns of rows that are for programs."""

FIELDS = {
    "target": "native or docker",
    "profile": "how long and how hard was measured",
    "machine_class": "figures of two classes cannot be compared",
    "suite": "hello, issue-tracker, solr or workload",
    "scenario": "the table: the scenario, with -raw or -schema where a suite has both",
    **{name: about for column in NAMES for name, about in COLUMNS[column].data.items()},
}
"""Field → what it holds. It is empty where a figure was not measured."""


def rows_of(board: Board) -> list[dict[str, Value]]:
    """A row for each cell of the board, in the order of its tables."""
    return [
        {
            "target": section.setting.target,
            "profile": section.setting.profile,
            "machine_class": section.setting.machine_class,
            "suite": suite.name,
            "scenario": table.name,
            **{n: value for name in NAMES for n, value in COLUMNS[name].for_programs(row).items()},
        }
        for section in board.sections
        for suite in section.suites
        for table in suite.tables
        for row in table.rows
    ]


def downloads(board: Board) -> dict[str, bytes]:
    """downloads/board.csv and .json."""
    rows = rows_of(board)
    return {"downloads/board.csv": _csv(rows), "downloads/board.json": compact({"columns": FIELDS, "rows": rows})}


def _csv(rows: list[dict[str, Value]]) -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, FIELDS, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _harmless(value) for name, value in row.items()} for row in rows)
    return text.getvalue().encode()


def _harmless(value: Any) -> Any:
    """A text that a spreadsheet would run as a formula gets an apostrophe (OWASP, CSV injection)."""
    return f"'{value}" if isinstance(value, str) and value[:1] in "=+-@\t\r" else value
