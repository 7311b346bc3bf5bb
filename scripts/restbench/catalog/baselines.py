"""Finds the baseline's cell that a cell is compared with."""

from restbench.catalog.entry import Cell, Entry
from restbench.catalog.manifests import USUAL_SETUP, Scenario


def has_duets(scenario: Scenario) -> bool:
    """Whether a scenario is measured in duet rounds.

    A batch is not: only its total time is measured. A scenario that is only verified is not measured at all.
    """
    return scenario.loaded and scenario.batch is None


def partner_of(entry: Entry, cell: Cell, baseline: Entry) -> Cell | None:
    """Returns the baseline's first cell of the same scenario and kind: without a schema, or with one.

    So all rows of a table are compared with the same cell. `entry` is the entry of the cell, which may be the baseline
    itself. None where the scenario is one of several conditions, where it is not measured in the usual setup, and where
    the baseline has no cell of that kind.
    """
    scenario = entry.scenario(cell)
    if scenario.column or not scenario.loaded or scenario.setup != USUAL_SETUP:
        return None
    has_schema = entry.suites[cell.suite].has_schema
    alike = (
        other
        for other in baseline.cells([cell.suite])
        if other.scenario == cell.scenario and has_schema(other.variant) == has_schema(cell.variant)
    )
    return next(alike, None)
