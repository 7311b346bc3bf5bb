"""Builds the tables beside those of scenarios: totals of one task under several conditions, and feature checks."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from restbench.board.estimates import PROCESS
from restbench.board.models import FeatureLine, FeatureTable, Matrix, MatrixLine, Support, Total
from restbench.board.rows import Row
from restbench.catalog import Scenario
from restbench.stats.estimates import Estimate, Part, certainly_faster, moderated, usual_variance
from restbench.stats.intervals import log_sample

Column = tuple[Scenario, list[Row]]


def build_matrices(columns: Iterable[Column]) -> list[Matrix]:
    """The matrices of a suite. Scenarios with a `column` that follow each other and share a title make one matrix."""
    named = [column for column in columns if column[0].column]
    return [_matrix(title, list(group)) for title, group in groupby(named, lambda column: column[0].title)]


def _matrix(title: str, columns: list[Column]) -> Matrix:
    run = [(scenario, rows) for scenario, rows in columns if any(not row.cell.not_run for row in rows)]
    reasons = [(scenario, [row.cell.not_run or "" for row in rows]) for scenario, rows in columns if rows]
    not_run = {scenario.column or "": each[0] for scenario, each in reasons if all(each)}
    totals = [_totals(rows) for _, rows in run]
    entries = {row.entry.id: row for _, rows in run for row in rows}
    lines = [MatrixLine(row, [column.get(entry) for column in totals]) for entry, row in entries.items()]
    request = f"{columns[0][0].method} {columns[0][0].path}"

    def place(line: MatrixLine) -> tuple[float, str]:
        first = line.totals[0] if line.totals else None
        # lines without a total of the first condition come last
        return (first.seconds.middle if first and first.seconds else float("inf"), line.row.label)

    return Matrix(title, request, [s.column or "" for s, _ in run], sorted(lines, key=place), not_run)


def _totals(rows: list[Row]) -> dict[str, Total]:
    timed = [row for row in rows if row.seconds is not None]
    found = best_and_worst([row.cell.solo.seconds or [] for row in timed])
    marks = {row.entry.id: mark for row, mark in zip(timed, found, strict=True)}
    return {
        row.entry.id: Total(row.seconds, row.limit, marks.get(row.entry.id), row.failure, row.cell.not_run)
        for row in rows
    }


def best_and_worst(seconds: Sequence[Sequence[float]]) -> list[str | None]:
    """Marks the best and the worst totals of one condition, in the order given.

    "best" means that no other is certainly more than 10 % faster, "worst" that no other is certainly more than 10 %
    slower. The mark is None where neither or both are true. `seconds` has the rounds of each entry.
    """
    samples = [log_sample(each) for each in seconds]
    usual = usual_variance(samples)
    estimates = [
        Estimate(-sample.mean, moderated(sample, usual), {("luck", number): Part(PROCESS**2)})
        for number, sample in enumerate(samples)
    ]
    certain = certainly_faster(estimates)
    beating, beaten = ({pair[side] for pair in certain} for side in (0, 1))
    return [
        None if (i in beaten) == (i in beating) else "worst" if i in beaten else "best" for i in range(len(seconds))
    ]


def build_feature_table(scenario: Scenario, rows: Iterable[Row]) -> FeatureTable:
    """The table of a scenario with feature checks, best score first."""
    lines = sorted((_line(scenario, row) for row in rows), key=lambda line: (-line.score, line.row.title.casefold()))
    return FeatureTable(scenario.name, scenario.title, f"{scenario.method} {scenario.path}", scenario.features, lines)


def _line(scenario: Scenario, row: Row) -> FeatureLine:
    by_hand, found = row.entry.documented(row.cell.suite).by_hand, row.cell.features
    provided = {name: Support.BY_HAND if name in by_hand else Support.FRAMEWORK for name in found if found[name]}
    support = [provided.get(name, Support.MISSING) for name in (scenario.features if found else [])]
    return FeatureLine(row, support, sum(each == Support.FRAMEWORK for each in support))
