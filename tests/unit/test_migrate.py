"""Results of schema 1 are converted once, as they were measured, and their history is kept as it is."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from restbench.commands.migrate import migrate
from restbench.errors import ResultsError
from restbench.results.figures import figures_of
from restbench.results.files import read_entry, read_folder
from restbench.results.history import read_history
from restbench.results.merge import merge_results
from restbench.results.models import CellResult, EntryResult, Limit
from restbench.results.schema1 import NO_DUETS, Conversion, convert
from restbench.results.schema1 import read_entry as read_old
from restbench.system.repository import find_repository
from tests.unit.records import LATENCIES, START, a_run, an_entry

OLD_LINE = (
    '{"run": "x", "at": "2026-03-01T09:30:00Z", "entry": "python/falcon", "suite": "hello", '
    '"scenario": "hello_world", "throughput": [30906.0, 29196.0, 31591.0]}\n'
)
DROPPED = "dropped: 4 latencies at a fixed rate, which was half of the throughput of one second before the rounds"


def an_old_round(index: int, **changes: Any) -> dict[str, Any]:
    """A round of schema 1, on CPUs that ran 1.7 times slower than they can."""
    latencies = LATENCIES.model_dump()
    return {
        "index": index,
        "at": (START + timedelta(seconds=60 * index)).isoformat(),
        "requests": 10_001,
        "seconds": 1.0001,
        "throughput": 10_000.123,
        "saturated": latencies,
        "cpu_us_per_request": 95.123456,
        "app_cpu_share": 0.9512345,
        "load_cpu_share": 0.4,
        "contention": 0.0,
        "load_contention": 0.0,
        "probe_ms": 2.6,
        "pace": 1.7,
        "memory_peak_bytes": 71_877_632,
        "fixed_rate": {"rate": 5000.0, "achieved": 4998.0, "latency": latencies},
        "reference_throughput": 166_248.9,
        "overhead_ms": 0.25,
        "limit": "app",
        **changes,
    }


def an_old_cell(suite: str, scenario: str, variant: str | None = None, **changes: Any) -> dict[str, Any]:
    rounds = [an_old_round(i) for i in range(4)]
    return {"run": a_run().id, "suite": suite, "scenario": scenario, "variant": variant, "rounds": rounds, **changes}


HELLO = an_old_cell("hello", "hello_world")


def an_old_result(entry: str, *cells: dict[str, Any], **changes: Any) -> dict[str, Any]:
    run = a_run()
    old = run.model_dump(mode="json", exclude_defaults=True)
    old["machine"] |= {"wrk": "4.1.0", "oha": "1.16.0"}
    del old["machine"]["load_generators"]
    return {"schema_version": 1, "entry": entry, "runs": {run.id: old}, "cells": list(cells), **changes}


def converted(*cells: dict[str, Any], how: Conversion | None = None, **changes: Any) -> EntryResult:
    old = read_old(Path("falcon.json"), an_old_result("python/falcon", *cells, **changes))
    return convert(old, how or Conversion(overhead=[], duets=[]))


def converted_cell(cell: dict[str, Any], how: Conversion | None = None) -> CellResult:
    (found,) = converted(cell, how=how).cells
    return found


def test_the_load_generators_that_were_there_are_listed() -> None:
    document = an_old_result("python/falcon", HELLO)
    document["runs"][a_run().id]["machine"]["oha"] = None
    (run,) = read_old(Path("falcon.json"), document).runs.values()
    assert run.machine.load_generators == ("wrk 4.1.0",)


def test_figures_are_as_they_were_measured_and_not_scaled() -> None:
    cell = converted_cell(an_old_cell("hello", "hello_world", rounds=[an_old_round(0, throughput=17_890.0, pace=1.7)]))
    assert cell.solo.throughput == [17_890]
    assert cell.solo.cpu_us == [95.12]
    assert cell.solo.app_cpu == [0.951]
    assert cell.solo.memory_bytes == [71_900_000]
    assert (cell.solo.p50_ms, cell.solo.p99_ms) == ([6], [9])
    figures = figures_of(cell)
    assert figures
    assert (figures.throughput.middle, figures.limit) == (17_890, Limit.APP)


def test_rounds_on_slow_cpus_count_and_invalid_ones_are_refused_by_reason() -> None:
    rounds = [
        an_old_round(0, slow=True),
        an_old_round(1, invalid=["others took 12% of the app's CPUs"]),
        an_old_round(2, invalid=["others took 31% of the app's CPUs", "others took 11% of the load generator's CPUs"]),
        an_old_round(3, invalid=["Little's law: 64 connections, but rate × latency gives 45"]),
        an_old_round(4, invalid=["errors: 3 × connect, 12 × read"]),
    ]
    cell = converted_cell(an_old_cell("hello", "hello_world", rounds=rounds))
    assert cell.solo.at == [0]
    assert cell.refused == {
        "others used the app's CPUs": 2,
        "rate × latency does not give the number of connections (Little's law)": 1,
        "errors: connect, read": 1,
    }


def test_latencies_at_a_fixed_rate_are_dropped() -> None:
    assert converted_cell(HELLO).latency == []


def test_connections_are_told_where_they_are_known() -> None:
    known = [an_old_round(i, connections=512) for i in range(2)]
    assert converted_cell(an_old_cell("hello", "hello_world", rounds=known)).solo.connections == 512
    assert converted_cell(HELLO).solo.connections is None


def test_overhead_is_kept_only_where_it_was_above_the_same_library() -> None:
    cell = an_old_cell("workload", "bcrypt")
    same = Conversion(overhead=[("workload", "bcrypt")], duets=[])
    assert converted_cell(cell, same).solo.overhead_ms == [0.25] * 4
    assert converted_cell(cell).solo.overhead_ms == []


def test_a_cell_without_duets_says_why_where_there_could_be_any() -> None:
    duets = Conversion(overhead=[], duets=[("hello", "hello_world")])
    failed = an_old_cell("hello", "hello_world", rounds=[], failure={"check": "answer", "got": "nothing"})
    assert converted_cell(HELLO, duets).no_duets == NO_DUETS
    assert converted_cell(HELLO).no_duets is None
    assert converted_cell(failed, duets).no_duets is None


def test_failures_marks_and_dates_stay() -> None:
    at = "2026-02-01T00:00:00Z"
    result = converted(
        an_old_cell("hello", "hello_world", rounds=[], failure={"check": "answer", "got": "no"}, last_good=at),
        an_old_cell("solr", "openapi", rounds=[], marks={"summary": True}),
        an_old_cell("workload", "queue-0ms-4-far", rounds=[], not_run="no netem"),
        missed={"started": at, "reason": "its job was cancelled"},
    )
    failed, checked, not_run = result.cells
    assert (str(failed.failure), f"{failed.last_good:%Y-%m-%d}") == ("answer: no", "2026-02-01")
    assert checked.features == {"summary": True}
    assert not_run.not_run == "no netem"
    assert result.missed
    assert result.runs == {a_run().id: a_run()}


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """results/ of a repository with today's entries."""
    real = find_repository()
    for folder in (real.frameworks, real.fixtures):
        (tmp_path / folder.name).symlink_to(folder)
    monkeypatch.setenv("RESTBENCH_ROOT", str(tmp_path))
    (tmp_path / "results/history").mkdir(parents=True)
    return tmp_path / "results"


def write_old(results: Path, entry: str, *cells: dict[str, Any]) -> Path:
    path = results / "latest" / f"{entry}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(an_old_result(entry, *cells)))
    return path


def tree(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_the_command_converts_once_and_says_what_became_of_it(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_old(results, "python/starlette", an_old_cell("hello", "hello_world"))
    (results / "history/2026-03.jsonl").write_text(OLD_LINE)
    migrate()
    assert capsys.readouterr().out.splitlines() == [
        "results/history/schema-1/2026-03.jsonl",
        "results/history/2026-03.jsonl",
        "results/latest/python/starlette.json",
        f"converted: 1 results, 4 rounds as they were measured, of which 0 do not count; {DROPPED}",
        "the history of older runs is in results/history/schema-1/",
    ]
    after = tree(results)
    assert after["history/schema-1/2026-03.jsonl"] == OLD_LINE.encode()
    assert set(after) == {"history/schema-1/2026-03.jsonl", "latest/python/starlette.json"}
    migrate()
    assert capsys.readouterr().out == "nothing to convert: results/ has the current schema\n"
    assert tree(results) == after


def test_a_new_run_is_merged_beside_what_was_converted(results: Path) -> None:
    write_old(results, "python/falcon", an_old_cell("hello", "hello_world"), an_old_cell("workload", "simple"))
    (results / "history/2026-03.jsonl").write_text(OLD_LINE)
    migrate()
    merge_results([an_entry(run=a_run("new", START + timedelta(days=1)))], {}, results)
    merged = read_entry(results / "latest/python/falcon.json")
    assert [(cell.scenario, cell.run) for cell in merged.cells] == [("hello_world", "new"), ("simple", a_run().id)]
    assert list(read_history(results / "history/2026-03.jsonl").runs) == ["new"]
    before = tree(results)
    migrate()
    assert tree(results) == before


def test_overhead_and_duets_follow_the_manifests(results: Path) -> None:
    bcrypt, timed = an_old_cell("workload", "bcrypt"), an_old_cell("workload", "timed")
    for entry in ("python/starlette", "python/falcon", "cpp/pistache"):
        write_old(results, entry, bcrypt, timed)
    migrate()
    found = {
        (name, cell.scenario): (bool(cell.solo.overhead_ms), cell.no_duets)
        for name, result in read_folder(results / "latest").items()
        for cell in result.cells
    }
    assert found == {
        ("python/starlette", "bcrypt"): (True, None),
        ("python/starlette", "timed"): (False, NO_DUETS),
        ("python/falcon", "bcrypt"): (True, None),
        ("python/falcon", "timed"): (False, None),
        ("cpp/pistache", "bcrypt"): (False, None),
        ("cpp/pistache", "timed"): (False, NO_DUETS),
    }


def test_a_conversion_that_was_interrupted_goes_on(results: Path) -> None:
    """Both files have the line when the machine stops between writing one and removing the other."""
    (results / "history/schema-1").mkdir()
    for path in ("history/schema-1/2026-03.jsonl", "history/2026-03.jsonl"):
        (results / path).write_text(OLD_LINE)
    migrate()
    assert tree(results) == {"history/schema-1/2026-03.jsonl": OLD_LINE.encode()}


def test_lines_of_this_schema_stay_in_a_month_of_both(results: Path) -> None:
    merge_results([an_entry()], {}, results)
    path = results / "history/2026-03.jsonl"
    new = path.read_bytes()
    path.write_bytes(OLD_LINE.encode() + new)
    migrate()
    assert path.read_bytes() == new
    assert (results / "history/schema-1/2026-03.jsonl").read_text() == OLD_LINE


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("latest/python/starlette.json", '{"schema_version": 1, "ent', r"starlette\.json: is not whole JSON"),
        ("latest/python/starlette.json", '{"schema_version": 9}', r"starlette\.json: was written by a newer restbench"),
        (
            "latest/python/starlette.json",
            '{"schema_version": 1}',
            "is not a result of schema 1: entry: Field required",
        ),
        ("history/2026-03.jsonl", OLD_LINE + '{"run":', r"2026-03\.jsonl: line 2 is not a whole line of history"),
        ("history/2026-03.jsonl", OLD_LINE + '{"v":9}', r"2026-03\.jsonl: line 2: was written by a newer restbench"),
    ],
)
def test_what_cannot_be_read_is_refused_by_name_and_nothing_changes(
    results: Path, name: str, text: str, said: str
) -> None:
    write_old(results, "python/falcon", an_old_cell("hello", "hello_world"))
    (results / "latest/python").mkdir(parents=True, exist_ok=True)
    (results / name).write_text(text)
    before = tree(results)
    with pytest.raises(ResultsError, match=said):
        migrate()
    assert tree(results) == before


def test_the_results_of_this_repository_are_of_this_schema() -> None:
    results = find_repository().results
    assert read_folder(results / "latest")
    for path in (results / "history").glob("*.jsonl"):
        read_history(path)
