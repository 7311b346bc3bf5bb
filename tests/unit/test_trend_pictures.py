"""The pictures of trends in README."""

import json
from dataclasses import replace
from datetime import date, timedelta
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from restbench.board.models import Board, Section
from restbench.board.summary import build_summary
from restbench.changes.records import ChangeRecord
from restbench.changes.trend_pictures import RUNS, days_of_runs, trend_pictures
from restbench.render.charts import URL_LIMIT
from restbench.render.line_charts import MOST_LINES, Line, line_config
from restbench.results.history import append_history
from restbench.results.history_lines import history_lines
from tests.made.boards import made_board
from tests.made.changes import a_cell_cost, a_record
from tests.made.records import START, a_cell, a_run, an_entry

WEEKS = [START.date() + timedelta(weeks=number) for number in range(RUNS)]


@pytest.fixture(scope="module")
def board() -> Board:
    return made_board(several=True)


def drawn(section: Section, records: list[ChangeRecord], days: list[date] = WEEKS) -> list[dict[str, Any]]:
    """The configs of the pictures."""
    suite = section.suites[0]
    summary = build_summary(section, [f"{suite.name}/{suite.tables[0].name}"])
    target = section.setting.target
    pictures = trend_pictures(
        section, summary, days, [record.model_copy(update={"target": target}) for record in records]
    )
    urls = [unescape(picture.rpartition('src="')[2].removesuffix('">')) for picture in pictures]
    assert all(len(url) < URL_LIMIT for url in urls)
    return [json.loads(parse_qs(urlsplit(url).query)["c"][0]) for url in urls]


def lines(config: dict[str, Any]) -> dict[str, list[float]]:
    return {dataset["label"]: dataset["data"] for dataset in config["data"]["datasets"]}


def changed_entry(section: Section) -> tuple[str, str, str]:
    """The first compared entry of the first table with its title, and a cell of its suite."""
    suite = section.suites[0]
    row = next(row for row in suite.tables[0].rows if row.compared)
    return row.entry, row.title, f"{suite.name}/{suite.tables[0].name}"


def test_the_fastest_of_each_language_is_a_line(board: Board) -> None:
    section = board.sections[0]
    entry, _, cell = changed_entry(section)
    config = drawn(section, [a_record(entry, 1.25, number=10, cells={cell: a_cell_cost(1.25)})])[0]
    table = section.suites[0].tables[0]
    assert len(config["data"]["datasets"]) == len({row.language for row in table.rows if row.compared}) > 1
    assert config["data"]["labels"] == [day.isoformat() for day in WEEKS]
    assert sum(set(values) == {100} for values in lines(config).values()) == len(lines(config)) - 1


def test_where_nothing_changed_there_is_no_picture(board: Board) -> None:
    assert drawn(board.sections[0], []) == []


def test_a_measured_change_is_a_step_on_the_day_of_its_record(board: Board) -> None:
    section = board.sections[0]
    entry, title, cell = changed_entry(section)
    record = a_record(entry, 1.25, number=10, cells={cell: a_cell_cost(1.25)})
    fastest, moved = drawn(section, [record])
    assert moved["options"]["plugins"]["title"]["text"] == ["What changed most"]
    [(label, values)] = lines(moved).items()
    assert label.startswith(title)
    assert values == [100.0] * 10 + [80.0] * (RUNS - 10)
    assert [80.0] * (RUNS - 10) in [line[10:] for line in lines(fastest).values()]


def test_what_changed_before_the_first_of_the_runs_is_no_step(board: Board) -> None:
    section = board.sections[0]
    entry, _, cell = changed_entry(section)
    record = a_record(entry, 1.25, number=2, cells={cell: a_cell_cost(1.25)})
    assert drawn(section, [record], WEEKS[5:]) == []


def test_one_run_has_no_trend(board: Board) -> None:
    assert drawn(board.sections[0], [], WEEKS[:1]) == []


def test_lines_that_do_not_fit_into_the_address_are_left_out() -> None:
    many = [Line(f"{number} " + "a title " * 20, [100.0 + number] * RUNS) for number in range(9)]
    config = line_config(["title"], WEEKS, many, ["axis"])
    assert config
    assert 0 < len(config["data"]["datasets"]) < MOST_LINES
    assert line_config(["title" * 1000], WEEKS, many, ["axis"]) is None
    assert line_config(["title"], WEEKS, [], ["axis"]) is None


def test_days_on_which_most_entries_were_measured_are_runs(
    board: Board, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    section = board.sections[0]
    entries = sorted({row.entry for suite in section.suites for table in suite.tables for row in table.rows})
    most = len(entries) // 2 + 1
    for number, measured in enumerate([entries[:most], entries[:1], entries], start=1):
        run = a_run(f"20260301T093000Z-0000000{number}", START + timedelta(weeks=4 * number))
        for entry in measured:
            append_history(tmp_path, history_lines(an_entry(entry, run, [a_cell(run)])))
    found = next(iter(history_lines(an_entry(run=run, cells=[a_cell(run)])))).run
    setting = type(section.setting)(found.target, found.profile, found.machine)
    section = replace(section, setting=setting)
    dates = [(START + timedelta(weeks=4 * number)).date() for number in (1, 3)]
    assert days_of_runs(tmp_path, section) == dates
    assert days_of_runs(tmp_path, section, most=1) == dates[1:]
    (tmp_path / "2026-01.jsonl").write_text("not a line")
    assert days_of_runs(tmp_path, section, most=1) == dates[1:], "older months are not read without need"
    assert days_of_runs(tmp_path, section) == dates
    (line,) = caplog.messages
    assert "2026-01.jsonl: line 1" in line
