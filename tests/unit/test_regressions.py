"""Which entries became slower, and have not become faster again."""

from restbench.changes.regressions import ALL_CELLS, Regression, open_regressions
from restbench.changes.triage import Judged, Judgement
from tests.unit.change_records import a_cost, a_record

FALCON, AXUM = "python/falcon", "rust/axum"
EXPECTED = Judgement(verdict=Judged.EXPECTED, why="It checks more.")


def test_a_slowdown_of_five_per_cent_is_a_regression() -> None:
    slower = a_record(ratio=1.05)
    assert open_regressions([slower, a_record(AXUM, ratio=1.049)], {}) == {FALCON: Regression(FALCON, [slower])}


def test_one_cell_is_enough() -> None:
    record = a_record(ratio=1.0, cells={"hello/hello_world": a_cost(1.0), "solr/anonymization/typed": a_cost(1.08)})
    found = open_regressions([record], {})
    assert found[FALCON].worst == ("solr/anonymization/typed", a_cost(1.08))


def test_all_cells_together_are_named_before_a_cell() -> None:
    record = a_record(ratio=1.06, cells={"hello/hello_world": a_cost(1.3)})
    assert open_regressions([record], {})[FALCON].worst == (ALL_CELLS, a_cost(1.06))


def test_a_difference_that_is_not_claimed_is_none() -> None:
    same = a_cost(1.0)._replace(ratio=1.07)
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
    cells = {"hello/hello_world": a_cost(1.10), "solr/anonymization/typed": a_cost(1.10)}
    slower = a_record(ratio=1.0, number=1, cells=cells)
    mend = a_record(ratio=1.0, number=2, cells={"hello/hello_world": a_cost(1 / 1.10)})
    assert FALCON in open_regressions([slower, mend], {})
    both = a_record(ratio=1.0, number=2, cells={name: a_cost(1 / 1.10) for name in cells})
    assert open_regressions([slower, both], {}) == {}


def test_what_was_judged_is_no_regression() -> None:
    first, second = a_record(ratio=1.06, number=1), a_record(ratio=1.07, number=2)
    assert open_regressions([first, second], {first.id: EXPECTED})[FALCON].records == [second]
    assert open_regressions([first, second], {first.id: EXPECTED, second.id: EXPECTED}) == {}
