"""What `restbench trust` finds in made results, and how it makes copies."""

import random
from math import exp
from pathlib import Path

import pytest

from restbench.catalog import Catalog, load_catalog
from restbench.compare.models import CellChange, Cost, EntryComparison, Verdict
from restbench.errors import RestbenchError
from restbench.results.models import EntryResult
from restbench.system.repository import find_repository
from restbench.trust.copies import tree_of_copies
from restbench.trust.detection import HANDLER, PROBE_ITERATIONS, Burn, detection_of, iterations_for
from restbench.trust.identical import judge_identical
from restbench.trust.tables import detection_table, identical_table
from restbench.trust.workbench import pair_of
from tests.unit.records import a_cell, an_entry, duets


def copies(factors: list[float], sd: float = 0.02, rounds: int = 6, seed: int = 1) -> list[EntryResult]:
    """Copies of an app that cost those factors of the baseline."""
    rng = random.Random(seed)
    ratios = [[factor * exp(rng.gauss(0, sd)) for _ in range(rounds)] for factor in factors]
    return [an_entry(f"python/copy-{i}", cells=[a_cell(duets=duets(each))]) for i, each in enumerate(ratios)]


def test_identical_apps_are_not_called_different() -> None:
    found = judge_identical(copies([1.1] * 6))
    assert (found.pairs, found.different) == (15, 0)
    assert (found.copies, found.may_lead) == (6, 6)
    assert found.spread < 0.05


def test_a_copy_that_costs_more_is_found() -> None:
    found = judge_identical(copies([1.0, 1.0, 1.0, 1.3]))
    assert (found.pairs, found.different, found.tables_with_difference) == (6, 3, 1)
    assert (found.copies, found.may_lead) == (4, 3)
    assert found.spread > 0.25
    table = identical_table({"python/copy": found})
    assert "1 of 1 (100.0%)" in table
    assert "3 of 6 (50.0%)" in table


def test_iterations_follow_from_what_many_cost() -> None:
    assert iterations_for(0.02, duets([3.0] * 12)) == round(0.02 * PROBE_ITERATIONS / 2)


def compared(verdict: Verdict, ratio: float) -> EntryComparison:
    cost = Cost(ratio=ratio, low=ratio - 0.01, high=ratio + 0.01, starts=4, rounds=48)
    cell = CellChange(suite="hello", scenario="hello_world", variant=None, verdict=verdict, cost=cost)
    return EntryComparison(
        entry="python/extra-5", title="Falcon", base_version="4", version="4", status="changed", cells=[cell]
    )


def test_detection_counts_what_was_claimed() -> None:
    comparisons = [compared(Verdict.SLOWER, 1.05), compared(Verdict.SAME, 1.02), compared(Verdict.FASTER, 0.97)]
    found = detection_of(0.05, comparisons)
    assert (found.repeats, found.slower, found.faster) == (3, 1, 1)
    assert found.measured == [1.05, 1.02, 0.97]
    assert "| 5% " in detection_table([found])


def test_burning_goes_before_the_answer(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(f"class Hello:\n    def on_get(self, resp):\n{HANDLER}")
    Burn(7)(tmp_path)
    assert (tmp_path / "app.py").read_text().endswith(f"        for _ in repeat(None, 7):\n            pass\n{HANDLER}")
    (tmp_path / "app.py").write_text("nothing")
    with pytest.raises(ValueError, match="expected one line"):
        Burn(7)(tmp_path)


def test_only_an_entry_beside_its_baseline_can_be_copied(catalog: Catalog) -> None:
    assert pair_of("python/starlette", catalog).baseline.id == "python/falcon"
    for name in ("python/falcon", "java/jooby", "python/none"):
        with pytest.raises(RestbenchError, match=f"{name} has no baseline to be measured against"):
            pair_of(name, catalog)


@pytest.mark.slow
def test_copies_are_entries_of_their_own_that_need_no_build() -> None:
    pair = pair_of("python/starlette", load_catalog(find_repository()))
    with tree_of_copies(pair.entry, find_repository(), ["one", "two"], [pair.baseline]) as (repository, copied):
        assert set(copied.entries) == {"python/one", "python/two", "python/falcon"}
        assert copied.entries["python/one"].title == "Starlette (one)"
        assert list((repository.state / "env/python").glob("one-*/.restbench-built"))
    assert not repository.root.exists()


@pytest.mark.slow
def test_copies_have_the_code_that_their_entry_runs() -> None:
    pair = pair_of("python/falcon-wsgi-granian", load_catalog(find_repository()))
    with tree_of_copies(pair.entry, find_repository(), ["one"], [pair.baseline]) as (_, copied):
        one = copied.entries["python/one"]
        assert one.code_folder == one.folder
        assert (one.folder / "app.py").read_text() == (pair.entry.code_folder / "app.py").read_text()
        assert one.manifest.server == pair.entry.manifest.server
