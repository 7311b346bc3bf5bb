"""Figures without a spread: counts of ticks, a single figure, or two that are equal. They claim no difference.

A warning of a library is an error here, because it would reach the terminal.
"""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from restbench.board.build import best_and_worst
from restbench.catalog import CellKey
from restbench.changes.evidence import Seen, findings, worth_a_second_look
from restbench.measure import gate
from restbench.measure.outcome import drift
from restbench.measure.warm_up import Warmed, Warmth
from restbench.results.figures import earlier_cost, figures_of
from restbench.results.models import CellResult
from restbench.results.rounds import Use
from restbench.site.points import Point, Trend, events_of
from restbench.stats.intervals import Kind, median_interval, quiet_sample, ratio_of_costs
from tests.made.records import FALCON, START, a_cell, a_run, around, baseline, solo
from tests.made.small import small_board

pytestmark = pytest.mark.filterwarnings("error")

SAMPLES = [[100.0], [100.0] * 2, [100.0] * 3, [100.0] * 10]
LARGER = 1.2


def larger(sample: Sequence[float]) -> list[float]:
    return [LARGER * each for each in sample]


@pytest.mark.parametrize("sample", SAMPLES)
def test_the_ratio_of_two_costs_has_no_interval(sample: list[float]) -> None:
    found = ratio_of_costs(quiet_sample(larger(sample)), quiet_sample(sample)).interval()
    assert found.middle == pytest.approx(LARGER)
    assert (found.low, found.high, found.kind) == (found.middle, found.middle, Kind.SINGLE)
    noisy = ratio_of_costs(quiet_sample(around(120, 10)), quiet_sample(sample)).interval()
    assert noisy.kind is (Kind.INTERVAL if len(sample) > 2 else Kind.SINGLE)


@pytest.mark.parametrize("sample", SAMPLES)
def test_a_median_is_given_as_it_is(sample: list[float]) -> None:
    found = median_interval(sample)
    assert (found.low, found.middle, found.high) == (100.0, 100.0, 100.0)


@pytest.mark.parametrize("factor", [1.06, 1.3, 5.0])
@pytest.mark.parametrize("count", range(1, 16))
def test_no_drift_is_seen(count: int, factor: float) -> None:
    assert drift([100.0] * count + [100.0 * factor] * count) is None
    assert drift([0.0] * count + [100.0 * factor] * count) is None


def cell(costs: Sequence[float], base: Sequence[float]) -> CellResult:
    return a_cell(solo=solo([1e6 / each for each in costs], cpu_us=list(costs)), baseline=baseline(list(base)))


@pytest.mark.parametrize("sample", SAMPLES)
def test_no_row_of_a_table_is_called_faster(sample: list[float]) -> None:
    board = small_board(falcon=cell(sample, sample), fastapi=cell(larger(sample), sample))
    (table,) = [table for suite in board.sections[0].suites for table in suite.tables if table.measured]
    assert [row.entry.id for row in table.rows] == [FALCON, "python/fastapi"]
    assert not table.certain
    assert {row.group for row in table.rows} == {1}
    assert not any(chain.certain for chain in table.chains)


@pytest.mark.parametrize("sample", SAMPLES)
def test_no_total_is_called_best_or_worst(sample: list[float]) -> None:
    assert best_and_worst([sample, larger(sample), larger(larger(sample))]) == [None] * 3


@pytest.mark.parametrize("sample", SAMPLES)
def test_what_later_runs_and_pages_keep_is_finite(sample: list[float]) -> None:
    seen = cell(larger(sample), sample)
    cost, figures = earlier_cost("python/fastapi", seen, a_run()), figures_of("python/fastapi", seen)
    assert cost
    assert cost.variance == 0
    assert figures


@pytest.mark.parametrize("rounds", [1, 2, 9])
@pytest.mark.parametrize("starts", [1, 2, 6])
def test_starts_that_are_all_alike_keep_the_usual_error(starts: int, rounds: int) -> None:
    """Programs that do not differ and one whose every round is 0.9 % slower, which is below what is claimed."""
    cells = {CellKey("hello", name, None): [[ratio] * rounds] * starts for name, ratio in (("a", 1.0), ("b", 1.009))}
    claimed = worth_a_second_look(cells)
    assert not claimed
    assert all(found.standing is Seen.NOT_SEEN for found in findings(cells, claimed, cells).values())


def test_a_step_needs_intervals() -> None:
    def steps(width: float) -> list[str]:
        points = [
            Point(START + timedelta(days=n), middle, middle * (1 - width), middle * (1 + width), "1.0", None)
            for n, middle in enumerate((1.0, 1.5))
        ]
        return [event.what for event in events_of(Trend("a cell", "relative cost", points, relative=True), [])]

    assert steps(0.0) == []
    assert steps(0.01) == ["a step of +50.0 %; no comparison explains the step"]


@pytest.mark.parametrize("costs", [[0.0] * 4, [0.0, 0.0, 0.01, 0.01], [0.01] * 4])
def test_a_warm_up_counts_what_it_can(costs: list[float]) -> None:
    rule = pytest.importorskip("restbench.catalog.manifests").WarmUp(window=4)
    warmth = Warmth(rule, [Warmed(1.0, cost, 100.0) for cost in costs])
    assert warmth.is_steady() == (len(set(costs)) == 1)


def test_a_round_without_cpu_time_does_not_count() -> None:
    assert gate.uncounted(0.0) == gate.uncounted(95.0, 0.0) == ["no CPU time of the app was counted"]
    assert gate.uncounted(95.0, 94.0) == []


def test_a_throttled_round_has_no_limit_and_its_own_reason() -> None:
    idle = Use(app_idle=0.6, contention=0.0, throttled=2)
    reasons = gate.reasons_against_duet({}, (5000, 5000), 0.5, idle)
    assert reasons == [gate.THROTTLED]
