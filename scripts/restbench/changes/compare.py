"""Measures two versions of one entry against each other in duet rounds, and gives a verdict on each cell."""

from restbench.catalog import Entry
from restbench.changes.causes import causes_of
from restbench.changes.comparison import BASE_LOST, CellChange, Cost, EntryComparison, Together, Verdict, clipped
from restbench.changes.evidence import ALL_CELLS, Finding, Seen, findings, worth_a_second_look
from restbench.changes.series import Series, Unwritten, series_of
from restbench.measure import Plan
from restbench.measure.events import Observer
from restbench.results.journal import Journal
from restbench.results.models import CellResult, EntryResult, Run

NOT_THE_CONTRACT = {"build", "start", "alive", "warm-up"}
"""Checks whose failure means that an app could not be measured. It does not mean that an answer was wrong."""


def compare_versions(
    base: Entry, head: Entry, plan: Plan, observe: Observer, journal: Journal | None = None
) -> EntryComparison:
    """Measures both entries and returns what differs. It writes the rounds to the journal, where there is one.

    The tools, suites and profile of `plan` are used; its entries, baselines and reference are not. The entries may be
    two versions of one entry or two entries with different names, but their IDs have to differ. Raises Interrupted,
    because an unfinished comparison says nothing.
    """
    assert base.id != head.id, f"{base.id} is to be compared with itself: give one of them a revision"
    with series_of(head, base, plan, journal or Unwritten(), observe) as series:
        series.run_first()
        first = {key: list(starts) for key, starts in series.ratios.items() if key in series.open}
        claimed = worth_a_second_look(first)
        if claimed:
            series.run_again(series.open if ALL_CELLS in claimed else {key for key in claimed if key})
    still = {key: starts for key, starts in first.items() if key in series.open}
    second = {key: series.ratios[key][len(starts) :] for key, starts in still.items()}
    found = findings(still, claimed, second)
    everything = found.pop(ALL_CELLS, None)
    cells = []
    for cell in series.result.cells if series.result else []:
        if cell.features and not cell.failure:
            continue  # it has feature checks alone
        verdict, why = _verdict(series, cell, finding := found.get(cell.key))
        cost = Cost.of(finding.effect) if finding else None
        cells.append(CellChange(**cell.key._asdict(), verdict=verdict, cost=cost, why=clipped(why) if why else None))
    failed, lost = why_all(series.result), why_all(series.before)
    return EntryComparison(
        entry=head.id,
        title=head.title,
        base_version=base.version(plan.runtime.name),
        version=head.version(plan.runtime.name),
        status="failed" if failed else "changed",
        cells=cells,
        together=Together(verdict=_of(everything)[0], cost=Cost.of(everything.effect)) if everything else None,
        causes=causes_of(base, head, plan.runtime.name, _run(series.before), _run(series.result)),
        why=failed or (f"{BASE_LOST}: {lost}" if lost and series.before else None),
    )


def _run(result: EntryResult | None) -> Run | None:
    """Returns the only run of a result, where there is one."""
    return next(iter(result.runs.values()), None) if result else None


def _verdict(series: Series, cell: CellResult, finding: Finding | None) -> tuple[Verdict, str | None]:
    """Returns the verdict on a cell, and its reason where it needs one.

    A failure of the head comes first, then what both cost. Where there is no cost, the base says why.
    """
    if failure := series.failures.get(cell.key):
        return Verdict.FAILED, str(failure)
    if cell.not_run:
        return Verdict.UNKNOWN, cell.not_run
    if finding:
        return _of(finding)
    if cell.key not in {each.key for each in series.base.cells([cell.suite])}:
        return Verdict.NEW, "was not there before"
    before = next((c for c in series.before.cells if c.key == cell.key), None) if series.before else None
    if before and before.failure:
        if before.failure.check in NOT_THE_CONTRACT:
            return Verdict.UNKNOWN, f"{BASE_LOST}: {before.failure}"
        return Verdict.MENDED, f"failed before: {before.failure}"
    if why := (before and before.not_run) or series.lost.get(cell.key):
        return Verdict.UNKNOWN, why
    if refused := series.refused.get(cell.key):
        most = max(refused, key=lambda reason: refused[reason])
        return Verdict.UNKNOWN, f"too few duet rounds count: {sum(refused.values())} were refused, most often: {most}"
    known = series.ratios.get(cell.key)
    return Verdict.UNKNOWN, "too few starts could be measured" if known else "no duet round was finished"


def _of(finding: Finding) -> tuple[Verdict, str | None]:
    if finding.standing is Seen.SEEN_TWICE:
        return (Verdict.FASTER if finding.effect.log < 0 else Verdict.SLOWER), None
    if finding.standing is Seen.SEEN_ONCE:
        return Verdict.ONCE, "the first starts showed a difference that later ones did not"
    return Verdict.SAME, None


def why_all(result: EntryResult | None) -> str | None:
    """Returns why an entry could not be measured at all, or None where it could."""
    if result is None:
        return "nothing of it was measured"
    reasons = {str(cell.failure) if cell.failure else None for cell in result.cells}
    first = result.cells[0].failure
    return clipped(str(first)) if len(reasons) == 1 and first and first.check in NOT_THE_CONTRACT else None
