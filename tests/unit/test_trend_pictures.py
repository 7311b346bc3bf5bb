"""The pictures of trends in README."""

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from restbench.board.models import Board
from restbench.board.summary import build_summary
from restbench.changes.trend_pictures import MOST_LINES, RUNS, Curve, days_of_runs, line_config, trend_pictures
from restbench.results.history import append_history, history_lines
from tests.made.boards import made_board
from tests.made.changes import a_cell_cost, a_record
from tests.made.records import START, a_cell, a_run, an_entry

WEEKS = [START.date() + timedelta(weeks=number) for number in range(RUNS)]


@pytest.fixture(scope="module")
def board() -> Board:
    return made_board(several=True)


@pytest.mark.parametrize(
    ("days", "week", "pictures"),
    [(WEEKS, None, 0), (WEEKS[5:], 2, 0), (WEEKS[:1], 2, 0), (WEEKS, 10, 2)],
    ids=["no change", "a change before the first run", "one run", "a change"],
)
def test_only_changes_between_runs_are_drawn(board: Board, days: list[date], week: int | None, pictures: int) -> None:
    (section,) = board.sections
    table = f"hello/{section.suites[0].tables[0].name}"
    entry = next(row.entry.id for row in section.suites[0].tables[0].rows if row.compared)
    cells, target = {table: a_cell_cost(1.25)}, section.setting.target
    records = [a_record(entry, 1.25, number=week, target=target, cells=cells)] if week else []
    assert len(trend_pictures(section, build_summary(section, [table]), days, records)) == pictures


def test_lines_that_do_not_fit_into_the_address_are_left_out() -> None:
    many = [Curve(f"{number} " + "a title " * 20, [100.0 + number] * RUNS) for number in range(9)]
    config = line_config(["title"], WEEKS, many, ["axis"])
    assert config
    assert 0 < len(config["data"]["datasets"]) < MOST_LINES
    assert line_config(["title" * 1000], WEEKS, many, ["axis"]) is None
    assert line_config(["title"], WEEKS, [], ["axis"]) is None


def test_days_on_which_most_entries_were_measured_are_runs(
    board: Board, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    section = board.sections[0]
    entries = sorted({row.entry.id for suite in section.suites for table in suite.tables for row in table.rows})
    most = len(entries) // 2 + 1
    for number, measured in enumerate([entries[:most], entries[:1], entries], start=1):
        run = a_run(f"20260301T093000Z-0000000{number}", START + timedelta(weeks=4 * number))
        for entry in measured:
            append_history(tmp_path, history_lines(an_entry(entry, run, [a_cell(run)])))
    found = next(iter(history_lines(an_entry(run=run, cells=[a_cell(run)])))).run
    setting = type(section.setting)(found.target, found.profile, found.machine)
    section = replace(section, setting=setting)
    dates = [(START + timedelta(weeks=4 * number)).date() for number in (1, 3)]
    assert days_of_runs(tmp_path, section, {}).days == dates
    assert days_of_runs(tmp_path, section, {}, most=1).days == dates[1:]
    (tmp_path / "2026-01.jsonl").write_text("not a line")
    assert days_of_runs(tmp_path, section, {}, most=1).days == dates[1:], "older months are not read without need"
    assert days_of_runs(tmp_path, section, {}).days == dates
    begun = days_of_runs(tmp_path, section, {"hello": 2})
    assert (begun.days, begun.anew) == ([], ["hello"]), "what kept an earlier contract was other work"
    (line,) = dict.fromkeys(caplog.messages)
    assert "2026-01.jsonl: line 1" in line
