"""The links between languages: the costs of all baselines, measured together on one machine."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from statistics import fmean

from restbench.board.models import Setting
from restbench.results.figures import earlier_cost, link_level
from restbench.results.models import BaselineRounds, CellResult, EarlierCost, EntryResult

Key = tuple[str, str, str, str | None]
"""The baseline, suite, scenario and variant of a cell."""

ENOUGH_DIFFERENCES = 20
"""From so many differences between runs on, they say how much runs differ. Fewer say less than the usual constants."""

LEAST_BETWEEN_RUNS = 0.02
"""Lower bound of that standard deviation, for runs that happen to be alike."""


@dataclass(frozen=True)
class Gain:
    """What a cell of a baseline cost after a change ÷ before it: the logarithm, and its variance."""

    entry: str
    target: str
    at: datetime
    suite: str
    scenario: str
    variant: str | None
    log_ratio: float
    variance: float


@dataclass(frozen=True)
class Links:
    """The rounds of the baselines' cells in one run. Without links, `cells` is empty and `run` is None.

    `gains`: what changes of baselines did to their costs, as it was measured. `between_runs`: the variance of a
    relative cost between two runs of unchanged code, beside that of their rounds; None where too little is known.

    `earlier`: the costs of cells in earlier links, where nothing has changed, relative to the mean of all cells of
    their run. `level`: that mean in this run. Both are logarithms.
    """

    run: str | None = None
    started: datetime | None = None
    cells: Mapping[Key, BaselineRounds] = field(default_factory=dict)
    gains: Sequence[Gain] = ()
    between_runs: float | None = None
    earlier: Mapping[Key, Sequence[EarlierCost]] = field(default_factory=dict)
    level: float = 0.0


def links_of(
    setting: Setting, links: Iterable[EntryResult], results: Iterable[EntryResult], gains: Sequence[Gain]
) -> Links:
    """Returns the links of a setting.

    `links` are the published ones. Without any of this target and class of machines, `results` are taken, where one run
    measured all of their baselines.
    """
    here = _own_cells(setting, links) or _own_cells(setting, results)
    runs = {run for _, run, _, _ in here}
    if len(runs) != 1:
        return Links(gains=gains, between_runs=_between_runs(setting, results))
    _, run, started, _ = here[0]
    cells = {(entry, c.suite, c.scenario, c.variant): c.baseline for entry, _, _, c in here if c.baseline}
    earlier = {(entry, c.suite, c.scenario, c.variant): c.earlier for entry, _, _, c in here}
    level = link_level(c for _, _, _, c in here)
    return Links(run, started, cells, gains, _between_runs(setting, results), earlier, level)


def _between_runs(setting: Setting, results: Iterable[EntryResult]) -> float | None:
    """Returns how much relative costs differ between consecutive runs of unchanged code, as a variance.

    Half of the mean square of a difference is that of one run. What the rounds explain is subtracted.
    """
    squares: list[float] = []
    for result in results:
        for cell in result.cells:
            run = result.runs[cell.run]
            newest = earlier_cost(cell, run)
            if newest and cell.earlier and Setting(run.target, run.profile, run.machine.machine_class) == setting:
                squares += [
                    ((after.log_cost - before.log_cost) ** 2 - after.variance - before.variance) / 2
                    for after, before in pairwise([newest, *cell.earlier])
                ]
    return max(fmean(squares), LEAST_BETWEEN_RUNS**2) if len(squares) >= ENOUGH_DIFFERENCES else None


def _own_cells(setting: Setting, results: Iterable[EntryResult]) -> list[tuple[str, str, datetime, CellResult]]:
    """Returns the cells of baselines that were measured under that setting: entry, run and its time, and cell.

    The links have a profile of their own, so the profile does not count.
    """
    return [
        (result.entry, cell.run, run.started, cell)
        for result in results
        for cell in result.cells
        if cell.baseline and cell.baseline.is_of(result.entry, cell.variant)
        for run in [result.runs[cell.run]]
        if (run.target, run.machine.machine_class) == (setting.target, setting.machine_class)
    ]
