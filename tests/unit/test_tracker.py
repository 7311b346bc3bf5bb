"""The files that github-action-benchmark reads."""

import json
from pathlib import Path
from typing import Any

from restbench.ci.tracker import write_figures
from restbench.results.models import Limit, SoloRounds
from tests.unit.records import a_cell, a_failed_cell, an_entry, around, duets, solo


def written(folder: Path, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((folder / name).read_text())
    return found


def test_each_direction_has_a_file(tmp_path: Path) -> None:
    cell = a_cell(solo=solo([9_800, 10_000, 10_200, 10_400, 10_600]))
    assert write_figures(tmp_path, [an_entry(cells=[cell])]) == {"throughput.json": 1, "cpu.json": 1}
    (speed,), (cost,) = written(tmp_path, "throughput.json"), written(tmp_path, "cpu.json")
    assert (speed["name"], speed["unit"], speed["value"]) == ("python/falcon · hello · hello_world", "req/s", 10_200)
    assert (cost["name"], cost["unit"]) == (speed["name"], "µs CPU/request")
    assert speed["range"] == "± 400"
    assert speed["extra"].splitlines() == [
        "version 4.4.0",
        "range 9800 to 10600, 5 rounds",
        "native, quick, A processor",
    ]
    assert set(speed) == {"name", "unit", "value", "range", "extra"}


def test_cost_is_relative_to_the_baseline_where_there_are_duets(tmp_path: Path) -> None:
    like = a_cell(duets=duets(around(1.25, 7)))
    other = a_cell(None, "sprint", variant="pydantic", duets=duets([2.0] * 3, variant="msgspec"))
    write_figures(tmp_path, [an_entry("python/starlette", cells=[like, other])])
    first, second = written(tmp_path, "cpu.json")
    assert first["name"] == "python/starlette · hello · hello_world · relative to python/falcon"
    assert first["unit"] == "× its baseline"
    assert abs(first["value"] - 1.25) < 0.001
    assert first["extra"].splitlines()[1].startswith("95 % interval 1.2")
    assert second["name"].endswith(" · sprint · pydantic · relative to python/falcon · msgspec")
    assert (second["value"], second["range"]) == (2, "± 0")


def test_two_duets_are_too_few_for_a_relative_cost(tmp_path: Path) -> None:
    write_figures(tmp_path, [an_entry(cells=[a_cell(duets=duets([1.1, 1.2]))])])
    (cost,) = written(tmp_path, "cpu.json")
    assert cost["unit"] == "µs CPU/request"


def test_throughput_of_what_the_app_did_not_limit_is_left_out(tmp_path: Path) -> None:
    waiting = a_cell(solo=solo([10_000.0] * 3, Limit.WAITING))
    noisy = a_cell(None, "sprint", solo=solo([10_000.0] * 3, Limit.NOISE))
    counts = write_figures(tmp_path, [an_entry(cells=[waiting, noisy])])
    assert counts == {"throughput.json": 0, "cpu.json": 1}
    assert written(tmp_path, "throughput.json") == []


def test_what_failed_has_no_figure(tmp_path: Path) -> None:
    refused = a_cell(None, "sprint", solo=SoloRounds(), refused={"others used the app's CPUs": 3})
    cells = [a_failed_cell(solo=solo([10_000.0])), refused]
    assert write_figures(tmp_path, [an_entry(cells=cells)]) == {"throughput.json": 0, "cpu.json": 0}
