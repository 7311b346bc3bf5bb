"""Which cell of the baseline a cell is measured against."""

import pytest

from restbench.catalog import Catalog, Cell, load_catalog
from restbench.catalog.baselines import partner_of
from restbench.system.repository import find_repository


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


def test_a_batch_has_no_partner(catalog: Catalog) -> None:
    flask, falcon = catalog.entries["python/flask"], catalog.entries["python/falcon"]
    batches = [cell for cell in flask.cells(["workload"]) if flask.scenario(cell).batch]
    assert batches
    assert {partner_of(flask, cell, falcon) for cell in batches} == {None}
