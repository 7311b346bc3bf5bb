"""Drifts: what the weekly runs show, and no change record explains."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from restbench.changes.drift import drifts_of
from restbench.changes.records import ChangeRecord, Kind
from restbench.compare.models import CauseKind, Verdict
from restbench.results.history import History
from restbench.results.history_lines import history_lines
from tests.unit.change_records import a_commit, a_cost, a_record
from tests.unit.records import FALCON, MACHINE, START, a_cell, a_run, an_entry, duets

STARLETTE, FLASK, QUART, TORNADO = (f"python/{name}" for name in ("starlette", "flask", "quart", "tornado"))
WEEKS = 14
BUMP = WEEKS - 2
"""The week from which on a drift is to be seen: the newest two."""

STEP = [1.10 if week >= BUMP else 1.0 for week in range(WEEKS)]
"""The relative cost of each week, before and after it rises by 10 %."""


def weeks(costs: dict[str, Sequence[float]], **changes: Any) -> History:
    """The history of weekly runs with these relative costs. `changes`: fields of a run by week, as a function."""
    history = History()
    for entry, ratios in costs.items():
        for week, ratio in enumerate(ratios):
            fields = {name: change(week) for name, change in changes.items()}
            machine = MACHINE.model_copy(
                update={
                    "commit": a_commit(week),
                    **{k: fields.pop(k) for k in ("harness_hash", "kernel") if k in fields},
                }
            )
            started = START + timedelta(weeks=week, hours=1)
            run = a_run(f"run-{week:03d}", started, target="docker", machine=machine, **fields)
            wiggle = 1.002 if week % 2 else 0.998
            cell = a_cell(run, duets=duets([ratio * wiggle] * 3))
            (found,) = history_lines(an_entry(entry, run, [cell]))
            history.runs[found.run.run] = found.run
            history.entries.append(found.entry)
    return history


def test_a_change_that_nobody_made_is_a_drift() -> None:
    (drift,) = drifts_of([weeks({STARLETTE: STEP})], [])
    assert (drift.kind, drift.entry, drift.target) == (Kind.DRIFT, STARLETTE, "docker")
    assert (drift.before, drift.after) == (a_commit(BUMP - 1), a_commit(BUMP))
    assert drift.at == START + timedelta(weeks=BUMP, hours=1)
    assert drift.together is not None
    assert drift.together.verdict == Verdict.SLOWER
    assert drift.together.ratio == pytest.approx(1.10, abs=0.005)
    assert drift.cells["hello/hello_world"].ratio == pytest.approx(1.10, abs=0.005)
    assert not drift.claimed


def test_nothing_that_stays_is_a_drift() -> None:
    assert drifts_of([weeks({STARLETTE: [1.0] * WEEKS})], []) == []


def test_a_drift_is_found_once() -> None:
    (drift,) = drifts_of([weeks({STARLETTE: STEP})], [])
    assert drifts_of([weeks({STARLETTE: STEP})], [drift]) == []
    assert drifts_of([weeks({STARLETTE: [*STEP, 1.10]})], [drift]) == []


def test_a_drift_back_is_another_one() -> None:
    (drift,) = drifts_of([weeks({STARLETTE: STEP})], [])
    (back,) = drifts_of([weeks({STARLETTE: [*STEP, 1.0, 1.0]})], [drift])
    assert back.id != drift.id
    assert back.together is not None
    assert back.together.verdict == Verdict.FASTER


def bump(entry: str, ratio: float = 1.10) -> ChangeRecord:
    """The record of a change in the week of the step, whose runs have other files from then on."""
    return a_record(entry, ratio=ratio, at=START + timedelta(weeks=BUMP), cells={"hello/hello_world": a_cost(ratio)})


def test_what_a_record_explains_is_no_drift() -> None:
    history = weeks({STARLETTE: STEP}, files_hash=lambda week: f"{week >= BUMP:012d}")
    assert drifts_of([history], [bump(STARLETTE)]) == []


def test_a_slowdown_beyond_what_a_record_explains_is_a_drift() -> None:
    history = weeks({STARLETTE: STEP}, files_hash=lambda week: f"{week >= BUMP:012d}")
    (drift,) = drifts_of([history], [bump(STARLETTE, 1.05)])
    assert drift.together is not None
    assert drift.together.ratio == pytest.approx(1.10 / 1.05, abs=0.005)


def test_other_code_that_was_not_compared_yet_is_not_judged() -> None:
    """The next comparison will find it. A drift would count it twice."""
    history = weeks({STARLETTE: STEP}, files_hash=lambda week: f"{week >= BUMP:012d}")
    assert drifts_of([history], []) == []


def test_a_better_baseline_makes_nobody_look_worse() -> None:
    assert drifts_of([weeks({STARLETTE: STEP})], [bump(FALCON, 1 / 1.10)]) == []


def test_another_harness_is_no_drift() -> None:
    assert drifts_of([weeks({STARLETTE: STEP}, harness_hash=lambda week: f"{week >= BUMP:012d}")], []) == []


def test_a_baseline_that_drifts_has_the_only_record() -> None:
    entries = (STARLETTE, FLASK, QUART, TORNADO)
    (drift,) = drifts_of([weeks(dict.fromkeys(entries, STEP))], [])
    assert drift.entry == FALCON
    assert drift.together is not None
    assert drift.together.verdict == Verdict.FASTER
    assert drift.together.ratio == pytest.approx(1 / 1.10, abs=0.005)
    assert drifts_of([weeks(dict.fromkeys(entries, STEP))], [drift]) == []


def test_two_of_four_entries_drift_by_themselves() -> None:
    quiet = [1.0] * WEEKS
    found = drifts_of([weeks({STARLETTE: STEP, FLASK: STEP, QUART: quiet, TORNADO: quiet})], [])
    assert [drift.entry for drift in found] == [STARLETTE, FLASK]


def test_what_the_runs_recorded_differently_may_be_the_cause() -> None:
    (drift,) = drifts_of(
        [
            weeks(
                {STARLETTE: STEP},
                kernel=lambda week: "6.11" if week >= BUMP else "6.8",
                runtime=lambda week: "CPython 3.13.6" if week >= BUMP else "CPython 3.13.5",
            )
        ],
        [],
    )
    assert [(cause.kind, str(cause)) for cause in drift.causes] == [
        (CauseKind.RUNTIME, "runtime CPython 3.13.5 → 3.13.6"),
        (CauseKind.MACHINE, "machine kernel 6.8 → 6.11"),
    ]


def test_a_run_with_other_cells_is_not_compared() -> None:
    history = weeks({STARLETTE: STEP})
    last = history.entries[-1]
    history.entries[-1] = last.model_copy(
        update={"cells": {"solr/anonymization/typed": last.cells["hello/hello_world"]}}
    )
    assert drifts_of([history], []) == []
