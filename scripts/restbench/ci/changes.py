"""Reads the comparisons that the jobs of a run uploaded, and makes change records of them. No job is trusted.

A comparison counts only if it is about the entry and the two commits of the plan. It has to begin where the entry's
records end: two runs that overlap would else count a change twice.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from restbench.catalog import Catalog
from restbench.changes.comparison import Comparison
from restbench.changes.published import TARGET, last_compared
from restbench.changes.records import CHANGES, ChangeRecord, append_records, read_records, records_of, uncompared_record
from restbench.changes.regressions import TRIAGE, read_triage, unknown_ids
from restbench.ci.gather import LARGEST, REFUSED, why_refused
from restbench.ci.matrix_jobs import MatrixJob, RunPlan
from restbench.errors import ResultsError
from restbench.results.files import first_mistake

COMPARISON = "comparison.json"


@dataclass(frozen=True)
class Changed:
    """What changed in a run.

    `records` are the new records, and `all` are those of the whole file. `refused` has the reason for each entry whose
    comparison gave no record.
    """

    records: list[ChangeRecord] = field(default_factory=list)
    all: list[ChangeRecord] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)


def gather_changes(folder: Path, plan: RunPlan, known: Sequence[ChangeRecord], catalog: Catalog) -> Changed:
    """Reads what each job of the plan that compares an entry left in `folder`/change-<name>/.

    `known` are the published records. A record that is among them already, because this run was published before, is
    in the result again.
    """
    compared = Changed(refused={entry: each.why for entry, each in plan.uncompared.items()})
    for entry, each in plan.uncompared.items():
        if each.before and last_compared(entry, known) in (each.before, plan.commit):
            record = uncompared_record(entry, each.before, plan.commit, plan.started, each.why, TARGET)
            compared.records.append(record)
    for job in plan.comparisons:
        entry = job.frameworks[0]
        try:
            record = _record(folder / f"comparison-{job.name}", entry, job, plan, known)
            removed = entry not in catalog.entries  # then its record is left out later
            cells = [] if removed else catalog.entries[entry].cells(list(catalog.suites))
            unknown = sorted(record.cells.keys() - {str(cell.key) for cell in cells})
            if unknown and not removed:
                raise ResultsError(f"its comparison is refused: {entry} has no cell {unknown[0]}")
            compared.records.append(record)
        except REFUSED as error:
            compared.refused[entry] = why_refused(error)
    return compared


def _record(job: Path, entry: str, planned: MatrixJob, plan: RunPlan, known: Sequence[ChangeRecord]) -> ChangeRecord:
    """Returns the record of one entry. Raises ResultsError with the reason, which contains no path of this machine."""
    path = job / COMPARISON
    if not path.is_file():
        raise ResultsError("its comparison left nothing: it was cancelled, timed out or could not start")
    if job.parent.resolve() / job.name != path.resolve().parent:
        raise ResultsError("its comparison lies outside of what its job uploaded")
    if path.stat().st_size > LARGEST:
        raise ResultsError(f"its comparison has {path.stat().st_size:,} bytes, more than one can have")
    try:
        comparison = Comparison.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise ResultsError(f"its comparison is refused: {first_mistake(error)}") from error
    if planned.base is None or (comparison.base, comparison.head) != (planned.base, plan.commit):
        raise ResultsError("its comparison is of other commits than those of the plan")
    if [each.entry for each in comparison.entries] != [entry]:
        raise ResultsError("its comparison is about another entry")
    (found,) = comparison.entries
    records = records_of(comparison, plan.started, TARGET)
    if not records and (why := found.why_never):
        records = [uncompared_record(entry, planned.base, plan.commit, plan.started, why, TARGET)]
    if not records:
        raise ResultsError(f"nothing could be compared: {found.why or 'no cell has duet rounds of both versions'}")
    (record,) = records
    end = last_compared(entry, known)
    if end not in (None, record.before) and all(record.id != other.id for other in known):
        raise ResultsError(
            f"another run compared it up to {end[:10]} meanwhile: the next run compares it from there, nothing is lost"
        )
    return record


log = logging.getLogger(__name__)


def append_changes(jobs: Path, plan: RunPlan, catalog: Catalog, results: Path) -> Changed:
    """Appends the records of a run to changes.jsonl.

    Doing this again changes nothing. Records of entries that are no longer in the catalogue are not made. A damaged
    changes.jsonl costs the records of this run, and no results: the next run makes them.
    """
    path = results / CHANGES
    try:
        known = read_records(path)
    except ResultsError as error:
        log.warning(error.message)
        return Changed()
    compared = gather_changes(jobs, plan, known, catalog)
    there = [record for record in compared.records if record.entry in catalog.entries]
    append_records(path, there)
    records = read_records(path)
    try:
        for line in unknown_ids(read_triage(results / TRIAGE), records):
            log.warning(line)
    except ResultsError as error:  # the file only says which records nobody has to look at
        log.warning(error.message)
    return Changed(there, records, compared.refused)
