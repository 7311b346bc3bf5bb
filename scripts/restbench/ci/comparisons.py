"""Reads the comparisons that the jobs of a run uploaded, and makes change records of them. No job is trusted.

A comparison counts only if it is about the entry and the two commits of the plan. It has to begin where the entry's
records end: two runs that overlap would else count a change twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from restbench.catalog import Catalog
from restbench.changes.comparison import Comparison
from restbench.changes.published import TARGET, last_compared
from restbench.changes.records import ChangeRecord, records_of, uncompared_record
from restbench.ci.gather import REFUSED, why_refused
from restbench.ci.matrix_jobs import MatrixJob, RunPlan
from restbench.ci.uploads import LARGEST
from restbench.errors import ResultsError
from restbench.results.files import first_mistake

COMPARISON = "comparison.json"


@dataclass(frozen=True)
class Compared:
    """The new records of a run. `refused` has the reason for each entry whose comparison gave no record."""

    records: list[ChangeRecord] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)


def gather_changes(folder: Path, plan: RunPlan, known: Sequence[ChangeRecord], catalog: Catalog) -> Compared:
    """Reads what each job of the plan that compares an entry left in `folder`/change-<name>/.

    `known` are the published records. A record that is among them already, because this run was published before, is
    in the result again.
    """
    compared = Compared(refused={entry: each.why for entry, each in plan.uncompared.items()})
    for entry, each in plan.uncompared.items():
        if each.before and last_compared(entry, known) in (each.before, plan.commit):
            record = uncompared_record(entry, each.before, plan.commit, plan.started, each.why, TARGET)
            compared.records.append(record)
    for job in plan.comparisons:
        entry = job.frameworks[0]
        try:
            record = _record(folder / f"comparison-{job.name}", entry, job, plan, known)
            _check_cells(record, catalog)
            compared.records.append(record)
        except REFUSED as error:
            compared.refused[entry] = why_refused(error)
    return compared


def _record(job: Path, entry: str, planned: MatrixJob, plan: RunPlan, known: Sequence[ChangeRecord]) -> ChangeRecord:
    """Returns the record of one entry. Raises ResultsError with the reason, which contains no path of this machine."""
    comparison = _comparison(job)
    if (comparison.base, comparison.head) != (planned.base, plan.commit):
        raise ResultsError("its comparison is of other commits than those of the plan")
    if [each.entry for each in comparison.entries] != [entry]:
        raise ResultsError("its comparison is about another entry")
    (found,) = comparison.entries
    records = records_of(comparison, plan.started, TARGET)
    if not records and found.is_base_lost:
        why = found.why or ""
        records = [uncompared_record(entry, comparison.base, comparison.head, plan.started, why, TARGET)]
    if not records:
        raise ResultsError(f"nothing could be compared: {found.why or 'no cell has duet rounds of both versions'}")
    (record,) = records
    if not any(record.id == other.id for other in known):
        _check_continuity(record, known)
    return record


def _check_cells(record: ChangeRecord, catalog: Catalog) -> None:
    """Raises ResultsError for a cell that the entry does not have. An entry that was removed is left out later."""
    entry = catalog.entries.get(record.entry)
    known = {str(c.key) for c in entry.cells(list(catalog.suites))} if entry else set()
    if entry and (unknown := sorted(record.cells.keys() - known)):
        raise ResultsError(f"its comparison is refused: {record.entry} has no cell {unknown[0]}")


def _comparison(job: Path) -> Comparison:
    path = job / COMPARISON
    if not path.is_file():
        raise ResultsError("its comparison left nothing: it was cancelled, timed out or could not start")
    if job.parent.resolve() / job.name != path.resolve().parent:
        raise ResultsError("its comparison lies outside of what its job uploaded")
    if path.stat().st_size > LARGEST:
        raise ResultsError(f"its comparison has {path.stat().st_size:,} bytes, more than one can have")
    try:
        return Comparison.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise ResultsError(f"its comparison is refused: {first_mistake(error)}") from error


def _check_continuity(record: ChangeRecord, known: Sequence[ChangeRecord]) -> None:
    """Raises ResultsError where the record does not begin where the records of its entry end."""
    end = last_compared(record.entry, known)
    if end is not None and end != record.before:
        raise ResultsError(
            f"another run compared it up to {end[:10]} meanwhile: the next run compares it from there, nothing is lost"
        )
