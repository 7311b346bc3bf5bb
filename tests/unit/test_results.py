"""Results are whole or refused, merging is idempotent, and nothing is lost."""

import json
import os
import resource
from datetime import timedelta
from pathlib import Path

import pytest

from restbench.catalog import Cell
from restbench.commands.schema import schema_texts
from restbench.errors import ResultsError
from restbench.results.files import dump_entry, read_entry, read_folder, write_entry
from restbench.results.history import read_history
from restbench.results.journal import Journal, RoundLine
from restbench.results.merge import merge
from restbench.results.models import EntryResult, RateKind, SoloRounds
from restbench.results.rounds import Round
from restbench.system.files import write_atomically
from restbench.system.repository import find_repository
from tests.made.boards import a_full_result
from tests.made.records import (
    START,
    a_cell,
    a_duet_round,
    a_failed_cell,
    a_latency_round,
    a_run,
    a_solo_round,
    an_entry,
    at_rate,
    baseline,
    solo,
)
from tests.made.small import small_catalog

CATALOG = small_catalog()
HELLO = Cell("python/falcon", "hello", "hello_world", None)


def tree(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_a_result_comes_back_as_it_was(tmp_path: Path) -> None:
    result = an_entry()
    path = write_entry(tmp_path, result)
    assert path == tmp_path / "python" / "falcon.json"
    assert read_entry(path) == result
    assert dump_entry(read_entry(path)) == path.read_bytes()


def test_the_base_images_of_older_results_are_left_out(tmp_path: Path) -> None:
    result = an_entry()
    path = write_entry(tmp_path, result)
    older = json.loads(path.read_text())
    for run in older["runs"].values():
        run["bases"] = [f"debian:trixie-slim@sha256:{'a' * 64}"]
    path.write_text(json.dumps(older))
    assert read_entry(path) == result


def test_every_column_is_one_line() -> None:
    cell = a_cell(solo=solo([10_000.0, 10_100.5] * 4), baseline=baseline([100, 101]))
    lines = [line.strip().rstrip(",") for line in dump_entry(an_entry(cells=[cell])).decode().splitlines()]
    assert '"throughput": [10000,10100.5,10000,10100.5,10000,10100.5,10000,10100.5]' in lines
    assert '"limit": ["app","app","app","app","app","app","app","app"]' in lines


def test_what_fits_into_a_line_is_on_one() -> None:
    latency = [at_rate(kind, 500) for kind in RateKind]
    cell = a_cell(latency=latency, refused={"others used the app's CPUs": 2})
    lines = [line.strip().rstrip(",") for line in dump_entry(an_entry(cells=[cell])).decode().splitlines()]
    assert '"refused": {"others used the app\'s CPUs":2}' in lines
    assert sum('"latency": [{"kind":"common"' in line and '"kind":"half"' in line for line in lines) == 1


def test_defaults_are_left_out() -> None:
    text = dump_entry(an_entry()).decode()
    assert all(
        name not in text for name in ("null", "variant", "baseline", "latency", "features", "failure", "overhead")
    )


def test_a_full_run_of_24_cells_fits_into_26_kb() -> None:
    result = a_full_result(CATALOG, "python/sanic")
    assert len(result.cells) == 24
    assert sum(cell.baseline is None for cell in result.cells) == 8
    assert len(dump_entry(result)) <= 26_000
    assert EntryResult.model_validate_json(dump_entry(result)) == result


def test_schemas_are_current() -> None:
    folder = find_repository().schemas
    assert {p.name: p.read_text() for p in folder.glob("*.json")} == schema_texts()


def test_a_truncated_file_is_refused_by_name(tmp_path: Path) -> None:
    path = write_entry(tmp_path, an_entry())
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(ResultsError, match=r"python/falcon\.json: is not whole JSON"):
        read_folder(tmp_path)


@pytest.mark.parametrize(
    ("version", "message"),
    [
        (1, r"falcon\.json: was written by an older restbench \(schema 1\): measure again$"),
        (4, r"falcon\.json: was written by a newer restbench \(schema 4, this one reads 3\): update$"),
    ],
)
def test_another_schema_is_refused_by_name(tmp_path: Path, version: int, message: str) -> None:
    path = write_entry(tmp_path, an_entry())
    path.write_text(json.dumps(json.loads(path.read_text()) | {"schema_version": version, "of": "other times"}))
    with pytest.raises(ResultsError, match=message):
        read_folder(tmp_path)


def test_an_entry_of_another_schema_stops_a_merge_and_nothing_changes(tmp_path: Path) -> None:
    write_entry(tmp_path / "run", an_entry())
    old = write_entry(tmp_path / "results/latest", an_entry())
    old.write_text(json.dumps(json.loads(old.read_text()) | {"schema_version": 1}))
    before = tree(tmp_path)
    with pytest.raises(ResultsError, match="older restbench"):
        merge(tmp_path / "run", tmp_path / "results", CATALOG)
    assert tree(tmp_path) == before


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"throughput": [', '"throughput": ["fast",', r"cells\.0\.solo\.throughput\.0"),
        ('"throughput": [', '"throughput": [1,', "columns differ in length"),
    ],
)
def test_what_is_no_result_is_refused_with_the_field(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = write_entry(tmp_path, an_entry())
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(ResultsError, match=message):
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
    write_entry(tmp_path / "a", an_entry(run=old, cells=[a_cell(old, solo=SoloRounds(), not_run="no netem")]))
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
    history = read_history(tmp_path / "results/history/2026-03.jsonl")
    assert [(line.run, len(line.cells)) for line in history.entries] == [("old", 2), ("new", 1)]


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
        (
            an_entry(cells=[a_cell(baseline=baseline([100], "python/unknown"))]),
            "there is no baseline python/unknown here",
        ),
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


def test_only_the_line_of_a_history_that_cannot_be_read_is_lost(tmp_path: Path) -> None:
    write_entry(tmp_path / "run", an_entry())
    history = tmp_path / "results/history/2026-03.jsonl"
    history.parent.mkdir(parents=True)
    history.write_text('{"v":2,"run":"x","at"')
    merge(tmp_path / "run", tmp_path / "results", CATALOG)
    assert history.read_text().startswith('{"v":2,"run":"x","at"\n')
    assert [line.entry for line in read_history(history).entries] == ["python/falcon"]


def test_an_empty_run_is_not_merged(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match="there are no results"):
        merge(tmp_path / "nothing", tmp_path / "results", CATALOG)


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


@pytest.mark.parametrize("result", [a_solo_round(), a_duet_round(), a_latency_round()])
def test_a_round_of_each_kind_comes_back_from_the_journal(tmp_path: Path, result: Round) -> None:
    with Journal(tmp_path / "rounds.jsonl") as journal:
        journal.append(HELLO, result)
    (line,) = (tmp_path / "rounds.jsonl").read_text().splitlines()
    assert RoundLine.model_validate_json(line) == RoundLine(
        team=0, cell="python/falcon/hello/hello_world", round=result
    )


def test_a_full_disk_leaves_only_whole_rounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Journal(tmp_path / "rounds.jsonl") as journal:
        journal.append(HELLO, a_solo_round())
        whole = (tmp_path / "rounds.jsonl").read_bytes()
        monkeypatch.setattr(os, "fsync", FullDisk(0))
        with pytest.raises(ResultsError, match="make room, and continue the run with --resume"):
            journal.append(HELLO, a_solo_round())
    assert (tmp_path / "rounds.jsonl").read_bytes() == whole


def test_a_round_that_fits_only_in_part_is_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl"
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Journal(path) as journal:
        journal.append(HELLO, a_solo_round())
        whole = path.read_bytes()
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) + 10, limits[1]))
        try:
            with pytest.raises(ResultsError, match=r"cannot be written \(File too large\)"):
                journal.append(HELLO, a_solo_round())
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert path.read_bytes() == whole
        journal.append(HELLO, a_solo_round())
    assert path.read_bytes() == 2 * whole


def test_a_journal_that_cannot_be_made_is_reported_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(ResultsError, match="give another folder with --out"), Journal(tmp_path / "out/rounds.jsonl"):
        pass
