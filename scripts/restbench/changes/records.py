"""Change records: what two versions of an entry differ by, as it was measured, with what differs between them.

A record is made once, from duet rounds of both versions. It is never computed anew. results/changes.jsonl has one on
each line. Lines are appended once and never changed.
"""

import hashlib
import logging
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from restbench.changes.comparison import (
    MOST_CAUSES,
    Cause,
    Comparison,
    Cost,
    Positive,
    Short,
    Verdict,
    clipped_name,
)
from restbench.errors import ResultsError
from restbench.results.files import compact_json, first_mistake, trimmed
from restbench.results.models import Commit
from restbench.results.rounds import round_to
from restbench.system.files import write_atomically
from restbench.system.text import one_line

SCHEMA_VERSION: Literal[1] = 1

Identifier = Annotated[str, Field(pattern=r"^[0-9a-f]{12}$")]

CLAIMED = (Verdict.SLOWER, Verdict.FASTER)
"""The verdicts that claim a difference, the one that matters more first."""


class CellCost(NamedTuple):
    """A cell before and after, as an array in the file. `ratio` is the CPU time per request after over that before.

    `low` and `high` are its 95 % interval. `starts` and `rounds` are the numbers of starts and of duet
    rounds behind it; a round is a pair of measurements. A cell without a cost has its verdict alone.
    """

    verdict: Verdict
    ratio: Positive | None = None
    low: Positive | None = None
    high: Positive | None = None
    starts: int = 0
    rounds: int = 0

    @classmethod
    def of(cls, verdict: Verdict, cost: Cost | None) -> "CellCost":
        if cost is None:
            return cls(verdict)
        ratio, low, high = (round_to(figure, 5) for figure in (cost.ratio, cost.low, cost.high))
        return cls(verdict, ratio, low, high, cost.starts, cost.rounds)

    @property
    def claimed(self) -> bool:
        return self.verdict in CLAIMED


class ChangeRecord(BaseModel):
    """A line of results/changes.jsonl.

    `before` and `after` are the commits of both versions. `cells` has the cells by suite/scenario or
    suite/scenario/variant. `uncompared` says why the versions were not compared and never will be. Such a record has no
    cells, and the next one begins where it ends.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    v: Literal[1] = SCHEMA_VERSION
    id: Identifier
    at: AwareDatetime = Field(description="when both were measured")
    entry: Short
    target: Literal["native", "docker"]
    profile: Short
    machine: Short = Field(description="class of the machine that measured")
    before: Commit
    after: Commit
    version_before: Short | None = None
    version: Short | None = None
    causes: list[Cause] = Field([], max_length=MOST_CAUSES, description="what differs, the most specific first")
    uncompared: Short | None = Field(None, description="why both versions were not compared")
    together: CellCost | None = Field(None, description="all cells together: the geometric mean of their ratios")
    cells: dict[Short, CellCost] = Field({}, max_length=200)

    @property
    def claimed(self) -> dict[str, CellCost]:
        """The cells in which a difference is claimed."""
        return {name: cell for name, cell in self.cells.items() if cell.claimed}

    @property
    def claims(self) -> bool:
        """Whether a difference is claimed, of a cell or of all cells together."""
        return bool(self.claimed) or bool(self.together and self.together.claimed)

    @property
    def is_news(self) -> bool:
        """Whether it is news to readers: a difference is claimed, or the versions could not be compared."""
        return self.claims or self.uncompared is not None

    @property
    def day(self) -> date:
        return self.at.date()


def identifier(entry: str, target: str, before: str, after: str) -> str:
    """The id of a record. The same change has the same id, whoever measured it."""
    return hashlib.sha256("\0".join([entry, target, before, after]).encode()).hexdigest()[:12]


def records_of(comparison: Comparison, at: AwareDatetime, target: Literal["native", "docker"]) -> list[ChangeRecord]:
    """The records of a comparison: one for each entry of which two versions were measured.

    A new entry has no version before, and a failed one no cost. Raises ResultsError for files that no commit has.
    """
    before, after = comparison.base, comparison.head
    if before is None or after is None or comparison.base_dirty or comparison.head_dirty:
        raise ResultsError("only commits have change records, and it compares files that were not committed")
    return [
        ChangeRecord(
            id=identifier(entry.entry, target, before, after),
            at=at,
            entry=entry.entry,
            target=target,
            profile=comparison.profile,
            machine=comparison.machine,
            before=before,
            after=after,
            version_before=entry.base_version,
            version=entry.version,
            causes=entry.causes,
            together=CellCost.of(entry.together.verdict, entry.together.cost) if entry.together else None,
            cells={str(cell.key): CellCost.of(cell.verdict, cell.cost) for cell in entry.cells},
        )
        for entry in comparison.entries
        if entry.status == "changed" and any(cell.cost for cell in entry.cells)
    ]


def uncompared_record(
    entry: str, before: str, after: str, at: AwareDatetime, why: str, target: Literal["native", "docker"]
) -> ChangeRecord:
    """The record of two versions that were not compared, and never will be."""
    return ChangeRecord(
        id=identifier(entry, target, before, after),
        at=at,
        entry=entry,
        target=target,
        profile="none",
        machine="none",
        before=before,
        after=after,
        uncompared=clipped_name(one_line(why)),
    )


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
            version = next((e["input"] for e in error.errors() if e["loc"] == ("v",)), None)
            mistake = first_mistake(error)
            if isinstance(version, int) and version > SCHEMA_VERSION:
                mistake = (
                    f"it was written by a newer restbench (schema {version}, this one reads {SCHEMA_VERSION}): update"
                )
            damage = damage or f"{where} is no change record: {mistake}: restore the file from git"
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
        document["together"] = trimmed(record.together)
    document["cells"] = {name: trimmed(cell) for name, cell in record.cells.items()}
    return compact_json({"v": SCHEMA_VERSION, **document})
