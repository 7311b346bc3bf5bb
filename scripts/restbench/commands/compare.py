"""`restbench compare`: compares each entry in duet rounds with the same entry of another checkout."""

import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from restbench.catalog import load_catalog
from restbench.catalog.profiles import Profile, find_profile
from restbench.changes.chain import gains_of
from restbench.changes.compare import compare_versions
from restbench.changes.comparison import Comparison, EntryComparison
from restbench.changes.comparison_summary import comparison_markdown
from restbench.changes.new_entry import Published, measure_new
from restbench.changes.records import CHANGES, readable_records
from restbench.changes.touched import base_of
from restbench.commands.bench import make_plan
from restbench.commands.options import Frameworks, Out, ProfileName, Seed, Suites, TargetName
from restbench.commands.selection import Selection, select
from restbench.errors import CatalogError, Interrupted, MissingToolError, ResultsError, UsageError
from restbench.render.progress import progress_on
from restbench.results.files import read_folder
from restbench.results.journal import Journal
from restbench.results.merge import LATEST
from restbench.system.files import write_atomically, writing
from restbench.system.git import git
from restbench.system.repository import Repository
from restbench.targets.cpu_time import cpu_counter_unavailable_reason


def compare(
    base: Annotated[Path, typer.Argument(help="another checkout; make one with: git worktree add /tmp/base main")],
    frameworks: Frameworks = None,
    suites: Suites = None,
    profile: ProfileName = "pr",
    target: TargetName = "auto",
    out: Out = None,
    seed: Seed = None,
) -> int:
    """Writes out/comparison.json and out/comparison.md, and prints the latter.

    Returns 1 if a cell failed, 2 if a manifest is broken, else 0. Raises Interrupted after it has written the entries
    that were finished before the interruption.
    """
    if not (base / "frameworks").is_dir():
        raise UsageError(f"{base} is no checkout of restbench: make one with git worktree add {base} main")
    selection = select(frameworks, suites, target)
    if selection.runtime.name == "native" and (reason := cpu_counter_unavailable_reason()):
        raise MissingToolError(f"nothing can be compared: {reason}")
    out = out or selection.repository.out
    with writing(out, selection.repository.state / "locks"):
        return _compare(base, selection, find_profile(profile), seed, out)


def _compare(base: Path, selection: Selection, profile: Profile, seed: int | None, out: Path) -> int:
    commits = _commit(base), _commit(selection.repository.root)
    before = load_catalog(Repository(base.resolve()))
    bases = {entry.id: found for entry in selection.entries if (found := base_of(entry, selection.catalog, before))}
    # only new entries are measured against the baseline of their language
    new = [entry for entry in selection.entries if entry.id not in bases]
    plan = make_plan(replace(selection, entries=new), profile, seed)
    plan = replace(plan, make_backend=selection.make_backend)  # entries that are not new may need it, too
    results = selection.repository.results
    gains = gains_of(readable_records(results / CHANGES)) if new else {}
    published = Published(selection.catalog, list(read_folder(results / LATEST).values()) if new else [], gains)
    began = time.monotonic()
    done: list[EntryComparison] = []
    interrupted = None
    try:
        for entry in selection.entries:
            with Journal(out / f"rounds-{entry.place}.jsonl") as journal, progress_on(sys.stderr) as observe:
                if before_it := bases.get(entry.id):
                    done.append(compare_versions(before_it, entry, plan, observe, journal))
                else:
                    done.append(measure_new(entry, plan, published, observe, journal))
    except Interrupted as error:
        interrupted = error
    comparison = Comparison(
        base=commits[0],
        head=commits[1],
        profile=profile.name,
        machine=plan.machine.machine_class,
        minutes=(time.monotonic() - began) / 60,
        entries=done,
    )
    if done or not interrupted:
        text = comparison_markdown([comparison])
        write_atomically(out / "comparison.json", comparison.model_dump_json(indent=1).encode())
        write_atomically(out / "comparison.md", text.encode())
        print(text)
    if interrupted:
        left = ", ".join(entry.id for entry in selection.entries[len(done) :])
        raise Interrupted(f"{interrupted.message}; not compared: {left}")
    failed = any(entry.failed for entry in done)
    return CatalogError.exit_code if selection.mistakes else 1 if failed else 0


def _commit(root: Path) -> str:
    """Returns the commit that a checkout is at. Raises UsageError if the folder is no git checkout."""
    try:
        return git(root, "rev-parse", "HEAD")
    except ResultsError as error:
        raise UsageError(f"{root}: {error.message}; only commits can be compared") from error
