"""Order and groups of a table: no difference is claimed that the measurements do not show."""

from datetime import timedelta
from math import log
from random import Random

import pytest

from restbench.board import Table, build_board
from restbench.board.links import Gains
from restbench.catalog import Cell
from restbench.render.labels import chain, fastest, reason
from restbench.results.models import CellResult, EarlierCost, EntryResult, Limit
from restbench.results.rounds import UNSTEADY
from tests.made.records import (
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
from tests.made.small import hello, small_catalog, table
from tests.unit.conftest import Golden

JOOBY = "java/jooby"


def groups(shown: Table) -> dict[str, int | None]:
    return {row.title: row.group for row in shown.rows}


def chains(shown: Table) -> dict[str, str]:
    return {found.language: chain(shown, found) for found in shown.chains}


def test_rows_are_in_the_order_of_their_cpu_time_whatever_their_throughput() -> None:
    shown = table(
        falcon=own_baseline(),
        starlette=beside(1.5, solo=solo(around(90_000, 10), cpu_us=around(150, 10))),
        fastapi=beside(2.5),
    )
    assert groups(shown) == {"Falcon": 1, "Starlette": 2, "FastAPI": 3}


def test_only_a_difference_of_certainly_more_than_ten_percent_is_claimed() -> None:
    """Rounds of little noise show five per cent, and even sixteen with the spread of two processes."""
    shown = table(falcon=own_baseline(), starlette=beside(1.05), sanic=beside(1.16), fastapi=beside(1.5))
    assert groups(shown) == {"Falcon": 1, "Starlette": 1, "Sanic": 1, "FastAPI": 2}


def test_noisy_rounds_claim_less() -> None:
    quiet, noisy = (
        table(falcon=own_baseline(), fastapi=beside(1.4, rounds=4, spread=spread)) for spread in (0.01, 0.3)
    )
    assert groups(quiet)["FastAPI"] == 2
    assert groups(noisy)["FastAPI"] == 1


def test_languages_that_one_run_measured_are_compared() -> None:
    shown = table(falcon=own_baseline(), fastapi=beside(2.0), java__jooby=own_baseline(JOOBY, 20))
    assert groups(shown) == {"Jooby": 1, "Falcon": 2, "FastAPI": 3}
    assert chains(shown) == {"Java": "Jooby", "Python": "Falcon › FastAPI"}


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
    assert groups(shown)["Jooby"] == 3


def test_without_links_languages_are_ordered_and_not_compared() -> None:
    shown = separate()
    assert [row.title for row in shown.rows] == ["Jooby", "Falcon", "FastAPI"]
    assert groups(shown) == {"Jooby": None, "Falcon": None, "FastAPI": None}
    assert chains(shown) == {"Java": "Jooby", "Python": "Falcon › FastAPI"}
    assert not shown.linked
    assert [row.share for row in shown.rows] == [None, None, None], "nothing measured the languages together"


def test_a_language_whose_baseline_was_not_steady_in_the_links_is_compared_with_no_other() -> None:
    """Its own frameworks are compared with each other all the same."""
    cold = own_baseline(JOOBY, 500).model_copy(update={"solo": solo([]), "baseline": None, "refused": {UNSTEADY: 16}})
    shown = separate(python__falcon=own_baseline(cpu_us=50), java__jooby=cold)
    assert groups(shown) == {"Falcon": 1, "FastAPI": 2, "Jooby": None}
    assert shown.linked
    assert chains(shown) == {"Python": "Falcon › FastAPI", "Java": "Jooby"}
    row = next(row for row in shown.rows if row.title == "Jooby")
    assert reason(row) == "not compared, because its baseline was not steady in the run that links the languages"


def test_a_language_that_the_links_do_not_have_keeps_no_other_from_being_compared() -> None:
    shown = separate(python__falcon=own_baseline(cpu_us=50))
    assert groups(shown) == {"Falcon": 1, "FastAPI": 2, "Jooby": None}
    row = next(row for row in shown.rows if row.title == "Jooby")
    assert (reason(row) or "").endswith("was not measured together with those of the other languages")


COLD = "its CPU time per request was not steady after 9 s of warm-up"


def test_a_row_that_is_not_steady_keeps_its_place_and_claims_nothing() -> None:
    """Sanic is between two groups, and holds no row in its own."""
    shown = table(falcon=own_baseline(), sanic=beside(1.5, unsteady=COLD), fastapi=beside(2.5))
    assert [row.title for row in shown.rows] == ["Falcon", "Sanic", "FastAPI"]
    assert groups(shown) == {"Falcon": 1, "Sanic": None, "FastAPI": 2}
    assert chains(shown) == {"Python": "Falcon › FastAPI; not compared: Sanic"}
    sanic = shown.rows[1]
    assert sanic.share
    assert sanic.share.middle == pytest.approx(1 / 1.5, rel=0.02)
    assert reason(sanic) == f"in no comparison, because {COLD}"
    assert not any(sanic.key in pair for pair in shown.certain)


def test_a_row_that_is_not_steady_claims_nothing_where_no_link_spans_the_table_either() -> None:
    runs = {name: a_run(f"20260301T093000Z-{number:08x}") for number, name in enumerate(("python", "java"))}
    results = [
        an_entry(FALCON, runs["python"], [own_baseline(run=runs["python"])]),
        an_entry("python/fastapi", runs["python"], [beside(2.5, run=runs["python"], unsteady=COLD)]),
        an_entry(JOOBY, runs["java"], [own_baseline(JOOBY, 20, run=runs["java"])]),
    ]
    shown = build_board(small_catalog(), results).sections[0].suites[0].tables[0]
    assert not shown.linked
    assert shown.certain == frozenset()
    assert chains(shown) == {"Java": "Jooby", "Python": "Falcon; not compared: FastAPI"}


def test_a_row_says_that_it_is_not_steady_beside_what_limited_it() -> None:
    rows = hello(falcon=own_baseline(), sanic=beside(0.5, limit=Limit.LOAD_GENERATOR, unsteady=COLD))
    why = reason(rows["Sanic"]) or ""
    assert why.startswith("the load generator was its limit")
    assert why.endswith(f"in no comparison, because {COLD}")


def test_nothing_is_claimed_beside_a_baseline_that_is_not_steady() -> None:
    other = baseline(own_baseline().solo.cpu_us, unsteady=COLD)
    rows = hello(falcon=own_baseline(), sanic=beside(1.5, baseline=other), fastapi=beside(2.5))
    assert not rows["Sanic"].compared
    assert rows["FastAPI"].compared
    assert reason(rows["Sanic"]) == f"in no comparison, because of its baseline {COLD}"


def test_a_link_of_two_starts_is_the_mean_of_both() -> None:
    """The cheapest rounds of both together would be those of one start."""
    costs = [100.0] * 7 + [101.0] + [140.0] * 7 + [141.0]
    both = own_baseline(cpu_us=50).model_copy(update={"baseline": baseline(costs, start=[0] * 8 + [1] * 8)})
    shown = separate(python__falcon=both, java__jooby=own_baseline(JOOBY, 100))
    falcon, jooby = (next(row for row in shown.rows if row.title == title) for title in ("Falcon", "Jooby"))
    assert falcon.estimate
    assert jooby.estimate
    assert jooby.estimate.log - falcon.estimate.log == pytest.approx(log(1.4) / 2, abs=0.03)


def test_a_row_waits_when_its_baseline_has_changed() -> None:
    changed = baseline(own_baseline().solo.cpu_us, files_hash="000000000000")
    rows = hello(falcon=own_baseline(), fastapi=beside(2.0, baseline=changed), starlette=beside(2.0))
    assert not rows["FastAPI"].compared
    assert rows["Starlette"].compared
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
    gains: Gains = {(Cell(FALCON, "hello", "hello_world", None), "native"): [known]}
    shown = build_board(small_catalog(), results, gains=gains).sections[0].suites[0].tables[0]
    assert shown.rows[1].share
    assert shown.rows[1].share.middle == pytest.approx(0.25, rel=1e-3)
    assert groups(shown)["FastAPI"] == 2
    waiting = build_board(small_catalog(), results).sections[0].suites[0].tables[0]
    assert [row.compared for row in waiting.rows] == [True, False]


def test_comparisons_of_a_table_share_the_level() -> None:
    """A difference that is certain alone is not certain among a hundred comparisons."""
    close = beside(1.2, spread=0.02)
    assert groups(table(falcon=own_baseline(), fastapi=close))["FastAPI"] == 2
    names = ["starlette", "sanic", "aiohttp", "quart", "litestar", "tornado", "flask", "bottle"]
    among = table(falcon=own_baseline(), fastapi=close, **{name: beside(1.2, spread=0.02) for name in names})
    assert groups(among)["FastAPI"] == 1


def test_what_the_load_generator_limited_is_compared_by_its_cpu_time() -> None:
    rows = hello(falcon=own_baseline(), fastapi=beside(0.2, limit=Limit.LOAD_GENERATOR))
    assert (rows["FastAPI"].group, rows["Falcon"].group) == (1, 2)
    assert "the app could do more" in (reason(rows["FastAPI"]) or "")


@pytest.mark.parametrize("limit", [limit for limit in Limit if limit not in (Limit.APP, Limit.LOAD_GENERATOR)])
def test_what_did_not_use_its_cpus_is_placed_by_throughput_and_is_in_no_group(limit: Limit) -> None:
    waiting = beside(9.0, solo=solo(around(7_000), limit, cpu_us=around(20)))
    shown = table(falcon=own_baseline(), fastapi=waiting, starlette=beside(2.0))
    assert [row.title for row in shown.rows] == ["Falcon", "FastAPI", "Starlette"]
    assert not shown.rows[1].compared
    assert (reason(shown.rows[1]) or "").startswith("placed by its measured throughput, because ")


def test_on_one_cpu_nothing_is_compared() -> None:
    run = a_run()
    shared = run.model_copy(update={"machine": run.machine.model_copy(update={"pinned": False})})
    results = [an_entry(FALCON, shared, [own_baseline()]), an_entry("python/fastapi", shared, [beside(2.0)])]
    shown = build_board(small_catalog(), results).sections[0].suites[0].tables[0]
    assert [row.compared for row in shown.rows] == [False, False]
    assert "shared one CPU" in (reason(shown.rows[0]) or "")


@pytest.mark.parametrize("why", [None, "the baseline was not measured: start: it did not come up"])
def test_a_row_without_rounds_of_the_baseline_is_shown_and_says_why(why: str | None) -> None:
    rows = hello(falcon=a_failed_cell(), fastapi=a_cell(no_baseline=why))
    assert not rows["FastAPI"].compared
    assert rows["FastAPI"].throughput
    assert (reason(rows["FastAPI"]) or "").endswith(why or "its result has no rounds of a baseline")


def test_a_row_of_which_no_round_counts_is_not_compared_and_says_why() -> None:
    cell = a_cell(solo=solo([]), refused={"errors: read": 3})
    row = hello(falcon=own_baseline(), fastapi=cell)["FastAPI"]
    assert not row.compared
    assert row.throughput is row.share is None
    assert reason(row) == "not compared: no round counts; 3 of 3 rounds refused: errors: read"


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


def test_fastest(golden: Golden) -> None:
    names = ["starlette", "sanic", "aiohttp", "quart", "litestar", "tornado", "flask"]
    many = {name: beside(1 + 0.01 * n) for n, name in enumerate(names, 1)}
    waiting = beside(9.0, limit=Limit.WAITING)
    limited = own_baseline(limit=Limit.LOAD_GENERATOR)
    cases = {
        "two of three": table(falcon=own_baseline(), starlette=beside(1.05), fastapi=beside(2.0)),
        "all": table(falcon=own_baseline(), starlette=beside(1.05)),
        "many": table(falcon=own_baseline(), **many),
        "one of those compared": table(
            falcon=own_baseline(), fastapi=beside(2.0), sanic=beside(3.0), starlette=waiting
        ),
        "one that could do more": table(falcon=limited, fastapi=beside(2.0)),
        "one alone": table(falcon=own_baseline()),
        "none": table(falcon=a_failed_cell()),
        "languages that were not measured together": separate(),
    }
    golden(
        "".join("\n  ".join([case, fastest(shown), *chains(shown).values()]) + "\n" for case, shown in cases.items())
    )


def test_identical_rows_are_distinguished_in_few_tables() -> None:
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
        claimed += any(row.group != 1 for row in shown.rows)
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
    assert all(row.group in (None, 1) for row in rows)
