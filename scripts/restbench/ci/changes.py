"""Brings what the jobs of a run compared into results/changes.jsonl."""

import logging
from dataclasses import dataclass, field
from pathlib import Path

from restbench.catalog import Catalog
from restbench.changes.records import CHANGES, ChangeRecord, append_records, read_records
from restbench.changes.regressions import TRIAGE, read_triage, unknown_ids
from restbench.ci.comparisons import gather_changes
from restbench.ci.matrix_jobs import RunPlan
from restbench.errors import ResultsError

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Changed:
    """What changed in a run.

    `records` are the new records, and `all` are those of the whole file. `refused` has the reason for each entry that
    was not compared.
    """

    records: list[ChangeRecord] = field(default_factory=list)
    all: list[ChangeRecord] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)


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
