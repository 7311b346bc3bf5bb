"""Builds the table of feature checks: one line per entry, one column per feature."""

from collections.abc import Iterable

from restbench.board.models import FeatureLine, FeatureTable, Support
from restbench.board.rows import Row
from restbench.catalog import Scenario


def build_feature_table(scenario: Scenario, rows: Iterable[Row]) -> FeatureTable:
    """The table of a scenario with feature checks, best score first."""
    lines = sorted((_line(scenario, row) for row in rows), key=lambda line: (-line.score, line.row.title.casefold()))
    return FeatureTable(scenario.name, scenario.title, f"{scenario.method} {scenario.path}", scenario.features, lines)


def _line(scenario: Scenario, row: Row) -> FeatureLine:
    by_hand, found = row.entry.documented(row.cell.suite).by_hand, row.cell.features
    support = [_support(found.get(name, False), name in by_hand) for name in (scenario.features if found else [])]
    return FeatureLine(row, support, sum(each == Support.FRAMEWORK for each in support))


def _support(passed: bool, by_hand: bool) -> Support:
    if not passed:
        return Support.MISSING
    return Support.BY_HAND if by_hand else Support.FRAMEWORK
