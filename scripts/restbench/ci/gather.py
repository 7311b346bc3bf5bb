"""Reads the results that the jobs of a run uploaded. No job is trusted.

A job that is missing, broken or lying does not affect the results of other jobs. A job's folder is an uploaded
artifact. Only the result files at the paths that the plan gives are opened. Other files are not read, and links that
lead out of the folder are not followed.
"""

from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from pydantic import ValidationError

from restbench.catalog import Catalog
from restbench.ci.matrix_jobs import MatrixJob, RunPlan
from restbench.errors import ResultsError
from restbench.results.files import entry_path, first_mistake, read_entry
from restbench.results.merge import what_is_unknown
from restbench.results.models import EntryResult, Missed
from restbench.system.text import one_line

LARGEST = 1_000_000
"""The most bytes of a result file. A file with 34 cells has 55,000 at profile full."""

EARLY = timedelta(hours=1)
"""How far the clocks of two runners may be apart."""


REFUSED = (ResultsError, ValueError, ArithmeticError, RecursionError)
"""What reading a file of a job may raise, whatever the file holds."""


def why_refused(error: Exception) -> str:
    """The reason in one line. It may quote what a stranger wrote, and results keep it."""
    if isinstance(error, ValidationError):
        return one_line(f"it is refused: {first_mistake(error)}")
    return one_line(error.message if isinstance(error, ResultsError) else f"it is refused: {error}")


@dataclass(frozen=True)
class Gathered:
    """The results of all jobs, with one of the reference for each job, and the reasons why entries are missing.

    `links` are the results of the job that measured all baselines together. `links_missed` is the reason why there are
    none, where there was such a job.
    """

    results: list[EntryResult]
    missed: dict[str, Missed]
    links: list[EntryResult] = field(default_factory=list)
    links_missed: str | None = None


def gather(folder: Path, plan: RunPlan, catalog: Catalog, now: datetime) -> Gathered:
    """Reads the results that each job of the plan left in `folder`/job-<name>/.

    Results of the job's own entries and of the reference are read. Where the result of an entry cannot be used,
    `missed` has the reason. The job may also have results of a baseline. It measured the baseline only as far as its
    own entries needed a partner, so these results are not read. An entry that is no longer in the catalogue was removed
    since the plan was made, and is left out.
    """
    results: list[EntryResult] = []
    missed: dict[str, Missed] = {}
    for job in plan.boards:
        there = [name for name in job.frameworks if name in catalog.entries]
        measured = 0
        for name in there:
            try:
                results.append(_result(folder / f"job-{job.name}", name, job, plan, catalog, now))
                measured += 1
            except REFUSED as error:
                missed[name] = Missed(started=plan.started, reason=why_refused(error))
        if measured and catalog.reference:
            # without it, only the load that the load generator could drive on that machine is unknown
            with suppress(*REFUSED):
                results.append(_result(folder / f"job-{job.name}", catalog.reference.id, job, plan, catalog, now))
    if (job_of_links := plan.links) is None:
        return Gathered(results, missed)
    try:
        # this job has to bring a result of each of its baselines
        there = [name for name in job_of_links.frameworks if name in catalog.entries]
        place = folder / f"job-{job_of_links.name}"
        links = [_result(place, name, job_of_links, plan, catalog, now) for name in there]
        if len({run for result in links for run in result.runs}) > 1:
            raise ResultsError("its results are refused: they are not of one run")
        return Gathered(results, missed, links)
    except REFUSED as error:
        return Gathered(results, missed, links_missed=why_refused(error))


def _result(job: Path, entry: str, planned: MatrixJob, plan: RunPlan, catalog: Catalog, now: datetime) -> EntryResult:
    """Returns the job's result of one entry.

    Raises ResultsError with the reason. Its message contains no path of this machine, because it is published.
    """
    if not job.is_dir():
        raise ResultsError("its job left no results: it was cancelled, timed out or could not start")
    path = entry_path(job / "results", entry)
    if not path.is_file():
        raise ResultsError("its job left no result of it")
    if job.parent.resolve() / job.name not in path.resolve().parents:
        raise ResultsError("its result lies outside of what its job uploaded")
    if path.stat().st_size > LARGEST:
        raise ResultsError(f"its result has {path.stat().st_size / 1e6:,.0f} MB, more than a result can have")
    try:
        result = read_entry(path)
    except ResultsError as error:
        raise ResultsError(f"its result is refused: {error.message.removeprefix(f'{path}: ')}") from error
    if result.entry != entry:
        raise ResultsError(f"its result is about {result.entry[:100]}")
    if unknown := what_is_unknown(result, catalog):
        raise ResultsError(f"its result is refused: {unknown[:200]}")
    if not result.cells:
        raise ResultsError("its result has no cells")
    return _without_lies(result, plan, planned.profile or plan.profile, now)


def _without_lies(result: EntryResult, plan: RunPlan, profile: str, now: datetime) -> EntryResult:
    """Returns the result without what a job cannot know: what was missed, and the figures of earlier runs.

    Raises ResultsError where the result is not of one run, and where its time or its profile does not fit the plan.
    """
    if {cell.run for cell in result.cells} != set(result.runs) or len(result.runs) != 1:
        raise ResultsError("its result is refused: it is not of one run")
    ((key, run),) = result.runs.items()
    if key != run.id:
        raise ResultsError("its result is refused: it is not of one run")
    if not plan.started - EARLY <= run.started <= now + EARLY:
        raise ResultsError(f"its result is refused: it claims to be of {run.started:%Y-%m-%d %H:%M}")
    if run.profile != profile:  # which measures less or more
        raise ResultsError(f"its result is refused: it is of the profile {run.profile}, and the job's is {profile}")
    cells = []
    for cell in result.cells:
        latency = [each.model_copy(update={"runs": 1}) for each in cell.latency]
        own = {"missed": None, "earlier": [], "last_good": None, "latency": latency}
        cells.append(cell.model_copy(update=own))
    return result.model_copy(update={"missed": None, "cells": cells})
