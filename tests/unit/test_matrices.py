"""One task under several conditions: one table of totals."""

from random import Random

from restbench.board import Board, Matrix
from restbench.board.build import best_and_worst
from restbench.render.markdown_pages import render_pages
from restbench.render.tables import matrix_grid
from restbench.results.models import CellResult, Failure, Limit, SoloRounds
from tests.made.records import a_cell, around, solo
from tests.made.small import small_board, small_catalog
from tests.unit.conftest import Golden
from tests.unit.grids import cases_text

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


def test_matrices(golden: Golden) -> None:
    dead = without_rounds(NEAR, failure=Failure(check="batch", got="2000 requests were not all answered within 30 s"))
    far = without_rounds(FAR, not_run="this machine cannot delay a link")
    boards = {
        "an interval and a range": small_board(falcon=[batch(0.5)], starlette=[batch(0.2, rounds=3)]),
        "a deadlock": small_board(falcon=[dead], starlette=[batch(0.2)]),
        "what no one could run": small_board(falcon=[batch(0.5), far], starlette=[batch(0.2), far]),
        "waiting": small_board(falcon=[batch(0.6, limit=Limit.WAITING)], starlette=[batch(0.5)]),
    }
    golden(cases_text((title, matrix_grid(queue(board))) for title, board in boards.items()))


def test_pages_have_the_matrix() -> None:
    pages = render_pages(small_board(falcon=[batch(0.5)], starlette=[batch(0.2)]), CATALOG)
    assert "| framework | 0 ms, all CPUs, near, s |" in pages["workload.md"]
