"""Marks in place of figures → a table: a line per entry, a column per mark."""

from collections.abc import Iterable

from restbench.board.models import Grade, Grades, GradesLine
from restbench.board.rows import Row
from restbench.catalog import Entry, Scenario
from restbench.results.models import CellResult

Graded = tuple[Entry, Row, CellResult]
"""An entry's row has its title and version, or why there are no marks."""


def build_grades(scenario: Scenario, graded: Iterable[Graded]) -> Grades | None:
    """The table of a graded scenario, best score first; None where nobody was graded."""
    lines = [_line(scenario, *each) for each in graded]
    if not lines:
        return None
    ordered = sorted(lines, key=lambda line: (-line.score, line.row.title.casefold()))
    return Grades(scenario.name, scenario.title, f"{scenario.method} {scenario.path}", scenario.graded, ordered)


def _line(scenario: Scenario, entry: Entry, row: Row, cell: CellResult) -> GradesLine:
    by_hand = entry.documented(cell.suite).by_hand
    grades = [_grade(cell.marks.get(mark, False), mark in by_hand) for mark in scenario.graded] if cell.marks else []
    return GradesLine(row, grades, sum(grade == Grade.FRAMEWORK for grade in grades))


def _grade(had: bool, by_hand: bool) -> Grade:
    if not had:
        return Grade.MISSING
    return Grade.BY_HAND if by_hand else Grade.FRAMEWORK
