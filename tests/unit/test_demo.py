"""The made board of `restbench demo`."""

from pathlib import Path
from random import Random

import pytest

from restbench.catalog import load_catalog
from restbench.changes.store import CHANGES, read_records
from restbench.commands.demo import demo
from restbench.commands.render import write_board
from restbench.demo.world import GAP, World
from restbench.demo.write import REFERENCE, write_demo
from restbench.errors import UsageError
from restbench.results.history import read_history
from restbench.system.repository import Repository, find_repository

WEEKS = 50


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    root = tmp_path_factory.mktemp("demo") / "made"
    write_demo(find_repository(), root, entries=6, weeks=WEEKS, seed=1)
    return Repository(root)


def test_it_is_a_repository_without_mistakes(made: Repository) -> None:
    catalog = load_catalog(made).check()
    assert len(catalog.ranked) == 6
    assert len({entry.language.name for entry in catalog.ranked}) == 3


def test_its_history_has_gaps(made: Repository) -> None:
    months = [read_history(path) for path in sorted((made.results / "history").glob("*.jsonl"))]
    entries = [line.entry for month in months for line in month.entries]
    assert sum(entry != REFERENCE for entry in entries) == 6 * (WEEKS - len(GAP))


def test_each_new_version_is_a_record(made: Repository) -> None:
    records = read_records(made.results / CHANGES)
    assert len(records) == len(World(6, WEEKS, Random(1)).bumps)
    assert any(record.claimed for record in records)
    assert any(not record.claimed for record in records)


def test_its_readme_and_pages_say_that_they_are_made_up(made: Repository) -> None:
    write_board(made, load_catalog(made))
    texts = [made.root / "README.md", *made.results.glob("*.md")]
    assert len(texts) == 7
    for path in texts:
        assert "Everything on this page is made up" in path.read_text().splitlines()[2]
    assert "## What changed lately" in texts[0].read_text()


def test_the_same_numbers_give_the_same_files(tmp_path: Path) -> None:
    for name in ("one", "other"):
        write_demo(find_repository(), tmp_path / name, entries=3, weeks=20, seed=1)
    one, other = (
        {path.relative_to(tmp_path / name): path.read_bytes() for path in (tmp_path / name).rglob("*.json*")}
        for name in ("one", "other")
    )
    assert one == other
    assert Path("results/changes.jsonl") in one


def test_a_longer_history_begins_with_the_shorter_one() -> None:
    shorter, longer = World(6, WEEKS, Random(1)), World(6, WEEKS + 10, Random(1))
    assert shorter.bumps
    assert shorter.bumps == [bump for bump in longer.bumps if bump.week < WEEKS]
    assert shorter.base == longer.base


def test_a_folder_that_has_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("")
    with pytest.raises(UsageError, match="is not empty: name a folder that does not exist"):
        demo(tmp_path, 6, 10, 1)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
