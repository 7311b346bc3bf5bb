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
from restbench.commands.options import ProfileName
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
    copies: Annotated[int, typer.Option(help="number of copies of each entry", min=2)] = 6,
    repeats: Annotated[int, typer.Option(help="number of comparisons for each slowdown", min=1)] = 20,
    profile: ProfileName = "quick",
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
    chosen = find_profile(profile)
    texts = [_heading(selection, chosen)]
    print(texts[0])
    for part in parts or PARTS:
        if part == "identical":
            found = {pair.entry.id: _identical(selection, pair, copies, chosen) for pair in pairs}
            texts.append(identical_table(found))
        else:
            texts.append(detection_table(_detections(selection, repeats)))
        print(texts[-1])
        write_atomically(selection.repository.out / "trust.md", "\n".join(texts).encode())


def _heading(selection: Selection, profile: Profile) -> str:
    """Returns a line with the date, the machine, the commit and the profile."""
    machine = describe_machine(this_machine(), docker=False)
    commit = ["git", "-C", str(selection.repository.root), "rev-parse", "--short=10", "HEAD"]
    ran = subprocess.run(commit, capture_output=True, text=True, check=False)
    where = f"{machine.cpu_model}, {machine.cpus} CPUs, kernel {machine.kernel}"
    return f"{datetime.now(UTC):%Y-%m-%d}, {where}, commit {ran.stdout.strip() or 'unknown'}, profile {profile.name}\n"


def _identical(selection: Selection, pair: Pair, count: int, profile: Profile) -> Identical:
    """Measures copies of an entry against its baseline.

    One solo round verifies each cell under load. More solo rounds, latencies and batches say nothing about the ratio.
    """
    names = [f"{pair.entry.name}-{number}" for number in range(1, count + 1)]
    shorter = profile.model_copy(update={"solo_rounds": 1, "latency_rounds": 0, "batch_rounds": 0})
    with tree_of_copies(pair.entry, selection.repository, names, [pair.baseline]) as (repository, catalog):
        chosen = _selection_in(repository, catalog, [f"{pair.entry.language.name}/{name}" for name in names])
        baseline = catalog.entries[pair.baseline.id]
        results = measure(_plan(chosen, shorter, {baseline.language.name: baseline.id}))
    print(f"{pair.entry.id}: {count} copies measured", file=sys.stderr)
    return judge_identical([results[entry.id] for entry in chosen.entries])


def _selection_in(repository: Repository, catalog: Catalog, names: list[str]) -> Selection:
    """Returns a selection of entries in a temporary tree, which run natively."""
    entries = [catalog.entries[name] for name in names]
    return Selection(repository, catalog, entries, SUITES, NativeRuntime(repository), mistakes=[])


def _plan(selection: Selection, profile: Profile, baselines: dict[str, str]) -> Plan:
    """Returns the plan of a run without the reference and without facts, because a copy has no facts of its own."""
    entries = {language: selection.catalog.entries[name] for language, name in baselines.items()}
    plan = make_plan(selection, profile, seed=None)
    return replace(plan, reference=None, baselines=entries, collect=lambda _entry: Facts())


def _detections(selection: Selection, repeats: int) -> list[Detection]:
    """Compares an app with copies of itself that burn CPU time.

    The sizes take turns, so that a slow hour of the machine affects all sizes alike.
    """
    entry, profile = _slowed(selection.catalog), find_profile("pr")
    with _burning(selection, {PLAIN: 0, "probe": PROBE_ITERATIONS}) as chosen:
        plan = _plan(chosen("probe"), profile, {entry.language.name: f"{entry.language.name}/{PLAIN}"})
        duets = measure(plan)[f"{entry.language.name}/probe"].cells[0].duets
    if duets is None or not duets.count:
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
