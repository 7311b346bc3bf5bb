"""`restbench compare`: compares each entry in duet rounds with an earlier version of it."""

import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from restbench.catalog.load import titles_of
from restbench.catalog.profiles import Profile, find_profile
from restbench.changes.base_versions import BaseVersions, State, base_versions, state_of
from restbench.changes.chain import gains_of
from restbench.changes.compare import compare_versions
from restbench.changes.comparison import Comparison, EntryComparison
from restbench.changes.comparison_summary import comparison_markdown
from restbench.changes.new_entry import Published, measure_new
from restbench.changes.records import CHANGES, readable_records
from restbench.commands.bench import make_plan
from restbench.commands.options import Frameworks, Out, ProfileName, Seed, Suites, TargetName
from restbench.commands.selection import Selection, select
from restbench.errors import CatalogError, Interrupted, MissingToolError, UsageError
from restbench.render.progress import progress_on
from restbench.results.files import read_folder
from restbench.results.journal import Journal
from restbench.results.merge import LATEST
from restbench.system.files import write_atomically, writing
from restbench.targets.cpu_time import cpu_counter_unavailable_reason


def compare(
    base: Annotated[
        str,
        typer.Argument(
            help="a commit, branch or tag, such as main; or the folder of another checkout, or of another version of "
            "the entry",
            metavar="BASE",
        ),
    ],
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
    if not base:
        raise UsageError("name a commit or a folder to compare with, such as main")
    selection = select(frameworks, suites, target)
    if selection.runtime.name == "native" and (reason := cpu_counter_unavailable_reason()):
        raise MissingToolError(f"nothing can be compared: {reason}")
    out, repository = out or selection.repository.out, selection.repository
    with (
        writing(out, repository.state / "locks"),
        base_versions(base, selection.entries, selection.catalog, repository) as bases,
    ):
        entries = [entry for entry in selection.entries if entry not in bases.unchanged]
        if bases.unchanged:
            names, what = ", ".join(entry.id for entry in bases.unchanged), f"no file of it differs from {base}"
            if not entries:
                raise UsageError(
                    f"nothing to compare: {names}: {what}, which is {(bases.state.commit or '')[:10]}; "
                    "to compare identical copies, name a folder instead of a commit"
                )
            print(f"left out: {names}: {what}", file=sys.stderr)
        return _compare(bases, replace(selection, entries=entries), find_profile(profile), seed, out)


def _compare(bases: BaseVersions, selection: Selection, profile: Profile, seed: int | None, out: Path) -> int:
    folders = {entry.origin or selection.repository.frameworks for entry in selection.entries}
    heads = {state_of(folder) for folder in folders}
    head = heads.pop() if len(heads) == 1 else State()
    # only new entries are measured against the baseline of their language
    new = [entry for entry in selection.entries if entry.id not in bases.entries]
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
                if before_it := bases.entries.get(entry.id):
                    done.append(compare_versions(before_it, entry, plan, observe, journal))
                else:
                    done.append(measure_new(entry, plan, published, observe, journal, bases.unread.get(entry.id)))
    except Interrupted as error:
        interrupted = error
    comparison = Comparison(
        base=bases.state.commit,
        head=head.commit,
        base_dirty=bases.state.dirty,
        head_dirty=head.dirty,
        target=selection.runtime.name,
        profile=profile.name,
        machine=plan.machine.machine_class,
        minutes=(time.monotonic() - began) / 60,
        entries=done,
    )
    if done or not interrupted:
        text = comparison_markdown([comparison], titles_of(selection.catalog))
        write_atomically(out / "comparison.json", comparison.model_dump_json(indent=1).encode())
        write_atomically(out / "comparison.md", text.encode())
        print(text)
    if interrupted:
        left = ", ".join(entry.id for entry in selection.entries[len(done) :])
        raise Interrupted(f"{interrupted.message}; not compared: {left}")
    failed = any(entry.failed for entry in done)
    return CatalogError.exit_code if selection.mistakes else 1 if failed else 0
