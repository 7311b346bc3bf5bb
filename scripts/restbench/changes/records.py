"""Change records: what two versions of an entry differ by, as it was measured, with what differs between them.

A record is made once, from duet rounds of both versions. It is never computed anew.
"""

import hashlib
from collections.abc import Iterable
from datetime import date
from typing import Annotated, Literal, NamedTuple

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from restbench.changes.comparison import (
    MOST_CAUSES,
    Cause,
    CellChange,
    Comparison,
    Cost,
    EntryComparison,
    Positive,
    Short,
    Verdict,
    clipped_name,
)
from restbench.results.models import Commit
from restbench.results.rounds import round_to
from restbench.system.lines import one_line

SCHEMA_VERSION: Literal[1] = 1

Identifier = Annotated[str, Field(pattern=r"^[0-9a-f]{12}$")]

CLAIMED = (Verdict.FASTER, Verdict.SLOWER)
"""The verdicts that claim a difference."""


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
        """Whether readers are told of it: a difference is claimed, or the versions could not be compared."""
        return self.claims or self.uncompared is not None

    @property
    def day(self) -> date:
        return self.at.date()


def identifier(entry: str, target: str, before: str, after: str) -> str:
    """The id of a record. The same change has the same id, whoever measured it."""
    return hashlib.sha256("\0".join([entry, target, before, after]).encode()).hexdigest()[:12]


def records_of(comparison: Comparison, at: AwareDatetime, target: Literal["native", "docker"]) -> list[ChangeRecord]:
    """The records of a comparison: one for each entry of which two versions were measured."""
    return [
        ChangeRecord(
            id=identifier(entry.entry, target, comparison.base, comparison.head),
            at=at,
            entry=entry.entry,
            target=target,
            profile=comparison.profile,
            machine=comparison.machine,
            before=comparison.base,
            after=comparison.head,
            version_before=entry.base_version,
            version=entry.version,
            causes=entry.causes,
            together=CellCost.of(entry.together.verdict, entry.together.cost) if entry.together else None,
            cells=_cells(entry.cells),
        )
        for entry in comparison.entries
        if is_recorded(entry)
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


def is_recorded(entry: EntryComparison) -> bool:
    """Whether two versions of the entry were compared. A new entry has no version before, a failed one no cost."""
    return entry.status == "changed" and any(cell.cost for cell in entry.cells)


def _cells(cells: Iterable[CellChange]) -> dict[str, CellCost]:
    return {str(cell.key): CellCost.of(cell.verdict, cell.cost) for cell in cells}
