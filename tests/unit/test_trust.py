"""How `make trust` slows an app down, makes copies, and counts what was found."""

from pathlib import Path

import pytest

from restbench.catalog import load_catalog
from restbench.system.repository import find_repository
from tests.trust.__main__ import BOARDS, IDENTICAL, SLOWED
from tests.trust.copies import tree_of_copies
from tests.trust.detection import HANDLER, Burn


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
