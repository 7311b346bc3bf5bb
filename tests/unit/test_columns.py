"""What tables of scenarios print."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from restbench.board import Table
from restbench.render.grid import Grid, Line, Text, split
from restbench.render.tables import page_grid, table_grid
from restbench.results.models import CellResult, Limit, RateKind
from tests.made.boards import long_table
from tests.made.records import a_cell, a_failed_cell, a_run, around, at_rate, beside, own_baseline, solo
from tests.made.small import table
from tests.unit.conftest import Golden
from tests.unit.grids import ALL, columns

LATENCY = [at_rate(RateKind.COMMON, 1000), at_rate(RateKind.HALF, 5000)]
ENOUGH, FEW = (at_rate(RateKind.COMMON, 1000, 1.05, requests=number) for number in (1000, 999))
FEWER = at_rate(RateKind.COMMON, 1000, 1.05, requests=99, refused={"errors: timeout": 1})
OTHER_RATE = at_rate(RateKind.COMMON, 500, 1.05)


def quick(**cells: CellResult) -> Table:
    """Cells with three solo rounds each, which support no 95 % interval."""
    few = {"solo": solo(around(10_000, 3))}
    return table(**{name: cell.model_copy(update=few) for name, cell in cells.items()})


def partly(*measured: bool, failed: int = 0) -> Table:
    """Rows with and without latencies."""
    cells = [a_cell(latency=[ENOUGH] if each else []) for each in measured] + [a_failed_cell()] * failed
    return table(**dict(zip(("falcon", "starlette", "fastapi", "sanic", "aiohttp"), cells, strict=False)))


def in_groups() -> Table:
    """A slower variant stands between the best rows of two frameworks."""
    rows = long_table(4, variants=2).rows
    certain = frozenset((one.key, other.key) for one in rows[:1] for other in rows[2:])
    return Table("create-task", "Create a task", "POST /task", rows, certain=certain)


def served() -> Table:
    found = table(falcon=a_cell(json_library="msgspec"))
    return replace(found, rows=[replace(row, run=a_run(server="gunicorn+uvicorn")) for row in found.rows])


def cases() -> Iterator[tuple[str, Table, tuple[str, ...]]]:
    """What is shown, a table, and what the columns begin with that show it."""
    baseline = own_baseline(latency=LATENCY)
    yield "all columns of a language", table(falcon=baseline, fastapi=beside(2.0, latency=LATENCY)), ALL
    some = table(
        falcon=own_baseline(),
        starlette=beside(1.001),
        fastapi=beside(2.0),
        sanic=beside(1.5, limit=Limit.WAITING),
        aiohttp=a_cell(),
    )
    yield "a row that is not compared has no group", some, ("group", "framework", "speed", "relative cost")
    yield "no relative costs without a baseline", table(falcon=a_cell(), fastapi=a_cell()), ALL
    limited = own_baseline(solo=solo(around(134_000, 3), Limit.LOAD_GENERATOR))
    yield "lower bounds", table(falcon=limited, fastapi=beside(20)), ("req/s",)
    yield "ranges alone", quick(falcon=a_cell(), fastapi=a_cell()), ("req/s",)
    mixed = table(falcon=a_cell(), fastapi=a_cell(solo=solo(around(5_000, 3))))
    yield "an interval and a range", mixed, ("req/s",)
    yield "one round", table(falcon=a_cell(solo=solo([10_000.0]))), ("req/s",)
    rates = table(falcon=a_cell(latency=[ENOUGH]), fastapi=a_cell(latency=[ENOUGH]), sanic=a_cell(latency=[OTHER_RATE]))
    yield "latency at a rate that is not the table's", rates, ("framework", "p50")
    slow = table(falcon=own_baseline(latency=[ENOUGH]), fastapi=beside(9.0))
    yield "an app that does not sustain the common rate", slow, ("p50",)
    few = table(
        falcon=own_baseline(latency=[ENOUGH]),
        starlette=beside(2.0, latency=[ENOUGH]),
        fastapi=beside(4.0, latency=[FEW]),
        sanic=beside(8.0, latency=[FEWER]),
    )
    yield "percentiles of too few requests", few, ("framework", "p50")
    lacked = table(falcon=own_baseline(latency=[FEW]), fastapi=beside(2.0, latency=[FEW]))
    yield "a percentile that most rows lack", lacked, ("p50",)
    yield "a column that most rows lack", partly(True, False, False), ("p50",)
    yield "a column that half of the rows lack", partly(True, False), ("p50",)
    yield "a column that failed rows lack", partly(True, True, failed=3), ("framework", "p50")
    yield "groups among the best of each framework", in_groups(), ("group", "framework")
    noted = table(
        falcon=a_cell(no_baseline="there is no baseline"),
        fastapi=a_cell(no_baseline="there is no baseline"),
        sanic=own_baseline("python/sanic", rounds=5, refused={"errors: read": 5}),
        java__jooby=a_cell(solo=solo(around(9_000), Limit.WAITING)),
    )
    yield "notes are shared where they read alike", noted, ("framework", "language", "bottleneck")
    nothing = table(
        falcon=a_cell(solo=solo([]), refused={"errors: read": 3}),
        fastapi=a_failed_cell(),
        starlette=a_cell(solo=solo([]), not_run="oha is missing"),
    )
    yield "rows without a figure", nothing, ("framework", "bottleneck")
    rounds = solo(around(17, 6), seconds=around(1.4, 6), overhead_ms=around(1.5, 6))
    batch = table(falcon=a_cell(scenario="bcrypt", suite="workload", variant=None, solo=rounds))
    yield "a batch", batch, ("total", "overhead")
    yield "the server and the JSON library", served(), ("server", "JSON")
    unlinked = replace(table(falcon=own_baseline(), fastapi=beside(2.0)), linked=False)
    yield "no shares where nothing links the languages", unlinked, ALL


def test_columns(golden: Golden) -> None:
    shown = ("\n".join([title, *columns(table_grid(each), begin), ""]) for title, each, begin in cases())
    golden("\n".join(shown))


def test_columns_of_pages(golden: Golden) -> None:
    shown = table(falcon=own_baseline(latency=LATENCY), java__jooby=a_cell(), fastapi=beside(2.0, latency=LATENCY))
    golden("\n".join([*columns(page_grid(shown)), "", *columns(page_grid(served())), ""]))


def test_rows_that_are_not_compared_are_muted() -> None:
    grid = table_grid(table(falcon=own_baseline(), fastapi=a_cell(no_baseline="there is no baseline")))
    assert [line.muted for line in grid.lines] == [False, True]


def bars(shown: Table, title: str) -> list[Text]:
    grid = table_grid(shown)
    return [line.cells[grid.headers.index(title)] for line in grid.lines]


def test_a_bar_is_the_share_of_the_first_rows_speed_with_its_interval_in_the_colour_of_the_language() -> None:
    shown = table(falcon=own_baseline(), fastapi=beside(2.0, solo=solo(around(4_000), cpu_us=around(200))))
    first, other = bars(shown, "speed, % of the first")
    assert (first.bar, first.bounds) == (1.0, None)
    share = shown.rows[1].share
    assert share
    assert (other.bar, other.bounds) == (share.middle, (share.low, share.high))
    assert {cell.colour for cell in (first, other)} == {row.entry.language.colour for row in shown.rows}
    assert [(cell.text, cell.bar) for cell in bars(shown, "requests per second")] == [("10,000", None), ("4,000", None)]


def test_where_nothing_links_the_languages_a_bar_is_the_throughput() -> None:
    shown = replace(table(falcon=own_baseline(), fastapi=beside(2.0)), linked=False)
    assert [cell.bar for cell in bars(shown, "requests per second")] == pytest.approx([1.0, 0.5], rel=1e-3)


@pytest.mark.parametrize("variants", [1, 3])
def test_no_bar_contradicts_the_order_of_its_rows(variants: int) -> None:
    drawn = [cell.bar or 0 for cell in bars(long_table(30, variants), "speed, % of the first")]
    assert drawn == sorted(drawn, reverse=True)


def test_a_wide_table_is_split_and_keeps_its_first_columns() -> None:
    wide = Grid(list("abcde"), [False] * 5, [Line([Text(each) for each in "12345"])], ["note"])
    first, second = split(wide, 3)
    assert (first.headers, second.headers) == (["a", "b", "c"], ["a", "d", "e"])
    assert [cell.text for cell in second.lines[0].cells] == ["1", "4", "5"]
    assert (first.notes, second.notes) == ([], ["note"])
    assert split(wide, 5) == [wide]
