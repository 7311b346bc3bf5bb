"""One task under several conditions → one table: a line per entry, a column per condition, the total time in each."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from restbench.board.models import Line, Matrix, Row, Total
from restbench.catalog import Scenario
from restbench.stats import Estimate

Column = tuple[Scenario, list[Row]]


def build_matrices(columns: Iterable[Column]) -> list[Matrix]:
    """The matrices of a suite: of its scenarios that are columns, those that follow each other and share a title."""
    named = [column for column in columns if column[0].column]
    return [_matrix(title, list(group)) for title, group in groupby(named, lambda column: column[0].title)]


def _matrix(title: str, columns: list[Column]) -> Matrix:
    run = [(scenario, rows) for scenario, rows in columns if any(not row.not_run for row in rows)]
    not_run = {s.column or "": rows[0].not_run or "" for s, rows in columns if rows and all(r.not_run for r in rows)}
    totals = [_totals(rows) for _, rows in run]
    entries = {row.entry: row for _, rows in run for row in rows if not row.reference}
    lines = [Line(row, [column.get(entry) for column in totals]) for entry, row in entries.items()]
    request = f"{columns[0][0].method} {columns[0][0].path}"
    return Matrix(title, request, [s.column or "" for s, _ in run], sorted(lines, key=_order), not_run)


def _order(line: Line) -> tuple[float, str]:
    """By what the first condition took; what has no figure there goes last."""
    first = line.totals[0] if line.totals else None
    return (first.seconds.median if first and first.seconds else float("inf"), line.row.label)


def _totals(rows: list[Row]) -> dict[str, Total]:
    timed = [row for row in rows if row.seconds is not None]
    marks = dict(
        zip((row.entry for row in timed), best_and_worst([r.seconds for r in timed if r.seconds]), strict=True)
    )
    return {row.entry: Total(row.seconds, row.limit, marks.get(row.entry), row.failure, row.not_run) for row in rows}


def best_and_worst(seconds: Sequence[Estimate]) -> list[str | None]:
    """ "best" where none is certainly faster, "worst" where none is certainly slower, None elsewhere and for both."""
    marks: list[str | None] = []
    for mine in seconds:
        best = not any(other.high < mine.low for other in seconds)
        worst = not any(other.low > mine.high for other in seconds)
        marks.append(None if best == worst else "best" if best else "worst")
    return marks
