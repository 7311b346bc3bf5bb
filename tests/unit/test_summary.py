"""The summary: its order has a key that is shown, and no framework's place depends on who else takes part in what."""

from dataclasses import replace
from random import Random

import pytest

from restbench.board import Board, Table, build_board
from restbench.board.summary import Leading, Summary, build_summary, leading_groups
from restbench.results.models import EntryResult
from tests.made.boards import COSTS, NGINX, long_row, long_table
from tests.made.records import a_run
from tests.made.results import made_result
from tests.made.small import small_catalog

CATALOG = small_catalog()
PLACES = ["issue-tracker/sprint-schema", "issue-tracker/sprint-raw", "hello/hello_world"]
SANIC = "python/sanic"
RUN = a_run()


def result(entry: str, cost: float | None = None, suites: tuple[str, ...] = ()) -> EntryResult:
    """What a run finds of an entry. `cost`: CPU µs of a request of Hello World. `suites`: all by default."""
    costs = COSTS | ({entry: cost} if cost else {})
    found = made_result(CATALOG, CATALOG.entries[entry], RUN, costs, Random(entry))
    return found.model_copy(update={"cells": [cell for cell in found.cells if not suites or cell.suite in suites]})


RESULTS = [result(entry) for entry in COSTS if entry != NGINX]


def board(*more: EntryResult, results: list[EntryResult] = RESULTS) -> Board:
    return build_board(CATALOG, [*results, *more])


def summary(shown: Board) -> Summary:
    return build_summary(shown.sections[0], PLACES)


def order(shown: Board) -> list[str]:
    return [line.row.entry.id for line in summary(shown).lines]


def tables(shown: Board) -> dict[str, Table]:
    return {f"{suite.name}/{t.name}": t for section in shown.sections for suite in section.suites for t in suite.tables}


def groups(shown: Board) -> dict[tuple[str, object], int | None]:
    return {(name, row.key): row.group for name, table in tables(shown).items() for row in table.rows}


def test_the_order_is_that_of_the_first_column_then_of_the_next() -> None:
    shown = board(result(SANIC, 20.0, ("hello",)))
    first = [row.entry.id for row in tables(shown)[PLACES[0]].rows]
    known = list(dict.fromkeys(first))
    later = [row.entry.id for place in PLACES[1:] for row in tables(shown)[place].rows]
    assert order(shown) == list(dict.fromkeys([*known, *later]))


@pytest.mark.parametrize("cost", [1.0, 100.0, 1e4])
@pytest.mark.parametrize("suite", ["hello", "solr"])
def test_an_entry_that_takes_part_in_only_one_suite_moves_no_other(suite: str, cost: float) -> None:
    before = order(board())
    after = order(board(result(SANIC, cost, (suite,))))
    assert [entry for entry in after if entry != SANIC] == before


def test_two_variants_that_are_each_best_somewhere_are_named_where_they_are() -> None:
    """The best variant of one table says nothing about another one."""
    falcon = CATALOG.entries["python/falcon"]
    (line,) = [line for line in summary(board()).lines if line.row.entry == falcon]
    assert [row and row.cell.variant for row in line.best] == ["msgspec", "raw", None]


def test_groups_of_the_summary_are_those_among_the_rows_that_it_shows() -> None:
    shown = board()
    for number, place in enumerate(PLACES):
        best = [line.best[number] for line in summary(shown).lines]
        found = sorted(row.group for row in best if row and row.group)
        assert found[0] == 1, "groups begin with the first row that is shown"
        assert set(found) == set(range(1, found[-1] + 1)), place


def test_the_same_results_in_another_order_give_the_same_rows_and_groups() -> None:
    shuffled = Random(1).sample(RESULTS, len(RESULTS))
    assert groups(board(results=shuffled)) == groups(board())
    assert order(board(results=shuffled)) == order(board())


def test_a_row_that_joins_at_the_end_of_a_table_leaves_clear_groups_as_they_were() -> None:
    """More comparisons share the level, so only what was hardly certain may change."""
    before, after = groups(board()), groups(board(result(SANIC, 1e5)))
    hello = {place: group for place, group in before.items() if place[0] == PLACES[2]}
    assert {place: after[place] for place in hello} == hello


def test_a_summary_without_its_tables_is_empty() -> None:
    assert build_summary(board().sections[0], ["solr/nothing"]).lines == []


@pytest.mark.parametrize("most", [1, 2, 100])
def test_the_leading_groups_and_the_rest_are_all_frameworks_that_are_compared(most: int) -> None:
    for name, table in tables(board()).items():
        compared = {row.entry.id for row in table.rows if row.compared}
        found = leading_groups(table, most)
        shown = [row for group in found.groups for row in group]
        assert len(shown) == len({row.entry.id for row in shown}), name
        assert len(shown) + found.rest_rows == len(compared), name
        assert [{row.group for row in group} for group in found.groups] == [
            {number} for number in range(1, len(found.groups) + 1)
        ], name
        assert bool(found.rest_groups) == bool(found.rest_rows), name


def test_a_row_that_is_not_compared_is_in_no_leading_group() -> None:
    rows = [long_row(0), replace(long_row(1), estimate=None, group=None), long_row(2)]
    found = leading_groups(replace(long_table(0), rows=rows))
    assert [row.title for group in found.groups for row in group] == [rows[0].title, rows[2].title]


def test_nothing_leads_where_nothing_is_compared_or_linked() -> None:
    assert leading_groups(long_table(0)) == Leading([])
    rows = [replace(row, group=None) for row in long_table(3).rows]
    assert leading_groups(replace(long_table(0), rows=rows, linked=False)) == Leading([])
