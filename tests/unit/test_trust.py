"""How `make trust` slows an app down, makes copies, and counts what was found."""

from pathlib import Path

import pytest

from restbench.catalog import load_catalog
from restbench.changes.comparison import CellChange, Cost, EntryComparison, Verdict
from restbench.system.repository import find_repository
from tests.trust.__main__ import BOARDS, IDENTICAL, SLOWED
from tests.trust.copies import tree_of_copies
from tests.trust.detection import HANDLER, PROBE_ITERATIONS, Burn, detection_table, iterations_for


@pytest.mark.files
def test_what_it_measures_is_in_the_catalogue() -> None:
    assert {*IDENTICAL, *BOARDS, SLOWED} <= load_catalog(find_repository()).entries.keys()


def test_iterations_follow_from_what_many_cost() -> None:
    assert iterations_for(0.02, [3.0] * 12) == round(0.02 * PROBE_ITERATIONS / 2)


def compared(verdict: Verdict, ratio: float) -> EntryComparison:
    cost = Cost(ratio=ratio, low=ratio - 0.01, high=ratio + 0.01, starts=4, rounds=48)
    cell = CellChange(suite="hello", scenario="hello_world", variant=None, verdict=verdict, cost=cost)
    return EntryComparison(
        entry="python/extra-5", title="Falcon", base_version="4", version="4", status="changed", cells=[cell]
    )


def test_detection_counts_what_was_claimed() -> None:
    comparisons = [compared(Verdict.SLOWER, 1.05), compared(Verdict.SAME, 1.02), compared(Verdict.FASTER, 0.97)]
    assert "| 5% | 1 of 3 | 1 of 3 | +2.0% | -3.0% to +5.0% |" in detection_table({0.05: comparisons})


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
