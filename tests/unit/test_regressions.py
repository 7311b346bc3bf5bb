"""Which entries became slower, and have not become faster again."""

import pytest

from restbench.changes.regressions import ALL_CELLS, Judged, Judgement, Regression, open_regressions
from tests.made.changes import a_cell_cost, a_record

FALCON, AXUM = "python/falcon", "rust/axum"
EXPECTED = Judgement(verdict=Judged.EXPECTED, why="It checks more.")


def assert_worst(regression: Regression, part: str, ratio: float) -> None:
    assert regression.worst[0] == part
    assert regression.worst[1] == pytest.approx(ratio)


def test_a_slowdown_of_five_per_cent_is_a_regression() -> None:
    slower = a_record(ratio=1.05)
    found = open_regressions([slower, a_record(AXUM, ratio=1.049)], {})
    assert list(found) == [FALCON]
    assert found[FALCON].records == [slower]
    assert_worst(found[FALCON], ALL_CELLS, 1.05)


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


def test_becoming_faster_is_no_regression() -> None:
    assert open_regressions([a_record(ratio=0.8)], {}) == {}


def test_a_revert_mends_it() -> None:
    assert open_regressions([a_record(ratio=1.06, number=1), a_record(ratio=1 / 1.06, number=2)], {}) == {}


def test_half_a_mend_does_not() -> None:
    slower = a_record(ratio=1.10, number=1)
    assert open_regressions([slower, a_record(ratio=0.95, number=2)], {})[FALCON].records == [slower]


def test_an_earlier_speed_up_does_not_make_up_for_it() -> None:
    slower = a_record(ratio=1.06, number=2)
    assert open_regressions([a_record(ratio=0.8, number=1), slower], {})[FALCON].records == [slower]


def test_records_count_in_the_order_of_time() -> None:
    mend, slower = a_record(ratio=1 / 1.06, number=2), a_record(ratio=1.06, number=1)
    assert open_regressions([mend, slower], {}) == {}


def test_noise_of_later_records_does_not_mend_it() -> None:
    slower = a_record(ratio=1.06, number=1)
    noise = [a_record(ratio=0.995, number=number) for number in range(2, 20)]
    assert open_regressions([slower, *noise], {})[FALCON].records == [slower]


def test_a_cell_is_mended_by_itself() -> None:
    cells = {"hello/hello_world": a_cell_cost(1.10), "solr/anonymization/typed": a_cell_cost(1.10)}
    slower = a_record(ratio=1.0, number=1, cells=cells)
    mend = a_record(ratio=1.0, number=2, cells={"hello/hello_world": a_cell_cost(1 / 1.10)})
    assert FALCON in open_regressions([slower, mend], {})
    both = a_record(ratio=1.0, number=2, cells={name: a_cell_cost(1 / 1.10) for name in cells})
    assert open_regressions([slower, both], {}) == {}


def test_what_was_judged_is_no_regression() -> None:
    first, second = a_record(ratio=1.06, number=1), a_record(ratio=1.07, number=2)
    assert open_regressions([first, second], {first.id: EXPECTED})[FALCON].records == [second]
    assert open_regressions([first, second], {first.id: EXPECTED, second.id: EXPECTED}) == {}


def test_small_slowdowns_add_up() -> None:
    four = [a_record(ratio=1.04, number=number) for number in range(1, 5)]
    assert open_regressions(four[:1], {}) == {}
    found = open_regressions(four, {})[FALCON]
    assert found.records == four
    assert_worst(found, ALL_CELLS, 1.04**4)


def test_small_slowdowns_of_different_parts_add_up_in_their_cell() -> None:
    """All cells together are claimed once, and a cell alone another time."""
    first = a_record(ratio=1.04, number=1)
    second = a_record(ratio=1.0, number=2, cells={"hello/hello_world": a_cell_cost(1.04)})
    found = open_regressions([first, second], {})[FALCON]
    assert found.parts == {"hello/hello_world": pytest.approx(1.04**2)}
    assert found.records == [first, second]
    assert list(found.slower_parts(second)) == ["hello/hello_world"]


def test_what_is_not_claimed_does_not_add_up() -> None:
    assert open_regressions([a_record(ratio=1.009, number=number) for number in range(1, 30)], {}) == {}


def test_a_speed_up_between_small_slowdowns_is_where_they_begin() -> None:
    ratios = [1.04, 0.9, 1.04]
    assert open_regressions([a_record(ratio=r, number=n) for n, r in enumerate(ratios, start=1)], {}) == {}


def test_what_is_left_of_a_mend_counts_with_what_follows() -> None:
    ratios = [1.06, 1 / 1.045, 1.04]
    records = [a_record(ratio=r, number=n) for n, r in enumerate(ratios, start=1)]
    assert open_regressions(records[:2], {}) == {}
    assert open_regressions(records, {})[FALCON].records == [records[0], records[2]]


def test_a_judged_one_of_several_small_slowdowns_does_not_count() -> None:
    first, second = a_record(ratio=1.04, number=1), a_record(ratio=1.04, number=2)
    assert FALCON in open_regressions([first, second], {})
    assert open_regressions([first, second], {second.id: EXPECTED}) == {}
