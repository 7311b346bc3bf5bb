"""Marks and totals in place of figures, and what is said of a backend."""

from random import Random

from restbench.board import Board, Matrix, build_board
from restbench.board.matrices import best_and_worst
from restbench.render.columns import features_grid, matrix_grid
from restbench.render.markdown_pages import render_pages
from restbench.results.models import Ceiling, CellResult, Failure, Limit, SoloRounds
from tests.made.records import a_cell, a_run, an_entry, around, solo
from tests.made.small import small_board, small_catalog

CATALOG = small_catalog()
FEATURES = CATALOG.suites["solr"].scenario("validation").features


def checked(*missing: str, variant: str = "pydantic", **changes: object) -> CellResult:
    features = {name: name not in missing for name in FEATURES}
    fields: dict[str, object] = {
        "scenario": "validation",
        "suite": "solr",
        "variant": variant,
        "solo": SoloRounds(),
        "features": features,
    }
    return a_cell(**{**fields, **changes})  # type: ignore[arg-type]


def test_a_feature_by_hand_counts_less_than_one_by_the_framework() -> None:
    assert CATALOG.entries["python/fastapi"].documented("solr").by_hand == ["repeated"]
    board = small_board(fastapi=checked(), falcon=checked(variant="msgspec"), sanic=checked("huge", "text"))
    (table,) = board.sections[0].suites[0].feature_tables
    grid = features_grid(table)
    assert grid.headers == ["framework", "variant", "by the framework", *FEATURES]
    assert [[cell.text for cell in line.cells] for line in grid.lines] == [
        ["Falcon", "msgspec", "5 of 5", "✓", "✓", "✓", "✓", "✓"],
        ["FastAPI", "pydantic", "4 of 5", "✓", "✓", "✓", "✓", "by hand"],
        ["Sanic", "pydantic", "3 of 5", "✓", "–", "✓", "–", "✓"],
    ]


def test_an_entry_without_a_document_has_none_of_its_features() -> None:
    scenario = CATALOG.suites["solr"].scenario("openapi")
    bare = checked(variant="msgspec", scenario="openapi", features=dict.fromkeys(scenario.features, False))
    (table,) = small_board(falcon=bare).sections[0].suites[0].feature_tables
    (line,) = features_grid(table).lines
    assert [cell.text for cell in line.cells] == ["Falcon", "msgspec", "none", *["–"] * len(scenario.features)]


def test_who_could_not_be_asked_says_why_and_comes_last() -> None:
    failure = Failure(check="rejects-text", got="200")
    cells = {
        "fastapi": checked(features={}, not_run="java is missing: install it"),
        "falcon": checked(variant="msgspec", features={}, failure=Failure(check="start", got="it did not come up")),
        "sanic": checked("text", failure=failure),
    }
    (table,) = small_board(**cells).sections[0].suites[0].feature_tables
    grid = features_grid(table)
    assert [line.cells[2].text for line in grid.lines] == ["4 of 5", "failed", "not run"]
    assert [line.cells[2].note for line in grid.lines] == [1, 2, 3]
    assert grid.notes == [
        "failed: rejects-text: 200",
        "failed: start: it did not come up",
        "not run: java is missing: install it",
    ]


def test_pages_have_ceilings_and_feature_checks() -> None:
    ceiling = Ceiling(
        backend="solr",
        versions="Solr 9.10.1, Varnish 7.1.1",
        cached=20_000,
        uncached=400,
        start_seconds=7.93,
        memory_bytes=331_000_000,
    )
    measured = a_cell(scenario="json_serialization", suite="solr", variant="pydantic")
    entry = an_entry("python/fastapi", run=a_run(ceiling=ceiling), cells=[measured, checked(), a_cell()])
    text = "\n".join(render_pages(build_board(CATALOG, [entry]), CATALOG).values())
    assert text.count("Ceiling: without an app") == 1  # hello needs no backend
    assert "20,000 requests per second. Solr without the cache gives 400;" in text
    assert "in each run the cache gave at least 50 times as many." in text
    assert "Solr 9.10.1, Varnish 7.1.1: filled and answering correctly 7.9 s after their start" in text
    assert "together they use 331 MB of resident memory." in text
    assert "| 4\u00a0of\u00a05 | ✓ | ✓ | ✓ | ✓ | by hand |" in text
    assert "no round was finished" not in text


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
    assert best_and_worst([[1.0], [1.5]]) == [None, None], "single rounds tell only the greatest differences"
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
