"""The made board with a history of years, and how `make trust` slows apps down and copies them."""

from pathlib import Path

import pytest

from restbench.catalog import load_catalog
from restbench.changes.records import CHANGES, read_records
from restbench.commands.render import write_board
from restbench.system.repository import Repository, find_repository
from tests.made.__main__ import main
from tests.made.history import write_history
from tests.made.world import World
from tests.trust.__main__ import BOARDS, IDENTICAL, SLOWED
from tests.trust.copies import tree_of_copies
from tests.trust.detection import HANDLER, Burn

WEEKS = 50


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    return write_history(tmp_path_factory.mktemp("made"), entries=6, weeks=WEEKS)


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


@pytest.mark.files
def test_what_it_measures_is_in_the_catalogue() -> None:
    assert {*IDENTICAL, *BOARDS, SLOWED} <= load_catalog(find_repository()).entries.keys()


def test_burning_goes_before_the_answer(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(f"class Hello:\n    def on_get(self, resp):\n{HANDLER}")
    Burn(7)(tmp_path)
    assert (tmp_path / "app.py").read_text().endswith(f"        for _ in repeat(None, 7):\n            pass\n{HANDLER}")
    (tmp_path / "app.py").write_text("nothing")
    with pytest.raises(ValueError, match="expected one line"):
        Burn(7)(tmp_path)


@pytest.mark.slow
def test_copies_are_entries_of_their_own_that_need_no_build() -> None:
    entry = load_catalog(find_repository()).entries["python/falcon"]
    edits = {"one": Burn(7), "two": Burn(0)}
    with tree_of_copies(entry, find_repository(), edits) as (repository, copied):
        assert set(copied.entries) == {"python/one", "python/two", "python/falcon"}
        one, original = copied.entries["python/one"], copied.entries["python/falcon"]
        assert one.title == "Falcon (one)"
        assert "repeat(None, 7)" in (one.folder / "app.py").read_text()
        assert "repeat(None" not in (original.folder / "app.py").read_text()
        assert list((repository.state / "env/python").glob("one-*/.restbench-built"))
    assert not repository.root.exists()
