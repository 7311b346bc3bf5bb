"""A board does not contradict itself, and the published one does not."""

from dataclasses import replace
from random import Random

import pytest

from restbench.board import Board, Table, build_board
from restbench.catalog import Catalog, Entry, load_catalog
from restbench.results.files import read_folder
from restbench.results.merge import LATEST
from restbench.results.models import CellResult, Limit
from restbench.stats.intervals import Interval, Kind
from restbench.system.repository import find_repository
from tests.unit.boards import board_of, made_board
from tests.unit.contradictions import contradictions
from tests.unit.records import a_cell, an_entry, around, duets, solo
from tests.unit.test_speeds import beside_falcon, table


def test_the_published_board_does_not_contradict_itself() -> None:
    repository = find_repository()
    results = read_folder(repository.results / LATEST)
    assert contradictions(build_board(load_catalog(repository), results.values())) == []


@pytest.mark.parametrize("several", [False, True])
def test_a_made_board_does_not_contradict_itself(several: bool) -> None:
    assert contradictions(made_board(several=several)) == []


@pytest.mark.parametrize("seed", range(30))
def test_no_noise_makes_a_board_contradict_itself(catalog: Catalog, seed: int) -> None:
    """Entries of three languages, with few rounds or many, little noise or much, and whatever limits."""
    random = Random(seed)
    chosen = random.sample([entry for entry in catalog.ranked if entry.variants("hello")], k=12)
    results = [an_entry(entry.id, cells=[_noisy(random, catalog.baseline_of(entry), entry)]) for entry in chosen]
    assert contradictions(build_board(catalog, results)) == []


def _noisy(random: Random, baseline: Entry | None, entry: Entry) -> CellResult:
    speed, noise = random.lognormvariate(9, 0.5), random.choice([0.01, 0.1, 0.5])
    rounds = [speed * random.lognormvariate(0, noise) for _ in range(random.choice([1, 3, 7, 12]))]
    limit = random.choice([Limit.APP, Limit.APP, Limit.LOAD_GENERATOR, Limit.NOISE])
    if baseline is None or baseline.id == entry.id:
        return a_cell(solo=solo(rounds, limit))
    ratios = [10_000 / speed * random.lognormvariate(0, noise) for _ in range(random.choice([2, 3, 6, 16]))]
    return a_cell(solo=solo(rounds, limit), duets=duets(ratios, baseline.id))


def _falcon_and_fastapi() -> Table:
    return table(falcon=a_cell(), starlette=beside_falcon(1.001), fastapi=beside_falcon(2.0))


WRONG: dict[str, dict[int, dict[str, object]]] = {
    "is outside of its rounds": {0: {"throughput": Interval(12_000, 11_000, 13_000, 7, Kind.INTERVAL)}},
    "ranks are not monotone": {0: {"rank_first": 2}},
    "is faster than Falcon above it": {0: {"speed": Interval(1, 1, 1, 7, Kind.SINGLE)}},
    "interval of relative cost holds 1": {0: {"rank_last": 1}, 1: {"rank_first": 2}},
    "its baseline's throughput": {2: {"speed": Interval(4_000, 3_900, 4_100, 10, Kind.INTERVAL)}},
    "one's interval of relative cost holds the other's": {
        2: {"relative_cost": Interval(2.0, 0.5, 3.0, 10, Kind.INTERVAL)}
    },
    "has a rank and no figure": {0: {"failure": "it did not come up"}},
    "rows that do not rank stand above": {0: {"rank_first": None, "rank_last": None}},
}
"""What is said of a board in which those fields of the rows with those numbers are changed."""


@pytest.mark.parametrize("said", WRONG)
def test_a_wrong_board_is_found_out(said: str) -> None:
    right = _falcon_and_fastapi()
    assert contradictions(board_of(right)) == []
    rows = [replace(row, **WRONG[said].get(number, {})) for number, row in enumerate(right.rows)]  # type: ignore[arg-type]
    wrong = replace(right, rows=rows)
    assert any(said in found for found in contradictions(board_of(wrong)))


def test_leads_is_looked_at_in_the_words_that_readers_see(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.unit.contradictions.leader", lambda _table: "Falcon leads with 1 request")
    (found,) = contradictions(board_of(_falcon_and_fastapi()))
    assert found.endswith('may not say "leads", and says: Falcon leads with 1 request')


def test_a_board_without_results_has_nothing_to_contradict() -> None:
    assert contradictions(Board([])) == []


def test_rows_of_few_rounds_contradict_nothing() -> None:
    shown = table(falcon=a_cell(solo=solo(around(10_000, 1))), fastapi=a_cell(solo=solo(around(90_000, 2))))
    assert contradictions(board_of(shown)) == []
