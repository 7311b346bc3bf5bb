"""One task under several conditions: one table of totals."""

from dataclasses import replace

from restbench.board import Board, Matrix, Table, build_board
from restbench.board.matrices import best_and_worst
from restbench.catalog import load_catalog
from restbench.columns import matrix_grid, table_grid
from restbench.readme import render_readme
from restbench.repository import find_repository
from restbench.results.models import CellResult, Failure, Limit
from restbench.stats.estimate import estimate
from tests.unit.records import a_cell, a_round, an_entry

CATALOG = load_catalog(find_repository())
NEAR, FAR = "queue-0ms-all-near", "queue-0ms-all-far"


def batch(seconds: float, scenario: str = NEAR, **changes: object) -> CellResult:
    """A cell of the queue whose four rounds took about that long."""
    rounds = [
        a_round(i, 2000 / seconds, requests=2000, seconds=seconds * (1 + i / 100), fixed_rate=None, **changes)
        for i in range(4)
    ]
    return a_cell(scenario=scenario, suite="workload", variant=None, rounds=rounds)


def board_of(**cells: list[CellResult]) -> Board:
    return build_board(CATALOG, [an_entry(f"python/{name}", cells=mine) for name, mine in cells.items()])


def queue(board: Board) -> Matrix:
    (matrix,) = board.sections[0].suites[0].matrices
    return matrix


def test_best_and_worst_are_marked_where_intervals_can_tell() -> None:
    fast, same, slow = (estimate(v) for v in ([1.0, 1.1, 1.2], [1.1, 1.2, 1.3], [5.0, 5.1, 5.2]))
    assert best_and_worst([fast, same, slow]) == ["best", "best", "worst"]
    assert best_and_worst([fast, same]) == [None, None]
    assert best_and_worst([]) == []


def test_conditions_are_columns_and_entries_lines_by_the_first() -> None:
    matrix = queue(board_of(falcon=[batch(0.5)], starlette=[batch(0.2)]))
    assert matrix.columns == ["0 ms, all CPUs, near"]
    assert [line.row.title for line in matrix.lines] == ["Starlette", "Falcon"]
    assert [total.mark for line in matrix.lines for total in line.totals if total] == ["best", "worst"]


def test_a_deadlock_is_an_x_with_its_reason_and_comes_last() -> None:
    failure = Failure(check="batch", got="2000 requests were not all answered within 30 s")
    dead = a_cell(scenario=NEAR, suite="workload", variant=None, rounds=[], failure=failure)
    grid = matrix_grid(queue(board_of(falcon=[dead], starlette=[batch(0.2)])))
    assert [line.cells[1].text[:1] for line in grid.lines] == ["0", "x"]
    assert grid.notes == ["x: batch: 2000 requests were not all answered within 30 s"]


def test_what_no_one_could_run_is_a_note_and_no_column() -> None:
    far = a_cell(scenario=FAR, suite="workload", variant=None, rounds=[], not_run="this machine cannot delay a link")
    grid = matrix_grid(queue(board_of(falcon=[batch(0.5), far], starlette=[batch(0.2), far])))
    assert grid.headers == ["framework", "0 ms, all CPUs, near, s"]
    assert grid.notes == ["not run: 0 ms, all CPUs, far: this machine cannot delay a link"]


def test_a_total_that_waiting_limited_is_not_scaled_and_says_so() -> None:
    waiting = batch(0.6, limit=Limit.WAITING, pace=1.2)
    busy = batch(0.6, limit=Limit.APP, pace=1.2)
    matrix = queue(board_of(falcon=[waiting], starlette=[busy]))
    medians = [t.seconds.median for line in matrix.lines for t in line.totals if t and t.seconds]
    assert medians[0] < 0.52 < 0.6 < medians[1]
    assert matrix_grid(matrix).notes[0].startswith("limited by the waiting that the scenario asks for")


def test_a_batch_that_is_no_column_has_its_total_and_overhead_in_its_table() -> None:
    rounds = [a_round(i, 17.0 + i / 10, seconds=1.4, overhead_ms=1.5 + i / 10, fixed_rate=None) for i in range(4)]
    cell = a_cell(scenario="bcrypt", suite="workload", variant=None, rounds=rounds)
    (table,) = board_of(falcon=[cell]).sections[0].suites[0].tables
    grid = table_grid(table)
    assert {"total, s", "overhead, ms"} <= set(grid.headers)
    assert "total, s" not in table_grid(hello()).headers


def hello() -> Table:
    return board_of(falcon=[a_cell()]).sections[0].suites[0].tables[0]


def test_variants_with_a_schema_compete_among_themselves() -> None:
    def cell(variant: str, throughput: float) -> CellResult:
        rounds = [a_round(i, throughput + i) for i in range(4)]
        return a_cell(scenario="sprint", variant=variant, rounds=rounds)

    board = board_of(falcon=[cell("raw", 900), cell("msgspec", 500)], fastapi=[cell("raw", 800), cell("pydantic", 400)])
    tables = {table.title: table.rows for table in board.sections[0].suites[0].tables}
    ranks = {title: [(row.title, row.rank) for row in rows] for title, rows in tables.items()}
    assert ranks == {
        "Sprint with 100 issues, without schema": [("Falcon", 1), ("FastAPI", 2)],
        "Sprint with 100 issues, with schema": [("Falcon", 1), ("FastAPI", 2)],
    }


def test_the_readme_has_the_matrix_and_what_machines_are_used_for() -> None:
    board = board_of(falcon=[batch(0.5)], starlette=[batch(0.2)])
    text = render_readme(board, replace(CATALOG))
    assert "| framework | 0 ms, all CPUs, near, s |" in text
    assert "#### Memory, start and idle" in text
