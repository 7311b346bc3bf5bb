"""What `restbench trust` finds in made results, and how it makes copies."""

import random
from dataclasses import replace
from math import exp
from pathlib import Path
from statistics import median

import pytest

from restbench.board import Board, build_board
from restbench.catalog import Catalog, load_catalog
from restbench.compare.models import CellChange, Cost, EntryComparison, Verdict
from restbench.system.repository import find_repository
from restbench.trust.boards import agreement_of
from restbench.trust.copies import tree_of_copies
from restbench.trust.detection import HANDLER, PROBE_ITERATIONS, Burn, detection_of, iterations_for
from restbench.trust.identical import Identical, judge_identical
from restbench.trust.tables import boards_table, detection_table, identical_table
from tests.made.results import made_result
from tests.unit.boards import COSTS as MADE_COSTS
from tests.unit.boards import NGINX
from tests.unit.records import a_cell, a_run, an_entry, baseline, solo
from tests.unit.small import small_catalog

COSTS = {name: cost for name, cost in MADE_COSTS.items() if name != NGINX}


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


def made(costs: dict[str, float], factors: dict[str, float] | None = None, seed: int = 1) -> Board:
    """A made board of the small catalogue. `factors`: by how much dearer an entry is than its costs say."""
    changed = {name: cost * (factors or {}).get(name, 1.0) for name, cost in costs.items()}
    catalog, run = small_catalog(), a_run()
    results = [made_result(catalog, catalog.entries[name], run, changed, random.Random(seed)) for name in changed]
    return build_board(catalog, results)


def test_two_boards_of_the_same_apps_contradict_each_other_in_nothing() -> None:
    found = agreement_of(made(COSTS), made(COSTS, seed=2))
    assert found.both > 20
    assert found.contradicted == found.denied == 0
    assert found.within.pairs > found.within.claimed > 0
    assert found.across.pairs > found.across.claimed > 0
    assert median(found.apart) < 0.05


def test_an_app_that_is_fast_on_one_board_and_slow_on_the_other_is_a_contradiction() -> None:
    found = agreement_of(made(COSTS), made(COSTS, {"python/starlette": 0.3}))
    assert found.contradicted > 0
    assert max(found.apart) > 0.5
    (told,) = [line.split() for line in boards_table(found).splitlines() if "contradicts" in line]
    assert told[-2] == str(found.contradicted)


def test_a_claim_that_throughputs_deny_is_counted() -> None:
    """Falcon's throughput was noted a hundred times too low, and its CPU time was not."""
    board = made(COSTS)
    for table in (table for section in board.sections for suite in section.suites for table in suite.tables):
        for number, row in enumerate(table.rows):
            if row.entry == "python/falcon":
                low = row.solo.model_copy(update={"throughput": [each / 100 for each in row.solo.throughput]})
                table.rows[number] = replace(row, solo=low)
    assert agreement_of(board, made(COSTS)).denied > 0


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
