"""The links between languages: the costs of all baselines, measured together on one machine."""

from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import fmean, median

from restbench.board.models import Setting
from restbench.board.rows import Row
from restbench.catalog import Cell
from restbench.results.figures import earlier_cost, link_level
from restbench.results.merge import own_cells
from restbench.results.models import BaselineRounds, CellResult, EarlierCost, EntryResult, Run
from restbench.results.rounds import UNSTEADY

Gains = Mapping[tuple[Cell, str], Sequence[EarlierCost]]
"""Cell of a baseline, and target → its costs after each change ÷ before it."""

LINKED = "linked"
"""The scale of estimates that can be compared with those of other languages."""

ENOUGH_DIFFERENCES = 20
"""From so many differences between runs on, they say how much runs differ. Fewer say less than the usual constants."""

LEAST_BETWEEN_RUNS = 0.02
"""Lower bound of that standard deviation, for runs that happen to be alike."""


@dataclass(frozen=True)
class Link:
    """The rounds of a baseline's cell, and the run that measured them. `contract`: the number of the suite's contract.

    `rate`: requests per second in the same rounds.
    `earlier`: the costs of the cell in earlier links, where nothing has changed, relative to the mean of all cells of
    their run. `level`: that mean in this run. `scale`: estimates by links of different scales cannot be compared.
    """

    rounds: BaselineRounds
    run: Run
    contract: int
    rate: float = 0.0
    earlier: Sequence[EarlierCost] = ()
    level: float = 0.0
    scale: Hashable = LINKED


@dataclass(frozen=True)
class Links:
    """What the rows of a section are compared by. Without links, `cells` is empty and `run` is None.

    `cold`: cells of baselines that the run refused, because they were not steady.
    `gains`: what changes did to the costs of baselines. `between_runs`: the variance of a relative cost between two
    runs of unchanged code, beside that of their rounds; None where too little is known.
    """

    run: str | None = None
    cells: Mapping[Cell, Link] = field(default_factory=dict)
    cold: Set[Cell] = frozenset()
    gains: Gains = field(default_factory=dict)
    between_runs: float | None = None


def baseline_cell(row: Row, baseline: BaselineRounds) -> Cell:
    """Returns the cell that a row is compared with."""
    return Cell(baseline.entry, row.cell.suite, row.cell.scenario, baseline.variant)


def links_of(setting: Setting, links: Iterable[EntryResult], results: Sequence[EntryResult], gains: Gains) -> Links:
    """Returns the links of a setting.

    `links` are the published ones. Without any of this target and class of machines, `results` are taken, where one run
    measured all of their baselines.
    """
    published = list(links)
    here = _own_cells(setting, published) or _own_cells(setting, results)
    ids = {cell.run for _, cell, _ in here}
    if len(ids) != 1:
        return Links(gains=gains, between_runs=_between_runs(setting, results))
    level = link_level(cell for _, cell, _ in here)
    cells = {
        Cell(entry, *cell.key): Link(
            cell.baseline, run, cell.contract, median(cell.solo.throughput or [0.0]), cell.earlier, level
        )
        for entry, cell, run in here
        if cell.baseline and not cell.baseline.unsteady and not cell.unsteady
    }
    (own,) = ids
    cold = {
        Cell(result.entry, *cell.key)
        for result in [*published, *results]
        for cell in result.cells
        if cell.run == own and (cell.unsteady or UNSTEADY in cell.refused)
    }
    return Links(own, cells, cold - cells.keys(), gains, _between_runs(setting, results))


def _own_cells(setting: Setting, results: Iterable[EntryResult]) -> list[tuple[str, CellResult, Run]]:
    """Returns the cells of baselines that were measured under that setting, with their entries and runs.

    The links have a profile of their own, so the profile does not count.
    """
    return [
        (result.entry, cell, run)
        for result in results
        for cell in own_cells(result)
        for run in [result.runs[cell.run]]
        if (run.target, run.machine.machine_class) == (setting.target, setting.machine_class)
    ]


def _between_runs(setting: Setting, results: Iterable[EntryResult]) -> float | None:
    """Returns how much relative costs differ between consecutive runs of unchanged code, as a variance.

    Half of the mean square of a difference is that of one run. What the rounds explain is subtracted.
    """
    squares: list[float] = []
    for result in results:
        for cell in result.cells:
            run = result.runs[cell.run]
            newest = earlier_cost(result.entry, cell, run)
            if newest and cell.earlier and Setting(run.target, run.profile, run.machine.machine_class) == setting:
                squares += [
                    ((after.log_cost - before.log_cost) ** 2 - after.variance - before.variance) / 2
                    for after, before in pairwise([newest, *cell.earlier])
                ]
    return max(fmean(squares), LEAST_BETWEEN_RUNS**2) if len(squares) >= ENOUGH_DIFFERENCES else None
