"""Which entries became slower, and have not become faster again."""

import pytest

from restbench.changes.records import ChangeRecord
from restbench.changes.regressions import ALL_CELLS, Regression, open_regressions
from restbench.changes.triage import Judged, Judgement
from tests.made.changes import a_cell_cost, a_record

FALCON, AXUM = "python/falcon", "rust/axum"
EXPECTED = Judgement(verdict=Judged.EXPECTED, why="It checks more.")


def assert_worst(regression: Regression, part: str, ratio: float) -> None:
    assert regression.worst[0] == part
    assert regression.worst[1] == pytest.approx(ratio)


def records_of(ratios: list[float]) -> list[ChangeRecord]:
    return [a_record(ratio=ratio, number=number) for number, ratio in enumerate(ratios, start=1)]


REGRESSIONS: dict[str, tuple[list[float], list[int], list[int]]] = {
    "a slowdown of five per cent": ([1.05], [], [1]),
    "less than that": ([1.049], [], []),
    "becoming faster": ([0.8], [], []),
    "a slowdown and its revert": ([1.06, 1 / 1.06], [], []),
    "half a mend": ([1.10, 0.95], [], [1]),
    "an earlier speed-up": ([0.8, 1.06], [], [2]),
    "noise of later records": ([1.06, *[0.995] * 18], [], [1]),
    "one of two that was judged": ([1.06, 1.07], [1], [2]),
    "both were judged": ([1.06, 1.07], [1, 2], []),
    "a small slowdown": ([1.04], [], []),
    "small slowdowns add up": ([1.04] * 4, [], [1, 2, 3, 4]),
    "two small slowdowns": ([1.04] * 2, [], [1, 2]),
    "one of several small ones was judged": ([1.04] * 2, [2], []),
    "what is not claimed does not add up": ([1.009] * 29, [], []),
    "a speed-up between small slowdowns is where they begin": ([1.04, 0.9, 1.04], [], []),
    "what is left of a mend": ([1.06, 1 / 1.045], [], []),
    "what is left of a mend counts with what follows": ([1.06, 1 / 1.045, 1.04], [], [1, 3]),
}
"""Ratios of the records of an entry, the numbers of those that were judged, and of those that make a regression."""


@pytest.mark.parametrize(("ratios", "judged", "numbers"), REGRESSIONS.values(), ids=REGRESSIONS)
def test_which_records_make_a_regression(ratios: list[float], judged: list[int], numbers: list[int]) -> None:
    records = records_of(ratios)
    found = open_regressions(records, {records[number - 1].id: EXPECTED for number in judged})
    assert {name: each.records for name, each in found.items()} == (
        {FALCON: [records[number - 1] for number in numbers]} if numbers else {}
    )


def test_all_cells_together_are_slower_by_the_product_of_their_records() -> None:
    for ratios, ratio in (([1.05], 1.05), ([1.04] * 4, 1.04**4)):
        found = open_regressions([*records_of(ratios), a_record(AXUM, ratio=1.049)], {})
        assert list(found) == [FALCON]
        assert_worst(found[FALCON], ALL_CELLS, ratio)


def test_one_cell_is_enough() -> None:
    cells = {"hello/hello_world": a_cell_cost(1.0), "solr/anonymization/typed": a_cell_cost(1.08)}
    record = a_record(ratio=1.0, cells=cells)
    found = open_regressions([record], {})
    assert_worst(found[FALCON], "solr/anonymization/typed", 1.08)


def test_all_cells_together_are_named_before_a_cell() -> None:
    record = a_record(ratio=1.06, cells={"hello/hello_world": a_cell_cost(1.3)})
    assert_worst(open_regressions([record], {})[FALCON], ALL_CELLS, 1.06)


def test_a_difference_that_is_not_claimed_is_none() -> None:
    same = a_cell_cost(1.0)._replace(ratio=1.07)
    assert open_regressions([a_record(together=same, cells={"hello/hello_world": same})], {}) == {}


def test_records_count_in_the_order_of_time() -> None:
    mend, slower = a_record(ratio=1 / 1.06, number=2), a_record(ratio=1.06, number=1)
    assert open_regressions([mend, slower], {}) == {}


def test_a_cell_is_mended_by_itself() -> None:
    cells = {"hello/hello_world": a_cell_cost(1.10), "solr/anonymization/typed": a_cell_cost(1.10)}
    slower = a_record(ratio=1.0, number=1, cells=cells)
    mend = a_record(ratio=1.0, number=2, cells={"hello/hello_world": a_cell_cost(1 / 1.10)})
    assert FALCON in open_regressions([slower, mend], {})
    both = a_record(ratio=1.0, number=2, cells={name: a_cell_cost(1 / 1.10) for name in cells})
    assert open_regressions([slower, both], {}) == {}


def test_small_slowdowns_of_different_parts_add_up_in_their_cell() -> None:
    """All cells together are claimed once, and a cell alone another time."""
    first = a_record(ratio=1.04, number=1)
    second = a_record(ratio=1.0, number=2, cells={"hello/hello_world": a_cell_cost(1.04)})
    found = open_regressions([first, second], {})[FALCON]
    assert found.parts == {"hello/hello_world": pytest.approx(1.04**2)}
    assert found.records == [first, second]
    assert list(found.slower_parts(second)) == ["hello/hello_world"]
