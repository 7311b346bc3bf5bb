"""Measures two versions of one entry against each other in duet rounds, and gives a verdict on each cell.

It also says what differs between the versions: the possible causes, the most specific first.
"""

import re
from collections.abc import Iterable, Mapping

from restbench.catalog import Entry
from restbench.changes.comparison import (
    BASE_LOST,
    MOST_CAUSES,
    Cause,
    CauseKind,
    CellChange,
    Cost,
    EntryComparison,
    Together,
    Verdict,
    clipped,
    clipped_name,
)
from restbench.changes.evidence import ALL_CELLS, Finding, Seen, findings, worth_a_second_look
from restbench.changes.series import Series, Unwritten, series_of
from restbench.containers.images import base_images
from restbench.measure import Plan
from restbench.measure.contention import Noticing
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
    observe = Noticing(plan.tools, observe)
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
            continue  # it has only feature checks
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


def causes_of(base: Entry, head: Entry, target: str, before: Run | None, after: Run | None) -> list[Cause]:
    """Returns what differs between base and head on a target. `before` and `after` are what a run recorded of them."""
    framework = head.manifest.package.partition(":")[2]
    old, new = base.locked_versions(target), head.locked_versions(target)
    packages = list(_differences(CauseKind.DEPENDENCY, old, new))
    servers = {name for name in {*old, *new} if name.lower() in _words(base) | _words(head)}
    runtimes = [_runtime(run) for run in (before, after) if run and run.runtime is not None]
    # an older version of the language may have asked its runtime nothing
    settings = [run.runtime_settings for run in (before, after) if run and run.runtime_settings]
    # the files of the base, with the name that its folder has now
    was, now = f"{base.name}/", f"{head.name}/"
    files = {
        now + path.removeprefix(was) if path.startswith(was) else path: found
        for path, found in base.app_files(target).items()
    }
    version = {framework: base.version(target)}, {framework: head.version(target)}
    found = [
        *_differences(CauseKind.FRAMEWORK, *version),
        *_differences(CauseKind.SERVER, {"server": base.manifest.server}, {"server": head.manifest.server}),
        *(cause.model_copy(update={"kind": CauseKind.SERVER}) for cause in packages if cause.name in servers),
        *(cause for cause in packages if cause.name not in servers and cause.name != framework),
        *(_differences(CauseKind.RUNTIME, *runtimes) if len(runtimes) == 2 else ()),
        *(_differences(CauseKind.RUNTIME, *settings) if len(settings) == 2 else ()),
        *(_differences(CauseKind.IMAGE, _images(base), _images(head)) if target == "docker" else ()),
        *_differences(CauseKind.CODE, files, head.app_files(target)),
    ]
    return found[:MOST_CAUSES]


def _runtime(run: Run) -> dict[str, str | None]:
    """The version of a runtime by its name, which runs record as one text such as "CPython 3.13.5", and its build."""
    name, _, version = (run.runtime or "").rpartition(" ")
    return {name or "version": version, "build": run.runtime_build}


def _differences(kind: CauseKind, before: Mapping[str, str | None], after: Mapping[str, str | None]) -> Iterable[Cause]:
    """Returns a cause for each name with another value, in the order of names."""
    for name in sorted({*before, *after}):
        was, now = before.get(name), after.get(name)
        if was != now:
            before_, after_ = (value and clipped_name(value) for value in (was, now))
            yield Cause(kind=kind, name=clipped_name(name), before=before_, after=after_)


def _words(entry: Entry) -> set[str]:
    """The names in the entry's server: {"gunicorn", "uvicorn"} of "gunicorn+uvicorn"."""
    return set(re.findall(r"[a-z0-9_.-]+", (entry.manifest.server or "").lower()))


def _images(entry: Entry) -> dict[str, str | None]:
    """The base images of the entry's Dockerfile: name → tag, with the digest where it has one."""
    found: dict[str, str | None] = {}
    for image in base_images(entry.dockerfile()):
        name, _, tag = image.partition(":")
        found[name] = ", ".join(filter(None, [found.get(name), tag]))
    return found
