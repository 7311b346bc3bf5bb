"""Made comparisons and change records."""

from datetime import timedelta
from typing import Any

from restbench.changes.comparison import (
    Cause,
    CauseKind,
    CellChange,
    Comparison,
    Cost,
    EntryComparison,
    Place,
    Together,
    Verdict,
)
from restbench.changes.records import CellCost, ChangeRecord, identifier
from restbench.results.models import Failure
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


ISSUE_TRACKER = ("userinfo", "sprint", "create-task", "update-task")
BUMP = Cause(kind=CauseKind.FRAMEWORK, name="fastapi", before="0.165.0", after="0.166.0")
CORE = Cause(kind=CauseKind.DEPENDENCY, name="pydantic-core", before="2.49.0", after="2.50.0")
WRONG = Failure(
    check="answer",
    request="GET /anonymization/pydantic?document_type=1",
    expected='docs[0].author "***"',
    got='"M. Muster" ``` @everyone </details>',
)
UNBUILT = Failure(check="build", got="pip exited with 1: no version of fastapi==0.166.1 is known")


def cells_of_two_variants(**ratios: float) -> list[CellChange]:
    """Plain text, and the issue tracker with and without types. `ratios`: those of the typed ones, by scenario."""
    cells = [a_change(cost=a_cost(1.001))]
    for scenario in ISSUE_TRACKER:
        for variant, ratio in (("raw", 0.998), ("pydantic", ratios.get(scenario.replace("-", "_"), 1.003))):
            way = Verdict.SAME if abs(ratio - 1) < 0.01 else Verdict.SLOWER if ratio > 1 else Verdict.FASTER
            place = {"suite": "issue-tracker", "scenario": scenario, "variant": variant}
            cells.append(CellChange(**place, verdict=way, cost=a_cost(ratio)))
    return cells


def fastapi(*cells: CellChange, together: float | None = None, **more: Any) -> EntryComparison:
    """A new version of FastAPI. `together`: the ratio of all cells together."""
    every = None
    if together:
        way = Verdict.SAME if abs(together - 1) < 0.01 else Verdict.SLOWER if together > 1 else Verdict.FASTER
        every = Together(verdict=way, cost=a_cost(together, reach=0.004))
    fields = {"entry": "python/fastapi", "base_version": "0.165.0", "version": "0.166.0", "causes": [BUMP, CORE]}
    return changed("FastAPI", *cells, together=every).model_copy(update=fields | more)


def a_new_entry(*cells: CellChange, **more: Any) -> EntryComparison:
    """An entry without a base that was measured against Falcon, and stands in two tables."""
    costs = {(None, "hello_world"): 1.31, ("raw", "sprint"): 1.12, ("pydantic", "sprint"): 1.96}
    own = [
        CellChange(
            suite="issue-tracker" if variant else "hello",
            scenario=scenario,
            variant=variant,
            verdict=Verdict.NEW,
            cost=a_cost(ratio, starts=1),
            cpu_us=100 * ratio,
        )
        for (variant, scenario), ratio in costs.items()
    ]
    groups = [["Falcon"], ["Starlette", "New", "BáiZé", "aiohttp", "Sanic"], ["FastAPI"], ["Flask"]]
    places = [
        Place(suite="hello", table="Plain text", name="New", groups=groups),
        Place(suite="issue-tracker", table="JSON list of 100, plain", name="New", why="noise was its limit"),
    ]
    fields: dict[str, Any] = {
        "entry": "python/new",
        "title": "New",
        "base_version": None,
        "version": "3.2.0",
        "status": "new",
        "cells": [*own, *cells],
        "places": places,
        "baseline": "Falcon",
        "lacks": ["HTTP pipelining"],
    }
    return EntryComparison.model_validate({**fields, **more})


TYPED = {"userinfo": 1.08, "sprint": 1.05, "create_task": 1.09, "update_task": 1.06}
FAILS = CellChange(
    suite="solr", scenario="anonymization", variant="pydantic", verdict=Verdict.FAILED, why=str(WRONG), failure=WRONG
)
OUTCOMES = {
    "slower": fastapi(*cells_of_two_variants(**TYPED), together=1.031),
    "faster": fastapi(*cells_of_two_variants(sprint=0.9), together=0.96),
    "slower and faster": fastapi(*cells_of_two_variants(sprint=1.05, userinfo=0.95, create_task=0.9), together=0.997),
    "no difference": fastapi(*cells_of_two_variants(), together=1.002),
    "fails": fastapi(*cells_of_two_variants(), FAILS, together=1.031),
    "does not build": fastapi(
        status="failed", cells=[], causes=[], version="0.166.1", why=str(UNBUILT), failure=UNBUILT
    ),
    "new": a_new_entry(),
    "new and fails": a_new_entry(FAILS),
}
"""An entry of each outcome, as a comment or a job summary tells it."""


def a_comparison(*entries: EntryComparison) -> Comparison:
    fields: dict[str, Any] = {"base": BEFORE, "head": SHA, "target": "docker", "profile": "pr", "machine": "local"}
    return Comparison(**fields, minutes=4.2, entries=list(entries))
