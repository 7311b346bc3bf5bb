"""Speed: the baseline's throughput ÷ relative cost, or the throughput as measured."""

import pytest

from restbench.board import Row, Table, build_board
from restbench.board.speeds import agreement_of
from restbench.render.labels import reason
from restbench.results.models import CellResult, Limit
from restbench.stats.intervals import Kind
from tests.unit.records import FALCON, a_cell, a_failed_cell, an_entry, around, duets, solo
from tests.unit.small import small_board, small_catalog

CATALOG = small_catalog()


def hello(**cells: CellResult) -> dict[str, Row]:
    """The rows of Hello World by title."""
    return {row.title: row for row in table(**cells).rows}


def table(**cells: CellResult) -> Table:
    return small_board(**cells).sections[0].suites[0].tables[0]


def beside_falcon(cost: float, throughput: float = 10_000, limit: Limit = Limit.APP, **changes: object) -> CellResult:
    """A cell with ten duet rounds against Falcon around that relative cost."""
    fields: dict[str, object] = {"solo": solo(around(throughput), limit), "duets": duets(around(cost, 10))}
    return a_cell(**{**fields, **changes})  # type: ignore[arg-type]


def test_speed_is_the_baselines_published_throughput_over_relative_cost() -> None:
    rows = hello(falcon=a_cell(solo=solo(around(12_000))), fastapi=beside_falcon(2.0, throughput=5_000))
    assert rows["FastAPI"].derived
    assert rows["FastAPI"].speed
    assert rows["FastAPI"].speed.middle == pytest.approx(6_000, rel=1e-3)
    assert rows["FastAPI"].throughput
    assert rows["FastAPI"].throughput.middle == 5_000  # as measured, whatever the speed is


def test_bounds_of_a_derived_speed_are_those_of_the_relative_cost() -> None:
    row = hello(falcon=a_cell(), fastapi=beside_falcon(2.0))["FastAPI"]
    assert row.speed
    assert row.relative_cost
    assert row.speed.certain
    assert row.speed.low == pytest.approx(10_000 / row.relative_cost.high)
    assert row.speed.high == pytest.approx(10_000 / row.relative_cost.low)


def test_the_baseline_has_cost_1_by_definition_and_its_throughput_as_speed() -> None:
    falcon = hello(falcon=a_cell(solo=solo(around(12_000))), fastapi=beside_falcon(2.0))["Falcon"]
    assert (falcon.baseline, falcon.derived, falcon.relative_cost) == (True, False, None)
    assert falcon.speed
    assert (falcon.speed.middle, falcon.speed.kind) == (12_000, Kind.SINGLE)


def test_an_entry_that_nothing_was_measured_against_is_no_baseline() -> None:
    falcon = hello(falcon=a_cell(), fastapi=a_cell())["Falcon"]
    assert not falcon.baseline
    assert falcon.speed == falcon.throughput


def test_a_language_of_one_entry_has_measured_speeds_and_says_why() -> None:
    jooby = hello(java__jooby=a_cell(no_duets="Java has no baseline"))["Jooby"]
    assert not jooby.derived
    assert jooby.speed == jooby.throughput
    assert reason(jooby) == "no relative cost: Java has no baseline"


def test_without_the_baseline_rows_stand_by_their_solo_rounds_with_the_reason() -> None:
    why = "the baseline python/falcon is not measured: start: it did not come up"
    rows = hello(falcon=a_failed_cell(), fastapi=a_cell(no_duets=why), starlette=a_cell(no_duets=why))
    assert rows["FastAPI"].speed == rows["FastAPI"].throughput
    assert rows["FastAPI"].ranked
    assert reason(rows["FastAPI"]) == f"no relative cost: {why}"
    assert rows["Falcon"].failure


def test_where_the_baseline_has_no_figure_here_its_throughput_is_what_the_other_rows_jobs_saw() -> None:
    rows = hello(
        falcon=a_failed_cell(),
        fastapi=beside_falcon(2.0, duets=duets(around(2.0, 10), throughput=11_000)),
        starlette=beside_falcon(0.5, duets=duets(around(0.5, 10), throughput=9_000)),
    )
    speeds = {title: row.speed.middle for title, row in rows.items() if row.speed}
    assert speeds["FastAPI"] == pytest.approx(10_000 / 2, rel=1e-3)  # one throughput for all: the median
    assert speeds["Starlette"] == pytest.approx(10_000 / 0.5, rel=1e-3)
    assert reason(rows["FastAPI"]) == "relative cost to python/falcon"


def test_where_nobody_knows_the_baselines_throughput_speed_is_as_measured() -> None:
    row = hello(fastapi=beside_falcon(2.0, 4_000, duets=duets(around(2.0, 10), throughput=None)))["FastAPI"]
    assert row.speed == row.throughput
    assert row.relative_cost
    assert reason(row) == "relative cost to python/falcon"


def test_too_few_duet_rounds_give_no_relative_cost_and_it_is_said() -> None:
    row = hello(falcon=a_cell(), fastapi=beside_falcon(2.0, duets=duets([2.0])))["FastAPI"]
    assert row.relative_cost is None
    assert reason(row) == "no relative cost: it has 1 duet round of the 3 that it needs"


def test_duet_rounds_that_ended_early_keep_what_they_gave() -> None:
    row = hello(falcon=a_cell(), fastapi=beside_falcon(2.0, no_duets="the baseline is not measured"))["FastAPI"]
    assert row.derived
    assert reason(row) == "fewer duet rounds than planned: the baseline is not measured"


def test_each_row_has_the_throughput_of_its_own_partner() -> None:
    def cell(variant: str, throughput: float, partner: str | None = None) -> CellResult:
        beside = duets(around(1.0, 10), variant=partner) if partner else None
        return a_cell(scenario="sprint", variant=variant, solo=solo(around(throughput)), duets=beside)

    results = [
        an_entry(FALCON, cells=[cell("msgspec", 900)]),
        an_entry("python/fastapi", cells=[cell("pydantic", 400, "msgspec"), cell("dataclasses", 300, "attrs")]),
    ]
    (suite,) = build_board(CATALOG, results).sections[0].suites
    rows = {row.variant: row for row in suite.tables[0].rows}
    assert rows["pydantic"].speed
    assert rows["dataclasses"].speed
    assert rows["pydantic"].speed.middle == pytest.approx(900, rel=1e-3)
    assert rows["dataclasses"].speed.middle == pytest.approx(10_000, rel=1e-3)  # no row here: as its job saw it
    assert rows["dataclasses"].measured_against == "python/falcon · attrs"


def test_a_baseline_that_something_else_limited_makes_lower_bounds_of_its_language() -> None:
    limited = a_cell(solo=solo(around(10_000), Limit.LOAD_GENERATOR))
    rows = hello(falcon=limited, fastapi=beside_falcon(2.0), java__jooby=a_cell())
    assert rows["Falcon"].speed_at_least
    assert rows["FastAPI"].speed_at_least
    assert not rows["Jooby"].speed_at_least


def test_a_limited_row_beside_a_baseline_that_used_its_cpus_has_a_speed_that_is_no_bound() -> None:
    rows = hello(falcon=a_cell(), fastapi=beside_falcon(0.5, limit=Limit.LOAD_GENERATOR))
    assert not rows["FastAPI"].speed_at_least
    assert rows["FastAPI"].speed
    assert rows["FastAPI"].speed.middle == pytest.approx(20_000, rel=1e-3)


def test_agreement_is_of_derived_speeds_with_throughputs_that_the_app_limited() -> None:
    found = agreement_of(
        [
            table(
                falcon=a_cell(solo=solo(around(10_000))),
                fastapi=beside_falcon(2.0, throughput=4_000),  # speed 5,000: 25 % above
                starlette=beside_falcon(1.0, throughput=10_000),
                sanic=beside_falcon(0.5, throughput=19_000),  # speed 20,000: 5 % above
                aiohttp=beside_falcon(0.1, throughput=10_000, limit=Limit.LOAD_GENERATOR),
                java__jooby=a_cell(),
            )
        ]
    )
    assert found
    assert found.rows == 3
    assert found.median == pytest.approx(0.05, abs=0.01)
    assert found.worst == pytest.approx(0.25, abs=0.01)
    assert found.worst_row == "FastAPI, Hello World"


def test_no_derived_speed_has_no_agreement() -> None:
    assert agreement_of([table(falcon=a_cell(), fastapi=a_cell())]) is None
