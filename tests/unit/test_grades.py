"""Marks in place of figures, and what is said of a backend."""

from restbench.board import Board, build_board
from restbench.render.columns import grades_grid
from restbench.render.readme import render_readme
from restbench.results.models import Ceiling, CellResult, Failure, SoloRounds
from tests.unit.records import a_cell, a_run, an_entry
from tests.unit.small import small_catalog

CATALOG = small_catalog()
MARKS = CATALOG.suites["solr"].scenario("validation").graded


def graded(*missing: str, **changes: object) -> CellResult:
    marks = {mark: mark not in missing for mark in MARKS}
    fields: dict[str, object] = {
        "scenario": "validation",
        "suite": "solr",
        "variant": None,
        "solo": SoloRounds(),
        "marks": marks,
    }
    return a_cell(**{**fields, **changes})  # type: ignore[arg-type]


def board_of(**cells: CellResult) -> Board:
    return build_board(CATALOG, [an_entry(f"python/{name}", cells=[cell]) for name, cell in cells.items()])


def test_a_mark_by_hand_counts_less_than_one_by_the_framework() -> None:
    assert CATALOG.entries["python/fastapi"].documented("solr").by_hand == ["repeated"]
    (grades,) = board_of(fastapi=graded(), falcon=graded(), sanic=graded("huge", "text")).sections[0].suites[0].grades
    grid = grades_grid(grades)
    assert grid.headers == ["framework", "by the framework", *MARKS]
    assert [[cell.text for cell in line.cells] for line in grid.lines] == [
        ["Falcon", "5 of 5", "✓", "✓", "✓", "✓", "✓"],
        ["FastAPI", "4 of 5", "✓", "✓", "✓", "✓", "by hand"],
        ["Sanic", "3 of 5", "✓", "–", "✓", "–", "✓"],
    ]


def test_an_entry_without_a_document_has_none_of_its_marks() -> None:
    scenario = CATALOG.suites["solr"].scenario("openapi")
    bare = graded(scenario="openapi", marks=dict.fromkeys(scenario.graded, False))
    (grades,) = board_of(falcon=bare).sections[0].suites[0].grades
    (line,) = grades_grid(grades).lines
    assert [cell.text for cell in line.cells] == ["Falcon", "none", *["–"] * len(scenario.graded)]


def test_who_could_not_be_asked_says_why_and_comes_last() -> None:
    failure = Failure(check="rejects-text", got="200")
    cells = {
        "fastapi": graded(marks={}, not_run="java is missing: install it"),
        "falcon": graded(marks={}, failure=Failure(check="start", got="it did not come up")),
        "sanic": graded("text", failure=failure),
    }
    (grades,) = board_of(**cells).sections[0].suites[0].grades
    grid = grades_grid(grades)
    assert [line.cells[1].text for line in grid.lines] == ["4 of 5", "failed", "not run"]
    assert [line.cells[1].note for line in grid.lines] == [1, 2, 3]
    assert grid.notes == [
        "failed: rejects-text: 200",
        "failed: start: it did not come up",
        "not run: java is missing: install it",
    ]


def test_the_readme_has_ceilings_and_grades() -> None:
    ceiling = Ceiling(
        backend="solr",
        versions="Solr 9.10.1, Varnish 7.1.1",
        cached=20_000,
        uncached=400,
        start_seconds=7.93,
        memory_bytes=331_000_000,
    )
    measured = a_cell(scenario="json_serialization", suite="solr", variant=None)
    entry = an_entry("python/fastapi", run=a_run(ceiling=ceiling), cells=[measured, graded(), a_cell()])
    text = render_readme(build_board(CATALOG, [entry]), CATALOG)
    assert text.count("Ceiling: without an app") == 1  # hello needs no backend
    assert "the cache answers 20,000 requests per second, 50 times what Solr gives without it (400)" in text
    assert "Solr 9.10.1, Varnish 7.1.1: up, filled and warm after 7.9 s, 331 MB resident together." in text
    assert "| 4\u00a0of\u00a05 | ✓ | ✓ | ✓ | ✓ | by hand |" in text
    assert "no round was finished" not in text
