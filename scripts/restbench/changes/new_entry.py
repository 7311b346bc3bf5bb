"""Measures a new entry. It has no base, so it is compared with the baseline of its language and with the board."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from statistics import median

from restbench.catalog import CellKey, Entry
from restbench.changes.compare import why_all
from restbench.changes.comparison import Cost, EntryComparison, NewCell, Verdict, clipped
from restbench.changes.series import Unwritten
from restbench.errors import Interrupted
from restbench.measure import Plan, run_board
from restbench.measure.events import Observer
from restbench.results.figures import figures_of
from restbench.results.journal import Journal
from restbench.results.models import CellResult, EntryResult

NO_BASELINE = "its language has no baseline that can be measured here"
IS_BASELINE = "it is the baseline of its language"


@dataclass(frozen=True)
class Usual:
    """Cell → the median over a language's entries on the board.

    `costs` are relative to the baseline, from runs on the same target. `throughputs` are in requests per second, from
    runs on the same target and the same class of machines.
    """

    costs: dict[CellKey, float]
    throughputs: dict[CellKey, float]


def usual_of(results: Iterable[EntryResult], target: str, machine_class: str, baseline: str | None) -> Usual:
    """Returns the medians over the results of a language's entries. The relative cost of the baseline itself is 1."""
    costs: dict[CellKey, list[float]] = defaultdict(list)
    throughputs: dict[CellKey, list[float]] = defaultdict(list)
    for result in results:
        for cell in result.cells:
            run = result.runs[cell.run]
            figures = None if cell.failure or run.target != target else figures_of(cell)
            if figures is None:
                continue
            if result.entry == baseline:
                costs[cell.key].append(1.0)
            elif cell.baseline and cell.baseline.entry == baseline and figures.relative_cost:
                costs[cell.key].append(figures.relative_cost.middle)
            if run.machine.machine_class == machine_class and figures.throughput.middle:
                throughputs[cell.key].append(figures.throughput.middle)
    medians = ({key: median(values) for key, values in found.items()} for found in (costs, throughputs))
    return Usual(*medians)


def measure_new(
    head: Entry, plan: Plan, usual: Usual, observe: Observer, journal: Journal | None = None
) -> EntryComparison:
    """Measures a new entry as the board is measured, with the baseline of its language. Raises Interrupted."""
    outcome = run_board(replace(plan, entries=[head], reference=None), journal or Unwritten(), observe)
    if outcome.interrupted:
        raise Interrupted
    result = next((result for result in outcome.results if result.entry == head.id), None)
    failed, baseline = why_all(result), plan.baselines.get(head.language.name)
    cells = result.cells if result else []
    return EntryComparison(
        entry=head.id,
        title=head.title,
        base_version=None,
        version=head.version(plan.runtime.name),
        status="failed" if failed else "new",
        new_cells=[_new_cell(head, baseline, cell, usual) for cell in cells if cell.failure or not cell.features],
        baseline=baseline.title if baseline and baseline is not head else None,
        why=failed,
    )


def _new_cell(head: Entry, baseline: Entry | None, cell: CellResult, usual: Usual) -> NewCell:
    names = cell.key._asdict()
    if cell.failure:
        return NewCell(**names, verdict=Verdict.FAILED, why=clipped(str(cell.failure)))
    figures = figures_of(cell)
    if figures is None:
        refused = max(cell.refused, key=lambda reason: cell.refused[reason], default=None)
        why = cell.not_run or (f"no round counts: {refused}" if refused else "no round was finished")
        return NewCell(**names, verdict=Verdict.UNKNOWN, why=clipped(why))
    cost, no_cost = None, cell.no_baseline or "no round of the baseline counts"
    if baseline is None or baseline is head:
        no_cost = IS_BASELINE if baseline else NO_BASELINE
    if baseline is not head and (found := figures.relative_cost):
        cost = Cost(ratio=found.middle, low=found.low, high=found.high, starts=1, rounds=found.n)
    return NewCell(
        **names,
        verdict=Verdict.NEW,
        throughput=figures.throughput.middle,
        usual_throughput=usual.throughputs.get(cell.key),
        cost=cost,
        usual_cost=usual.costs.get(cell.key),
        limit=figures.limit,
        no_cost=None if cost else clipped(no_cost),
    )
