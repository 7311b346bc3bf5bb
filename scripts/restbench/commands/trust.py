"""`restbench trust`: measures apps whose right result is known, and prints how often the figures give it."""

import sys
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated

import typer

from restbench.board import Board, build_board
from restbench.catalog import Catalog, Entry, load_catalog
from restbench.catalog.profiles import Profile, find_profile
from restbench.commands.bench import make_plan
from restbench.commands.options import TargetName
from restbench.commands.selection import Selection, select
from restbench.compare.models import EntryComparison
from restbench.compare.series import Unwritten
from restbench.compare.versions import compare_versions
from restbench.errors import Interrupted, RestbenchError, UsageError
from restbench.measure import Event, Outcome, Plan, run_plan
from restbench.measure.events import Failed
from restbench.measure.machine import describe_machine
from restbench.results.merge import LINKS
from restbench.results.models import EntryResult
from restbench.system.cpus import this_machine
from restbench.system.files import write_atomically
from restbench.system.repository import Repository, find_repository
from restbench.targets.facts import Facts
from restbench.targets.native import NativeRuntime
from restbench.trust.boards import agreement_of
from restbench.trust.copies import tree_of_copies
from restbench.trust.detection import PROBE_ITERATIONS, Burn, Detection, detection_of, iterations_for
from restbench.trust.identical import Identical, judge_identical
from restbench.trust.tables import boards_table, detection_table, identical_table

PARTS = ("identical", "boards", "detection")
SUITES = ["hello", "issue-tracker"]
PLAIN = "plain"
SHARES = (0.02, 0.05, 0.0)
"""Shares of extra CPU time per request that are to be found. With 0, an app is compared with itself."""


def trust(
    parts: Annotated[
        list[str] | None,
        typer.Argument(
            help="the parts to run: identical, boards, detection; all by default",
            show_default=False,
        ),
    ] = None,
    framework: Annotated[
        list[str] | None,
        typer.Option(help="an entry, in place of those of frameworks/selections.toml; repeatable", show_default=False),
    ] = None,
    runs: Annotated[int, typer.Option(help="number of runs of each entry, each of which is a copy", min=2)] = 8,
    copies: Annotated[int, typer.Option(help="number of copies in a table", min=2)] = 2,
    repeats: Annotated[int, typer.Option(help="number of comparisons for each slowdown", min=1)] = 20,
    target: TargetName = "auto",
    profile: Annotated[
        str | None,
        typer.Option(help="in place of quick, of links, and of full for slowdowns", show_default=False),
    ] = None,
) -> None:
    """Runs the parts, prints a Markdown table for each, and writes the tables to out/trust.md.

    Without `parts` all of them run. Copies and boards run in the target, as the service runs them in Docker; slowdowns
    run natively. Raises UsageError for an unknown part.
    """
    for part in parts or []:
        if part not in PARTS:
            raise UsageError(f"no part is called {part}; known: {', '.join(PARTS)}")
    trusted, out = load_catalog(find_repository()).selections.trust, find_repository().out
    copying, comparing, linking = (find_profile(profile or usual) for usual in ("quick", "full", LINKS))
    texts = [_heading()]
    print(texts[0])
    for part in parts or PARTS:
        if part == "identical":
            selection = _with_baselines(select(framework or trusted.identical, SUITES, target))
            found = {entry.id: _identical(selection, entry, runs, copies, copying) for entry in selection.entries}
            texts.append(identical_table(found))
        elif part == "boards":
            selection = select(framework or trusted.boards, SUITES, target)
            boards = [_board(selection, copying, linking, number) for number in (1, 2)]
            texts.append(boards_table(agreement_of(*boards)))
        else:
            selection = select([_slowed(load_catalog(find_repository())).id], ["hello"], "native")
            texts.append(detection_table(_detections(selection, repeats, comparing)))
        print(texts[-1])
        write_atomically(out / "trust.md", "\n".join(texts).encode())


def _with_baselines(selection: Selection) -> Selection:
    """Returns the selection. Raises UsageError for an entry that no other one of its language is measured with."""
    for entry in selection.entries:
        if selection.catalog.baseline_of(entry) in (None, entry):
            raise UsageError(f"{entry.id} has no baseline to be measured with: name an entry that is not a baseline")
    return selection


def _heading() -> str:
    """Returns a line with the date, the machine and the commit."""
    machine = describe_machine(this_machine(), docker=False)
    where = f"{machine.cpu_model}, {machine.cpus} CPUs, kernel {machine.kernel}"
    return f"{datetime.now(UTC):%Y-%m-%d}, {where}, commit {(machine.commit or 'unknown')[:10]}\n"


def _identical(selection: Selection, entry: Entry, runs: int, together: int, profile: Profile) -> Identical:
    """Measures an entry in several runs, each with the baseline."""
    results = []
    for number in range(runs):
        results += _alone(selection, entry, profile)
        print(f"{entry.id}: {number + 1} of {runs} runs", file=sys.stderr)
    return judge_identical(entry, results, selection.catalog, together)


def _board(selection: Selection, profile: Profile, linking: Profile, number: int) -> Board:
    """Measures each entry in a run of its own, and then the links of their languages."""
    results = []
    for entry in selection.entries:
        results += _alone(selection, entry, profile)
        print(f"board {number}: {entry.id}", file=sys.stderr)
    languages = {entry.language.name for entry in selection.entries}
    baselines = [entry for entry in selection.catalog.baselines if entry.language.name in languages]
    linked = _measure(make_plan(replace(selection, entries=baselines), linking.for_board(), seed=None)).results
    print(f"board {number}: links", file=sys.stderr)
    return build_board(selection.catalog, results, linked)


def _alone(selection: Selection, entry: Entry, profile: Profile) -> list[EntryResult]:
    """Measures an entry and its baseline. Latencies and batches say nothing about CPU time."""
    shorter = profile.for_board().model_copy(update={"latency_rounds": 0, "batch_rounds": 0})
    plan = replace(make_plan(replace(selection, entries=[entry]), shorter, seed=None), reference=None)
    return [result for result in _measure(plan).results if result.entry == entry.id]


def _detections(selection: Selection, repeats: int, profile: Profile) -> list[Detection]:
    """Compares an app with copies of itself that burn CPU time.

    The sizes take turns, so that a slow hour of the machine affects all sizes alike.
    """
    entry = _slowed(selection.catalog)
    with tree_of_copies(entry, selection.repository, {PLAIN: Burn(0), "probe": Burn(PROBE_ITERATIONS)}) as copied:
        once = profile.model_copy(update={"solo_rounds": 1})
        parts = _measure(_plan(*copied, once, f"{entry.language.name}/probe")).parts
    probes = [duets for part in parts if part.entry.name == "probe" for duets in part.duets.values()]
    ratios = [duet.ratio for duets in probes for duet in duets if not duet.invalid]
    if not ratios:
        raise RestbenchError(f"{entry.id}: no duet round counts, so the extra CPU time cannot be calibrated")
    burns = {f"extra-{share:.0%}".strip("%"): iterations_for(share, ratios) for share in SHARES}
    print(f"{entry.id}: iterations for each share: {burns}", file=sys.stderr)
    found: dict[float, list[EntryComparison]] = {share: [] for share in SHARES}
    edits = {name: Burn(count) for name, count in {PLAIN: 0, **burns}.items()}
    with tree_of_copies(entry, selection.repository, edits) as copied:
        for repeat in range(repeats):
            for share, name in zip(SHARES, burns, strict=True):
                plan = _plan(*copied, profile, f"{entry.language.name}/{name}")
                base = plan.baselines[entry.language.name]
                found[share].append(compare_versions(base, plan.entries[0], plan, lambda _event: None))
            print(f"{repeat + 1} of {repeats} repeats", file=sys.stderr)
    return [detection_of(share, comparisons) for share, comparisons in found.items()]


def _measure(plan: Plan) -> Outcome:
    """Runs a plan. Raises Interrupted, and RestbenchError when an entry of the plan has no result."""
    outcome = run_plan(plan, Unwritten(), _tell_failures)
    if outcome.interrupted:
        raise Interrupted
    if missing := {entry.id for entry in plan.entries} - {result.entry for result in outcome.results}:
        raise RestbenchError(f"nothing was measured of {', '.join(sorted(missing))}")
    return outcome


def _tell_failures(event: Event) -> None:
    if isinstance(event, Failed):
        print(f"✗ {event.cell or event.entry}: {event.failure}", file=sys.stderr)


def _plan(repository: Repository, catalog: Catalog, profile: Profile, head: str) -> Plan:
    """Returns the plan of a comparison of a copy with the plain copy. Copies have no facts of their own."""
    entry = catalog.entries[head]
    base = catalog.entries[f"{entry.language.name}/{PLAIN}"]
    selection = Selection(repository, catalog, [entry], ["hello"], NativeRuntime(repository), mistakes=[])
    plan = make_plan(selection, profile, seed=None)
    return replace(plan, reference=None, baselines={entry.language.name: base}, collect=lambda _entry: Facts())


def _slowed(catalog: Catalog) -> Entry:
    """Returns the entry whose copies are slowed down. Raises UsageError if there is none."""
    name = catalog.selections.trust.slowed
    if name is None or name not in catalog.entries:
        raise UsageError(f"there is no {name or 'entry'} to slow down: name one in frameworks/selections.toml")
    return catalog.entries[name]
