"""Marks in place of figures, and the remark on a backend."""

from dataclasses import replace

from restbench.board import build_board
from restbench.render.grid import Grid
from restbench.render.markdown_pages import render_pages
from restbench.render.tables import features_grid
from restbench.results.models import Ceiling, CellResult, Failure, SoloRounds
from tests.made.records import a_cell, a_run, an_entry
from tests.made.small import small_board, small_catalog
from tests.unit.conftest import Golden
from tests.unit.grids import cases_text

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


FEWER = checked("huge", "text")


def checks(**cells: CellResult) -> Grid:
    (table,) = small_board(**cells).sections[0].suites[0].feature_tables
    return features_grid(table)


def by_library(**cells: CellResult) -> Grid:
    """As if a library of another project checked parameters in FastAPI's entry."""
    fastapi = CATALOG.entries["python/fastapi"]
    manifest = fastapi.manifest.model_copy(update={"by_library": {"validation": "Zod"}})
    catalog = replace(CATALOG, entries={**CATALOG.entries, fastapi.id: replace(fastapi, manifest=manifest)})
    (table,) = small_board(catalog, **cells).sections[0].suites[0].feature_tables
    return features_grid(table)


def test_features(golden: Golden) -> None:
    """FastAPI's entry writes the feature "repeated" by hand."""
    openapi = CATALOG.suites["solr"].scenario("openapi")
    bare = checked(variant="msgspec", scenario="openapi", features=dict.fromkeys(openapi.features, False))
    asked = {
        "fastapi": checked(features={}, not_run="java is missing: install it"),
        "falcon": checked(variant="msgspec", features={}, failure=Failure(check="start", got="it did not come up")),
        "sanic": checked("text", failure=Failure(check="rejects-text", got="200")),
    }
    cases = [
        ("by the framework and by hand", checks(fastapi=checked(), falcon=checked(variant="msgspec"), sanic=FEWER)),
        ("by a library", by_library(fastapi=checked(), falcon=checked(variant="msgspec"), sanic=FEWER)),
        ("no document", checks(falcon=bare)),
        ("who could not be asked", checks(**asked)),
    ]
    golden(cases_text(cases))


def test_ceiling(golden: Golden) -> None:
    """The page of a suite with a backend says what the backend can do, and that of another suite does not."""
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
    pages = render_pages(build_board(CATALOG, [entry]), CATALOG)
    head, _, rest = pages["solr.md"].partition("<details>")
    golden(head + rest.partition("</details>\n\n")[2])
    assert "Ceiling" not in pages["hello.md"]
