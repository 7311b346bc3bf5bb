"""Builds the table of feature checks: one line per entry, one column per feature."""

from collections.abc import Iterable

from restbench.board.models import FeatureLine, FeatureTable, Support
from restbench.board.rows import Row
from restbench.catalog import Entry, Scenario
from restbench.results.models import CellResult

Checked = tuple[Entry, Row, CellResult]
"""An entry, its row and its result. The row has title and version, or the reason why features were not checked."""


def build_feature_table(scenario: Scenario, checked: Iterable[Checked]) -> FeatureTable | None:
    """The table of a scenario with feature checks, best score first. None if no entry has such a cell."""
    lines = [_line(scenario, *each) for each in checked]
    if not lines:
        return None
    ordered = sorted(lines, key=lambda line: (-line.score, line.row.title.casefold()))
    return FeatureTable(scenario.name, scenario.title, f"{scenario.method} {scenario.path}", scenario.features, ordered)


def _line(scenario: Scenario, entry: Entry, row: Row, cell: CellResult) -> FeatureLine:
    by_hand = entry.documented(cell.suite).by_hand
    names = scenario.features if cell.features else []
    support = [_support(cell.features.get(name, False), name in by_hand) for name in names]
    return FeatureLine(row, support, sum(each == Support.FRAMEWORK for each in support))


def _support(passed: bool, by_hand: bool) -> Support:
    if not passed:
        return Support.MISSING
    return Support.BY_HAND if by_hand else Support.FRAMEWORK
