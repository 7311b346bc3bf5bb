"""What `restbench trust` finds in made results, and how it makes copies."""

import random
from math import exp
from pathlib import Path

import pytest

from restbench.catalog import Catalog, load_catalog
from restbench.compare.models import CellChange, Cost, EntryComparison, Verdict
from restbench.system.repository import find_repository
from restbench.trust.copies import tree_of_copies
from restbench.trust.detection import HANDLER, PROBE_ITERATIONS, Burn, detection_of, iterations_for
from restbench.trust.identical import Identical, judge_identical
from restbench.trust.tables import detection_table, identical_table
from tests.unit.records import a_cell, a_run, an_entry, baseline, solo


def runs(catalog: Catalog, factors: list[float], sd: float = 0.03, seed: int = 1) -> Identical:
    """Starlette in as many runs, in which it costs those factors of what Falcon costs."""
    rng = random.Random(seed)
    results = []
    for number, factor in enumerate(factors):
        run = a_run(f"20260301T093000Z-{number:08x}")
        own, base = ([each * exp(rng.gauss(0, sd)) for _ in range(10)] for each in (100 * factor, 100.0))
        cell = a_cell(run, solo=solo([1e6 / cost for cost in own]), baseline=baseline(base))
        results.append(an_entry("python/starlette", run, [cell]))
    return judge_identical(catalog.entries["python/starlette"], results, catalog, together=2)


def test_identical_apps_are_not_called_different(catalog: Catalog) -> None:
    found = runs(catalog, [1.1] * 6)
    assert (len(found.tables), found.claiming, found.copies, found.slower) == (3, 0, 6, 0)
    assert found.spread < 0.05


def test_a_copy_that_costs_more_is_found(catalog: Catalog) -> None:
    found = runs(catalog, [1.0, 1.5, 1.0, 1.0, 7.0])
    assert (len(found.tables), found.claiming, found.copies, found.slower) == (2, 1, 4, 1)
    table = identical_table({"python/copy": found})
    assert "1 of 2 (50.0%)" in table
    assert "1 of 4 (25.0%)" in table


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
