"""Results → what is shown: ranks, ties, limits, failures, settings."""

from datetime import timedelta

from restbench.board import Board, Table, build_board
from restbench.catalog import load_catalog
from restbench.repository import find_repository
from restbench.results.models import CellResult, EntryResult, Limit
from restbench.stats.figures import figures_of
from tests.unit.records import START, a_cell, a_failed_cell, a_round, a_run, an_entry

CATALOG = load_catalog(find_repository())


def hello(board: Board, section: int = 0) -> Table:
    return board.sections[section].suites[0].tables[0]


def at(throughput: float, spread: float = 0.01, **changes: object) -> CellResult:
    """A cell whose five rounds lie evenly around a throughput."""
    return a_cell(rounds=[a_round(i, throughput * (1 + spread * (i - 2)), **changes) for i in range(5)])


def board_of(**cells: CellResult) -> Board:
    return build_board(CATALOG, [an_entry(f"python/{name}", cells=[cell]) for name, cell in cells.items()])


def test_rows_are_ranked_by_median_and_overlapping_ones_tie() -> None:
    table = hello(board_of(falcon=at(10_000), starlette=at(10_100), fastapi=at(5_000)))
    assert [(row.title, row.rank) for row in table.rows] == [("Starlette", 1), ("Falcon", 1), ("FastAPI", 3)]
    assert [round(row.percent_of_best or 0) for row in table.rows] == [100, 99, 50]
    assert [round(row.times_slowest or 0, 2) for row in table.rows] == [2.02, 2.0, 1.0]


def test_only_what_the_app_limited_ranks_and_is_compared_with() -> None:
    table = hello(
        board_of(falcon=at(10_000), starlette=at(90_000, limit=Limit.LOAD_GENERATOR), fastapi=a_failed_cell())
    )
    assert [(row.title, row.rank) for row in table.rows] == [("Falcon", 1), ("Starlette", None), ("FastAPI", None)]
    assert table.rows[0].percent_of_best == 100
    assert table.rows[1].limit == Limit.LOAD_GENERATOR
    assert table.rows[2].failure == "answer: GET /hello_world: expected Hello World, got 200 text/plain: Hi"


def test_refused_rounds_do_not_count_and_it_is_said() -> None:
    slow = [a_round(i, 5_000, invalid=["others took 30% of the app's CPUs"]) for i in range(2)]
    cell = a_cell(rounds=[*slow, *(a_round(i, 10_000 + i) for i in range(2, 5))])
    figures = figures_of(cell)
    assert figures.throughput.median == 10_003
    assert figures.remark == "2 of 5 rounds left out: others took 30% of the app's CPUs"


def test_rounds_on_slow_cpus_count_only_where_others_are_too_few_and_it_is_said() -> None:
    slow = [a_round(i, 5_000, pace=1.9, slow=True) for i in range(3)]
    enough = figures_of(a_cell(rounds=[*slow, a_round(3, 9_000), a_round(4, 9_100)]))
    assert (enough.throughput.median, len(enough.counted)) == (9_050, 2)
    assert enough.remark == "3 of 5 rounds left out: the app's CPUs ran slower than they can"
    too_few = figures_of(a_cell(rounds=[*slow, a_round(3, 9_000)]))
    assert (too_few.throughput.median, len(too_few.counted)) == (9_500, 4)
    assert too_few.remark == "3 rounds scaled, as the CPUs ran up to 1.9 times slower than they can"


def test_rounds_in_which_neither_side_was_busy_count_only_alone() -> None:
    idle = [a_round(i, 5_000, limit=Limit.NOISE) for i in range(3)]
    assert figures_of(a_cell(rounds=[*idle, a_round(3, 9_000), a_round(4, 9_100)])).limit == Limit.APP
    assert figures_of(a_cell(rounds=idle)).limit == Limit.NOISE


def test_without_a_valid_round_there_is_only_noise() -> None:
    cell = a_cell(rounds=[a_round(i, 5_000, invalid=["errors: 1 × read"]) for i in range(5)])
    row = hello(board_of(falcon=cell)).rows[0]
    assert (row.limit, row.rank, row.remark) == (Limit.NOISE, None, "no valid round: errors: 1 × read")


def test_one_round_of_several_has_no_interval_and_no_rank() -> None:
    refused = [a_round(i, 5_000, invalid=["errors: 1 × read"]) for i in range(4)]
    assert hello(board_of(falcon=a_cell(rounds=[*refused, a_round(4, 9_000)]))).rows[0].rank is None
    assert hello(board_of(falcon=a_cell(rounds=[a_round(0, 9_000)]))).rows[0].rank == 1


def test_settings_never_share_a_table_and_the_newest_comes_first() -> None:
    docker = a_run("docker", START + timedelta(days=1), target="docker")
    results: list[EntryResult] = [an_entry("python/falcon"), an_entry("python/starlette", run=docker)]
    board = build_board(CATALOG, results)
    assert [section.setting.target for section in board.sections] == ["docker", "native"]
    assert [len(hello(board, i).rows) for i in range(2)] == [1, 1]


def test_a_failed_cell_shows_when_it_was_last_good() -> None:
    row = hello(board_of(falcon=a_failed_cell(last_good=START))).rows[0]
    assert row.failure is not None
    assert row.failure.endswith("(last good: 2026-03-01)")


def test_an_entry_that_left_the_catalogue_leaves_the_board() -> None:
    assert build_board(CATALOG, [an_entry("python/gone")]).sections == []


def test_facts_come_from_the_run_that_most_cells_come_from() -> None:
    whole = a_run("whole", START, memory_peak_bytes=90_000_000)
    partial = a_run("partial", START + timedelta(days=1), memory_peak_bytes=40_000_000)
    cells = [a_cell(whole, "sprint"), a_cell(whole, "userinfo"), a_cell(partial)]
    result = EntryResult(entry="python/falcon", runs={"whole": whole, "partial": partial}, cells=cells)
    (facts,) = build_board(CATALOG, [result]).sections[0].facts
    assert facts.memory_peak_bytes == 90_000_000
