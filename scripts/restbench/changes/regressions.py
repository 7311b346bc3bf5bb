"""Which entries became slower, and have not become faster again."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log

from restbench.changes.records import CellCost, ChangeRecord
from restbench.changes.triage import Judgement
from restbench.compare.models import Verdict

THRESHOLD = 0.05
"""The smallest slowdown that is reported: 5 % more CPU time per request."""

MENDED = THRESHOLD / 2
"""A slowdown is mended when less than this is left of it. A mend need not be exact."""

ALL_CELLS = "all cells together"


@dataclass(frozen=True)
class Regression:
    """The records that made an entry slower, oldest first. None of them is mended or judged."""

    entry: str
    records: list[ChangeRecord]

    @property
    def worst(self) -> tuple[str, CellCost]:
        """What became slower most, by any of the records: all cells together if they did, else a cell."""
        found = [(name, cost) for record in self.records for name, cost in slower_parts(record).items()]
        together = [each for each in found if each[0] == ALL_CELLS]
        return max(together or found, key=lambda each: each[1].ratio or 1.0)


def open_regressions(records: Iterable[ChangeRecord], triage: Mapping[str, Judgement]) -> dict[str, Regression]:
    """Returns the regressions by entry. `records` are of one target."""
    entries: dict[str, list[ChangeRecord]] = {}
    for record in sorted(records, key=lambda record: record.at):
        entries.setdefault(record.entry, []).append(record)
    found = {}
    for entry, own in entries.items():
        slower = [
            record
            for number, record in enumerate(own)
            if record.id not in triage and any(not _is_mended(part, own[number:]) for part in slower_parts(record))
        ]
        if slower:
            found[entry] = Regression(entry, slower)
    return found


def slower_parts(record: ChangeRecord) -> dict[str, CellCost]:
    """The cells that became slower by THRESHOLD or more, with ALL_CELLS where all cells together did."""
    costs = {ALL_CELLS: record.together, **record.cells}
    return {
        name: cost
        for name, cost in costs.items()
        if cost and cost.verdict == Verdict.SLOWER and cost.ratio and cost.ratio >= 1 + THRESHOLD
    }


def _is_mended(part: str, since: Sequence[ChangeRecord]) -> bool:
    """Whether later records made up for what the first of them did to a cell, or to all cells together."""
    return exp(sum(_effect(record, part) for record in since)) < 1 + MENDED


def _effect(record: ChangeRecord, part: str) -> float:
    """The logarithm of the ratio that the record claims. What is not claimed may be noise, and would add up."""
    cost = record.together if part == ALL_CELLS else record.cells.get(part)
    return log(cost.ratio) if cost and cost.claimed and cost.ratio else 0.0
