"""The made board with a history of years, of which the site and the service are tested."""

from pathlib import Path

import pytest

from restbench.catalog import load_catalog
from restbench.changes.records import CHANGES, read_records
from restbench.commands.render import write_board
from restbench.results.history import read_history
from restbench.system.repository import Repository
from tests.made.__main__ import main
from tests.made.history import REFERENCE, write_history
from tests.made.world import GAP, World

WEEKS = 50


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    return write_history(tmp_path_factory.mktemp("made"), entries=6, weeks=WEEKS)


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
    assert len(records) == len(World(6, WEEKS).bumps)
    assert any(record.claimed for record in records)
    assert any(not record.claimed for record in records)


def test_its_readme_says_what_changed(made: Repository) -> None:
    write_board(made, load_catalog(made))
    assert "## What changed lately" in (made.root / "README.md").read_text()
    assert len(list(made.results.glob("*.md"))) == 6


def test_the_same_numbers_give_the_same_files(tmp_path: Path) -> None:
    for name in ("one", "other"):
        write_history(tmp_path / name, entries=3, weeks=20)
    one, other = (
        {path.relative_to(tmp_path / name): path.read_bytes() for path in (tmp_path / name).rglob("*.json*")}
        for name in ("one", "other")
    )
    assert one == other
    assert Path("results/changes.jsonl") in one


def test_a_longer_history_begins_with_the_shorter_one() -> None:
    shorter, longer = World(6, WEEKS), World(6, WEEKS + 10)
    assert shorter.bumps
    assert shorter.bumps == [bump for bump in longer.bumps if bump.week < WEEKS]
    assert shorter.base == longer.base


def test_a_folder_that_has_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("")
    with pytest.raises(SystemExit, match="is not empty: name a folder that does not exist"):
        main(tmp_path, 6, 10)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
