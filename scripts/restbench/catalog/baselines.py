"""Which cell of its language's baseline a cell is measured against in duet rounds."""

from restbench.catalog.entry import Cell, Entry
from restbench.catalog.manifests import RAW, Scenario


def has_duets(scenario: Scenario) -> bool:
    """Whether a scenario is measured in duet rounds: a batch is measured by its total time alone."""
    return scenario.loaded and scenario.batch is None


def partner_of(entry: Entry, cell: Cell, baseline: Entry) -> Cell | None:
    """The baseline's cell of the same scenario and variant, else of the nearest kind: typed with typed, raw with raw.

    None where the baseline takes no part in the suite, or has no cell of that kind. `entry` is the cell's.
    """
    if not has_duets(entry.scenario(cell)):
        return None
    variants = [
        other.variant
        for other in baseline.cells([cell.suite])
        if other.scenario == cell.scenario and (other.variant == RAW) == (cell.variant == RAW)
    ]
    if not variants:
        return None
    variant = cell.variant if cell.variant in variants else variants[0]
    return Cell(baseline.id, cell.suite, cell.scenario, variant)
