"""results/changes.jsonl: change records, one on each line. Lines are appended once and never changed."""

import logging
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from restbench.changes.records import SCHEMA_VERSION, ChangeRecord
from restbench.errors import ResultsError
from restbench.results.files import compact_json, first_mistake
from restbench.system.files import write_atomically

log = logging.getLogger(__name__)

CHANGES = "changes.jsonl"


def read_records(path: Path) -> list[ChangeRecord]:
    """All records of the file in its order. A missing file has none.

    Raises ResultsError where a line is no record, has another schema, or has the id of an earlier line. The message
    names the line.
    """
    records, damage = _records(path)
    if damage:
        raise ResultsError(damage)
    return records


def readable_records(path: Path) -> list[ChangeRecord]:
    """The records of the file that can be read. They are for readers: what is compared next depends on all records."""
    records, damage = _records(path)
    if damage:
        log.warning(damage)
    return records


def _records(path: Path) -> tuple[list[ChangeRecord], str | None]:
    """The records of the file that can be read, and in one line what cannot be read; None where all can."""
    if not path.is_file():
        return [], None
    found: dict[str, ChangeRecord] = {}
    damage = None
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        where = f"{path}: line {number}"
        try:
            record = ChangeRecord.model_validate_json(line) if line.strip() else None
        except ValidationError as error:
            damage = damage or f"{where} is no change record: {_mistake(error)}: restore the file from git"
            continue
        if record and record.id in found:
            damage = damage or f"{where} has the id {record.id} of an earlier line: restore the file from git"
        elif record:
            found[record.id] = record
    return list(found.values()), damage


def append_records(path: Path, records: Iterable[ChangeRecord]) -> int:
    """Appends the records whose ids the file does not have yet. Returns how many these are.

    Whoever measured a change first has the record. Raises ResultsError, having written nothing, where the file cannot
    be read.
    """
    known = {record.id for record in read_records(path)}
    added: dict[str, ChangeRecord] = {}
    for record in records:
        if record.id not in known:
            added.setdefault(record.id, record)
    if added:
        before = path.read_bytes() if path.is_file() else b""
        end = b"" if before.endswith(b"\n") or not before else b"\n"
        lines = "".join(f"{dump_record(record)}\n" for record in added.values())
        write_atomically(path, before + end + lines.encode())
    return len(added)


def dump_record(record: ChangeRecord) -> str:
    """The record as JSON, without a newline. Fields that have their default are left out, also at the end of arrays."""
    document: dict[str, Any] = record.model_dump(mode="json", exclude_defaults=True)
    if record.together:
        document["together"] = _trimmed(record.together)
    document["cells"] = {name: _trimmed(cell) for name, cell in record.cells.items()}
    return compact_json({"v": SCHEMA_VERSION, **document})


def _trimmed(values: tuple[Any, ...]) -> list[Any]:
    """A cell without the figures that it has not: a verdict alone is an array of one."""
    kept = list(values)
    while len(kept) > 1 and not kept[-1]:
        kept.pop()
    return kept


def _mistake(error: ValidationError) -> str:
    version = next((e["input"] for e in error.errors() if e["loc"] == ("v",)), None)
    if isinstance(version, int) and version > SCHEMA_VERSION:
        return f"it was written by a newer restbench (schema {version}, this one reads {SCHEMA_VERSION}): update"
    return first_mistake(error)
