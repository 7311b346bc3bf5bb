"""The speed of an entry as the chain of its change records, the file with all speeds, and who became slower."""

import json
from math import exp, log
from pathlib import Path
from typing import Any

import pytest

from restbench.changes.chain import cell_effect, chain_of, speed_of
from restbench.changes.comparison import Verdict
from restbench.changes.records import CellCost, ChangeRecord
from restbench.changes.regressions import ALL_CELLS, Judged, Judgement, Regression, open_regressions
from restbench.ci.summary import write_speeds
from restbench.results.models import SoloRounds
from tests.made.changes import a_cell_cost, a_record
from tests.made.records import a_cell, a_failed_cell, an_entry

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


def written(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((folder / "speeds.json").read_text())
    return found


def test_an_entry_has_a_figure_for_each_suite(tmp_path: Path) -> None:
    cells = [a_cell(), a_cell(None, "sprint"), a_cell(None, "userinfo")]
    assert write_speeds(tmp_path, [an_entry(cells=cells)], []) == 2
    hello, tracker = written(tmp_path)
    assert [hello["name"], tracker["name"]] == ["python/falcon · hello", "python/falcon · issue-tracker"]
    assert hello["value"] == 100
    assert hello["extra"].splitlines() == ["version 4.4.0", "no change was seen"]
    assert set(hello) == {"name", "unit", "value", "extra"}


def test_a_figure_is_the_chain_of_the_records_of_its_entry(tmp_path: Path) -> None:
    records = [a_record(ratio=1.25, number=1), a_record(ratio=0.8, number=2), a_record(ratio=1.25, number=3)]
    write_speeds(tmp_path, [an_entry()], [*records, a_record("python/starlette", ratio=2, number=4)])
    (figure,) = written(tmp_path)
    assert figure["value"] == pytest.approx(80)
    assert figure["extra"].splitlines()[1].startswith(f"newest change {records[-1].id}, 2026-03-")


def test_what_was_not_measured_has_no_speed(tmp_path: Path) -> None:
    assert write_speeds(tmp_path, [an_entry(cells=[a_failed_cell()])], []) == 0
    assert written(tmp_path) == []


def test_rounds_that_do_not_count_are_enough(tmp_path: Path) -> None:
    refused = a_cell(None, "sprint", solo=SoloRounds(), refused={"others used the app's CPUs": 3})
    assert write_speeds(tmp_path, [an_entry(cells=[refused])], []) == 1


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
    """All cells together are claimed once, and a single cell another time."""
    first = a_record(ratio=1.04, number=1)
    second = a_record(ratio=1.0, number=2, cells={"hello/hello_world": a_cell_cost(1.04)})
    found = open_regressions([first, second], {})[FALCON]
    assert found.parts == {"hello/hello_world": pytest.approx(1.04**2)}
    assert found.records == [first, second]
    assert list(found.slower_parts(second)) == ["hello/hello_world"]
