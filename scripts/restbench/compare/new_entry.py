"""Measures a new entry. It has no base, so it is compared with the baseline of its language and with the board."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from statistics import median

from restbench.catalog import Entry
from restbench.compare.evidence import Key
from restbench.compare.models import Cost, EntryComparison, NewCell, Verdict, clipped
from restbench.compare.series import Series, Unwritten, series_of
from restbench.compare.versions import too_few_duets, why_all
from restbench.measure import Plan
from restbench.measure.events import Observer
from restbench.results.figures import Figures, figures_of
from restbench.results.journal import Journal
from restbench.results.models import CellResult, EntryResult, Run
from restbench.stats.starts import effect_of, luck_of, sample_of

NO_BASELINE = "its language has no baseline that can be measured here"
IS_BASELINE = "it is the baseline of its language"


@dataclass(frozen=True)
class Usual:
    """Cell → the median over a language's entries on the board.

    `costs` are relative to the baseline, from runs on the same target. `throughputs` are in requests per second, from
    runs on the same target and the same class of machines.
    """

    costs: dict[Key, float]
    throughputs: dict[Key, float]


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
        comparable = cell.duets is not None and cell.duets.baseline == baseline
        return figures.relative_cost.middle if comparable and figures.relative_cost else None

    def throughput(_entry: str, run: Run, _cell: CellResult, figures: Figures) -> float | None:
        return figures.throughput.middle if run.machine.machine_class == machine_class else None

    def medians(of: Callable[[str, Run, CellResult, Figures], float | None]) -> dict[Key, float]:
        found: dict[Key, list[float]] = {}
        for one in known:
            if value := of(*one):
                found.setdefault(one[2].key, []).append(value)
        return {key: median(values) for key, values in found.items()}

    return Usual(medians(cost), medians(throughput))


def measure_new(
    head: Entry, plan: Plan, usual: Usual, observe: Observer, journal: Journal | None = None
) -> EntryComparison:
    """Measures a new entry against the baseline of its language, where the plan has one. Raises Interrupted."""
    plan = replace(plan, entries=[head], reference=None)
    with series_of(head, plan, journal or Unwritten(), observe) as series:
        series.run_first()
    failed = why_all(series.result)
    costs = _costs(series)
    cells = series.result.cells if series.result else []
    return EntryComparison(
        entry=head.id,
        title=head.title,
        base_version=None,
        version=head.version(plan.runtime.name),
        status="failed" if failed else "new",
        new_cells=[_new_cell(series, cell, costs, usual) for cell in cells if cell.failure or not cell.features],
        baseline=series.baseline.title if series.baseline else None,
        why=failed,
    )


def _costs(series: Series) -> dict[Key, Cost]:
    samples = {key: sample for key, starts in series.ratios.items() if (sample := sample_of(starts))}
    costs = {}
    for key, sample in samples.items():
        luck = luck_of(sample, [other for name, other in samples.items() if name != key])
        costs[key] = Cost.of(effect_of(sample, luck))
    return costs


def _new_cell(series: Series, cell: CellResult, costs: dict[Key, Cost], usual: Usual) -> NewCell:
    names = {"suite": cell.suite, "scenario": cell.scenario, "variant": cell.variant}
    if failure := series.failures.get(cell.key):
        return NewCell(**names, verdict=Verdict.FAILED, why=clipped(str(failure)))
    figures = figures_of(cell)
    if figures is None:
        return NewCell(**names, verdict=Verdict.UNKNOWN, why=clipped(_no_figure(cell)))
    cost = costs.get(cell.key)
    return NewCell(
        **names,
        verdict=Verdict.NEW,
        throughput=figures.throughput.middle,
        usual_throughput=usual.throughputs.get(cell.key),
        cost=cost,
        usual_cost=usual.costs.get(cell.key),
        limit=figures.limit,
        no_cost=None if cost else clipped(_no_cost(series, cell)),
    )


def _no_cost(series: Series, cell: CellResult) -> str:
    language = series.head.language.manifest
    if series.baseline is None:
        return IS_BASELINE if language.baseline == series.head.name else NO_BASELINE
    return series.lost.get(cell.key) or too_few_duets(cell)


def _no_figure(cell: CellResult) -> str:
    refused = max(cell.refused, key=lambda reason: cell.refused[reason], default=None)
    return cell.not_run or (f"no round counts: {refused}" if refused else "no round was finished")
