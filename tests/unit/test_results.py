"""Results are whole or refused, merging is idempotent, and nothing is lost."""

import json
import os
from datetime import timedelta
from pathlib import Path

import pytest

from restbench.catalog import Cell, load_catalog
from restbench.commands.schema import schema_texts
from restbench.errors import ResultsError
from restbench.repository import find_repository
from restbench.results.files import dump_entry, read_entry, read_folder, write_atomically, write_entry
from restbench.results.history import read_history
from restbench.results.journal import Journal
from restbench.results.merge import merge
from restbench.results.models import EntryResult
from tests.unit.records import START, a_cell, a_failed_cell, a_round, a_run, an_entry

CATALOG = load_catalog(find_repository())


def tree(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_a_result_comes_back_as_it_was(tmp_path: Path) -> None:
    result = an_entry()
    path = write_entry(tmp_path, result)
    assert path == tmp_path / "python" / "falcon.json"
    assert read_entry(path) == result
    assert dump_entry(read_entry(path)) == path.read_bytes()


def test_schemas_are_current() -> None:
    folder = find_repository().schemas
    assert {p.name: p.read_text() for p in folder.glob("*.json")} == schema_texts()


def test_a_truncated_file_is_refused_by_name(tmp_path: Path) -> None:
    path = write_entry(tmp_path, an_entry())
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(ResultsError, match=r"python/falcon\.json: is not whole JSON"):
        read_folder(tmp_path)


def test_a_newer_schema_is_refused_by_name(tmp_path: Path) -> None:
    path = write_entry(tmp_path, an_entry())
    path.write_text(json.dumps(json.loads(path.read_text()) | {"schema_version": 2}))
    with pytest.raises(
        ResultsError, match=r"falcon\.json: was written by a newer restbench \(schema 2, this one reads 1\)"
    ):
        read_folder(tmp_path)


def test_what_is_no_result_is_refused_with_the_field(tmp_path: Path) -> None:
    path = write_entry(tmp_path, an_entry())
    path.write_text(path.read_text().replace('"throughput": 10000.0', '"throughput": "fast"'))
    with pytest.raises(ResultsError, match=r"cells\.0\.rounds\.0\.throughput"):
        read_entry(path)


def test_merging_twice_changes_nothing(tmp_path: Path) -> None:
    write_entry(tmp_path / "run", an_entry())
    merge(tmp_path / "run", tmp_path / "results", CATALOG)
    once = tree(tmp_path / "results")
    merge(tmp_path / "run", tmp_path / "results", CATALOG)
    assert tree(tmp_path / "results") == once
    assert set(once) == {"latest/python/falcon.json", "history/2026-03.jsonl"}


def test_a_run_in_containers_does_not_replace_a_native_one(tmp_path: Path) -> None:
    native, docker = a_run("native"), a_run("docker", START + timedelta(days=1), target="docker")
    write_entry(tmp_path / "a", an_entry(run=native))
    write_entry(tmp_path / "b", an_entry(run=docker))
    for folder in ("a", "b", "b"):
        merge(tmp_path / folder, tmp_path / "results", CATALOG)
    merged = read_entry(tmp_path / "results/latest/python/falcon.json")
    assert [(cell.scenario, cell.run) for cell in merged.cells] == [
        ("hello_world", "docker"),
        ("hello_world", "native"),
    ]


def test_what_could_not_be_run_was_not_good(tmp_path: Path) -> None:
    old, new = a_run("old"), a_run("new", START + timedelta(days=7))
    write_entry(tmp_path / "a", an_entry(run=old, cells=[a_cell(old, rounds=[], not_run="no netem")]))
    write_entry(tmp_path / "b", an_entry(run=new, cells=[a_failed_cell(new)]))
    for folder in ("a", "b"):
        merge(tmp_path / folder, tmp_path / "results", CATALOG)
    (cell,) = read_entry(tmp_path / "results/latest/python/falcon.json").cells
    assert cell.failure
    assert cell.last_good is None


def test_a_newer_run_replaces_its_cells_and_leaves_the_others(tmp_path: Path) -> None:
    old, new = a_run("old"), a_run("new", START + timedelta(days=7))
    write_entry(tmp_path / "a", an_entry(run=old, cells=[a_cell(old), a_cell(old, "sprint")]))
    write_entry(tmp_path / "b", an_entry(run=new, cells=[a_cell(new)]))
    merge(tmp_path / "a", tmp_path / "results", CATALOG)
    merge(tmp_path / "b", tmp_path / "results", CATALOG)
    merged = read_entry(tmp_path / "results/latest/python/falcon.json")
    assert {(c.scenario, c.run) for c in merged.cells} == {("hello_world", "new"), ("sprint", "old")}
    assert set(merged.runs) == {"old", "new"}
    merge(tmp_path / "a", tmp_path / "results", CATALOG)  # an older run that comes late changes nothing
    assert read_entry(tmp_path / "results/latest/python/falcon.json") == merged
    assert len(read_history(tmp_path / "results/history/2026-03.jsonl")) == 3


def test_a_run_without_cells_left_is_forgotten(tmp_path: Path) -> None:
    old, new = a_run("old"), a_run("new", START + timedelta(days=7))
    for name, run in (("a", old), ("b", new)):
        write_entry(tmp_path / name, an_entry(run=run))
        merge(tmp_path / name, tmp_path / "results", CATALOG)
    assert set(read_entry(tmp_path / "results/latest/python/falcon.json").runs) == {"new"}


def test_a_failed_cell_remembers_when_it_was_last_good(tmp_path: Path) -> None:
    runs = [a_run(str(i), START + timedelta(days=i)) for i in range(3)]
    cells = [a_cell(runs[0]), a_failed_cell(runs[1]), a_failed_cell(runs[2])]
    for run, cell in zip(runs, cells, strict=True):
        write_entry(tmp_path / run.id, an_entry(run=run, cells=[cell]))
        merge(tmp_path / run.id, tmp_path / "results", CATALOG)
    merged = read_entry(tmp_path / "results/latest/python/falcon.json").cells[0]
    assert merged.failure is not None
    assert merged.last_good == START


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        (an_entry("python/unknown"), "there is no framework python/unknown here"),
        (an_entry(cells=[a_cell(variant="raw")]), "python/falcon has no cell hello/hello_world/raw"),
    ],
)
def test_an_unknown_entry_or_cell_is_refused_and_nothing_changes(
    tmp_path: Path, result: EntryResult, reason: str
) -> None:
    write_entry(tmp_path / "run", an_entry("python/starlette"))
    write_entry(tmp_path / "run", result)
    with pytest.raises(ResultsError, match=reason):
        merge(tmp_path / "run", tmp_path / "results", CATALOG)
    assert not (tmp_path / "results").exists()


def test_a_broken_history_is_refused_and_nothing_changes(tmp_path: Path) -> None:
    write_entry(tmp_path / "run", an_entry())
    history = tmp_path / "results/history/2026-03.jsonl"
    history.parent.mkdir(parents=True)
    history.write_text('{"run": "x", "at"')
    with pytest.raises(ResultsError, match=r"2026-03\.jsonl: line 1 is not a line of history"):
        merge(tmp_path / "run", tmp_path / "results", CATALOG)
    assert history.read_text() == '{"run": "x", "at"'
    assert not (tmp_path / "results/latest").exists()


def test_an_empty_run_is_not_merged(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match="there are no results"):
        merge(tmp_path / "nothing", tmp_path / "results", CATALOG)


def test_ten_years_of_weekly_runs_fit(tmp_path: Path) -> None:
    """A line of history, times 400 cells and 520 weeks, stays below 100 MB."""
    run = a_run(
        version="2026.11.123", machine=a_run().machine.model_copy(update={"cpu_model": "Intel(R) Xeon(R) Processor"})
    )
    write_entry(tmp_path / "run", an_entry(run=run, cells=[a_cell(run, "create-task")]))
    merge(tmp_path / "run", tmp_path / "results", CATALOG)
    line = (tmp_path / "results/history/2026-03.jsonl").read_bytes()
    assert len(line) * 400 * 520 < 100e6


class FullDisk:
    """os.fsync that finds no room, from the nth call on."""

    def __init__(self, after: int) -> None:
        self.left = after

    def __call__(self, _descriptor: int) -> None:
        self.left -= 1
        if self.left < 0:
            raise OSError(28, "No space left on device")


def test_a_full_disk_leaves_the_old_file_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    write_atomically(path, b"old")
    monkeypatch.setattr(os, "fsync", FullDisk(0))
    with pytest.raises(ResultsError, match=r"cannot be written \(No space left on device\)"):
        write_atomically(path, b"new")
    assert tree(tmp_path) == {"file": b"old"}


def test_a_full_disk_leaves_only_whole_rounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cell = Cell("python/falcon", "hello", "hello_world", None)
    with Journal(tmp_path / "rounds.jsonl") as journal:
        journal.append(cell, a_round(0))
        whole = (tmp_path / "rounds.jsonl").read_bytes()
        monkeypatch.setattr(os, "fsync", FullDisk(0))
        with pytest.raises(ResultsError, match="make room; earlier rounds are in it"):
            journal.append(cell, a_round(1))
    assert (tmp_path / "rounds.jsonl").read_bytes() == whole
