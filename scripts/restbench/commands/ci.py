"""`restbench ci`: the steps of the workflows that publish results, pages and comments."""

import json
import logging
import os
import secrets
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from logging.handlers import BufferingHandler
from pathlib import Path
from typing import Annotated

import typer

from restbench.catalog import Catalog, load_catalog
from restbench.catalog.load import titles_of
from restbench.catalog.profiles import PUBLISHED
from restbench.catalog.select import select_entries, select_suites
from restbench.changes.published import TARGET
from restbench.changes.records import CHANGES, read_records
from restbench.changes.regressions import TRIAGE, open_regressions, read_triage
from restbench.changes.summary import changes_markdown
from restbench.changes.touched import Scope, changed_files, scope_of
from restbench.ci import pages
from restbench.ci.alarms import alarms
from restbench.ci.alarms import report_alarms as keep_alarms
from restbench.ci.changes import Changed, append_changes
from restbench.ci.comment import Service, post_comment
from restbench.ci.gather import Gathered, gather
from restbench.ci.git import Checkout
from restbench.ci.github import GitHub, patiently
from restbench.ci.images import bake_file, own_images, shared_images
from restbench.ci.issues import report_regressions as keep_issues
from restbench.ci.matrix_jobs import RunPlan, read_plan
from restbench.ci.summary import run_markdown, write_speeds
from restbench.commands.options import Frameworks, Suites
from restbench.commands.render import write_board
from restbench.commands.site import content_of
from restbench.containers.images import CacheUse
from restbench.errors import ResultsError, UsageError
from restbench.results.files import readable_results
from restbench.results.merge import LATEST, Precedence, merge_links, merge_results
from restbench.results.models import EntryResult
from restbench.site.build import build_gone, build_site
from restbench.system.files import write_atomically
from restbench.system.git import is_ancestor
from restbench.system.repository import Repository, find_repository
from restbench.system.text import one_line
from restbench.targets.docker import image_of

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Publication:
    """What a run brought, as it was published.

    `before`: the results before it, by entry. `remarks`: about damaged files, and figures that stayed.
    """

    gathered: Gathered
    before: Mapping[str, EntryResult]
    catalog: Catalog
    changed: Changed
    remarks: list[str]

    @property
    def competitors(self) -> list[EntryResult]:
        """The results of the entries that are ranked, without those of the reference."""
        return [r for r in self.gathered.results if self.catalog.entries[r.entry].language.manifest.ranked]


def commit_results(
    jobs: Annotated[Path, typer.Argument(help="the folder with the artifacts of all jobs")],
    plan: Annotated[Path, typer.Option(help="the file that restbench matrix --plan wrote")],
) -> None:
    """Merges the results of the jobs, appends change records, renders README.md and its pages, and commits them.

    Also writes out/summary.md, and the figures for github-action-benchmark to out/. Raises UsageError for a run of
    another profile than the one that is published.
    """
    repository, run = find_repository(), read_plan(plan)
    if run.profile != PUBLISHED:
        raise UsageError(f"this run is of the profile {run.profile}, and only runs of {PUBLISHED} are published")
    checkout = _checkout()
    pages.require_clean(checkout)
    below = checkout.git("rev-parse", "HEAD")
    made = _make(jobs, run, repository)
    entries = _entries(sum(len(job.frameworks) for job in run.boards))
    message = f"Results of {run.started:%Y-%m-%d}, {entries}\n\nMeasured at {run.commit[:10]}."
    commit = pages.commit_results(checkout, "\n".join(filter(None, [message, _run_url()])))
    missed, changed = made.gathered.missed, made.changed
    for entry, reason in [*((entry, each.reason) for entry, each in missed.items()), *changed.refused.items()]:
        print(f"{entry}: {one_line(reason)}", file=sys.stderr)
    if made.gathered.links_missed:
        print(f"links: {made.gathered.links_missed}", file=sys.stderr)
    figures = write_speeds(repository.out, made.competitors, changed.all)
    titles = titles_of(made.catalog)
    table = changes_markdown(changed.records, changed.refused, titles, made.remarks)
    board = made.catalog.selections.site or _repository_url()
    summary = run_markdown(run, made.gathered, made.before, titles, table, board)
    write_atomically(repository.out / "summary.md", summary.encode())
    _output({"speeds": str(figures > 0).lower(), "below": below, "commit": commit})
    records = f", {len(changed.records)} change records" if changed.records else ""
    done = f"committed as {commit[:10]}" if commit != below else "all of it was there already"
    print(f"{_entries(len(made.competitors))} merged, {len(missed)} missing{records}; {done}")


def _make(jobs: Path, run: RunPlan, repository: Repository) -> Publication:
    """Merges what the jobs brought into results/, and renders the board of it. Keeps what is logged meanwhile."""
    precedence = Precedence(partial(is_ancestor, repository.root))
    catalog = load_catalog(repository)
    harness, handler = logging.getLogger("restbench"), BufferingHandler(sys.maxsize)
    harness.addHandler(handler)
    gathered = gather(jobs, run, catalog, datetime.now(UTC))
    before = readable_results(repository.results / LATEST)
    merge_results(gathered.results, gathered.missed, repository.results, precedence, commit=run.commit)
    try:
        if gathered.links:
            merge_links(gathered.links, repository.results, catalog, precedence)
    except ResultsError as error:  # the rows of the board are published all the same
        gathered = replace(gathered, links_missed=error.message)
    changed = append_changes(jobs, run, catalog, repository.results)
    for mistake in (line for lines in catalog.mistakes.values() for line in lines):
        print(mistake, file=sys.stderr)
    write_board(repository, catalog, readable_results)
    harness.removeHandler(handler)
    remarks = dict.fromkeys(record.getMessage().removeprefix(f"{repository.root}/") for record in handler.buffer)
    return Publication(gathered, before, catalog, changed, list(remarks))


def comparisons(plan: Annotated[Path, typer.Argument(help="the file that restbench matrix --plan wrote")]) -> None:
    """Prints the jobs of a plan that compare an entry with what it was, as JSON on one line."""
    print(json.dumps([job.model_dump(exclude_none=True) for job in read_plan(plan).comparisons]))


def report_regressions() -> None:
    """Opens, changes and closes the issues about entries that became slower."""
    repository = find_repository()
    catalog = load_catalog(repository)
    records = [r for r in read_records(repository.results / CHANGES) if r.target == TARGET]
    slower = open_regressions(records, read_triage(repository.results / TRIAGE))
    with _github("benchmark.yml") as github:
        for sentence in patiently(
            lambda: keep_issues(
                slower, github, _run_url(), titles_of(catalog), lambda name: catalog.moved.get(name, name)
            )
        ):
            print(sentence)


def report_alarms() -> None:
    """Keeps the issue about what has been missing for more than a week."""
    repository = find_repository()
    catalog = load_catalog(repository)
    results = readable_results(repository.results / LATEST)
    cells = {entry.id: [cell.key for cell in entry.cells(list(catalog.suites))] for entry in catalog.ranked}
    found = alarms(results.values(), cells, datetime.now(UTC))
    with _github("watch.yml") as github:
        for sentence in patiently(lambda: keep_alarms(found, github, _run_url())):
            print(sentence)


def _entries(count: int) -> str:
    return "1 entry" if count == 1 else f"{count} entries"


def prepare_pages() -> None:
    """Makes the local gh-pages branch, which github-action-benchmark commits to."""
    checkout = _checkout()
    prepared = pages.prepare_pages(checkout)
    if prepared.damage:
        log.warning("%s; its charts stay as they are, and the site is published", prepared.damage)
    print(
        "gh-pages is the same as on the remote"
        if prepared.replaces
        else "the remote has no gh-pages: an empty one was made"
    )
    _output({"history": str(not prepared.damage).lower(), "replaces": prepared.replaces or ""})


def commit_pages() -> None:
    """Adds the site to gh-pages, as one commit."""
    repository = find_repository()
    content = content_of(repository, load_catalog(repository), _repository_url())
    files = dict(build_site(content))
    commit = pages.commit_pages(_checkout(), files, "The site and the history", gone=build_gone(content))
    _output({"commit": commit})
    print(f"{len(files)} files of the site, committed as {commit[:10]}")


def comment(
    run: Annotated[int, typer.Argument(help="the id of the workflow run for the pull request")],
    head: Annotated[str, typer.Option(help="the commit of that workflow run, as GitHub reports it")],
) -> None:
    """Creates or changes the one comment on a pull request."""
    catalog = load_catalog(find_repository())
    with _github("comment.yml") as github:
        service = Service(titles_of(catalog), _repository_url() or "", catalog.selections.site)
        print(patiently(lambda: post_comment(run, head, service, github)))


def _github(workflow: str) -> GitHub:
    """Returns GitHub's API for the repository and the token that the workflow gives in the environment."""
    repository, token = os.environ.get("GITHUB_REPOSITORY"), os.environ.get("GITHUB_TOKEN")
    if not repository or not token:
        raise UsageError(
            f"GITHUB_REPOSITORY and GITHUB_TOKEN are not set: only the workflow {workflow} calls this command"
        )
    return GitHub(repository, token)


def scope(
    since: Annotated[
        str, typer.Option(help="what HEAD is compared with, from their merge base; everything is tested without it")
    ] = "",
) -> None:
    """Writes step outputs: whether the whole harness is to be tested, and else the entries to verify, as JSON."""
    repository = find_repository()
    everything = Scope(everything=True)
    found = scope_of(changed_files(repository.root, since), load_catalog(repository)) if since else everything
    _output({"everything": str(found.everything).lower(), "entries": json.dumps(found.entries)})
    names = ", ".join(found.entries) or "documents"
    print("everything is tested" if found.everything else f"{names} alone changed: the harness is not tested")


def bake(
    frameworks: Frameworks = None,
    suites: Suites = None,
    plan: Annotated[
        Path | None, typer.Option(help="the file that restbench matrix --plan wrote, for what all of its jobs share")
    ] = None,
    base: Annotated[
        Path | None, typer.Option(help="a checkout inside this one, whose version of the framework is built too")
    ] = None,
    cache: Annotated[CacheUse, typer.Option(help="what builds do with the layers that GitHub keeps")] = CacheUse.OFF,
) -> None:
    """Prints what the images of a job are built from, as JSON: that of the first framework, and those that jobs share.

    Writes the targets of the job's own images as a step output.
    """
    repository = find_repository()
    catalog = load_catalog(repository)
    planned = [name for job in read_plan(plan).jobs for name in job.frameworks] if plan else []
    entries = select_entries(catalog, planned or frameworks or ["all"])
    shared = shared_images(entries, select_suites(catalog, suites or []), catalog, repository)
    before = load_catalog(Repository(base.resolve())) if base else None
    own = None if plan else own_images(entries[0], catalog, before, shared)
    baseline = catalog.baseline_of(entries[0])
    content = bake_file(shared, repository.root, cache, own, image_of(baseline) if baseline else None)
    print(json.dumps(content, indent=1))
    _output({"own": " ".join(own or ())})


def _checkout() -> Checkout:
    return Checkout(find_repository().root, token=os.environ.get("GITHUB_TOKEN"))


def _repository_url() -> str | None:
    """The address of the repository on GitHub, where a workflow runs."""
    server, name = os.environ.get("GITHUB_SERVER_URL", "https://github.com"), os.environ.get("GITHUB_REPOSITORY")
    return f"{server}/{name}" if name else None


def _run_url() -> str | None:
    repository, run = _repository_url(), os.environ.get("GITHUB_RUN_ID")
    return f"{repository}/actions/runs/{run}" if repository and run else None


def _output(values: Mapping[str, str]) -> None:
    """Writes step outputs to the file $GITHUB_OUTPUT, if a workflow sets this variable."""
    if path := os.environ.get("GITHUB_OUTPUT"):
        end = secrets.token_hex()  # GitHub reads what stands between two lines of any text that a value cannot have
        with Path(path).open("a", encoding="utf-8") as file:
            file.writelines(f"{name}<<{end}\n{value}\n{end}\n" for name, value in values.items())
