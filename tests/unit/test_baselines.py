"""Which cell of the baseline a cell is compared with."""

import pytest

from restbench.catalog import USUAL_SETUP, Catalog, Cell, load_catalog
from restbench.catalog.entry import partner_of
from restbench.system.repository import find_repository
from tests.made.small import small_catalog


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
    """The baseline runs beside the others in the usual setup alone."""
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
