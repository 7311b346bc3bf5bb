"""Marks in place of figures, and what is said of a backend."""

from restbench.board import build_board
from restbench.render.columns import features_grid
from restbench.render.markdown_pages import render_pages
from restbench.results.models import Ceiling, CellResult, Failure, SoloRounds
from tests.made.records import a_cell, a_run, an_entry
from tests.made.small import small_board, small_catalog

CATALOG = small_catalog()
FEATURES = CATALOG.suites["solr"].scenario("validation").features


def checked(*missing: str, variant: str = "pydantic", **changes: object) -> CellResult:
    features = {name: name not in missing for name in FEATURES}
    fields: dict[str, object] = {
        "scenario": "validation",
        "suite": "solr",
        "variant": variant,
        "solo": SoloRounds(),
        "features": features,
    }
    return a_cell(**{**fields, **changes})  # type: ignore[arg-type]


def test_a_feature_by_hand_counts_less_than_one_by_the_framework() -> None:
    assert CATALOG.entries["python/fastapi"].documented("solr").by_hand == ["repeated"]
    board = small_board(fastapi=checked(), falcon=checked(variant="msgspec"), sanic=checked("huge", "text"))
    (table,) = board.sections[0].suites[0].feature_tables
    grid = features_grid(table)
    assert grid.headers == ["framework", "variant", "by the framework", *FEATURES]
    assert [[cell.text for cell in line.cells] for line in grid.lines] == [
        ["Falcon", "msgspec", "5 of 5", "✓", "✓", "✓", "✓", "✓"],
        ["FastAPI", "pydantic", "4 of 5", "✓", "✓", "✓", "✓", "by hand"],
        ["Sanic", "pydantic", "3 of 5", "✓", "–", "✓", "–", "✓"],
    ]


def test_an_entry_without_a_document_has_none_of_its_features() -> None:
    scenario = CATALOG.suites["solr"].scenario("openapi")
    bare = checked(variant="msgspec", scenario="openapi", features=dict.fromkeys(scenario.features, False))
    (table,) = small_board(falcon=bare).sections[0].suites[0].feature_tables
    (line,) = features_grid(table).lines
    assert [cell.text for cell in line.cells] == ["Falcon", "msgspec", "none", *["–"] * len(scenario.features)]


def test_who_could_not_be_asked_says_why_and_comes_last() -> None:
    failure = Failure(check="rejects-text", got="200")
    cells = {
        "fastapi": checked(features={}, not_run="java is missing: install it"),
        "falcon": checked(variant="msgspec", features={}, failure=Failure(check="start", got="it did not come up")),
        "sanic": checked("text", failure=failure),
    }
    (table,) = small_board(**cells).sections[0].suites[0].feature_tables
    grid = features_grid(table)
    assert [line.cells[2].text for line in grid.lines] == ["4 of 5", "failed", "not run"]
    assert [line.cells[2].note for line in grid.lines] == [1, 2, 3]
    assert grid.notes == [
        "failed: rejects-text: 200",
        "failed: start: it did not come up",
        "not run: java is missing: install it",
    ]


def test_pages_have_ceilings_and_feature_checks() -> None:
    ceiling = Ceiling(
        backend="solr",
        versions="Solr 9.10.1, Varnish 7.1.1",
        cached=20_000,
        uncached=400,
        start_seconds=7.93,
        memory_bytes=331_000_000,
    )
    measured = a_cell(scenario="json_serialization", suite="solr", variant="pydantic")
    entry = an_entry("python/fastapi", run=a_run(ceiling=ceiling), cells=[measured, checked(), a_cell()])
    text = "\n".join(render_pages(build_board(CATALOG, [entry]), CATALOG).values())
    assert text.count("Ceiling: without an app") == 1  # hello needs no backend
    assert "20,000 requests per second. Solr without the cache gives 400;" in text
    assert "in each run the cache gave at least 50 times as many." in text
    assert "Solr 9.10.1, Varnish 7.1.1: filled and answering correctly 7.9 s after their start" in text
    assert "together they use 331 MB of resident memory." in text
    assert "| 4\u00a0of\u00a05 | ✓ | ✓ | ✓ | ✓ | by hand |" in text
    assert "no round was finished" not in text
