"""Which entries became slower, and have not become faster again.

What counts is the chain of an entry's records: several small slowdowns in a row are as bad as one large one.
"""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import exp, log
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from restbench.changes.chain import cell_effect
from restbench.changes.comparison import Verdict
from restbench.changes.records import CellCost, ChangeRecord, Identifier
from restbench.errors import ResultsError
from restbench.results.files import first_mistake
from restbench.system.advice import command_line

THRESHOLD = 0.05
"""The smallest slowdown that is reported: 5 % more CPU time per request."""

MENDED = THRESHOLD / 2
"""A slowdown is mended when less than this is left of it. A mend need not be exact."""

ALL_CELLS = "all cells together"

TRIAGE = "triage.toml"
"""The file of results/ with what a person said of change records. A record that was judged is reported no more."""


class Judged(StrEnum):
    """What a record was judged to be: meant to be so, gone by now, or not caused by the entry."""

    EXPECTED = "expected"
    MENDED = "mended"
    NOT_OURS = "not ours"


class Judgement(BaseModel):
    """What a person said of a record, and why."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    verdict: Judged
    why: Annotated[str, Field(min_length=1, max_length=500)]


Triage = dict[Identifier, Judgement]
"""Judgements by the id of their record."""

_FILE: TypeAdapter[Triage] = TypeAdapter(Triage)


def read_triage(path: Path) -> Triage:
    """The judgements of the file. A missing file has none.

    Raises ResultsError with the key and a remedy where the file cannot be read.
    """
    if not path.is_file():
        return {}
    try:
        return _FILE.validate_python(tomllib.loads(path.read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ResultsError(f"{path}: is no TOML: {error}: mend it, or remove the table") from error
    except ValidationError as error:
        known = ", ".join(Judged)
        raise ResultsError(
            f'{path}: {first_mistake(error)}: a table is named by the id of a record, such as ["0123456789ab"], and '
            f"has a verdict ({known}) and why"
        ) from error


def unknown_ids(triage: Mapping[str, Judgement], records: Iterable[ChangeRecord]) -> list[str]:
    """A line for each id that no record has."""
    known = {record.id for record in records}
    return [
        f"{TRIAGE}: no change record has the id {identifier}: remove it, or look it up with {command_line('changes')}"
        for identifier in triage
        if identifier not in known
    ]


@dataclass(frozen=True)
class Regression:
    """The records that made an entry slower, oldest first. None of them is mended or judged.

    `parts` has the ratio of CPU time per request now to that before these records, by cell, and for ALL_CELLS where all
    cells together became slower.
    """

    entry: str
    records: list[ChangeRecord]
    parts: dict[str, float]

    @property
    def worst(self) -> tuple[str, float]:
        """What became slower most: all cells together if they did, else a cell."""
        if ALL_CELLS in self.parts:
            return ALL_CELLS, self.parts[ALL_CELLS]
        return max(self.parts.items(), key=lambda part: part[1])

    def slower_parts(self, record: ChangeRecord) -> dict[str, CellCost]:
        """The cells that one of the records made slower, with ALL_CELLS where all cells together became slower."""
        costs = {ALL_CELLS: record.together, **record.cells}
        slower = {name: cost for name, cost in costs.items() if cost and cost.verdict == Verdict.SLOWER}
        return {name: cost for name, cost in slower.items() if name in self.parts} or slower


def open_regressions(records: Iterable[ChangeRecord], triage: Mapping[str, Judgement]) -> dict[str, Regression]:
    """Returns the regressions by entry. `records` are of one target."""
    entries: dict[str, list[ChangeRecord]] = {}
    for record in sorted(records, key=lambda record: record.at):
        entries.setdefault(record.entry, []).append(record)
    found = {}
    for entry, own in entries.items():
        names = dict.fromkeys([ALL_CELLS, *(name for record in own for name in record.cells)])
        slower = {name: part for name in names if (part := _slower(own, name, triage))}
        if slower:
            ids = {record.id for _, since in slower.values() for record in since}
            ratios = {name: ratio for name, (ratio, _) in slower.items()}
            found[entry] = Regression(entry, [record for record in own if record.id in ids], ratios)
    return found


def _slower(
    records: Sequence[ChangeRecord], part: str, triage: Mapping[str, Judgement]
) -> tuple[float, list[ChangeRecord]] | None:
    """How much slower a part is than when it was fastest, and the records that made it so. None where that is mended.

    An earlier speed-up does not make up for a slowdown, because it was there before.
    """
    total = fastest = 0.0
    since: list[ChangeRecord] = []
    reported = False
    for record in records:
        effect = cell_effect(record, part)
        if part == ALL_CELLS:
            # what is not claimed may be noise, and would add up
            cost = record.together
            effect = log(cost.ratio) if cost and cost.claimed and cost.ratio else 0.0
        if effect > 0 and record.id in triage:
            continue
        total += effect
        if total <= fastest:
            fastest, since = total, []
        elif effect > 0:
            since.append(record)
        reported = total - fastest >= log(1 + (MENDED if reported else THRESHOLD))
    return (exp(total - fastest), since) if reported else None
