"""The files that github-action-benchmark reads."""

import json
from pathlib import Path
from typing import Any

from restbench.ci.tracker import write_figures
from restbench.results.models import Limit
from tests.unit.records import a_cell, a_failed_cell, a_round, an_entry


def written(folder: Path, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((folder / name).read_text())
    return found


def test_each_direction_has_a_file(tmp_path: Path) -> None:
    assert write_figures(tmp_path, [an_entry()]) == {"throughput.json": 1, "cpu.json": 1}
    (speed,), (cost,) = written(tmp_path, "throughput.json"), written(tmp_path, "cpu.json")
    assert (speed["name"], speed["unit"], speed["value"]) == ("python/falcon · hello · hello_world", "req/s", 10_200)
    assert (cost["name"], cost["unit"]) == (speed["name"], "µs CPU/request")
    assert speed["range"] == "± 200"
    assert speed["extra"].splitlines()[0] == "version 4.4.0"
    assert set(speed) == {"name", "unit", "value", "range", "extra"}


def test_throughput_of_what_the_app_did_not_limit_is_left_out(tmp_path: Path) -> None:
    waiting = a_cell(rounds=[a_round(i, limit=Limit.WAITING) for i in range(3)])
    noisy = a_cell(scenario="sprint", rounds=[a_round(i, limit=Limit.NOISE) for i in range(3)])
    counts = write_figures(tmp_path, [an_entry(cells=[waiting, noisy])])
    assert counts == {"throughput.json": 0, "cpu.json": 1}
    assert written(tmp_path, "throughput.json") == []


def test_what_failed_has_no_figure(tmp_path: Path) -> None:
    assert write_figures(tmp_path, [an_entry(cells=[a_failed_cell()])]) == {"throughput.json": 0, "cpu.json": 0}
