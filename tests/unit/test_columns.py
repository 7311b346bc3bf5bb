"""What tables of scenarios print."""

import re
from dataclasses import replace

import pytest

from restbench.board import Table
from restbench.render.columns import table_grid
from restbench.render.facts_columns import facts_grid
from restbench.render.grid import Grid, Line, Text, split
from restbench.render.page_columns import page_grid
from restbench.results.models import CellResult, Limit, RateKind
from tests.made.boards import long_table, made_board
from tests.made.records import a_cell, a_failed_cell, around, at_rate, beside, own_baseline, solo
from tests.made.small import table

FOLDED = [
    "relative cost (95 % interval)",
    "req/s (95 % interval)",
    "CPU µs per request (95 % interval)",
    "p50 / p90 / p99 at half of its req/s, ms",
    "version",
    "measured",
]
"""The columns of a table of one language that a reader has to ask for."""


def column(shown: Table, title: str) -> list[str]:
    """The texts of the column whose title begins so, of which there is one."""
    grid = table_grid(shown)
    (place,) = [i for i, header in enumerate(grid.headers) if header.startswith(title)]
    return [line.cells[place].text for line in grid.lines]


def titles(shown: Table) -> list[str]:
    return table_grid(shown).headers


def quick(**cells: CellResult) -> Table:
    """Cells with three solo rounds each, which support no 95 % interval."""
    few = {"solo": solo(around(10_000, 3))}
    return table(**{name: cell.model_copy(update=few) for name, cell in cells.items()})


def test_the_columns_of_a_language() -> None:
    latency = [at_rate(RateKind.COMMON, 1000), at_rate(RateKind.HALF, 5000)]
    shown = table(falcon=own_baseline(latency=latency), fastapi=beside(2.0, latency=latency))
    assert titles(shown) == [
        "group",
        "framework",
        "speed, % of the first",
        "requests per second",
        "p50 / p90 / p99 at 1,000 req/s, ms",
        "peak memory, MB",
        "bottleneck",
        *FOLDED,
    ]
    assert table_grid(shown).folded == FOLDED


def test_a_row_that_is_not_compared_has_no_group() -> None:
    waiting = beside(1.5, limit=Limit.WAITING)
    shown = table(falcon=own_baseline(), starlette=beside(1.001), fastapi=beside(2.0), sanic=waiting)
    assert sorted(column(shown, "group")) == ["1", "1", "2", "–"]


def test_the_baseline_has_the_cost_that_it_has_by_definition() -> None:
    costs = column(table(falcon=own_baseline(), fastapi=beside(2.0), sanic=a_cell()), "relative cost")
    assert costs[0] == "1 (baseline)"
    least, most = sorted(costs[1:])
    assert least.startswith("2.00 (1.9")
    assert most == "–"


def test_without_relative_costs_there_is_no_column_of_them() -> None:
    found = titles(table(falcon=a_cell(), fastapi=a_cell()))
    assert not [title for title in found if title.startswith("relative cost")]


def test_shares_have_the_bounds_of_the_comparison_with_the_first_row() -> None:
    best, other = column(table(falcon=own_baseline(), fastapi=beside(2.0)), "speed, % of the first")
    assert best == "100"
    assert re.fullmatch(r"50\.\d \(4\d\.\d–5\d\.\d\)", other)


def test_a_load_generator_that_is_the_limit_makes_lower_bounds() -> None:
    limited = own_baseline(solo=solo(around(134_000, 3), Limit.LOAD_GENERATOR))
    shown = table(falcon=limited, fastapi=beside(20))
    assert column(shown, "req/s (")[0] == "≥ 134,000 (range 133,000–135,000)"


def test_a_header_says_what_the_bounds_are_and_a_mixed_column_names_its_ranges() -> None:
    assert column(quick(falcon=a_cell(), fastapi=a_cell()), "req/s (range)")[0] == "10,000 (9,900–10,100)"
    one_of_each = table(falcon=a_cell(), fastapi=a_cell(solo=solo(around(5_000, 3))))
    assert column(one_of_each, "req/s (95 % interval)") == [
        "10,000 (9,700–10,300)",
        "5,000 (range 4,950–5,050)",
    ]
    assert column(table(falcon=a_cell(solo=solo([10_000.0]))), "req/s") == ["10,000"]


def test_latency_at_a_rate_that_is_not_the_tables_says_its_own() -> None:
    usual, old = [at_rate(RateKind.COMMON, 1000, 1.05)], [at_rate(RateKind.COMMON, 500, 1.05)]
    shown = table(falcon=a_cell(latency=usual), fastapi=a_cell(latency=usual), sanic=a_cell(latency=old))
    grid = table_grid(shown)
    place = grid.headers.index("p50 / p90 / p99 at 1,000 req/s, ms")
    cells = [line.cells[place] for line in grid.lines]
    assert {cell.text for cell in cells} == {"1.05 / 1.09 / 1.10"}
    assert sorted(cell.detail for cell in cells) == ["", "", "(at 500/s)"]


def test_an_app_that_does_not_sustain_the_common_rate_has_a_dash_there() -> None:
    latency = [at_rate(RateKind.COMMON, 1000, 1.05)]
    shown = table(falcon=own_baseline(latency=latency), fastapi=beside(9.0))
    assert column(shown, "p50 / p90 / p99 at 1,000") == ["1.05 / 1.09 / 1.10", "–"]


ENOUGH, FEW = (at_rate(RateKind.COMMON, 1000, 1.05, requests=number) for number in (1000, 999))
FEWER = at_rate(RateKind.COMMON, 1000, 1.05, requests=99, refused={"errors: timeout": 1})


def latencies(shown: Table, title: str) -> tuple[list[str], list[str | None]]:
    """The texts of the column of latencies, and the notes to which they refer."""
    grid = table_grid(shown)
    cells = [line.cells[grid.headers.index(f"{title} at 1,000 req/s, ms")] for line in grid.lines]
    return [cell.text for cell in cells], [grid.notes[cell.note - 1] if cell.note else None for cell in cells]


def test_a_percentile_of_too_few_requests_is_empty_and_says_why() -> None:
    shown = table(
        falcon=own_baseline(latency=[ENOUGH]),
        starlette=beside(2.0, latency=[ENOUGH]),
        fastapi=beside(4.0, latency=[FEW]),
        sanic=beside(8.0, latency=[FEWER]),
    )
    texts, notes = latencies(shown, "p50 / p90 / p99")
    assert texts == ["1.05 / 1.09 / 1.10", "1.05 / 1.09 / 1.10", "1.05 / 1.09 / –", "–"]
    assert notes == [
        None,
        None,
        "p99 at the common rate: fewer than 1,000 requests so far",
        "percentiles at the common rate: fewer than 100 requests so far; rounds were refused: errors: timeout",
    ]


def test_a_percentile_that_most_rows_lack_is_left_out_with_one_note() -> None:
    shown = table(falcon=own_baseline(latency=[FEW]), fastapi=beside(2.0, latency=[FEW]))
    assert latencies(shown, "p50 / p90") == (["1.05 / 1.09"] * 2, [None] * 2)
    assert [note for note in table_grid(shown).notes if "p99 is left out" in note]


def test_a_column_that_is_empty_in_most_rows_with_figures_is_folded_and_one_note_says_so() -> None:
    title = "p50 / p90 / p99 at 1,000 req/s, ms"

    def shown(*measured: bool, failed: int = 0) -> Grid:
        names = ("falcon", "starlette", "fastapi", "sanic", "aiohttp", "bottle", "flask")
        cells = [a_cell(latency=[ENOUGH] if each else []) for each in measured] + [a_failed_cell()] * failed
        return table_grid(table(**dict(zip(names, cells, strict=False))))

    most = shown(True, False, False)
    assert title in most.folded
    assert [note for note in most.notes if note.startswith("folded away")] == [
        f"folded away, as most rows have no figure there: {title}"
    ]
    for half in (shown(True, False), shown(True, True, failed=3)):
        assert title not in half.folded
        assert not [note for note in half.notes if note.startswith("folded away")]


def test_a_row_shows_the_group_that_it_has_among_the_best_of_each_framework() -> None:
    """They are what a reader sees first. A slower variant that stands between them changes no group."""
    rows = long_table(4, variants=2).rows
    certain = frozenset((one.place, other.place) for one in rows[:1] for other in rows[2:])
    shown = Table("create-task", "Create a task", "POST /task", rows, certain=certain)
    assert column(shown, "group") == ["1", "2", "2", "4"]


def test_notes_are_shared_where_they_read_alike() -> None:
    shown = table(
        falcon=a_cell(no_baseline="there is no baseline"),
        fastapi=a_cell(no_baseline="there is no baseline"),
        sanic=own_baseline("python/sanic", rounds=5, refused={"errors: read": 5}),
        java__jooby=a_cell(solo=solo(around(9_000), Limit.WAITING)),
    )
    grid = table_grid(shown)
    place = grid.headers.index("bottleneck")
    assert sorted(line.cells[place].note or 0 for line in grid.lines) == [1, 1, 2, 3]
    assert sorted(grid.notes) == [
        "5 of 10 rounds refused: errors: read",
        "not compared, because there is no baseline",
        "placed by its measured throughput, because the waiting that the scenario asks for was its limit",
    ]
    assert sorted(line.muted for line in grid.lines) == [False, True, True, True]


def test_a_row_without_a_figure_says_what_became_of_it() -> None:
    shown = table(
        falcon=a_cell(solo=solo([]), refused={"errors: read": 3}),
        fastapi=a_failed_cell(),
        starlette=a_cell(solo=solo([]), not_run="oha is missing"),
    )
    assert column(shown, "bottleneck") == ["refused", "failed", "not run"]


def test_rows_of_several_languages_say_theirs() -> None:
    assert column(table(falcon=a_cell(), java__jooby=a_cell()), "language") == ["Python", "Java"]


def test_a_batch_has_its_total_and_overhead() -> None:
    rounds = solo(around(17, 6), seconds=around(1.4, 6), overhead_ms=around(1.5, 6))
    shown = table(falcon=a_cell(scenario="bcrypt", suite="workload", variant=None, solo=rounds))
    assert column(shown, "total, s") == ["1.40 (1.36–1.43)"]
    assert column(shown, "overhead, ms") == ["1.50 (1.46–1.54)"]


def test_facts_have_the_runtime_and_how_it_was_built() -> None:
    grid = facts_grid(made_board().sections[0].facts)
    cells = {line.cells[grid.headers.index("runtime")] for line in grid.lines}
    assert {(cell.text, cell.detail) for cell in cells} == {("CPython 3.13.5", "(PGO, LTO)")}


def test_a_row_says_the_server_and_the_json_library_that_were_measured() -> None:
    shown = table(falcon=a_cell(json_library="msgspec"))
    (row,) = shown.rows
    served = replace(shown, rows=[replace(row, server="gunicorn+uvicorn")])
    assert column(served, "server") == ["gunicorn+uvicorn"]
    assert column(served, "JSON") == ["msgspec"]
    (line,) = page_grid(served).lines
    assert line.cells[0].detail == f"{row.version} · gunicorn+uvicorn · msgspec"


def test_a_row_of_a_run_that_recorded_neither_says_neither() -> None:
    shown = table(falcon=a_cell())
    (row,) = shown.rows
    assert {"server", "JSON"}.isdisjoint(titles(shown))
    (line,) = page_grid(shown).lines
    assert line.cells[0].detail == row.version


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
    assert {cell.colour for cell in (first, other)} == {row.colour for row in shown.rows}
    assert [(cell.text, cell.bar) for cell in bars(shown, "requests per second")] == [("10,000", None), ("4,000", None)]


def test_where_nothing_links_the_languages_a_bar_is_the_throughput_and_no_share_is_shown() -> None:
    shown = replace(table(falcon=own_baseline(), fastapi=beside(2.0)), linked=False)
    assert "speed, % of the first" not in titles(shown)
    assert [cell.bar for cell in bars(shown, "requests per second")] == pytest.approx([1.0, 0.5], rel=1e-3)


@pytest.mark.parametrize("variants", [1, 3])
def test_no_bar_contradicts_the_order_of_its_rows(variants: int) -> None:
    drawn = [cell.bar or 0 for cell in bars(long_table(30, variants), "speed, % of the first")]
    assert drawn == sorted(drawn, reverse=True)


def test_pages_have_eight_columns_at_most_and_what_was_measured() -> None:
    latency = [at_rate(RateKind.COMMON, 1000), at_rate(RateKind.HALF, 5000)]
    shown = table(falcon=own_baseline(latency=latency), java__jooby=a_cell(), fastapi=beside(2.0, latency=latency))
    assert page_grid(shown).headers == [
        "framework",
        "speed, % of the first",
        "group",
        "language",
        "relative cost (95 % interval)",
        "req/s measured (95 % interval)",
        "bottleneck",
        "p50 / p90 / p99 at 1,000 req/s, ms",
    ]


def test_a_wide_table_is_split_and_keeps_its_first_columns() -> None:
    wide = Grid(list("abcde"), [False] * 5, [Line([Text(each) for each in "12345"])], ["note"])
    first, second = split(wide, 3)
    assert (first.headers, second.headers) == (["a", "b", "c"], ["a", "d", "e"])
    assert [cell.text for cell in second.lines[0].cells] == ["1", "4", "5"]
    assert (first.notes, second.notes) == ([], ["note"])
    assert split(wide, 5) == [wide]
