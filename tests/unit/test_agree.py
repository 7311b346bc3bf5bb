"""`restbench agree`: what a folder of results says of itself, and what two say of each other."""

from math import exp, log
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import pytest

from restbench.board.agreement import Agreement, Results, agreement_of, tables_of
from restbench.board.measured import OrderCheck, claims_of, order_check
from restbench.board.rows import Table
from restbench.catalog import Catalog
from restbench.commands.agree import agree, agreement_table, measured_table
from restbench.errors import UsageError
from restbench.results.files import write_entry
from restbench.results.merge import LATEST, LINKS
from restbench.results.models import CellResult, EarlierCost, EntryResult, Limit
from tests.made.boards import COSTS as MADE_COSTS
from tests.made.boards import NGINX, a_full_result
from tests.made.records import START, a_cell, a_run, an_entry, around, baseline, beside, own_baseline, solo
from tests.made.results import made_result
from tests.made.small import small_board, small_catalog, small_repository

COSTS = {name: cost for name, cost in MADE_COSTS.items() if name != NGINX}
STARLETTE = "python/starlette"


def starlette(factor: float, seed: int) -> Results:
    """Starlette in a run in which it costs that factor of what Falcon costs."""
    rng, run = Random(seed), a_run(f"20260301T093000Z-{seed:08x}")
    own, base = ([each * exp(rng.gauss(0, 0.03)) for _ in range(10)] for each in (100 * factor, 100.0))
    cell = a_cell(run, solo=solo([1e6 / cost for cost in own]), baseline=baseline(base))
    return Results([an_entry(STARLETTE, run, [cell])])


@pytest.mark.parametrize(("other", "different"), [(1.1, False), (7.0, True)])
def test_a_copy_is_called_different_only_where_it_costs_more(catalog: Catalog, other: float, different: bool) -> None:
    found = agreement_of(catalog, starlette(1.1, 1), starlette(other, 2))
    (copies,) = found.copies
    assert (copies.entry, copies.different) == (STARLETTE, different)
    assert (copies.spread < 0.05) is not different
    assert f"| copies called different | {int(different)} of 1 " in agreement_table(found)


def made(costs: dict[str, float], factors: dict[str, float] | None = None, seed: int = 1) -> Results:
    """Made results of the small catalogue. `factors`: by how much dearer an entry is than its costs say."""
    changed = {name: cost * (factors or {}).get(name, 1.0) for name, cost in costs.items()}
    catalog, run = small_catalog(), a_run()
    return Results([made_result(catalog, catalog.entries[name], run, changed, Random(seed)) for name in changed])


def agreement(one: Results, other: Results) -> Agreement:
    return agreement_of(small_catalog(), one, other)


def test_two_boards_of_the_same_apps_contradict_each_other_in_nothing() -> None:
    found = agreement(made(COSTS), made(COSTS, seed=2))
    assert found.both > 20
    assert found.contradicted == found.claims.denied == 0
    assert found.claims.within.pairs > found.claims.within.claimed > 0
    assert found.claims.across.pairs > found.claims.across.claimed > 0
    assert median(found.apart) < 0.05
    assert not any(copies.different for copies in found.copies)
    # neither baselines nor the entry of a language without one are compared with themselves
    assert {copies.entry for copies in found.copies} == {"python/fastapi", STARLETTE, "rust/rocket"}


def test_an_app_that_is_fast_on_one_board_and_slow_on_the_other_is_a_contradiction() -> None:
    found = agreement(made(COSTS), made(COSTS, {STARLETTE: 0.3}))
    assert found.contradicted > 0
    assert max(found.apart) > 0.5
    assert f"| claims that the other contradicts | {found.contradicted} |" in agreement_table(found)


def test_a_claim_that_throughputs_deny_is_counted() -> None:
    """Falcon's throughput was noted a hundred times too low, and its CPU time was not."""

    def too_low(result: EntryResult) -> EntryResult:
        cells = [
            cell.model_copy(
                update={"solo": cell.solo.model_copy(update={"throughput": [t / 100 for t in cell.solo.throughput]})}
            )
            for cell in result.cells
        ]
        return result.model_copy(update={"cells": cells})

    falcon, *others = made(COSTS).entries
    assert agreement(Results([too_low(falcon), *others]), made(COSTS)).claims.denied > 0


def rows_of(**cells: CellResult) -> list[Table]:
    return [found for _, found in tables_of(small_board(**cells))]


def slower_than_its_cost(cost: float, throughput: float, **changes: Any) -> CellResult:
    """A cell beside `own_baseline` that gives so many requests per second, whatever it costs."""
    return beside(cost, solo=solo(around(throughput, 10), cpu_us=around(100 * cost, 10)), **changes)


def test_an_order_is_as_far_off_as_throughput_is_from_cost() -> None:
    """The baseline gives 10,000 requests per second. At twice the cost, 5,000 agree with that, and 4,500 do not."""
    tables = rows_of(
        falcon=own_baseline(), fastapi=slower_than_its_cost(2.0, 5_000), starlette=slower_than_its_cost(2.0, 4_500)
    )
    found = order_check(tables)
    assert sorted(found.off) == pytest.approx([0.0, 0.1], abs=0.002)
    assert found.unknown == 0


def test_earlier_runs_do_not_count_where_throughputs_are_of_one_run() -> None:
    earlier = [EarlierCost(at=START, log_cost=log(4.0), variance=1e-5)]
    tables = rows_of(falcon=own_baseline(), fastapi=slower_than_its_cost(2.0, 5_000, earlier=earlier))
    assert order_check(tables).off == pytest.approx([0.0], abs=0.002)


@pytest.mark.parametrize("limits", [(Limit.APP, Limit.WAITING), (Limit.SOURCE, Limit.APP)])
def test_throughput_says_nothing_of_cost_where_an_app_was_not_busy(limits: tuple[Limit, Limit]) -> None:
    base, row = limits
    tables = rows_of(falcon=own_baseline(limit=base), fastapi=beside(2.0, limit=row))
    assert order_check(tables) == OrderCheck([], 0)


def test_older_results_are_counted_and_nothing_is_said_of_their_order() -> None:
    older = baseline(around(100, 10), throughput=None)
    tables = rows_of(falcon=own_baseline(), fastapi=beside(2.0, baseline=older))
    text = measured_table(claims_of(tables), order_check(tables))
    assert "| rows held against their baseline's throughput | 0 of 1 (0.0%) |" in text
    assert "off 1, median | – |" in text
    assert "| rows of older results, which lack the baseline's throughput | 1 |" in text


def test_claims_that_medians_do_not_bear_out_are_counted() -> None:
    """All three are claimed to be slower than Falcon by cost. One is by throughput, one hardly, and one is not."""
    found = claims_of(
        rows_of(
            falcon=own_baseline(),
            fastapi=slower_than_its_cost(2.0, 5_000),
            starlette=slower_than_its_cost(2.0, 9_500),
            sanic=slower_than_its_cost(2.0, 10_400),
        )
    )
    assert found.within == (6, 3)
    assert (found.measured, found.denied, found.close, found.reversed) == (3, 0, 2, 1)


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folders of results: those of runs, those of another one as they are published, and one without any."""
    monkeypatch.setenv("RESTBENCH_ROOT", str(small_repository().root))
    for name, seed in (("run", 1), (f"published/{LATEST}", 2), (f"published/{LINKS}", 3)):
        for result in made(COSTS, seed=seed).entries:
            write_entry(tmp_path / name, result)
    write_entry(tmp_path / "docker", a_full_result(small_catalog(), run=a_run(target="docker")))
    write_entry(tmp_path / "others", a_full_result(small_catalog(), "java/jooby"))
    write_entry(tmp_path / "one", a_full_result(small_catalog()))
    return tmp_path


def test_the_results_of_a_run_are_compared_with_published_ones(
    folders: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agree(folders / "run", folders / "published")
    assert "| claims that the other contradicts | 0 |" in capsys.readouterr().out


def test_one_folder_is_held_against_its_own_throughputs(folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agree(folders / "published")
    text = capsys.readouterr().out
    assert text.startswith("| of one measurement | found |")
    assert "| claims whose median throughputs say the opposite | 0 of " in text
    assert "older" not in text


@pytest.mark.parametrize(
    ("one", "other", "message"),
    [
        ("run", "none", "none: there are no results; name a folder such as out/results"),
        ("none", None, "none: there are no results; name a folder such as out/results"),
        ("run", "none/../run", "run: is named twice: name results of another measurement"),
        (
            "run",
            "docker",
            r"no setting in common \(native quick local-x86_64-2cpu and docker quick local-x86_64-2cpu\): measure",
        ),
        ("one", "others", "have no row in common: name results of the same entries"),
    ],
)
def test_what_cannot_be_compared_is_refused(folders: Path, one: str, other: str | None, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        agree(folders / one, folders / other if other else None)
