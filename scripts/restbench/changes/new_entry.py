"""Measures a new entry. It has no base, so it gets its place in the tables of its language."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from restbench.board import build_board
from restbench.board.links import Gains
from restbench.board.rows import Table, best_rows
from restbench.catalog import Catalog, Entry
from restbench.changes.compare import why_all
from restbench.changes.comparison import CellChange, Cost, EntryComparison, Place, Verdict, clipped
from restbench.changes.series import Unwritten
from restbench.errors import Interrupted
from restbench.measure import Plan, run_board
from restbench.measure.events import Observer
from restbench.render.labels import name_in
from restbench.results.figures import figures_of
from restbench.results.journal import Journal
from restbench.results.models import CellResult, EntryResult

NO_BASELINE = "its language has no baseline that can be measured here"
IS_BASELINE = "it is the baseline of its language"


@dataclass(frozen=True)
class Published:
    """The published results, and what changes of baselines did to their costs. `catalog` has the new entry, too."""

    catalog: Catalog
    results: Iterable[EntryResult] = ()
    gains: Gains = field(default_factory=dict)


def measure_new(
    head: Entry,
    plan: Plan,
    published: Published,
    observe: Observer,
    journal: Journal | None = None,
    unread: str | None = None,
) -> EntryComparison:
    """Measures a new entry as the board is measured, with the baseline of its language. Raises Interrupted.

    `unread`: the mistake in the manifest of its base, where it has one that cannot be read.
    """
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
        cells=[_cell(head, baseline, cell) for cell in cells if cell.failure or not cell.features],
        places=places_of(result, published) if result else [],
        baseline=baseline.title if baseline and baseline is not head else None,
        why=failed or (f"the manifest of its base cannot be read ({unread})" if unread else None),
    )


def places_of(new: EntryResult, published: Published) -> list[Place]:
    """Returns where a new entry stands in the tables of its language, of its target and class of machines.

    A comparison measures as the board does, but in fewer rounds. So the entry shares the tables of another profile, and
    its interval is wider. There are no places where no entry of the language was measured so.
    """
    (run,) = new.runs.values()
    language = published.catalog.entries[new.entry].language.name
    others = [r for r in published.results if r.entry.startswith(f"{language}/") and r.entry != new.entry]
    here = (run.target, run.machine.machine_class)
    settings = [section.setting for section in build_board(published.catalog, others).sections]
    setting = next((each for each in settings if (each.target, each.machine_class) == here), None)
    if setting is None:
        return []
    alike = new.model_copy(update={"runs": {run.id: run.model_copy(update={"profile": setting.profile})}})
    board = build_board(published.catalog, [*others, alike], gains=published.gains)
    section = next(section for section in board.sections if section.setting == setting)
    tables = [(suite.name, table) for suite in section.suites for table in suite.tables]
    return [place for suite, table in tables if (place := _place(suite, table, new.entry))]


def _place(suite: str, table: Table, entry: str) -> Place | None:
    """The place of an entry's best row. None where the entry has no figures in the table."""
    row = best_rows(table.measured).get(entry)
    if row is None:
        return None
    groups = next((chain.groups for chain in table.chains if chain.language == row.language), [])
    best = next((each for group in groups for each in group if each.entry.id == entry), None)
    return Place(
        suite=suite,
        table=table.title,
        name=name_in(table, best or row),
        groups=[[name_in(table, each) for each in group] for group in groups] if best else [],
        why=clipped(row.not_compared) if row.not_compared and not best else None,
    )


def _cell(head: Entry, baseline: Entry | None, cell: CellResult) -> CellChange:
    names = cell.key._asdict()
    if cell.failure:
        return CellChange(**names, verdict=Verdict.FAILED, why=clipped(str(cell.failure)))
    figures = figures_of(head.id, cell)
    if figures is None:
        refused = max(cell.refused, key=lambda reason: cell.refused[reason], default=None)
        why = cell.not_run or (f"no round counts: {refused}" if refused else "no round was finished")
        return CellChange(**names, verdict=Verdict.UNKNOWN, why=clipped(why))
    if baseline is None or baseline is head:
        return CellChange(**names, verdict=Verdict.NEW, why=IS_BASELINE if baseline else NO_BASELINE)
    found = figures.relative_cost
    if found is None:
        why = cell.no_baseline or "no round of the baseline counts"
        return CellChange(**names, verdict=Verdict.NEW, why=clipped(why))
    cost = Cost(ratio=found.middle, low=found.low, high=found.high, starts=1, rounds=found.n)
    return CellChange(**names, verdict=Verdict.NEW, cost=cost)
