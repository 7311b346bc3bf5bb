"""What the jobs of a run left behind, read as from strangers: a job that is missing, broken or lies costs no other.

A job's folder is an uploaded artifact. Only result files at the places that the plan gives them are opened; whatever
else lies there is neither read nor followed.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from restbench.catalog import Catalog
from restbench.catalog.load import REFERENCE
from restbench.ci.matrix_jobs import MatrixJob, RunPlan
from restbench.errors import ResultsError
from restbench.results.files import entry_path, read_entry
from restbench.results.merge import what_is_unknown
from restbench.results.models import EntryResult, Missed

LARGEST = 1_000_000
"""Bytes of a result file. One of 34 cells has 55,000 at profile full."""

EARLY = timedelta(hours=1)
"""By how much clocks of runners may differ."""


@dataclass(frozen=True)
class Gathered:
    """Results of all jobs, the reference's once for each, and the entries that are missing, with why."""

    results: list[EntryResult]
    missed: dict[str, Missed]


def gather(folder: Path, plan: RunPlan, catalog: Catalog, now: datetime) -> Gathered:
    """Reads what each job of the plan left in `folder`/job-<name>/. What is wrong with one is told in `missed`.

    A job brings the results of its own entries and of the reference. It has results of a baseline too, which it
    measured only as far as its entries needed a partner: those are not read. An entry that is no longer in the
    catalogue is left out: it was removed since.
    """
    results: list[EntryResult] = []
    missed: dict[str, Missed] = {}
    for job in plan.jobs:
        there = [name for name in job.frameworks if name in catalog.entries]
        measured = 0
        for name in there:
            try:
                results.append(_result(folder / f"job-{job.name}", name, plan, catalog, now))
                measured += 1
            except ResultsError as error:
                missed[name] = Missed(started=plan.started, reason=error.message)
        if measured:
            results += _reference(folder, job, plan, catalog, now)
    return Gathered(results, missed)


def _reference(folder: Path, job: MatrixJob, plan: RunPlan, catalog: Catalog, now: datetime) -> list[EntryResult]:
    """What the job measured of the reference. It may be missing: only how much the load generator could drive there is
    not known then."""
    try:
        return [_result(folder / f"job-{job.name}", REFERENCE, plan, catalog, now)]
    except ResultsError:
        return []


def _result(job: Path, entry: str, plan: RunPlan, catalog: Catalog, now: datetime) -> EntryResult:
    """The job's result of one entry. Raises ResultsError with what is wrong, in words that tell nothing of paths."""
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
    return _without_lies(result, plan, now)


def _without_lies(result: EntryResult, plan: RunPlan, now: datetime) -> EntryResult:
    """The result, if it says no more than one job of this run can know. Raises ResultsError."""
    if {cell.run for cell in result.cells} != set(result.runs) or len(result.runs) != 1:
        raise ResultsError("its result is refused: it is not of one run")
    ((key, run),) = result.runs.items()
    if key != run.id:
        raise ResultsError("its result is refused: it is not of one run")
    if not plan.started - EARLY <= run.started <= now + EARLY:
        raise ResultsError(f"its result is refused: it claims to be of {run.started:%Y-%m-%d %H:%M}")
    return result.model_copy(update={"missed": None})
