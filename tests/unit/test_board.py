"""Results → what is shown: settings, limits, failures, latencies, facts, and what the catalogue has no longer."""

from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest

from restbench.board import Board, Row, Table, build_board
from restbench.board.estimates import OUTDATED
from restbench.catalog import Catalog
from restbench.render.labels import reason, reference
from restbench.results.models import CellResult, EntryResult, Limit, Missed, RateKind, SoloRounds
from restbench.stats.intervals import Kind
from tests.made.records import (
    START,
    a_cell,
    a_failed_cell,
    a_run,
    an_entry,
    around,
    at_rate,
    beside,
    own_baseline,
    solo,
)
from tests.made.small import small_board, small_catalog

CATALOG = small_catalog()


def hello(board: Board, section: int = 0) -> Table:
    return board.sections[section].suites[0].tables[0]


def row_of(cell: CellResult) -> Row:
    return small_board(falcon=cell).sections[0].suites[0].tables[0].rows[0]


def test_throughput_is_the_median_of_the_solo_rounds_and_fewer_than_six_have_a_range() -> None:
    many = row_of(a_cell(solo=solo([9_000, 15_000, 10_000, 11_000, 12_000, 8_000, 14_000]))).throughput
    few = row_of(a_cell(solo=solo([9_000, 12_000, 10_000]))).throughput
    assert many
    assert few
    assert (many.middle, many.kind) == (11_000, Kind.INTERVAL)
    assert many.high <= 15_000
    assert (few.low, few.high, few.kind) == (9_000, 12_000, Kind.RANGE)


def test_languages_that_no_run_measured_together_are_named() -> None:
    [section] = small_board(falcon=own_baseline(), java__jooby=own_baseline("java/jooby")).sections
    assert section.link_remark is None
    runs = [a_run(f"20260301T093000Z-0000000{number}") for number in range(2)]
    results = [
        an_entry("python/falcon", runs[0], [own_baseline(run=runs[0])]),
        an_entry("java/jooby", runs[1], [own_baseline("java/jooby", run=runs[1])]),
    ]
    [section] = build_board(CATALOG, results).sections
    assert (section.link_remark or "").startswith("Java, Python: not compared with other languages")


def test_latencies_are_percentiles_of_all_requests_by_kind_of_rate() -> None:
    row = row_of(a_cell(latency=[at_rate(RateKind.COMMON, 1000, 2.0), at_rate(RateKind.HALF, 5000, 4.0, 999)]))
    common, half = row.latency[RateKind.COMMON], row.latency[RateKind.HALF]
    assert [common.p50, common.p90, common.p99, half.p50] == pytest.approx([2.0, 2.0, 2.0, 4.0], rel=0.1)
    assert (half.rate, half.requests, half.p99) == (5000, 999, None)


def test_overhead_of_waiting_is_the_median_latency_at_the_common_rate_without_the_waiting() -> None:
    waits = CATALOG.suites["workload"].scenario("timed").waits_ms
    timed = partial(a_cell, scenario="timed", suite="workload", variant="raw")
    half, common = at_rate(RateKind.HALF, 300, 99), at_rate(RateKind.COMMON, 500, waits + 2)
    overhead = row_of(timed(latency=[half, common])).overhead
    assert overhead
    assert overhead.middle == pytest.approx(2, abs=0.1 * (waits + 2))
    assert row_of(timed(latency=[half])).overhead is None


def test_overhead_of_computing_is_what_the_rounds_say_and_none_where_they_say_nothing() -> None:
    def bcrypt(**columns: object) -> Row:
        return row_of(a_cell(scenario="bcrypt", suite="workload", variant=None, solo=solo(around(17, 6), **columns)))  # type: ignore[arg-type]

    overhead = bcrypt(overhead_ms=around(1.5, 6)).overhead
    assert overhead
    assert overhead.middle == pytest.approx(1.5)
    assert bcrypt().overhead is None


def test_only_a_batch_has_a_total() -> None:
    assert row_of(a_cell()).seconds is None
    batch = solo(around(17, 6), seconds=around(0.5, 6))
    assert row_of(a_cell(scenario="bcrypt", suite="workload", variant=None, solo=batch)).seconds


def test_refused_rounds_are_named_where_too_few_are_left_for_an_interval() -> None:
    refused = {"others used the app's CPUs": 2, "errors: read": 1}
    row = row_of(own_baseline(rounds=7, refused=refused))
    assert row.refused == "3 of 10 rounds refused: others used the app's CPUs"
    assert reason(row) is None
    row = row_of(own_baseline(rounds=5, refused=refused))
    assert reason(row) == "3 of 8 rounds refused: others used the app's CPUs"


def test_a_failed_cell_has_its_reason_and_when_it_was_last_good_and_no_figure() -> None:
    row = row_of(a_failed_cell(last_good=START, solo=solo(around(10_000))))
    assert row.throughput is None
    assert row.failure == (
        "answer: GET /hello_world: expected Hello World, got 200 text/plain: Hi (last good: 2026-03-01)"
    )
    assert row_of(a_cell(solo=SoloRounds())).failure == "no solo round was finished"


def test_what_this_machine_cannot_run_is_no_failure() -> None:
    row = row_of(a_cell(solo=SoloRounds(), not_run="oha is missing"))
    assert (row.cell.not_run, row.failure, row.throughput) == ("oha is missing", None, None)
    assert reason(row) == "not run: oha is missing"


def test_a_stale_row_keeps_its_figures_and_says_since_when_and_why() -> None:
    missed = Missed(started=START + timedelta(days=7), reason="the job was cancelled")
    result = an_entry(cells=[own_baseline()]).model_copy(update={"missed": missed})
    row = hello(build_board(CATALOG, [result])).rows[0]
    assert row.throughput
    assert row.label == "Falcon · stale"
    assert reason(row) == (
        "stale, measured on 2026-03-01: the run of 2026-03-08 gave no results for it: the job was cancelled"
    )


def test_a_cell_that_could_not_be_measured_is_stale_and_the_others_are_not() -> None:
    missed = Missed(started=START + timedelta(days=7), reason="not built: the disk is full")
    older = Missed(started=START + timedelta(days=3), reason="the job was cancelled")
    for result in (older, None):
        cells = [own_baseline().model_copy(update={"missed": missed})]
        row = hello(build_board(CATALOG, [an_entry(cells=cells).model_copy(update={"missed": result})])).rows[0]
        assert row.throughput
        assert reason(row) == (
            "stale, measured on 2026-03-01: the run of 2026-03-08 gave no results for it: not built: the disk is full"
        )


def test_an_entry_that_was_never_measured_is_named_with_what_became_of_its_run() -> None:
    missed = Missed(started=START, reason="the job was cancelled")
    board = build_board(CATALOG, [EntryResult(entry="python/falcon", runs={}, cells=[], missed=missed)])
    assert board.sections == []
    assert board.missed == {"python/falcon": "the run of 2026-03-01 gave no results for it: the job was cancelled"}


def test_rows_of_an_earlier_contract_are_compared_only_with_each_other() -> None:
    """The work of a request was another one. The links of an earlier contract are no links either."""
    old, new = a_run("20260301T093000Z-00000001"), a_run("20260301T093000Z-00000002")
    links = [an_entry("python/falcon", old, [own_baseline(run=old)])]
    flask, sanic = (an_entry(f"python/{name}", old, [beside(1.5, run=old)]) for name in ("flask", "sanic"))
    assert all(row.compared for row in hello(build_board(CATALOG, [*links, flask, sanic], links)).rows)
    falcon = an_entry("python/falcon", new, [own_baseline(run=new, contract=2)])
    fastapi = an_entry("python/fastapi", new, [beside(2.0, run=new, contract=2)])
    table = hello(build_board(CATALOG, [falcon, fastapi, sanic]))
    assert [row.entry.name for row in table.rows if row.compared] == ["falcon", "fastapi"]
    assert [row.not_compared for row in table.rows if not row.compared] == [OUTDATED]
    table = hello(build_board(CATALOG, [falcon, fastapi, sanic], links))
    assert not any(row.compared for row in table.rows), "no link says how Python compares with other languages now"
    (chain,) = table.chains
    assert [row.entry.name for group in chain.groups for row in group] == ["falcon", "fastapi"]


def test_settings_never_share_a_table_and_the_newest_comes_first() -> None:
    docker = a_run("docker", START + timedelta(days=1), target="docker")
    results: list[EntryResult] = [an_entry("python/falcon"), an_entry("python/starlette", run=docker)]
    board = build_board(CATALOG, results)
    assert [section.setting.target for section in board.sections] == ["docker", "native"]
    assert [len(hello(board, i).rows) for i in range(2)] == [1, 1]


def test_a_few_more_entries_that_were_measured_natively_do_not_take_the_place_of_docker() -> None:
    docker = a_run("docker", START, target="docker")
    later = a_run("native", START + timedelta(days=1))
    results = [an_entry("python/falcon", run=docker), an_entry("python/starlette", run=docker)]
    results += [an_entry(name, run=later) for name in ("python/fastapi", "python/flask", "python/quart")]
    assert [section.setting.target for section in build_board(CATALOG, results).sections] == ["docker", "native"]


def test_variants_with_a_schema_compete_among_themselves() -> None:
    def cell(variant: str, throughput: float) -> CellResult:
        return a_cell(scenario="sprint", variant=variant, solo=solo(around(throughput)))

    results = [
        an_entry("python/falcon", cells=[cell("raw", 900), cell("msgspec", 500)]),
        an_entry("python/fastapi", cells=[cell("raw", 800), cell("pydantic", 400)]),
    ]
    (suite,) = build_board(CATALOG, results).sections[0].suites
    assert {table.title: [row.label for row in table.rows] for table in suite.tables} == {
        "JSON list of 100, plain": ["Falcon · raw", "FastAPI · raw"],
        "JSON list of 100, typed": ["Falcon · msgspec", "FastAPI · pydantic"],
    }


def test_an_entry_that_left_the_catalogue_leaves_the_board() -> None:
    assert build_board(CATALOG, [an_entry("python/gone")]).sections == []


def _without_suite(catalog: Catalog, entry: str, suite: str, variants: list[str] | bool) -> Catalog:
    """The catalogue in which an entry takes part in a suite with those variants, or not."""
    old = catalog.entries[entry]
    manifest = old.manifest.model_copy(update={"suites": {**old.manifest.suites, suite: variants}})
    return replace(catalog, entries={**catalog.entries, entry: replace(old, manifest=manifest)})


def test_a_suite_that_an_entry_left_leaves_the_board_and_the_rest_stays() -> None:
    solr = partial(a_cell, suite="solr", variant="msgspec")
    checked = solr(scenario="validation", solo=SoloRounds(), features={"missing": True})
    result = an_entry(cells=[a_cell(), checked, solr(scenario="anonymization")])
    assert len(build_board(CATALOG, [result]).sections[0].suites) == 2
    (section,) = build_board(_without_suite(CATALOG, "python/falcon", "solr", False), [result]).sections
    assert [suite.name for suite in section.suites] == ["hello"]


def test_a_variant_that_an_entry_has_no_longer_leaves_the_board() -> None:
    cells = [a_cell(scenario="sprint", variant=variant) for variant in ("raw", "msgspec")]
    catalog = _without_suite(CATALOG, "python/falcon", "issue-tracker", ["raw"])
    (section,) = build_board(catalog, [an_entry(cells=cells)]).sections
    assert [table.name for table in section.suites[0].tables] == ["sprint-raw"]


def test_an_entry_of_which_no_cell_is_left_leaves_the_board() -> None:
    catalog = _without_suite(CATALOG, "python/falcon", "solr", False)
    cell = a_cell(scenario="anonymization", suite="solr", variant="msgspec")
    assert build_board(catalog, [an_entry(cells=[cell])]) == Board([])


def test_a_suite_that_the_catalogue_has_no_longer_leaves_the_board() -> None:
    suites = {name: suite for name, suite in CATALOG.suites.items() if name != "hello"}
    entries = {name: replace(entry, suites=suites) for name, entry in CATALOG.entries.items()}
    assert build_board(replace(CATALOG, suites=suites, entries=entries), [an_entry()]).sections == []


def test_what_a_manifest_says_of_a_pool_is_a_remark_on_figures_of_the_same_files_only() -> None:
    falcon = CATALOG.entries["python/falcon"]
    eight = replace(falcon, manifest=falcon.manifest.model_copy(update={"concurrency": 8}))
    catalog = replace(CATALOG, entries={**CATALOG.entries, falcon.id: eight})

    def remarks(files_hash: str) -> tuple[str, ...]:
        run = a_run().model_copy(update={"files_hash": files_hash})
        return hello(build_board(catalog, [an_entry(run=run)])).rows[0].remarks

    assert remarks(eight.files_hash()) == ("a worker handles 8 requests at a time, and others wait",)
    assert remarks("0123456789ab") == ()


def test_the_reference_says_how_much_the_load_generator_can_drive_and_is_in_no_table() -> None:
    limited = a_cell(solo=solo(around(125_000), Limit.LOAD_GENERATOR))
    board = build_board(CATALOG, [an_entry(), an_entry("reference/nginx", cells=[limited])])
    (section,) = board.sections
    assert [row.title for row in hello(board).rows] == ["Falcon"]
    assert [facts.entry.title for facts in section.facts] == ["Falcon"]
    assert section.reference
    assert reference(section.reference).startswith("The load generator can drive 125,000 (")


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        (a_cell(), "The load generator can drive at least 10,000"),
        (a_failed_cell(), "How much the load generator can drive is not known: nginx: answer: GET /hello_world"),
    ],
    ids=["it was the limit", "it has no figure"],
)
def test_a_reference_that_does_not_tell_the_limit_says_why(cell: CellResult, message: str) -> None:
    (section,) = build_board(CATALOG, [an_entry(), an_entry("reference/nginx", cells=[cell])]).sections
    assert section.reference
    assert reference(section.reference).startswith(message)


def test_a_section_counts_the_rounds_of_its_cells_refused_ones_included() -> None:
    (section,) = small_board(falcon=a_cell(refused={"errors: read": 2}), fastapi=a_cell()).sections
    assert section.rounds == 9


def test_facts_come_from_the_run_that_most_cells_come_from() -> None:
    whole, partial = a_run("whole", START), a_run("partial", START + timedelta(days=1))
    cells = [a_cell(whole, "sprint"), a_cell(whole, "userinfo"), a_cell(partial)]
    result = EntryResult(entry="python/falcon", runs={"whole": whole, "partial": partial}, cells=cells)
    (facts,) = build_board(CATALOG, [result]).sections[0].facts
    assert facts.run == whole
