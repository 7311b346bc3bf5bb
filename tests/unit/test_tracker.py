"""The file that github-action-benchmark reads: one figure for each entry and suite."""

import json
from pathlib import Path
from typing import Any

import pytest

from restbench.ci.summary import write_speeds
from restbench.results.models import SoloRounds
from tests.made.changes import a_record
from tests.made.records import a_cell, a_failed_cell, an_entry


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
