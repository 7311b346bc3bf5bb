"""`restbench matrix`: prints the jobs of a workflow and what each job measures."""

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from restbench.catalog import Catalog, Entry, load_catalog
from restbench.catalog.profiles import PUBLISHED
from restbench.catalog.select import broken_entries, select_entries, select_suites
from restbench.changes.published import Bases, bases_of, commits_measured, last_compared
from restbench.changes.records import CHANGES, read_records
from restbench.changes.touched import change_of, changed_files
from restbench.changes.touched import sample as sample_of
from restbench.ci.matrix_jobs import MatrixJob, RunPlan, longest_first, make_jobs
from restbench.commands.options import Frameworks, ProfileName, Suites
from restbench.errors import ResultsError
from restbench.results.files import readable_results
from restbench.results.merge import HISTORY, LATEST, LINKS
from restbench.system.files import write_atomically
from restbench.system.git import git
from restbench.system.repository import Repository, find_repository

NO_COMMIT = "0" * 40
"""GitHub's name for the commit before the first commit of a branch."""


def matrix(
    frameworks: Frameworks = None,
    since: Annotated[
        str | None,
        typer.Option(
            help="only entries that changed since the merge base with this revision; with --plan, since itself"
        ),
    ] = None,
    sample: Annotated[
        bool, typer.Option("--sample", help="if the harness changed, measure a fixed sample instead of all")
    ] = False,
    base: Annotated[Path | None, typer.Option(help="a checkout to compare with, inside this checkout")] = None,
    plan: Annotated[Path | None, typer.Option(help="also write the plan of the run to this file")] = None,
    suites: Suites = None,
    profile: ProfileName = PUBLISHED,
) -> None:
    """Prints the jobs as JSON on one line. The list is empty if there is nothing to measure.

    Entries without cells in the suites have no job. With `plan`, also writes the plan of the run to that file, with the
    commits that changed entries are to be compared with.
    """
    repository = find_repository()
    catalog = load_catalog(repository)
    for mistake in broken_entries(catalog, frameworks or ["all"]):
        print(mistake, file=sys.stderr)
    chosen = select_suites(catalog, suites or [])
    entries = [entry for entry in select_entries(catalog, frameworks or ["all"]) if entry.cells(chosen)]
    if since and since != NO_COMMIT:
        # a push is measured against what was there before it, which it may have dropped
        changed = _changed(catalog, changed_files(repository.root, since, from_merge_base=plan is None), sample)
        entries = [entry for entry in entries if entry.id in changed]
    entries = longest_first(entries, chosen)
    bases = _bases(entries, catalog, repository) if plan else Bases()
    there = load_catalog(Repository(base.resolve())).entries if base else None
    jobs = make_jobs(entries, there, commits=bases.commits)
    if plan:
        # the links change with a baseline, and with what measures: then all entries are measured
        measured = any(entry in catalog.baselines for entry in entries) and chosen == list(catalog.suites)
        if measured and len(catalog.baselines) > 1:
            links = MatrixJob(name=LINKS, frameworks=[entry.id for entry in catalog.baselines], profile=LINKS)
            jobs = [links, *jobs]
        run = RunPlan(
            started=datetime.now(UTC).replace(microsecond=0),
            commit=git(repository.root, "rev-parse", "HEAD"),
            profile=profile,
            jobs=jobs,
            uncompared=bases.uncompared,
        )
        write_atomically(plan, run.model_dump_json(indent=1).encode())
    print(json.dumps([job.model_dump(exclude_none=True) for job in jobs]))


def _bases(entries: list[Entry], catalog: Catalog, repository: Repository) -> Bases:
    """Returns the commits that the entries are to be compared with. With damaged results there are none."""
    try:
        results = readable_results(repository.results / LATEST)
        records = read_records(repository.results / CHANGES)
    except ResultsError as error:
        print(f"{error.message}; no entry is compared with what it was", file=sys.stderr)
        return Bases()
    never = [entry.id for entry in entries if last_compared(entry.id, records) is None]
    measured = commits_measured(never, results, repository.results / HISTORY)
    bases = bases_of(entries, catalog, measured, records, repository.root)
    for entry, uncompared in bases.uncompared.items():
        print(f"{entry} is not compared: {uncompared.why}", file=sys.stderr)
    return bases


def _changed(catalog: Catalog, files: list[str], sampled: bool) -> set[str]:
    """Returns the ids of the entries that a change concerns.

    A change of the harness concerns all entries. With `sampled`, a fixed sample stands for all entries.
    """
    change = change_of(files, catalog)
    more: list[Entry] = []
    if change.harness:
        more = sample_of(catalog) if sampled else catalog.ranked
        print(
            f"the harness changes ({', '.join(change.harness[:3])}): {len(more)} entries are measured", file=sys.stderr
        )
    return {entry.id for entry in [*change.entries, *more]}
