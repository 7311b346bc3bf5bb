"""Series of relative costs: which runs are compared, and what records explain of them."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from math import exp
from typing import Any

import pytest

from restbench.changes.records import ChangeRecord, Kind
from restbench.changes.series import Point, effective, means, series_of
from restbench.results.history import History
from restbench.results.history_lines import CellFigures, EntryLine, RunLine
from tests.unit.change_records import a_commit, a_cost, a_record
from tests.unit.records import FALCON, START

STARLETTE = "python/starlette"
MACHINE, PROFILE = "github-hosted-x86_64-4cpu", "pr"
"""Those of made records."""
HELLO, TYPED = "hello/hello_world", "issue-tracker/sprint/typed"


def a_run(week: int, **changes: Any) -> RunLine:
    fields: dict[str, Any] = {
        "run": f"run-{week:03d}",
        "at": START + timedelta(weeks=week, hours=1),
        "target": "docker",
        "profile": PROFILE,
        "machine": MACHINE,
        "cpu": "A processor",
        "cpus": 4,
        "memory": 16_000_000_000,
        "kernel": "6.11",
        "restbench": "0.1.0",
        "harness": "0123456789ab",
    }
    return RunLine(**(fields | changes))


def a_line(run: RunLine, costs: Mapping[str, float | None], **changes: Any) -> EntryLine:
    """A line with these relative costs by cell. A cell without one has solo rounds alone."""
    cells = {name: CellFigures(6, 1e4, 1e4, 1e4, 100, 100, 100, 3 * bool(c), c, c, c) for name, c in costs.items()}
    fields: dict[str, Any] = {"entry": STARLETTE, "run": run.run, "files": "a" * 12, "baseline": FALCON, "cells": cells}
    return EntryLine(**(fields | changes))


def the_series(lines: Sequence[tuple[RunLine, EntryLine]], records: Sequence[ChangeRecord] = ()) -> list[Point]:
    """The points of the one series that these lines make."""
    history = History({run.run: run for run, _ in lines}, [line for _, line in lines])
    (points,) = series_of([history], records).values()
    return points


def weekly(*costs: Mapping[str, float | None]) -> list[tuple[RunLine, EntryLine]]:
    return [(run, a_line(run, each)) for run, each in ((a_run(week), each) for week, each in enumerate(costs))]


def ratios(points: Sequence[Point], cell: str = HELLO) -> list[float]:
    return [exp(point.levels[cell]) for point in points]


def test_runs_are_in_the_order_of_time() -> None:
    lines = weekly({HELLO: 1.0}, {HELLO: 1.1}, {HELLO: 1.2})
    assert ratios(the_series(lines[::-1])) == pytest.approx([1.0, 1.1, 1.2])


CHANGES = [a_record(STARLETTE, number=5), a_record(STARLETTE, number=6)]
"""From the fourth commit to the fifth, and from there to the sixth."""


@pytest.mark.parametrize(
    ("commit", "week", "count", "what"),
    [
        (a_commit(5), 0, 1, "the commit after a change has it, although the clock says that it came first"),
        (a_commit(4), 9, 0, "the commit before a change does not have it, although it was measured later"),
        (a_commit(5), 9, 1, "the commit between two changes has one of them"),
        (a_commit(6), 0, 2, "the commit after both has both"),
        (a_commit(99), 4, 0, "by the clock, another commit is before both"),
        (a_commit(99), 5, 1, "by the clock, another commit is between both"),
        (None, 6, 2, "by the clock, a run of an unknown commit is after both"),
    ],
)
def test_the_commit_of_a_run_says_which_changes_it_has(commit: str | None, week: int, count: int, what: str) -> None:
    assert effective(a_run(week, commit=commit), CHANGES) == CHANGES[:count], what


def test_what_records_claim_is_subtracted_from_each_cell() -> None:
    record = a_record(STARLETTE, number=1, together=None, cells={HELLO: a_cost(1.2), TYPED: a_cost(1.002)})
    points = the_series(weekly({HELLO: 1.0, TYPED: 1.0}, {HELLO: 1.2, TYPED: 1.002}), [record])
    assert ratios(points) == pytest.approx([1.0, 1.0])
    assert ratios(points, TYPED) == pytest.approx([1.0, 1.002])


def test_a_baseline_that_became_faster_is_added_again() -> None:
    record = a_record(FALCON, ratio=0.8, number=1)
    assert ratios(the_series(weekly({HELLO: 1.0}, {HELLO: 1.25}), [record])) == pytest.approx([1.0, 1.0])


def test_the_cell_of_the_baseline_is_that_of_its_variant() -> None:
    record = a_record(FALCON, number=1, together=None, cells={"issue-tracker/sprint/msgspec": a_cost(0.8)})
    lines = []
    for week, cost in enumerate((1.0, 1.25)):
        run = a_run(week)
        line = a_line(run, {TYPED: cost})
        cell = line.cells[TYPED]
        assert isinstance(cell, CellFigures)
        lines.append((run, line.model_copy(update={"cells": {TYPED: cell._replace(baseline_variant="msgspec")}})))
    assert ratios(the_series(lines, [record]), TYPED) == pytest.approx([1.0, 1.0])


def test_levels_against_another_variant_of_the_baseline_are_left_out() -> None:
    *before, (run, line) = weekly({HELLO: 1.0, TYPED: 1.0}, {HELLO: 1.0, TYPED: 2.0})
    cell = line.cells[TYPED]
    assert isinstance(cell, CellFigures)
    line = line.model_copy(update={"cells": line.cells | {TYPED: cell._replace(baseline_variant="msgspec")}})
    first, second = the_series([*before, (run, line)])
    assert set(first.levels) == {HELLO}
    assert set(second.levels) == {HELLO, TYPED}


@pytest.mark.parametrize(
    ("changes", "left"),
    [({"profile": PROFILE, "machine": MACHINE}, 1.0), ({"machine": "another"}, 1.1), ({"profile": "full"}, 1.1)],
)
def test_a_drift_explains_figures_of_its_own_machine_and_profile(changes: dict[str, str], left: float) -> None:
    drift = a_record(STARLETTE, ratio=1.1, number=1, kind=Kind.DRIFT, **changes)
    assert ratios(the_series(weekly({HELLO: 1.0}, {HELLO: 1.1}), [drift])) == pytest.approx([1.0, left])


@pytest.mark.parametrize("change", [{"files": "b" * 12}, {"baseline": "python/flask"}])
def test_another_baseline_and_code_that_was_not_compared_begin_a_new_series(change: dict[str, str]) -> None:
    run = a_run(1)
    assert len(the_series([*weekly({HELLO: 1.0}), (run, a_line(run, {HELLO: 1.3}, **change))])) == 1


def test_another_harness_begins_a_new_series() -> None:
    run = a_run(1, harness="ba9876543210")
    assert len(the_series([*weekly({HELLO: 1.0}), (run, a_line(run, {HELLO: 1.3}))])) == 1


def test_code_that_was_compared_goes_on() -> None:
    run = a_run(1)
    lines = [*weekly({HELLO: 1.0}), (run, a_line(run, {HELLO: 1.06}, files="b" * 12))]
    assert ratios(the_series(lines, [a_record(STARLETTE, number=1)])) == pytest.approx([1.0, 1.0])


def test_a_late_run_of_older_code_ends_no_series() -> None:
    """A run of a bump may overtake a weekly run that began before it."""
    files = ["a", "b", "a", "b"]
    lines = [(run, a_line(run, {HELLO: 1.0}, files=files[week] * 12)) for week, run in enumerate(map(a_run, range(4)))]
    assert len(the_series(lines, [a_record(STARLETTE, ratio=1.0, number=1)])) == 4


def test_a_run_without_relative_costs_is_no_point_and_ends_no_series() -> None:
    run = a_run(1)
    first, last = weekly({HELLO: 1.0}, {HELLO: 1.0}, {HELLO: 1.0})[::2]
    assert len(the_series([first, (run, a_line(run, {HELLO: None}, baseline=None)), last])) == 2


def test_an_entry_without_relative_costs_has_no_series() -> None:
    run = a_run(0)
    assert series_of([History({run.run: run}, [a_line(run, {HELLO: None}, baseline=None)])], []) == {}


def test_a_new_cell_does_not_shift_the_mean() -> None:
    points = the_series(weekly(*[{HELLO: 1.0}] * 8, *[{HELLO: 1.0, TYPED: 2.0}] * 2))
    assert means(points, 2) == pytest.approx([0.0] * 10)


def test_a_run_that_lacks_a_cell_is_left_out() -> None:
    both: dict[str, float | None] = {HELLO: 1.0, TYPED: 4.0}
    points = the_series(weekly(*[both] * 7, {HELLO: 1.0}, both, both))
    assert [exp(level) for level in means(points, 2)] == pytest.approx([2.0] * 9)


def test_newest_runs_without_a_common_cell_have_no_mean() -> None:
    points = the_series(weekly(*[{HELLO: 1.0, TYPED: 1.0}] * 8, {HELLO: 1.0}, {TYPED: 1.0}))
    assert means(points, 2) == []
    assert means(points[:2], 2) == []
