"""Made comparisons and change records."""

from datetime import timedelta
from typing import Any

from restbench.changes.comparison import CellChange, Comparison, Cost, EntryComparison, Together, Verdict
from restbench.changes.records import CellCost, ChangeRecord, identifier
from tests.made.records import FALCON, START

SHA = "0123456789" * 4
"""The commit of a comparison's head."""

BEFORE = SHA[::-1]
"""The commit of its base."""

REACH = 0.01
"""The distance of the bounds of an interval from its ratio. A ratio is claimed where it is at least this far from 1."""


def a_commit(number: int) -> str:
    return f"{number:040x}"


def a_cell_cost(ratio: float) -> CellCost:
    """A ratio with its bounds, claimed where it is a difference."""
    claimed = Verdict.SLOWER if ratio > 1 else Verdict.FASTER
    verdict = claimed if abs(ratio - 1) >= REACH else Verdict.SAME
    low, high = (round(ratio * (1 + way * REACH), 5) for way in (-1, 1))
    return CellCost(verdict, ratio, low, high, 4, 48)


def a_record(entry: str = FALCON, ratio: float = 1.06, *, number: int = 1, **changes: Any) -> ChangeRecord:
    """A record of one cell, in which the entry became slower, unless another ratio is given.

    `number` is that of the week in which it was measured. Its commits are those of the week before and of that week.
    """
    fields: dict[str, Any] = {
        "id": identifier(entry, "docker", str(number), str(ratio)),
        "at": START + timedelta(weeks=number),
        "entry": entry,
        "target": "docker",
        "profile": "pr",
        "machine": "github-hosted-x86_64-4cpu",
        "before": a_commit(number - 1),
        "after": a_commit(number),
        "version_before": "4.3.0",
        "version": "4.4.0",
        "together": a_cell_cost(ratio),
        "cells": {"hello/hello_world": a_cell_cost(ratio)},
    }
    return ChangeRecord(**(fields | changes))


def a_cost(ratio: float = 1.0, reach: float = 0.009, starts: int = 4) -> Cost:
    """A ratio whose interval reaches that far to both sides."""
    return Cost(ratio=ratio, low=ratio - reach, high=ratio + reach, starts=starts, rounds=12 * starts)


def a_change(verdict: Verdict = Verdict.SAME, cost: Cost | None = None, why: str | None = None) -> CellChange:
    return CellChange(suite="hello", scenario="hello_world", variant=None, verdict=verdict, cost=cost, why=why)


def changed(title: str = "Falcon", *cells: CellChange, together: Together | None = None) -> EntryComparison:
    """An entry of which no difference was seen, unless other cells are given."""
    return EntryComparison(
        entry="python/falcon",
        title=title,
        base_version="4.0.0",
        version="4.1.0",
        status="changed",
        cells=list(cells) or [a_change(cost=a_cost())],
        together=together,
    )


def a_comparison(*entries: EntryComparison) -> Comparison:
    return Comparison(base=BEFORE, head=SHA, profile="pr", machine="local", minutes=4.2, entries=list(entries))
