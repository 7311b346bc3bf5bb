"""Which cell of the baseline a cell is compared with, and what results keep of earlier runs of unchanged code."""

from collections.abc import Sequence
from datetime import timedelta
from itertools import combinations
from math import exp, log, sqrt
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from restbench.board import Row, build_board
from restbench.board.estimates import OTHER_MACHINE, OTHER_RUN, PROCESS
from restbench.board.links import ENOUGH_DIFFERENCES, LEAST_BETWEEN_RUNS, links_of
from restbench.catalog import USUAL_SETUP, Catalog, Cell, load_catalog
from restbench.catalog.entry import partner_of
from restbench.errors import ResultsError
from restbench.results.figures import cost_of_run, cost_over_runs, relative_cost
from restbench.results.files import read_entry, read_folder
from restbench.results.history import history_lines
from restbench.results.merge import LATEST, LINKS, merge_links, merge_results
from restbench.results.models import MOST_EARLIER, CellResult, EarlierCost, EntryResult, Machine
from restbench.results.rounds import UNSTEADY
from restbench.system.repository import find_repository
from tests.made.records import (
    FALCON,
    MACHINE,
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
from tests.made.small import hello, small_catalog

FASTAPI, JOOBY = "python/fastapi", "java/jooby"
COLD = "its CPU time per request was not steady after 4 s of warm-up"
HOSTED = MACHINE.model_copy(update={"machine_class": "github-hosted-x86_64-4cpu"})


def week(number: int, cost: float = 2.0, harness: str = "0123456789ab", **changes: object) -> EntryResult:
    machine = HOSTED.model_copy(update={"harness_hash": harness})
    run = a_run(f"run-{number}", START + timedelta(weeks=number), machine=machine, **changes)
    return an_entry(FASTAPI, run, [beside(cost, run=run)])


def merged(results: Sequence[EntryResult], folder: Path) -> EntryResult:
    for result in results:
        merge_results([result], {}, folder)
    return read_entry(folder / LATEST / f"{FASTAPI}.json")


def test_a_cell_keeps_what_it_cost_in_earlier_runs(tmp_path: Path) -> None:
    (cell,) = merged([week(0, 1.9), week(1, 2.1), week(2, 2.0)], tmp_path).cells
    assert [each.log_cost for each in cell.earlier] == pytest.approx([log(2.1), log(1.9)], abs=1e-3)
    assert all(each.variance > 0 for each in cell.earlier)


def test_at_most_eight_runs_are_pooled(tmp_path: Path) -> None:
    (cell,) = merged([week(number) for number in range(12)], tmp_path).cells
    assert len(cell.earlier) == MOST_EARLIER == 7


def test_a_change_begins_anew(tmp_path: Path) -> None:
    changes: list[dict[str, Any]] = [
        {"harness": "ba9876543210"},
        {"files_hash": "000000000000"},
        {"version": "5.0"},
        {"runtime_settings": {"GC": "server"}},
    ]
    for number, change in enumerate(changes):
        changed = week(2, **change)
        (cell,) = merged([week(0), week(1), changed], tmp_path / str(number)).cells
        assert cell.earlier == []
    run = a_run("run-2", START + timedelta(weeks=2), machine=HOSTED)
    other = an_entry(FASTAPI, run, [beside(2.0, run=run, baseline=baseline([100.0] * 9, files_hash="000000000000"))])
    assert merged([week(0), week(1), other], tmp_path / "baseline").cells[0].earlier == []
    other = an_entry(FASTAPI, run, [beside(2.0, run=run, contract=2)])
    assert merged([week(0), week(1), other], tmp_path / "contract").cells[0].earlier == []


@pytest.mark.parametrize(("machine", "pooled"), [(MACHINE, 0), (HOSTED, 1)], ids=["of one's own", "hosted"])
def test_two_machines_of_one_class_and_of_two_makers_are_one_machine_only_where_they_are_hosted(
    machine: Machine, pooled: int, tmp_path: Path
) -> None:
    runs = [
        a_run(f"run-{number}", START + timedelta(weeks=number), machine=machine.model_copy(update={"cpu_model": model}))
        for number, model in enumerate(["Intel(R) Xeon(R) Processor", "AMD EPYC"])
    ]
    (cell,) = merged([an_entry(FASTAPI, run, [beside(2.0, run=run)]) for run in runs], tmp_path).cells
    assert len(cell.earlier) == pooled


@pytest.mark.parametrize(
    ("machine", "model", "between"),
    [
        (MACHINE, MACHINE.cpu_model, OTHER_RUN),
        (MACHINE, "AMD EPYC", OTHER_MACHINE),
        (HOSTED, HOSTED.cpu_model, OTHER_MACHINE),
    ],
    ids=["the same CPU model", "another one", "hosted"],
)
def test_a_row_of_another_cpu_model_than_the_links_has_the_error_of_another_machine(
    machine: Machine, model: str, between: float
) -> None:
    """It is in one table with the others all the same."""
    together = a_run("links", profile="links", machine=machine)
    run = a_run("run", machine=machine.model_copy(update={"cpu_model": model}))
    results = [an_entry(FALCON, run, [own_baseline(run=run)]), an_entry(FASTAPI, run, [beside(2.0, run=run)])]
    board = build_board(small_catalog(), results, [an_entry(FALCON, together, [own_baseline(run=together)])])
    falcon, fastapi = board.sections[0].suites[0].tables[0].rows
    assert falcon.estimate
    assert fastapi.estimate
    parts = {key[0]: part for key, part in fastapi.estimate.parts.items() if isinstance(key, tuple)}
    assert parts["between runs"].variance == pytest.approx(PROCESS**2 + between**2)


def test_a_run_that_was_not_steady_is_not_pooled_and_ends_nothing(tmp_path: Path) -> None:
    """The second week is cold: the third is pooled with the first."""
    cold = week(1, 2.5)
    cold = cold.model_copy(update={"cells": [cold.cells[0].model_copy(update={"unsteady": COLD})]})
    (cell,) = merged([week(0, 1.9), cold, week(2, 2.0)], tmp_path).cells
    assert [each.log_cost for each in cell.earlier] == pytest.approx([log(1.9)], abs=1e-3)


def test_in_older_results_a_remark_says_that_a_row_is_not_steady() -> None:
    written = beside(2.0).model_dump(mode="json", exclude={"unsteady"}) | {"remarks": [COLD, "something else"]}
    cell = CellResult.model_validate(written)
    assert (cell.unsteady, cell.remarks) == (COLD, ["something else"])


def test_merging_a_run_again_changes_nothing(tmp_path: Path) -> None:
    once = merged([week(0), week(1)], tmp_path)
    assert merged([week(1)], tmp_path) == once


def row_of(catalog: Catalog, result: EntryResult) -> Row:
    run = a_run("falcon", machine=HOSTED)
    board = build_board(catalog, [an_entry(FALCON, run, [own_baseline(run=run)]), result])
    (row,) = (r for r in board.sections[0].suites[0].tables[0].rows if r.entry.id == FASTAPI)
    return row


def test_pooled_runs_make_a_claim_of_what_one_run_leaves_open(tmp_path: Path) -> None:
    """22 % on hosted runners is too little for one run, and enough for eight."""
    catalog = small_catalog()
    assert row_of(catalog, week(0, 1.22)).group == 1
    pooled = merged([week(number, 1.22) for number in range(8)], tmp_path)
    assert row_of(catalog, pooled).group == 2


runs_before = st.lists(
    st.builds(
        EarlierCost,
        at=st.just(START),
        log_cost=st.floats(-50, 50, allow_subnormal=False),
        variance=st.floats(0, 1e4, allow_subnormal=False),
    ),
    max_size=MOST_EARLIER,
)


@given(fastapi=runs_before, starlette=runs_before, spread=st.sampled_from([0.0, 0.01, 0.2]))
def test_the_relative_costs_that_are_printed_are_those_that_rows_are_compared_by(
    fastapi: list[EarlierCost], starlette: list[EarlierCost], spread: float
) -> None:
    rows = hello(
        falcon=own_baseline(),
        fastapi=beside(2.0, spread=spread, earlier=fastapi),
        starlette=beside(3.0, earlier=starlette, baseline=baseline(around(80, 9))),
    )
    one, other, base = rows["FastAPI"], rows["Starlette"], rows["Falcon"]
    for slow, fast in combinations([one, other, base], 2):
        assert slow.estimate
        assert fast.estimate
        assert slow.relative_cost
        assert fast.relative_cost
        faster = exp(fast.estimate.log - slow.estimate.log)
        assert faster == pytest.approx(slow.relative_cost.middle / fast.relative_cost.middle)


def test_the_interval_of_a_pooled_cost_is_that_of_the_rounds_of_all_runs() -> None:
    """Eight runs of equal variance have an eighth of it. Fewer degrees of freedom make one run's interval wider."""
    cell = beside(2.0)
    once = cost_of_run(cell)
    assert once
    before = [EarlierCost(at=START, log_cost=log(1.9), variance=once.variance)] * MOST_EARLIER
    pooled = cost_over_runs(cell.model_copy(update={"earlier": before}))
    assert pooled
    assert pooled.variance == pytest.approx(once.variance / 8)
    assert pooled.interval().middle == pytest.approx((exp(once.log) * 1.9**7) ** (1 / 8))
    widths = [log(each.interval().high / each.interval().low) for each in (once, pooled)]
    assert 0.9 < widths[0] / widths[1] / sqrt(8) < 1.1


def in_two_teams(number: int) -> EntryResult:
    """Falcon's cell of a week in which it was in two teams. Others are compared with the rounds of the first one."""
    run = a_run(f"run-{number}", START + timedelta(weeks=number))
    rounds = solo([10_000.0, 10_100.0, 9_900.0, 8_000.0, 8_100.0, 7_900.0])
    return an_entry(FALCON, run, [a_cell(run, solo=rounds, baseline=baseline(rounds.cpu_us[:3]))])


def test_a_baseline_is_not_compared_with_itself(tmp_path: Path) -> None:
    """It has no relative cost that could differ between runs, and would hide how much those of others do."""
    for number in range(2):
        merge_results([in_two_teams(number)], {}, tmp_path)
    (cell,) = read_entry(tmp_path / LATEST / f"{FALCON}.json").cells
    assert cell.earlier == []
    setting = build_board(small_catalog(), [in_two_teams(0)]).sections[0].setting
    kept = [_with_earlier(in_two_teams(0), _earlier(0.0) * 7) for _ in range(ENOUGH_DIFFERENCES)]
    assert links_of(setting, [], kept, {}).between_runs is None
    costs = [relative_cost(FALCON, each.cells[0]) for each in (in_two_teams(0), *kept)]
    assert all(cost and cost.low == cost.middle == cost.high == 1.0 for cost in costs)


def test_history_has_the_relative_cost_of_each_run_alone() -> None:
    run = a_run()
    cell = beside(2.0, run=run, earlier=_earlier(0.5))
    (found,) = history_lines(an_entry(FASTAPI, run, [cell]))
    (figures,) = found.entry.figures.values()
    assert figures.relative_cost == pytest.approx(2.0, rel=1e-3)


def test_differences_between_runs_take_the_place_of_the_constants() -> None:
    setting = build_board(small_catalog(), [week(0)]).sections[0].setting

    def between(results: list[EntryResult]) -> float | None:
        return links_of(setting, [], results, {}).between_runs

    earlier = [each for number in range(7) for each in _earlier(0.0 if number % 2 else 0.1)]
    many = [_with_earlier(week(0, 2.0), earlier) for _ in range(ENOUGH_DIFFERENCES // 7 + 1)]
    assert between(many[:1]) is None
    assert between(many) == pytest.approx(0.1**2 / 2, rel=0.2)
    alike = [_with_earlier(week(0, 2.0), [each for _ in range(7) for each in _earlier(0.0)]) for _ in range(3)]
    assert between(alike) == LEAST_BETWEEN_RUNS**2


def _earlier(off: float) -> list[EarlierCost]:
    return [EarlierCost(at=START, log_cost=log(2.0) + off, variance=0.0)]


def _with_earlier(result: EntryResult, earlier: list[EarlierCost]) -> EntryResult:
    return result.model_copy(update={"cells": [cell.model_copy(update={"earlier": earlier}) for cell in result.cells]})


def links_week(number: int, costs: dict[str, float]) -> list[EntryResult]:
    run = a_run(f"links-{number}", START + timedelta(weeks=number), profile="links", machine=HOSTED)
    return [an_entry(name, run, [own_baseline(name, cost, run=run)]) for name, cost in costs.items()]


def test_links_are_replaced_and_keep_what_languages_cost_earlier(tmp_path: Path) -> None:
    """The second machine is twice as slow, which says nothing about languages. Jooby costs 10 % more there."""
    merge_links(links_week(0, {FALCON: 100, JOOBY: 20}), tmp_path, small_catalog())
    merge_links(links_week(1, {FALCON: 200, JOOBY: 44}), tmp_path, small_catalog())
    links = read_folder(tmp_path / LINKS)
    falcon, jooby = (links[name].cells[0].earlier[0].log_cost for name in (FALCON, JOOBY))
    assert falcon - jooby == pytest.approx(log(5), abs=1e-3)
    merge_links(links_week(2, {FALCON: 100, JOOBY: 20, "rust/axum": 10}), tmp_path, small_catalog())
    assert all(not result.cells[0].earlier for result in read_folder(tmp_path / LINKS).values())


def test_links_without_a_baseline_that_the_last_had_are_refused(tmp_path: Path) -> None:
    merge_links(links_week(0, {FALCON: 100, JOOBY: 20}), tmp_path, small_catalog())
    before = read_folder(tmp_path / LINKS)
    with pytest.raises(ResultsError, match="java/jooby: not measured as a whole, so the last links stay"):
        merge_links(links_week(1, {FALCON: 100}), tmp_path, small_catalog())
    assert read_folder(tmp_path / LINKS) == before


def test_links_of_which_a_cell_was_not_steady_take_the_place_of_the_last(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    merge_links(links_week(0, {FALCON: 100, JOOBY: 20}), tmp_path, small_catalog())
    falcon, jooby = links_week(1, {FALCON: 100, JOOBY: 20})
    cold = jooby.cells[0].model_copy(update={"baseline": None, "refused": {UNSTEADY: 16}})
    merge_links([falcon, jooby.model_copy(update={"cells": [cold]})], tmp_path, small_catalog())
    links = read_folder(tmp_path / LINKS)
    assert list(links[FALCON].runs) == ["links-1"]
    assert caplog.messages == ["java/jooby: no link to other languages in hello/hello_world, as it was not steady"]


def test_a_cell_that_failed_keeps_the_last_links(tmp_path: Path) -> None:
    merge_links(links_week(0, {FALCON: 100, JOOBY: 20}), tmp_path, small_catalog())
    falcon, jooby = links_week(1, {FALCON: 100, JOOBY: 20})
    failed = jooby.model_copy(update={"cells": [a_failed_cell(jooby.runs["links-1"])]})
    with pytest.raises(ResultsError, match="java/jooby"):
        merge_links([falcon, failed], tmp_path, small_catalog())


def test_an_entry_that_is_no_baseline_any_more_leaves_the_links(tmp_path: Path) -> None:
    """Flask was Python's baseline. Its file would be of another run than the others."""
    merge_links(links_week(0, {"python/flask": 100, JOOBY: 20}), tmp_path, small_catalog())
    merge_links(links_week(1, {FALCON: 90, JOOBY: 20}), tmp_path, small_catalog())
    assert sorted(read_folder(tmp_path / LINKS)) == [JOOBY, FALCON]


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog(find_repository())


@pytest.mark.parametrize(
    ("entry", "variant", "partner"),
    [
        ("python/aiohttp", "raw", "raw"),
        ("python/aiohttp", "orjson", "raw"),
        ("python/litestar", "dataclasses", "msgspec"),
        ("python/litestar", "msgspec", "msgspec"),
        ("python/fastapi", "pydantic", "msgspec"),
    ],
)
def test_all_rows_of_a_table_have_the_same_partner(entry: str, variant: str, partner: str, catalog: Catalog) -> None:
    cell = Cell(entry, "issue-tracker", "sprint", variant)
    found = partner_of(catalog.entries[entry], cell, catalog.entries["python/falcon"])
    assert found == Cell("python/falcon", "issue-tracker", "sprint", partner)


def test_what_needs_another_setup_has_no_partner(catalog: Catalog) -> None:
    """The baseline runs beside the others only in the usual setup."""
    flask, falcon = catalog.entries["python/flask"], catalog.entries["python/falcon"]
    for cell in flask.cells(["workload"]):
        scenario = flask.scenario(cell)
        found = partner_of(flask, cell, falcon)
        assert (found is not None) == (scenario.loaded and not scenario.column and scenario.setup == USUAL_SETUP)


def test_the_only_entry_of_a_language_is_its_baseline() -> None:
    """Java has one entry here, and its manifest names no baseline."""
    catalog = small_catalog()
    jooby = catalog.entries["java/jooby"]
    assert catalog.baseline_of(jooby) is jooby
    assert [entry.id for entry in catalog.baselines] == ["java/jooby", "python/falcon", "rust/axum"]
