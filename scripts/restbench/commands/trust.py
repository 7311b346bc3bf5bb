"""`restbench trust`: measures apps whose right result is known, and prints how often the figures give it."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated

import typer

from restbench.catalog import Catalog, Entry, load_catalog
from restbench.catalog.profiles import Profile, find_profile
from restbench.commands.bench import make_plan
from restbench.commands.selection import Selection, select
from restbench.compare.models import EntryComparison
from restbench.compare.versions import compare_versions
from restbench.errors import RestbenchError, UsageError
from restbench.measure import Plan
from restbench.measure.machine import describe_machine
from restbench.system.cpus import this_machine
from restbench.system.files import write_atomically
from restbench.system.repository import Repository, find_repository
from restbench.targets.facts import Facts
from restbench.targets.native import NativeRuntime
from restbench.trust.copies import tree_of_copies
from restbench.trust.detection import PROBE_ITERATIONS, Burn, Detection, detection_of, iterations_for
from restbench.trust.identical import Identical, judge_identical
from restbench.trust.tables import detection_table, identical_table
from restbench.trust.workbench import Pair, measure, pair_of

PARTS = ("identical", "detection")
SUITES = ["hello", "issue-tracker"]
PLAIN = "plain"
SHARES = (0.02, 0.05, 0.10, 0.0)
"""Shares of extra CPU time per request that are to be found. With 0, an app is compared with itself."""


def trust(
    parts: Annotated[
        list[str] | None,
        typer.Argument(
            help="the parts to run: identical, detection; all by default",
            show_default=False,
        ),
    ] = None,
    framework: Annotated[
        list[str] | None,
        typer.Option(help="an entry to measure with the baseline of its language; repeatable", show_default=False),
    ] = None,
    runs: Annotated[int, typer.Option(help="number of runs of each entry, each of which is a copy", min=2)] = 8,
    copies: Annotated[int, typer.Option(help="number of copies in a table", min=2)] = 2,
    repeats: Annotated[int, typer.Option(help="number of comparisons for each slowdown", min=1)] = 20,
    profile: Annotated[
        str | None,
        typer.Option(help="in place of quick for copies, and of full for slowdowns", show_default=False),
    ] = None,
) -> None:
    """Runs the parts, prints a Markdown table for each, and writes the tables to out/trust.md.

    Without `parts` all of them run. Raises UsageError for an unknown part.
    """
    for part in parts or []:
        if part not in PARTS:
            raise UsageError(f"no part is called {part}; known: {', '.join(PARTS)}")
    frameworks = framework or load_catalog(find_repository()).selections.trust.identical
    selection = select(frameworks, SUITES, "native")
    pairs = [pair_of(entry.id, selection.catalog) for entry in selection.entries]
    copying, comparing = find_profile(profile or "quick"), find_profile(profile or "full")
    texts = [_heading(selection)]
    print(texts[0])
    for part in parts or PARTS:
        if part == "identical":
            found = {pair.entry.id: _identical(selection, pair, runs, copies, copying) for pair in pairs}
            texts.append(identical_table(found))
        else:
            texts.append(detection_table(_detections(selection, repeats, comparing)))
        print(texts[-1])
        write_atomically(selection.repository.out / "trust.md", "\n".join(texts).encode())


def _heading(selection: Selection) -> str:
    """Returns a line with the date, the machine and the commit."""
    machine = describe_machine(this_machine(), docker=False)
    commit = ["git", "-C", str(selection.repository.root), "rev-parse", "--short=10", "HEAD"]
    ran = subprocess.run(commit, capture_output=True, text=True, check=False)
    where = f"{machine.cpu_model}, {machine.cpus} CPUs, kernel {machine.kernel}"
    return f"{datetime.now(UTC):%Y-%m-%d}, {where}, commit {ran.stdout.strip() or 'unknown'}\n"


def _identical(selection: Selection, pair: Pair, runs: int, together: int, profile: Profile) -> Identical:
    """Measures an entry in several runs, each with the baseline. Latencies and batches say nothing about CPU time."""
    shorter = profile.for_board().model_copy(update={"latency_rounds": 0, "batch_rounds": 0})
    results = []
    for number in range(runs):
        plan = make_plan(replace(selection, entries=[pair.entry]), shorter, seed=None)
        plan = replace(plan, reference=None, baselines={pair.entry.language.name: pair.baseline})
        results += [result for result in measure(plan).results if result.entry == pair.entry.id]
        print(f"{pair.entry.id}: {number + 1} of {runs} runs", file=sys.stderr)
    return judge_identical(pair.entry, results, selection.catalog, together)


def _selection_in(repository: Repository, catalog: Catalog, names: list[str]) -> Selection:
    """Returns a selection of entries in a temporary tree, which run natively."""
    entries = [catalog.entries[name] for name in names]
    return Selection(repository, catalog, entries, SUITES, NativeRuntime(repository), mistakes=[])


def _plan(selection: Selection, profile: Profile, baselines: dict[str, str]) -> Plan:
    """Returns the plan of a run without the reference and without facts, because a copy has no facts of its own."""
    entries = {language: selection.catalog.entries[name] for language, name in baselines.items()}
    plan = make_plan(selection, profile, seed=None)
    return replace(plan, reference=None, baselines=entries, collect=lambda _entry: Facts())


def _detections(selection: Selection, repeats: int, profile: Profile) -> list[Detection]:
    """Compares an app with copies of itself that burn CPU time.

    The sizes take turns, so that a slow hour of the machine affects all sizes alike.
    """
    entry = _slowed(selection.catalog)
    with _burning(selection, {PLAIN: 0, "probe": PROBE_ITERATIONS}) as chosen:
        plan = _plan(
            chosen("probe"),
            profile.model_copy(update={"solo_rounds": 1}),
            {entry.language.name: f"{entry.language.name}/{PLAIN}"},
        )
        parts = [part for part in measure(plan).parts if part.entry.name == "probe"]
    duets = [duet.ratio for part in parts for each in part.duets.values() for duet in each if not duet.invalid]
    if not duets:
        raise RestbenchError(f"{entry.id}: no duet round counts, so the extra CPU time cannot be calibrated")
    burns = {f"extra-{share:.0%}".strip("%"): iterations_for(share, duets) for share in SHARES}
    print(f"{entry.id}: iterations for each share: {burns}", file=sys.stderr)
    found: dict[float, list[EntryComparison]] = {share: [] for share in SHARES}
    with _burning(selection, {PLAIN: 0} | burns) as chosen:
        for repeat in range(repeats):
            for share, name in zip(SHARES, burns, strict=True):
                head = chosen(name)
                base = head.catalog.entries[f"{entry.language.name}/{PLAIN}"]
                plan = _plan(head, profile, {})
                found[share].append(compare_versions(base, head.entries[0], plan, lambda _event: None))
            print(f"{repeat + 1} of {repeats} repeats", file=sys.stderr)
    return [detection_of(share, comparisons) for share, comparisons in found.items()]


def _slowed(catalog: Catalog) -> Entry:
    """Returns the entry whose copies are slowed down. Raises UsageError if there is none."""
    name = catalog.selections.trust.slowed
    if name is None or name not in catalog.entries:
        raise UsageError(f"there is no {name or 'entry'} to slow down: name one in frameworks/selections.toml")
    return catalog.entries[name]


@contextmanager
def _burning(selection: Selection, iterations: dict[str, int]) -> Iterator[Callable[[str], Selection]]:
    """Makes copies of the entry that burn `iterations`, by name. Yields a function: name → selection of that copy."""
    entry = _slowed(selection.catalog)
    edit = lambda folder: Burn(iterations[folder.name])(folder)  # noqa: E731
    with tree_of_copies(entry, selection.repository, list(iterations), [entry], edit) as (repository, catalog):
        yield lambda name: replace(
            _selection_in(repository, catalog, [f"{entry.language.name}/{name}"]), suites=["hello"]
        )
