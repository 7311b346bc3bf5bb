"""One task under several conditions: one table of totals."""

from random import Random

from restbench.board import Board, Matrix
from restbench.board.matrices import best_and_worst
from restbench.render.columns import matrix_grid
from restbench.render.markdown_pages import render_pages
from restbench.results.models import CellResult, Failure, Limit, SoloRounds
from tests.made.records import a_cell, around, solo
from tests.made.small import small_board, small_catalog

CATALOG = small_catalog()
NEAR, FAR = "queue-0ms-all-near", "queue-0ms-all-far"


def batch(seconds: float, scenario: str = NEAR, rounds: int = 7, limit: Limit = Limit.APP) -> CellResult:
    """A cell of the queue whose rounds took about that long."""
    took = around(seconds, rounds)
    columns = solo([2000 / each for each in took], limit, seconds=took)
    return a_cell(scenario=scenario, suite="workload", variant=None, solo=columns)


def without_rounds(scenario: str, **changes: object) -> CellResult:
    fields = {"scenario": scenario, "suite": "workload", "variant": None, "solo": SoloRounds()}
    return a_cell(**{**fields, **changes})  # type: ignore[arg-type]


def queue(board: Board) -> Matrix:
    (matrix,) = board.sections[0].suites[0].matrices
    return matrix


def test_best_and_worst_are_marked_where_rounds_can_tell() -> None:
    fast, same, slow = around(1.0), around(1.005), around(5.0)
    assert best_and_worst([fast, same, slow]) == ["best", "best", "worst"]
    assert best_and_worst([fast, same]) == [None, None]
    assert best_and_worst([]) == []


def test_single_rounds_mark_nothing_but_the_greatest_differences() -> None:
    assert best_and_worst([[1.0], [1.5]]) == [None, None]
    assert best_and_worst([[1.0], [50.0]]) == ["best", "worst"]


def test_a_column_of_equal_totals_is_rarely_marked() -> None:
    random = Random(3)
    columns = [[[random.lognormvariate(0, 0.1) for _ in range(7)] for _ in range(10)] for _ in range(100)]
    assert sum(any(best_and_worst(column)) for column in columns) <= 10


def test_conditions_are_columns_and_entries_lines_by_the_first() -> None:
    matrix = queue(small_board(falcon=[batch(0.5)], starlette=[batch(0.2)]))
    assert matrix.columns == ["0 ms, all CPUs, near"]
    assert [line.row.title for line in matrix.lines] == ["Starlette", "Falcon"]
    assert [total.mark for line in matrix.lines for total in line.totals if total] == ["best", "worst"]


def test_a_total_has_its_interval_or_says_that_it_is_a_range() -> None:
    grid = matrix_grid(queue(small_board(falcon=[batch(0.5)], starlette=[batch(0.2, rounds=3)])))
    assert [line.cells[1].text for line in grid.lines] == ["0.200 (range 0.198–0.202)", "0.500 (0.485–0.515)"]


def test_a_deadlock_is_an_x_with_its_reason_and_comes_last() -> None:
    failure = Failure(check="batch", got="2000 requests were not all answered within 30 s")
    dead = without_rounds(NEAR, failure=failure)
    grid = matrix_grid(queue(small_board(falcon=[dead], starlette=[batch(0.2)])))
    assert [line.cells[1].text[:1] for line in grid.lines] == ["0", "x"]
    assert grid.notes == ["x: batch: 2000 requests were not all answered within 30 s"]


def test_what_no_one_could_run_is_a_note_and_no_column() -> None:
    far = without_rounds(FAR, not_run="this machine cannot delay a link")
    grid = matrix_grid(queue(small_board(falcon=[batch(0.5), far], starlette=[batch(0.2), far])))
    assert grid.headers == ["framework", "0 ms, all CPUs, near, s"]
    assert grid.notes == ["not run: 0 ms, all CPUs, far: this machine cannot delay a link"]


def test_a_total_that_waiting_limited_says_so() -> None:
    matrix = queue(small_board(falcon=[batch(0.6, limit=Limit.WAITING)], starlette=[batch(0.5)]))
    grid = matrix_grid(matrix)
    assert [line.cells[1].note for line in grid.lines] == [None, 1]
    assert grid.notes == ["limited by the waiting that the scenario asks for: no app could be much faster"]


def test_pages_have_the_matrix_and_what_machines_are_used_for() -> None:
    text = "\n".join(render_pages(small_board(falcon=[batch(0.5)], starlette=[batch(0.2)]), CATALOG).values())
    assert "| framework | 0 ms, all CPUs, near, s |" in text
    assert "## Memory, start and idle" in text
