"""Order and ranks of a table: no difference is claimed that the measurements do not show."""

from datetime import timedelta
from math import log
from random import Random

import pytest

from restbench.board import Table, build_board
from restbench.board.links import Gains
from restbench.render.labels import leader, reason
from restbench.results.models import CellResult, EarlierCost, EntryResult, Limit
from tests.unit.records import (
    FALCON,
    START,
    a_cell,
    a_failed_cell,
    a_run,
    an_entry,
    around,
    baseline,
    beside,
    own_baseline,
    solo,
)
from tests.unit.small import small_catalog
from tests.unit.tables import hello, table

JOOBY = "java/jooby"


def ranks(shown: Table) -> dict[str, tuple[int | None, int | None]]:
    return {row.title: (row.rank_first, row.rank_last) for row in shown.rows}


def test_rows_are_in_the_order_of_their_cpu_time_whatever_their_throughput() -> None:
    shown = table(
        falcon=own_baseline(),
        starlette=beside(1.5, solo=solo(around(90_000, 10), cpu_us=around(150, 10))),
        fastapi=beside(2.5),
    )
    assert ranks(shown) == {"Falcon": (1, 1), "Starlette": (2, 2), "FastAPI": (3, 3)}


def test_only_a_difference_of_certainly_more_than_ten_percent_is_claimed() -> None:
    """Rounds of little noise show five per cent, and even sixteen with the luck of two processes."""
    shown = table(falcon=own_baseline(), starlette=beside(1.05), sanic=beside(1.16), fastapi=beside(1.5))
    found = ranks(shown)
    assert found["Falcon"][0] == found["Starlette"][0] == found["Sanic"][0] == 1
    assert found["FastAPI"] == (4, 4)


def test_noisy_rounds_claim_less() -> None:
    quiet, noisy = (
        table(falcon=own_baseline(), fastapi=beside(1.4, rounds=4, spread=spread)) for spread in (0.01, 0.3)
    )
    assert ranks(quiet)["FastAPI"] == (2, 2)
    assert ranks(noisy)["FastAPI"] == (1, 2)


def test_languages_that_one_run_measured_are_compared() -> None:
    shown = table(falcon=own_baseline(), fastapi=beside(2.0), java__jooby=own_baseline(JOOBY, 20))
    assert ranks(shown) == {"Jooby": (1, 1), "Falcon": (2, 2), "FastAPI": (3, 3)}


def separate(**links: CellResult) -> Table:
    """Falcon, FastAPI and Jooby, each measured by a job of its own. `links`: cells of the run that measured them."""
    runs = {name: a_run(f"20260301T093000Z-{number:08x}") for number, name in enumerate(("falcon", "fastapi", "jooby"))}
    results = [
        an_entry(FALCON, runs["falcon"], [own_baseline(run=runs["falcon"])]),
        an_entry("python/fastapi", runs["fastapi"], [beside(2.0, run=runs["fastapi"])]),
        an_entry(JOOBY, runs["jooby"], [own_baseline(JOOBY, 20, run=runs["jooby"])]),
    ]
    together = a_run("20260301T093000Z-0000000f", profile="links")
    measured: list[EntryResult] = [
        an_entry(name.replace("__", "/"), together, [cell.model_copy(update={"run": together.id})])
        for name, cell in links.items()
    ]
    return build_board(small_catalog(), results, measured).sections[0].suites[0].tables[0]


def test_links_place_languages_that_different_jobs_measured() -> None:
    """Jooby's job ran on a fast machine: what counts is what it cost beside Falcon."""
    shown = separate(python__falcon=own_baseline(cpu_us=50), java__jooby=own_baseline(JOOBY, 500))
    assert [row.title for row in shown.rows] == ["Falcon", "FastAPI", "Jooby"]
    assert ranks(shown)["Jooby"] == (3, 3)


def test_without_links_languages_are_ordered_and_not_compared() -> None:
    shown = separate()
    assert [row.title for row in shown.rows] == ["Jooby", "Falcon", "FastAPI"]
    assert ranks(shown) == {"Jooby": (1, 3), "Falcon": (1, 3), "FastAPI": (2, 3)}
    assert shown.rows[1].share
    assert not shown.rows[1].share.certain


def test_a_row_waits_when_its_baseline_has_changed() -> None:
    changed = baseline(own_baseline().solo.cpu_us, files_hash="000000000000")
    rows = hello(falcon=own_baseline(), fastapi=beside(2.0, baseline=changed), starlette=beside(2.0))
    assert not rows["FastAPI"].ranked
    assert rows["Starlette"].ranked
    assert (reason(rows["FastAPI"]) or "").startswith("not compared, because the baseline has changed since")


def test_a_change_record_of_the_baseline_joins_what_came_before_and_after() -> None:
    """FastAPI costs twice as much as the old Falcon. The new Falcon costs half, so FastAPI costs four times as much."""
    runs = {name: a_run(f"20260301T093000Z-0000001{number}") for number, name in enumerate(("old", "new"))}
    runs["new"] = runs["new"].model_copy(update={"started": START + timedelta(days=2)})
    changed = own_baseline(cpu_us=50, run=runs["new"])
    assert changed.baseline
    changed = changed.model_copy(update={"baseline": changed.baseline.model_copy(update={"files_hash": "0" * 12})})
    results = [an_entry(FALCON, runs["new"], [changed]), an_entry("python/fastapi", runs["old"], [beside(2.0)])]
    results[1] = an_entry("python/fastapi", runs["old"], [beside(2.0, run=runs["old"])])
    known = EarlierCost(at=START + timedelta(days=1), log_cost=log(0.5), variance=1e-5)
    gains: Gains = {(FALCON, "hello", "hello_world", None, "native"): [known]}
    shown = build_board(small_catalog(), results, gains=gains).sections[0].suites[0].tables[0]
    assert shown.rows[1].share
    assert shown.rows[1].share.middle == pytest.approx(0.25, rel=1e-3)
    assert ranks(shown)["FastAPI"] == (2, 2)
    waiting = build_board(small_catalog(), results).sections[0].suites[0].tables[0]
    assert [row.ranked for row in waiting.rows] == [True, False]


def test_comparisons_of_a_table_share_the_level() -> None:
    """A difference that is certain alone is not certain among a hundred comparisons."""
    close = beside(1.2, spread=0.02)
    assert ranks(table(falcon=own_baseline(), fastapi=close))["FastAPI"] == (2, 2)
    names = ["starlette", "sanic", "aiohttp", "quart", "litestar", "tornado", "flask", "bottle"]
    among = table(falcon=own_baseline(), fastapi=close, **{name: beside(1.2, spread=0.02) for name in names})
    assert ranks(among)["FastAPI"][0] == 1


def test_ranks_follow_the_order_whatever_the_noise() -> None:
    """A row of much noise, of which nothing is certain, lies between certain ones."""
    wild = beside(1.5, rounds=4, spread=0.5)
    shown = table(falcon=own_baseline(), starlette=beside(1.2), sanic=wild, fastapi=beside(2.0))
    firsts, lasts = [row.rank_first or 0 for row in shown.rows], [row.rank_last or 0 for row in shown.rows]
    assert firsts == sorted(firsts)
    assert lasts == sorted(lasts)


def test_what_the_load_generator_limited_has_a_rank_by_its_cpu_time() -> None:
    rows = hello(falcon=own_baseline(), fastapi=beside(0.2, limit=Limit.LOAD_GENERATOR))
    assert (rows["FastAPI"].rank_first, rows["Falcon"].rank_first) == (1, 2)
    assert "the app could do more" in (reason(rows["FastAPI"]) or "")


@pytest.mark.parametrize("limit", [limit for limit in Limit if limit not in (Limit.APP, Limit.LOAD_GENERATOR)])
def test_what_did_not_use_its_cpus_is_placed_by_throughput_and_has_no_rank(limit: Limit) -> None:
    waiting = beside(9.0, solo=solo(around(7_000), limit, cpu_us=around(20)))
    shown = table(falcon=own_baseline(), fastapi=waiting, starlette=beside(2.0))
    assert [row.title for row in shown.rows] == ["Falcon", "FastAPI", "Starlette"]
    assert not shown.rows[1].ranked
    assert (reason(shown.rows[1]) or "").startswith("placed by its measured throughput, because ")


def test_on_one_cpu_nothing_is_compared() -> None:
    run = a_run()
    shared = run.model_copy(update={"machine": run.machine.model_copy(update={"pinned": False})})
    results = [an_entry(FALCON, shared, [own_baseline()]), an_entry("python/fastapi", shared, [beside(2.0)])]
    shown = build_board(small_catalog(), results).sections[0].suites[0].tables[0]
    assert [row.ranked for row in shown.rows] == [False, False]
    assert "shared one CPU" in (reason(shown.rows[0]) or "")


@pytest.mark.parametrize("why", [None, "the baseline was not measured: start: it did not come up"])
def test_a_row_without_rounds_of_the_baseline_is_shown_and_says_why(why: str | None) -> None:
    rows = hello(falcon=a_failed_cell(), fastapi=a_cell(no_baseline=why))
    assert not rows["FastAPI"].ranked
    assert rows["FastAPI"].throughput
    assert (reason(rows["FastAPI"]) or "").endswith(why or "it was measured by an earlier method")


def test_a_row_of_which_no_round_counts_does_not_rank_and_says_why() -> None:
    cell = a_cell(solo=solo([]), refused={"errors: read": 3})
    row = hello(falcon=own_baseline(), fastapi=cell)["FastAPI"]
    assert not row.ranked
    assert row.throughput is row.share is None
    assert reason(row) == "not ranked: no round counts; 3 of 3 rounds refused: errors: read"


def test_the_order_is_measured_then_failed() -> None:
    shown = table(falcon=own_baseline(), fastapi=beside(2.0), sanic=a_failed_cell(), aiohttp=a_failed_cell())
    assert [row.title for row in shown.rows] == ["Falcon", "FastAPI", "aiohttp", "Sanic"]


def test_shares_are_of_the_first_row_with_the_bounds_of_the_comparison() -> None:
    rows = hello(falcon=own_baseline(), starlette=beside(0.5), fastapi=beside(2.0))
    shares = {title: row.share for title, row in rows.items() if row.share}
    assert [round(100 * share.middle) for share in shares.values()] == [100, 50, 25]
    assert not shares["Starlette"].certain
    assert shares["Falcon"].low < 0.5 < shares["Falcon"].high
    assert shares["Falcon"].high / shares["Falcon"].low > 1.04  # two processes differ by 2 % each


def test_a_row_that_was_measured_alone_has_a_rank() -> None:
    (row,) = table(falcon=own_baseline()).rows
    assert (row.rank_first, row.rank_last) == (1, 1)


def test_leads_is_said_of_a_row_that_no_other_may_equal() -> None:
    assert leader(table(falcon=own_baseline(), fastapi=beside(2.0))) == "Falcon leads with 10,000 requests per second"


def test_rows_that_may_be_equal_share_the_lead() -> None:
    shown = table(falcon=own_baseline(), starlette=beside(1.05), fastapi=beside(2.0))
    assert leader(shown) == "2 rows share the lead, first: Falcon with 10,000 requests per second"


def test_nobody_leads_where_a_row_that_is_not_ranked_may_be_as_fast() -> None:
    waiting = beside(9.0, limit=Limit.WAITING)
    shown = table(falcon=own_baseline(), fastapi=beside(2.0), starlette=waiting)
    assert shown.leader is None
    assert leader(shown) == "fastest of the 2 ranked rows: Falcon with 10,000 requests per second"


def test_a_leader_that_could_do_more_leads_with_at_least_its_throughput() -> None:
    shown = table(falcon=own_baseline(limit=Limit.LOAD_GENERATOR), fastapi=beside(2.0))
    assert leader(shown) == "Falcon leads with at least 10,000 requests per second"


def test_nobody_leads_alone() -> None:
    assert leader(table(falcon=own_baseline())) == "one row is ranked: Falcon with 10,000 requests per second"
    assert leader(table(falcon=a_failed_cell())) == "no row is ranked"


def test_identical_rows_are_told_apart_in_few_tables() -> None:
    """Eight copies of one app, whose processes differ by two per cent, and its rounds by eight."""
    random = Random(7)
    names = ["fastapi", "starlette", "sanic", "aiohttp", "quart", "litestar", "tornado"]

    def noisy(process: float) -> list[float]:
        return [100 * process * random.lognormvariate(0, 0.08) for _ in range(10)]

    claimed = 0
    for _ in range(100):
        own = noisy(random.lognormvariate(0, 0.02))
        rounds = baseline(own)
        cells = {name: noisy(random.lognormvariate(0, 0.02)) for name in names}
        shown = table(
            falcon=a_cell(solo=solo([1e6 / cost for cost in own]), baseline=rounds),
            **{
                name: a_cell(solo=solo([1e6 / cost for cost in costs]), baseline=rounds)
                for name, costs in cells.items()
            },
        )
        claimed += any(row.rank_first != 1 for row in shown.rows)
    assert claimed <= 5


def test_every_table_can_be_shown_whatever_is_missing() -> None:
    """One row, no figures, two classes of machines, no baseline: shown, and nothing is claimed."""
    run = a_run()
    machine = run.machine.model_copy(update={"machine_class": "local-x86_64-8cpu"})
    elsewhere = a_run("20260301T093000Z-00000002", machine=machine)
    results = [
        an_entry(FALCON, run, [own_baseline()]),
        EntryResult(entry="python/fastapi", runs={elsewhere.id: elsewhere}, cells=[beside(2.0, run=elsewhere)]),
        an_entry(JOOBY, run, [a_cell()]),
    ]
    sections = build_board(small_catalog(), results).sections
    assert sorted(len(section.suites[0].tables[0].rows) for section in sections) == [1, 2]
    rows = [row for section in sections for row in section.suites[0].tables[0].rows]
    assert all(row.rank_first in (None, 1) for row in rows)
