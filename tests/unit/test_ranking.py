"""Ranks: ranges that claim no difference that the rounds do not show."""

from random import Random

import pytest

from restbench.board import Row, Table
from restbench.render.labels import leader, reason
from restbench.results.models import CellResult, Limit
from tests.unit.records import a_cell, a_failed_cell, around, duets, solo
from tests.unit.test_speeds import beside_falcon, hello, table


def ranks(shown: Table) -> dict[str, tuple[int | None, int | None]]:
    return {row.title: (row.rank_first, row.rank_last) for row in shown.rows}


def test_rows_of_one_language_are_told_apart_by_duets_however_noisy_throughput_is() -> None:
    noisy = [5_000.0, 14_000.0, 8_000.0]
    shown = table(
        falcon=a_cell(solo=solo(noisy)),
        starlette=beside_falcon(1.2, solo=solo(noisy)),
        fastapi=beside_falcon(2.0, solo=solo(noisy)),
    )
    assert ranks(shown) == {"Falcon": (1, 1), "Starlette": (2, 2), "FastAPI": (3, 3)}


def test_rows_that_duets_cannot_tell_apart_share_ranks() -> None:
    shown = table(falcon=a_cell(), starlette=beside_falcon(1.001), fastapi=beside_falcon(2.0), sanic=beside_falcon(2.0))
    found = ranks(shown)
    assert found["Falcon"] == found["Starlette"] == (1, 2)
    assert found["FastAPI"] == found["Sanic"] == (3, 4)


def test_rows_of_different_languages_are_told_apart_by_six_solo_rounds_or_more() -> None:
    def rows(rounds: int) -> Table:
        return table(
            falcon=a_cell(solo=solo(around(10_000, rounds))), java__jooby=a_cell(solo=solo(around(50_000, rounds)))
        )

    assert ranks(rows(7)) == {"Jooby": (1, 1), "Falcon": (2, 2)}
    assert ranks(rows(5)) == {"Jooby": (1, 2), "Falcon": (1, 2)}


def test_with_too_few_solo_rounds_only_rows_of_one_language_are_told_apart() -> None:
    """Falcon is certainly faster than FastAPI; no rank may contradict that Jooby's is unknown and its speed higher."""
    few = solo(around(10_000, 3))
    shown = table(
        falcon=a_cell(solo=few), fastapi=beside_falcon(2.0, solo=few), java__jooby=a_cell(solo=solo(around(50_000, 3)))
    )
    assert [row.title for row in shown.rows] == ["Jooby", "Falcon", "FastAPI"]
    assert ranks(shown) == {"Jooby": (1, 3), "Falcon": (1, 3), "FastAPI": (2, 3)}


def test_comparisons_of_a_table_share_the_level() -> None:
    """A difference that is certain alone is not certain among a hundred comparisons."""
    costs = [1.0, 1.05, 0.93, 1.1, 1.02, 1.08]
    alone = table(falcon=a_cell(), fastapi=beside_falcon(1.0, duets=duets([1.06 * each for each in costs])))
    assert ranks(alone)["FastAPI"] == (2, 2)
    names = ["starlette", "sanic", "aiohttp", "quart", "litestar", "blacksheep", "muffin", "baize", "emmett", "tornado"]
    others = {name: beside_falcon(1.0, duets=duets(costs)) for name in names}
    among = table(falcon=a_cell(), fastapi=beside_falcon(1.0, duets=duets([1.06 * each for each in costs])), **others)
    assert {row.rank_first for row in among.rows} == {1}


def test_a_claim_against_the_order_by_speed_is_ignored() -> None:
    """Jooby's solo rounds are below Falcon's, whose speed is its own throughput; FastAPI's speed is derived."""
    shown = table(
        falcon=a_cell(solo=solo(around(10_000))),
        fastapi=beside_falcon(0.5, throughput=9_000),  # speed 20,000
        java__jooby=a_cell(solo=solo(around(15_000))),  # faster in solo rounds than FastAPI, slower by speed
    )
    assert [row.title for row in shown.rows] == ["FastAPI", "Jooby", "Falcon"]
    assert ranks(shown)["FastAPI"] == (1, 2)
    assert ranks(shown)["Jooby"] == (1, 2)


def test_ranks_follow_the_speeds_whatever_the_noise() -> None:
    """A row of much noise, of which nothing is certain, lies between certain ones."""
    random = Random(1)
    wild = duets([1.5 * random.lognormvariate(0, 0.8) for _ in range(4)])
    shown = table(
        falcon=a_cell(), starlette=beside_falcon(1.2), sanic=beside_falcon(1.5, duets=wild), fastapi=beside_falcon(2.0)
    )
    firsts, lasts = [row.rank_first or 0 for row in shown.rows], [row.rank_last or 0 for row in shown.rows]
    assert firsts == sorted(firsts)
    assert lasts == sorted(lasts)


def test_a_row_that_the_load_generator_limited_is_never_certainly_slower() -> None:
    shown = table(
        falcon=a_cell(solo=solo(around(10_000))),
        fastapi=beside_falcon(0.9, throughput=20_000, limit=Limit.LOAD_GENERATOR),
        java__jooby=a_cell(solo=solo(around(90_000))),
        rust__axum=a_cell(solo=solo(around(60_000))),
    )
    # FastAPI may equal Jooby and axum; it is certainly faster than Falcon by duets
    assert ranks(shown) == {"Jooby": (1, 2), "axum": (1, 3), "FastAPI": (1, 3), "Falcon": (4, 4)}


def test_a_row_that_the_load_generator_limited_may_be_certainly_faster() -> None:
    shown = table(
        falcon=a_cell(solo=solo(around(10_000))),
        fastapi=beside_falcon(0.2, throughput=50_000, limit=Limit.LOAD_GENERATOR),
        java__jooby=a_cell(solo=solo(around(20_000))),
    )
    assert ranks(shown) == {"FastAPI": (1, 1), "Jooby": (2, 2), "Falcon": (3, 3)}


@pytest.mark.parametrize("limit", [limit for limit in Limit if limit != Limit.APP])
def test_without_duets_only_what_the_app_limited_ranks(limit: Limit) -> None:
    rows = hello(falcon=a_cell(), java__jooby=a_cell(solo=solo(around(90_000), limit)))
    assert not rows["Jooby"].ranked
    assert (reason(rows["Jooby"]) or "").startswith("not ranked: ")
    assert rows["Falcon"].percent_of_best == 100


@pytest.mark.parametrize("limit", [limit for limit in Limit if limit not in (Limit.APP, Limit.NOISE)])
def test_with_duets_a_row_ranks_whatever_limited_its_solo_rounds(limit: Limit) -> None:
    rows = hello(falcon=a_cell(solo=solo(around(10_000), limit)), fastapi=beside_falcon(2.0, limit=limit))
    assert rows["Falcon"].ranked
    assert rows["FastAPI"].ranked
    assert (reason(rows["FastAPI"]) or "").startswith("ranked by relative cost: ")
    assert (reason(rows["Falcon"]) or "").endswith("the speeds of its language are lower bounds")


def test_noise_ranks_nobody() -> None:
    rows = hello(falcon=a_cell(), fastapi=beside_falcon(2.0, limit=Limit.NOISE))
    assert not rows["FastAPI"].ranked


def test_a_row_of_which_no_solo_round_counts_does_not_rank_and_says_why() -> None:
    cell = a_cell(solo=solo([]), duets=duets(around(2.0, 10)), refused={"errors: read": 3})
    row = hello(falcon=a_cell(), fastapi=cell)["FastAPI"]
    assert not row.ranked
    assert row.throughput is row.speed is None
    assert row.relative_cost
    assert reason(row) == "not ranked: no solo round counts; 3 of 3 solo rounds refused: errors: read"


def test_the_order_is_ranked_then_measured_then_failed() -> None:
    shown = table(
        falcon=a_cell(),
        fastapi=beside_falcon(2.0),
        java__jooby=a_cell(solo=solo(around(90_000), Limit.LOAD_GENERATOR)),
        sanic=a_failed_cell(),
        aiohttp=a_failed_cell(),
    )
    assert [row.title for row in shown.rows] == ["Falcon", "FastAPI", "Jooby", "aiohttp", "Sanic"]


def test_percent_and_times_are_of_speeds() -> None:
    rows = hello(falcon=a_cell(), starlette=beside_falcon(0.5, 12_000), fastapi=beside_falcon(2.0, 12_000))
    assert [round(row.percent_of_best or 0) for row in rows.values()] == [100, 50, 25]
    assert [round(row.times_slowest or 0, 1) for row in rows.values()] == [4.0, 2.0, 1.0]


def test_leads_is_said_of_a_row_that_no_other_may_equal() -> None:
    assert leader(table(falcon=a_cell(), fastapi=beside_falcon(2.0))) == "Falcon leads with 10,000 requests per second"


def test_rows_that_may_be_equal_share_the_lead() -> None:
    shown = table(falcon=a_cell(), starlette=beside_falcon(1.001), fastapi=beside_falcon(2.0))
    assert leader(shown) == "2 rows share the lead, highest speed: Falcon with 10,000 requests per second"


def test_nobody_leads_where_a_row_that_is_not_ranked_may_be_as_fast() -> None:
    limited = a_cell(solo=solo(around(90_000), Limit.LOAD_GENERATOR))
    shown = table(falcon=a_cell(), fastapi=beside_falcon(2.0), java__jooby=limited)
    assert shown.leader is None
    assert leader(shown) == "fastest of the 2 ranked rows: Falcon with 10,000 requests per second"
    refused = a_cell(solo=solo([]), duets=duets(around(0.5, 10)), refused={"errors: read": 3})
    assert table(falcon=a_cell(), fastapi=beside_falcon(2.0), starlette=refused).leader is None


def test_a_leader_that_could_do_more_leads_with_at_least_its_speed() -> None:
    limited = a_cell(solo=solo(around(10_000), Limit.LOAD_GENERATOR))
    shown = table(falcon=limited, fastapi=beside_falcon(2.0))
    assert leader(shown) == "Falcon leads with at least 10,000 requests per second"


def test_nobody_leads_alone() -> None:
    assert leader(table(falcon=a_cell())) == "one row is ranked: Falcon with 10,000 requests per second"
    assert leader(table(falcon=a_failed_cell())) == "no row is ranked"


def test_identical_rows_are_told_apart_in_few_tables() -> None:
    """Eight copies of one entry, of which every round differs by noise: at most a table in ten claims anything."""
    random = Random(7)
    names = ["fastapi", "starlette", "sanic", "aiohttp", "quart", "litestar", "tornado"]

    def copy() -> CellResult:
        noisy = solo([10_000 * random.lognormvariate(0, 0.15) for _ in range(3)])
        return a_cell(solo=noisy, duets=duets([random.lognormvariate(0, 0.03) for _ in range(6)]))

    claimed = 0
    for _ in range(100):
        shown = table(falcon=a_cell(), **{name: copy() for name in names})
        claimed += any(_narrowed(row, 8) for row in shown.rows)
    assert claimed <= 10


def _narrowed(row: Row, rows: int) -> bool:
    return (row.rank_first, row.rank_last) != (1, rows)
