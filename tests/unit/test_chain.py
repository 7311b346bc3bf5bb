"""The speed of an entry as the chain of its change records."""

from math import exp, log

import pytest

from restbench.changes.chain import cell_effect, chain_of, speed_of
from restbench.changes.comparison import Verdict
from restbench.changes.records import CellCost, ChangeRecord
from tests.made.changes import a_record

SLOWER, SAME = Verdict.SLOWER, Verdict.SAME


def of_cells(together: CellCost | None = None, **cells: CellCost) -> ChangeRecord:
    """A record of cells of the suite hello."""
    return a_record(together=together, cells={f"hello/{name}": cost for name, cost in cells.items()})


def test_a_slowdown_and_its_revert_lead_back() -> None:
    records = [a_record(ratio=1.06, number=1), a_record(ratio=1 / 1.06, number=2)]
    first, second = chain_of(records, "python/falcon", "hello")
    assert first.speed == pytest.approx(1 / 1.06)
    assert second.speed == pytest.approx(1)
    assert [first.record, second.record] == [record.id for record in records]


def test_links_are_in_the_order_of_time() -> None:
    records = [a_record(ratio=1.5, number=2), a_record(ratio=2.0, number=1)]
    assert [round(link.speed, 3) for link in chain_of(records, "python/falcon", "hello")] == [0.5, 0.333]


def test_noise_does_not_add_up() -> None:
    """Ten changes of 0.4 % each that are not claimed are no change."""
    records = [a_record(ratio=1.004, number=number) for number in range(1, 11)]
    assert chain_of(records, "python/falcon", "hello") == []
    assert speed_of(records, "python/falcon", "hello") == 1


def test_other_entries_and_other_suites_are_other_chains() -> None:
    records = [a_record(ratio=1.5), a_record("rust/axum", ratio=1.5, number=2)]
    assert len(chain_of(records, "python/falcon", "hello")) == 1
    assert chain_of(records, "python/falcon", "solr") == []


def test_the_cells_of_a_suite_count_alike() -> None:
    record = of_cells(a=CellCost(SLOWER, 1.21, 1.2, 1.22, 4, 48), b=CellCost(SAME, 1.003, 0.99, 1.01, 4, 48))
    assert speed_of([record], "python/falcon", "hello") == pytest.approx(1 / 1.1)


def test_cells_of_a_difference_of_all_cells_together_have_their_own_ratios() -> None:
    whole = CellCost(SLOWER, 1.02, 1.01, 1.03, 4, 48)
    record = of_cells(whole, a=CellCost(SAME, 1.03, 0.99, 1.07, 4, 48), b=CellCost(Verdict.UNKNOWN))
    assert cell_effect(record, "hello/a") == pytest.approx(log(1.03))
    assert cell_effect(record, "hello/b") == pytest.approx(log(1.02))
    assert cell_effect(record, "hello/not there") == pytest.approx(log(1.02))


def test_a_cell_that_is_not_claimed_has_no_effect() -> None:
    record = of_cells(CellCost(SAME, 1.02, 0.9, 1.1, 4, 48), a=CellCost(SAME, 1.03, 0.99, 1.07, 4, 48))
    assert exp(cell_effect(record, "hello/a")) == 1
