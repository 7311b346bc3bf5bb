"""Builds tables of totals for one task under several conditions: one line per entry, one column per condition."""

from collections.abc import Iterable, Sequence
from itertools import combinations, groupby
from statistics import geometric_mean

from restbench.board.models import Line, Matrix, Total
from restbench.board.rows import Row
from restbench.catalog import Scenario
from restbench.stats.comparisons import different_medians, holm
from restbench.stats.estimates import SHARED_LEVEL
from restbench.stats.intervals import ROUNDS_FOR_MEDIAN

Column = tuple[Scenario, list[Row]]


def build_matrices(columns: Iterable[Column]) -> list[Matrix]:
    """The matrices of a suite. Scenarios with a `column` that follow each other and share a title make one matrix."""
    named = [column for column in columns if column[0].column]
    return [_matrix(title, list(group)) for title, group in groupby(named, lambda column: column[0].title)]


def _matrix(title: str, columns: list[Column]) -> Matrix:
    run = [(scenario, rows) for scenario, rows in columns if any(not row.not_run for row in rows)]
    not_run = {s.column or "": rows[0].not_run or "" for s, rows in columns if rows and all(r.not_run for r in rows)}
    totals = [_totals(rows) for _, rows in run]
    entries = {row.entry: row for _, rows in run for row in rows}
    lines = [Line(row, [column.get(entry) for column in totals]) for entry, row in entries.items()]
    request = f"{columns[0][0].method} {columns[0][0].path}"
    return Matrix(title, request, [s.column or "" for s, _ in run], sorted(lines, key=_order), not_run)


def _order(line: Line) -> tuple[float, str]:
    """Sorts lines by the total of the first condition. Lines without that total come last."""
    first = line.totals[0] if line.totals else None
    return (first.seconds.middle if first and first.seconds else float("inf"), line.row.label)


def _totals(rows: list[Row]) -> dict[str, Total]:
    timed = [row for row in rows if row.seconds is not None]
    found = best_and_worst([row.solo.seconds for row in timed])
    marks = {row.entry: mark for row, mark in zip(timed, found, strict=True)}
    return {row.entry: Total(row.seconds, row.limit, marks.get(row.entry), row.failure, row.not_run) for row in rows}


def best_and_worst(seconds: Sequence[Sequence[float]]) -> list[str | None]:
    """Marks the best and the worst totals of one condition, in the order given.

    "best" means that no other is certainly faster, "worst" that no other is certainly slower. The mark is None where
    neither or both are true. `seconds` has the rounds of each entry. Entries with fewer than six rounds are compared
    with no other entry, so they get no mark.
    """
    p_values = {
        (a, b): different_medians(seconds[a], seconds[b])
        for a, b in combinations(range(len(seconds)), 2)
        if min(len(seconds[a]), len(seconds[b])) >= ROUNDS_FOR_MEDIAN
    }
    beaten, beating = set(), set()
    adjusted = holm(list(p_values.values()))
    for a, b in (pair for pair, p in zip(p_values, adjusted, strict=True) if p <= SHARED_LEVEL):
        faster, slower = (a, b) if geometric_mean(seconds[a]) < geometric_mean(seconds[b]) else (b, a)
        beating.add(faster)
        beaten.add(slower)
    return [_mark(best=i not in beaten, worst=i not in beating) for i in range(len(seconds))]


def _mark(best: bool, worst: bool) -> str | None:
    return None if best == worst else "best" if best else "worst"
