"""Measures a new entry. It has no base, so it is compared with the baseline of its language and with the board."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from statistics import median

from restbench.catalog import CellKey, Entry
from restbench.changes.compare import why_all
from restbench.changes.comparison import Cost, EntryComparison, NewCell, Verdict, clipped
from restbench.changes.series import Unwritten
from restbench.errors import Interrupted
from restbench.measure import Plan, run_board
from restbench.measure.events import Observer
from restbench.results.figures import Figures, figures_of
from restbench.results.journal import Journal
from restbench.results.models import CellResult, EntryResult, Run

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
    known = [
        (result.entry, result.runs[cell.run], cell, figures)
        for result in results
        for cell in result.cells
        if not cell.failure and result.runs[cell.run].target == target and (figures := figures_of(cell))
    ]

    def cost(entry: str, _run: Run, cell: CellResult, figures: Figures) -> float | None:
        if entry == baseline:
            return 1.0
        comparable = cell.baseline is not None and cell.baseline.entry == baseline
        return figures.relative_cost.middle if comparable and figures.relative_cost else None

    def throughput(_entry: str, run: Run, _cell: CellResult, figures: Figures) -> float | None:
        return figures.throughput.middle if run.machine.machine_class == machine_class else None

    def medians(of: Callable[[str, Run, CellResult, Figures], float | None]) -> dict[CellKey, float]:
        found: dict[CellKey, list[float]] = {}
        for one in known:
            if value := of(*one):
                found.setdefault(one[2].key, []).append(value)
        return {key: median(values) for key, values in found.items()}

    return Usual(medians(cost), medians(throughput))


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
    names = {"suite": cell.suite, "scenario": cell.scenario, "variant": cell.variant}
    if cell.failure:
        return NewCell(**names, verdict=Verdict.FAILED, why=clipped(str(cell.failure)))
    figures = figures_of(cell)
    if figures is None:
        return NewCell(**names, verdict=Verdict.UNKNOWN, why=clipped(_no_figure(cell)))
    cost = None if baseline is head else _cost(figures)
    return NewCell(
        **names,
        verdict=Verdict.NEW,
        throughput=figures.throughput.middle,
        usual_throughput=usual.throughputs.get(cell.key),
        cost=cost,
        usual_cost=usual.costs.get(cell.key),
        limit=figures.limit,
        no_cost=None if cost else clipped(_no_cost(head, baseline, cell)),
    )


def _cost(figures: Figures) -> Cost | None:
    found = figures.relative_cost
    return Cost(ratio=found.middle, low=found.low, high=found.high, starts=1, rounds=found.n) if found else None


def _no_cost(head: Entry, baseline: Entry | None, cell: CellResult) -> str:
    if baseline is None:
        return NO_BASELINE
    return IS_BASELINE if baseline is head else cell.no_baseline or "no round of the baseline counts"


def _no_figure(cell: CellResult) -> str:
    refused = max(cell.refused, key=lambda reason: cell.refused[reason], default=None)
    return cell.not_run or (f"no round counts: {refused}" if refused else "no round was finished")
