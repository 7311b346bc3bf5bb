"""What tests of the catalogue and of runs begin with."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from restbench.catalog import Catalog, load_catalog
from restbench.repository import find_repository
from restbench.results.journal import Journal


@pytest.fixture
def catalog() -> Catalog:
    return load_catalog(find_repository())


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "rounds.jsonl") as journal:
        yield journal
