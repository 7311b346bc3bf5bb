"""History is appended once, read back as it was written, and small enough for ten years."""

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from restbench.catalog import CellKey
from restbench.results.figures import figures_of
from restbench.results.history import EntryLine, append_history, dump_line, history_lines, read_history
from restbench.results.models import CellResult, EntryResult, Limit, SoloRounds
from restbench.stats.intervals import Kind
from tests.made.history import MadeBoard
from tests.made.records import FALCON, MACHINE, START, a_cell, a_failed_cell, a_run, an_entry, around, baseline, solo
from tests.made.world import World

MONTH = "2026-03.jsonl"


def the_line(*cells: CellResult) -> EntryLine:
    """What a run of those cells adds to the history, read back."""
    (found,) = history_lines(an_entry(cells=list(cells)))
    return EntryLine.model_validate_json(dump_line(found.entry))


def test_figures_come_back_with_their_intervals() -> None:
    measured = a_cell(baseline=baseline([100 / 1.1, 100 / 1.2, 100 / 1.3], "python/flask"))
    line = the_line(measured)
    cell, expected = line.figures[CellKey("hello", "hello_world", None)], figures_of(FALCON, measured)
    assert expected
    assert expected.relative_cost
    assert cell.limit == Limit.APP
    assert cell.throughput == expected.throughput.middle
    assert cell.cpu_us_interval.middle == pytest.approx(expected.cpu_us.middle, rel=5e-4)
    assert cell.relative_cost_interval
    assert cell.relative_cost_interval.middle == pytest.approx(expected.relative_cost.middle, rel=5e-4)
    assert (cell.relative_cost_interval.n, cell.relative_cost_interval.kind) == (3, Kind.INTERVAL)
    assert line.baseline == "python/flask abcdefabcdef"


@pytest.mark.parametrize("rounds", range(3, 17))
def test_bounds_are_called_what_they_are(rounds: int) -> None:
    """A line has no word for the kind of its bounds: it follows from the number of rounds."""
    cell = a_cell(solo=solo(around(10_000, rounds)), baseline=baseline(around(80, 9), "python/flask"))
    found, expected = the_line(cell).figures[CellKey("hello", "hello_world", None)], figures_of(FALCON, cell)
    assert expected
    assert expected.relative_cost
    assert found.cpu_us_interval.kind == expected.cpu_us.kind
    assert found.relative_cost_interval
    assert found.relative_cost_interval.kind == expected.relative_cost.kind


def test_a_cell_is_an_array_without_defaults_at_its_end() -> None:
    plain = a_cell(solo=solo([500.0] * 7))
    like = a_cell(None, "sprint", solo=solo([500.0] * 7), baseline=baseline([1000] * 3, "python/flask", variant="raw"))
    other = like.model_copy(
        update={"variant": "pydantic", "baseline": baseline([1000] * 3, "python/flask", variant="msgspec")}
    )
    names = {"suite": "workload", "scenario": "timed"}
    waiting = plain.model_copy(update=names | {"solo": solo([500.0] * 7, Limit.WAITING)})
    (found,) = history_lines(an_entry(cells=[plain, like, other, waiting]))
    assert dump_line(found.entry) == (
        '{"v":3,"entry":"python/falcon","run":"20260301T093000Z-00000001","version":"4.4.0","files":"abcdefabcdef",'
        '"size":40000000,"baseline":"python/flask abcdefabcdef","contracts":{"issue-tracker":2},"cells":{'
        '"hello/hello_world":[7,500,2000,2000,2000],'
        '"issue-tracker/sprint/raw":[7,500,2000,2000,2000,3,2,2,2],'
        '"issue-tracker/sprint/pydantic":[7,500,2000,2000,2000,3,2,2,2],'
        '"workload/timed":[7,500,2000,2000,2000,0,null,null,null,"waiting"]}}'
    )


def test_what_failed_and_what_never_counted_is_noted_and_nothing_else() -> None:
    line = the_line(
        a_failed_cell(),
        a_cell(None, "sprint", solo=SoloRounds(), refused={"others used the app's CPUs": 3}),
        a_cell(None, "userinfo", solo=SoloRounds(), not_run="no netem"),
        a_cell(None, "create-task", solo=SoloRounds(), features={"summary": True}),
    )
    assert line.failed == {CellKey("hello", "hello_world", None): "answer"}
    assert line.cells == {"hello/hello_world": "answer", "issue-tracker/sprint/raw": None}
    assert line.figures == {}


def test_a_run_of_which_nothing_was_measured_leaves_no_line() -> None:
    assert not list(history_lines(an_entry(cells=[a_cell(solo=SoloRounds(), not_run="no netem")])))


def test_a_runs_environment_is_written_once(tmp_path: Path) -> None:
    machine = MACHINE.model_copy(update={"docker": "28.0.4"})
    run = a_run("one", target="docker", profile="full", machine=machine, runtime_build="PGO, LTO")
    results = [an_entry(name, run) for name in (FALCON, "python/starlette")]
    for result in [*results, *results]:
        append_history(tmp_path, history_lines(result))
    history = read_history(tmp_path / MONTH)
    assert (tmp_path / MONTH).read_text().count("\n") == 3
    assert [(line.entry, line.run) for line in history.entries] == [(FALCON, "one"), ("python/starlette", "one")]
    (environment,) = history.runs.values()
    assert (environment.at, environment.target, environment.profile) == (START, "docker", "full")
    assert (environment.cpu, environment.docker) == (run.machine.cpu_model, run.machine.docker)
    assert environment.harness == run.machine.harness_hash
    assert history.entries[0].build == "PGO, LTO"


def test_appending_again_changes_no_byte(tmp_path: Path) -> None:
    found = list(history_lines(an_entry()))
    assert append_history(tmp_path, found) == [tmp_path / MONTH]
    before = (tmp_path / MONTH).read_bytes()
    assert append_history(tmp_path, found) == []
    assert (tmp_path / MONTH).read_bytes() == before


def test_each_run_of_a_result_goes_to_its_month(tmp_path: Path) -> None:
    old, new = a_run("old"), a_run("new", START + timedelta(days=40))
    merged = EntryResult(entry=FALCON, runs={r.id: r for r in (old, new)}, cells=[a_cell(old), a_cell(new, "sprint")])
    append_history(tmp_path, history_lines(merged))
    assert {path.name: set(read_history(path).runs) for path in tmp_path.iterdir()} == {
        "2026-03.jsonl": {"old"},
        "2026-04.jsonl": {"new"},
    }


def test_a_file_without_its_last_line_end_goes_on_in_a_new_line(tmp_path: Path) -> None:
    append_history(tmp_path, history_lines(an_entry(run=a_run("first"))))
    path = tmp_path / MONTH
    path.write_bytes(path.read_bytes().removesuffix(b"\n"))
    append_history(tmp_path, history_lines(an_entry(run=a_run("second"))))
    assert [line.run for line in read_history(path).entries] == ["first", "second"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"v":3,"entry":"python/fal', "line 3 is not a whole line of history: restore the file from git"),
        ("[]", "line 3 is not a whole line of history: restore the file from git"),
        ('{"v":3,"day":1}', "line 3 is not a whole line of history: restore the file from git"),
        (
            '{"v":3,"entry":"a/b","run":"20260301T093000Z-00000001","files":"f","cells":{"hello/h":[7,1,1,1,1,1,NaN]}}',
            "line 3 is not a whole line of history: restore the file from git",
        ),
        ('{"v":3,"entry":"a/b","run":"unknown","files":"f","cells":{}}', "line 3: its run has no line before it"),
        ('{"v":1,"day":1}', r"line 3: was written by an older restbench \(schema 1\): measure again"),
        ('{"v":7,"week":1}', r"line 3: was written by a newer restbench \(schema 7, this one reads 3\): update"),
    ],
)
def test_only_a_line_that_cannot_be_read_is_left_out(tmp_path: Path, line: str, message: str) -> None:
    append_history(tmp_path, history_lines(an_entry()))
    path = tmp_path / MONTH
    path.write_text(path.read_text() + line)
    before = path.read_bytes()
    history = read_history(path)
    assert [found.entry for found in history.entries] == [FALCON]
    assert re.search(rf"2026-03\.jsonl: {message}", history.damage or "")
    append_history(tmp_path, history_lines(an_entry(run=a_run("another"))))
    assert path.read_bytes().startswith(before)
    assert [found.run for found in read_history(path).entries][1:] == ["another"]


@pytest.mark.parametrize(
    ("spoil", "damaged"),
    [
        (lambda text: text + b"\n\n", False),
        (lambda text: b"<<<<<<< ours\n" + text + b"=======\n>>>>>>> theirs\n", True),
        (lambda text: text + text.splitlines()[1][:40], True),
        (lambda text: text + b"\xff\xfe\n", True),
        (lambda text: text.replace(b"\n", b"\r\n"), False),
    ],
    ids=["empty lines", "a conflict", "cut off", "no text", "line ends of another system"],
)
def test_a_damaged_month_keeps_what_is_whole(tmp_path: Path, spoil: Callable[[bytes], bytes], *, damaged: bool) -> None:
    append_history(tmp_path, history_lines(an_entry()))
    path = tmp_path / MONTH
    path.write_bytes(spoil(path.read_bytes()))
    history = read_history(path)
    assert [found.entry for found in history.entries] == [FALCON]
    assert (history.damage is not None) is damaged
    assert "\n" not in (history.damage or "")


def test_a_line_of_a_run_that_was_resumed_is_replaced_by_one_with_more_rounds(tmp_path: Path) -> None:
    other = an_entry("python/starlette")
    part, whole = (an_entry(cells=[a_cell(solo=solo(around(10_000, rounds)))]) for rounds in (3, 7))
    for result in (part, other, whole, part):
        append_history(tmp_path, history_lines(result))
    lines = read_history(tmp_path / MONTH).entries
    assert [(line.entry, line.rounds) for line in lines] == [(FALCON, 7), ("python/starlette", 7)]


def test_ten_years_of_weekly_runs_fit_into_60_mb(tmp_path: Path) -> None:
    """40 entries of 23 cells in the mean, each with the reference in a job of its own: extrapolated from one week."""
    board = MadeBoard(tmp_path / "made", World(40, 1))
    for number in range(40):
        append_history(tmp_path, (found for result in board.results(number, 0) for found in history_lines(result)))
    assert 520 * sum(path.stat().st_size for path in tmp_path.glob("*.jsonl")) < 60e6
