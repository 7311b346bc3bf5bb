"""What tests of the catalogue and of runs begin with."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from restbench.catalog import Catalog
from restbench.results.journal import Journal
from tests.made.small import small_catalog


@pytest.fixture
def catalog() -> Catalog:
    return small_catalog()


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "rounds.jsonl") as journal:
        yield journal
