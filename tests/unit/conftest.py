"""What tests of the catalogue and of runs begin with, and texts that are compared with golden files."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from restbench.catalog import Catalog
from restbench.results.journal import Journal
from tests.made.small import small_catalog

UNIT = Path(__file__).parent
GOLDEN = UNIT / "golden"
"""Texts that tests expect. `make golden` writes them anew; the change is then read in the diff."""

COLLECTED = pytest.StashKey[list[pytest.Item]]()

Golden = Callable[[str], None]


@pytest.fixture
def catalog() -> Catalog:
    return small_catalog()


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "rounds.jsonl") as journal:
        yield journal


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Compares a text with the golden file that has the test's name, or writes that file."""
    path = GOLDEN / f"{_golden_name(request.node)}.txt"

    def check(text: str) -> None:
        if request.config.getoption("rewrite_golden"):
            path.write_text(text)
        assert path.is_file(), f"{path.name} is missing: run make golden"
        assert text == path.read_text()

    return check


@pytest.fixture
def golden_names(request: pytest.FixtureRequest) -> list[str]:
    """The names of all golden files that tests expect."""
    collected = request.config.stash[COLLECTED]
    if {item.path for item in collected} < set(UNIT.glob("test_*.py")):
        pytest.skip("golden files that no test expects are looked for where all tests of tests/unit are collected")
    return [_golden_name(item) for item in collected if "golden" in _fixtures(item)]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Notes all tests, also those that options leave out. To rewrite golden files, only tests of such files run."""
    config.stash[COLLECTED] = [item for item in items if item.path.parent == UNIT]
    if config.getoption("rewrite_golden"):
        items[:] = [item for item in items if {"golden", "golden_names"} & _fixtures(item)]


def _golden_name(item: pytest.Item) -> str:
    """The words of the function's name and the parameters: "help-bench" of `test_help[bench]`."""
    name = item.name.removeprefix("test_").replace("_", "-")
    return name.replace("[", "-").replace("]", "").rstrip("-")


def _fixtures(item: pytest.Item) -> set[str]:
    return set(item.fixturenames) if isinstance(item, pytest.Function) else set()
