"""No board claims what its own measured throughputs deny, and the published one does not."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random

import pytest

from restbench.board import Board, Row, Table, build_board
from restbench.catalog import Catalog, Entry, load_catalog
from restbench.changes.chain import gains_of
from restbench.changes.records import CHANGES, read_records
from restbench.results.files import read_folder
from restbench.results.merge import LATEST, LINKS
from restbench.results.models import CellResult, Limit
from restbench.stats.estimates import certainly_faster
from restbench.system.repository import find_repository
from tests.made.boards import board_of, made_board
from tests.made.records import a_cell, an_entry, baseline, beside, own_baseline, solo
from tests.made.small import table

IN_A_THOUSAND = 1
"""So many of a thousand claims may be against the measured throughputs."""


def tables_of(board: Board) -> Iterator[Table]:
    return (table for section in board.sections for suite in section.suites for table in suite.tables)


def claims(shown: Table) -> Iterator[tuple[Row, Row]]:
    """The pairs of rows of which the first is certainly before the second, where the app was the limit of both."""
    rows = shown.compared
    for fast, slow in certainly_faster([row.estimate for row in rows if row.estimate]):
        if rows[fast].limit == rows[slow].limit == Limit.APP:
            yield rows[fast], rows[slow]


def denied(tables: Iterable[Table]) -> tuple[list[str], int]:
    """The claims of rows whose measured rounds all lie below those of the other row, and the number of all claims."""
    found = [(shown, pair) for shown in tables for pair in claims(shown)]
    return [
        f"{shown.name}: {first.label} before {second.label}"
        for shown, (first, second) in found
        if max(first.cell.solo.throughput) < min(second.cell.solo.throughput) and first.run.id == second.run.id
    ], len(found)


def check(board: Board) -> int:
    """Returns the number of claims."""
    against, count = denied(tables_of(board))
    assert 1000 * len(against) <= IN_A_THOUSAND * count, against
    for shown in tables_of(board):
        shares = [row.share.middle for row in shown.rows if row.share]
        assert shares == sorted(shares, reverse=True)
        for row in shown.compared:
            assert row.throughput
            assert min(row.cell.solo.throughput, default=0) <= row.throughput.middle
    return count


def test_the_published_board_claims_nothing_that_its_throughputs_deny() -> None:
    repository = find_repository()
    latest, links = (list(read_folder(repository.results / folder).values()) for folder in (LATEST, LINKS))
    records = read_records(repository.results / CHANGES)
    check(build_board(load_catalog(repository), latest, links, gains_of(records)))


def test_a_made_board_claims_nothing_that_its_throughputs_deny() -> None:
    assert check(made_board(several=True)) > 20


@pytest.mark.parametrize("seed", range(20))
def test_no_noise_makes_a_board_contradict_its_throughputs(catalog: Catalog, seed: int) -> None:
    """Entries of three languages, with few rounds or many, little noise or much, and whatever limits."""
    random = Random(seed)
    chosen = [entry for entry in catalog.ranked if entry.variants("hello")][:12]
    bases = {entry.id: _rounds(random) for entry in catalog.baselines}
    results = [an_entry(entry.id, cells=[_noisy(random, catalog.baseline_of(entry), entry, bases)]) for entry in chosen]
    check(build_board(catalog, results))


def _rounds(random: Random) -> list[float]:
    cost, noise = 100 * random.lognormvariate(0, 0.5), random.choice([0.01, 0.1, 0.3])
    return [cost * random.lognormvariate(0, noise) for _ in range(random.choice([1, 3, 7, 12]))]


def _noisy(random: Random, base: Entry | None, entry: Entry, bases: dict[str, list[float]]) -> CellResult:
    costs = bases[entry.id] if entry.id in bases else _rounds(random)
    limit = random.choice([Limit.APP, Limit.APP, Limit.LOAD_GENERATOR, Limit.NOISE])
    rounds = baseline(bases[base.id], base.id) if base else None
    return a_cell(solo=solo([1e6 / cost for cost in costs], limit), baseline=rounds)


def test_a_claim_that_throughputs_deny_is_found_out() -> None:
    right = table(falcon=own_baseline(), fastapi=beside(2.0))
    assert denied([right]) == ([], 1)
    first, second = right.rows
    swapped = replace(right, rows=[replace(first, cell=second.cell), replace(second, cell=first.cell)])
    assert denied([swapped]) == (["hello_world: Falcon before FastAPI"], 1)


def test_a_board_without_results_claims_nothing() -> None:
    assert check(Board([])) == 0
    assert check(board_of()) == 0
