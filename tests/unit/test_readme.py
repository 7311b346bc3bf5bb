"""README.md as GitHub gets it."""

import math
import re
from dataclasses import replace
from html import unescape

import pytest
from markdown_it import MarkdownIt

from restbench.board import Board, Table
from restbench.catalog import Catalog
from restbench.catalog.manifests import Awaited
from restbench.catalog.profiles import DEFAULT, load_profiles
from restbench.render import readme as readme_module
from restbench.render.labels import setting_title
from restbench.render.readme import render_readme
from tests.unit.boards import board_of, long_row, long_table, made_board, made_catalog

REMARK = "Latency at a fixed rate was not measured: oha was missing; run make tools."


def readme(board: Board | None = None, cli_help: str = "", single_run: bool = False) -> str:
    return render_readme(board or made_board(), made_catalog(), cli_help, single_run)


def pipe_tables(text: str) -> list[list[list[str]]]:
    """All pipe tables: lines of cells."""
    blocks = re.findall(r"(?:^\|.*\|$\n?)+", text, re.MULTILINE)
    return [[re.split(r"(?<!\\)\|", line)[1:-1] for line in block.splitlines()] for block in blocks]


def rows_of(text: str, word: str) -> list[list[str]]:
    """Table lines with that word, cells as read."""
    found = [line for table in pipe_tables(text) for line in table if any(word in cell for cell in line)]
    return [[cell.replace("\u2060", "").replace("\u00a0", " ").strip() for cell in line] for line in found]


def test_the_same_board_gives_the_same_bytes() -> None:
    assert readme() == readme()


def test_the_first_screen_has_the_two_commands() -> None:
    start = readme().splitlines()[:25]
    assert [line.split("#")[0].strip() for line in start if line.startswith("make ")] == ["make bench", "make test"]


@pytest.mark.parametrize("single_run", [True, False])
def test_lines_of_a_table_have_as_many_cells_as_its_header(single_run: bool) -> None:
    table = replace(long_table(3), rows=[long_row(0), replace(long_row(1), title="a|b", refused="x|y\nz")])
    for board in (made_board(), made_board(oha=None), board_of(table)):
        found = pipe_tables(readme(board, single_run=single_run))
        assert found
        for lines in found:
            assert len({len(line) for line in lines}) == 1


def test_every_scenario_has_a_picture_that_names_the_leader_and_its_figure() -> None:
    pictures = re.findall(r"^!\[(.+)\]\((https://quickchart\.io/chart\?\S+)\)$", readme(), re.MULTILINE)
    assert len(pictures) == 1 + 4 * 2  # hello, and each scenario of the tracker without and with a schema
    assert all(len(url) < 4000 for _, url in pictures)
    assert re.search(r"Hello World: Falcon leads with [\d,]+ requests per second", pictures[0][0])


def test_a_failed_cell_shows_its_reason_as_it_is() -> None:
    text = readme()
    assert "<nothing>" not in text
    rendered = unescape(re.sub(r"<[^>]+>", "", MarkdownIt("commonmark").render(text)))
    assert "got <nothing> & no *list*" in rendered
    assert "expected labels ['a|b']" in rendered
    (failed,) = rows_of(text, "failed<sup>")
    assert failed[0] == "–"
    assert failed[2] == "pydantic"


def test_rows_without_a_rank_say_why() -> None:
    text = readme()
    assert "not ranked: something other than the app, such as another process, was the limit" in text
    assert "2 of 9 solo rounds refused: others used the app's CPUs" in text


def test_the_board_says_how_much_the_load_generator_can_drive_and_how_well_speeds_agree() -> None:
    text = readme()
    assert re.search(r"The load generator can drive [\d,]+ \([\d,]+–[\d,]+\) requests per second here", text)
    assert re.search(r"It differs from the measured throughput by [\d.]+ % in the median of \d+ rows", text)
    assert "nginx" not in "".join(cell for table in pipe_tables(text) for line in table for cell in line)


def test_rows_that_cannot_be_told_apart_share_a_range_of_ranks() -> None:
    ranks = [(1, 2), (1, 2), (3, 3)]
    rows = [replace(long_row(i), rank_first=first, rank_last=last) for i, (first, last) in enumerate(ranks)]
    text = readme(board_of(replace(long_table(0), rows=rows)))
    assert [line[0] for line in rows_of(text, "Some framework")] == ["1–2", "1–2", "3"]
    assert "2 rows share the lead, highest speed: Some framework 000 with 16,000 requests per second" in text


def test_without_oha_the_latency_columns_are_gone_and_the_remark_says_why() -> None:
    assert "p50 / p99 at 1,000 req/s, ms" in readme()
    text = readme(made_board(oha=None))
    assert "p50 / p99 at" not in text
    assert REMARK in text
    assert REMARK not in readme()


def test_figures_in_a_table_cannot_wrap() -> None:
    (line,) = [line for line in readme().splitlines() if line.startswith("| 1 | [Falcon](https://falcon.example.org)")][
        :1
    ]
    assert re.search(r"\| [\d,]+\u00a0\([\d,]+–\u2060[\d,]+\) \|", line)
    assert "| –\u2060 |" not in readme()


def test_facts_versions_and_features() -> None:
    text = readme()
    facts = next(t for t in pipe_tables(text) if "memory after start" in "".join(t[0]))
    assert len(facts) == 2 + 3
    assert "(unmaintained)" in rows_of(text, "[Starlette]")[0][1]
    assert rows_of(text, "AMD EPYC")[0][2] == "app 0–1; load generator 2–3"


def test_the_profiles_come_from_their_file() -> None:
    table = next(t for t in pipe_tables(readme()) if t[0][0].strip() == "profile")
    assert [line[0].strip() for line in table[2:]] == list(load_profiles())


def test_minutes_of_a_first_run_are_those_of_its_profile(catalog: Catalog) -> None:
    """Falcon is the baseline of the two others: it alone has no duet rounds."""
    profile = load_profiles()[DEFAULT]
    seconds = 0.0
    for name in ("falcon", "fastapi", "starlette"):
        entry = catalog.entries[f"python/{name}"]
        scenarios = [entry.scenario(cell) for cell in entry.cells(list(catalog.suites))]
        seconds += sum(profile.planned_seconds(scenario, duets=name != "falcon") for scenario in scenarios)
    text = render_readme(Board([]), catalog)
    assert f"takes about {math.ceil(seconds / 60)} minutes of load" in text


def test_no_results_yet() -> None:
    text = readme(Board([]))
    assert "There are no results yet." in text
    assert "quickchart" not in text
    assert "make bench" in text


def test_a_run_names_entries_that_it_did_not_measure() -> None:
    assert "Not measured yet: Falcon, FastAPI, Starlette." in readme(board_of(long_table(2)), single_run=True)
    assert "Not measured yet" not in readme(single_run=True)


def test_an_entry_that_no_run_has_met_changes_nothing() -> None:
    catalog, board = made_catalog(), made_board()
    axum = made_catalog(several=True).entries["rust/axum"]
    larger = replace(catalog, entries={**catalog.entries, axum.id: axum})
    assert render_readme(board, larger) == render_readme(board, catalog)
    tried = replace(board, missed={axum.id: "its job was cancelled"})
    assert "Not measured yet: axum (its job was cancelled)." in render_readme(tried, larger)


def test_the_board_says_how_many_frameworks_have_results() -> None:
    assert "3 frameworks have results in these suites:" in readme()
    assert "The suites:" in readme(Board([]))


def test_frameworks_that_are_to_come_are_named_with_what_they_wait_for() -> None:
    crow = Awaited(title="Crow", language="C++", homepage="https://crowcpp.org", waits_for="a package")
    catalog = replace(made_catalog(), awaited=[crow])
    assert "[Crow](https://crowcpp.org) (C++) waits for a package." in render_readme(made_board(), catalog)
    assert "Not yet on the board" not in readme()


def test_a_table_without_figures_has_no_picture() -> None:
    failed = replace(long_row(0), throughput=None, speed=None, rank_first=None, failure="did not start")
    text = readme(board_of(Table("sprint", "Sprint", "GET /sprint", [failed])))
    assert "Nothing to draw" in text
    assert "failed: did not start" in text


def test_the_help_of_the_command_line_is_there_when_given() -> None:
    assert "```text\nUsage: restbench\n```" in readme(cli_help="Usage: restbench\n")
    assert "## Commands" not in readme()


def test_a_single_run_says_so_and_links_from_its_folder() -> None:
    text = readme(single_run=True)
    assert "one run on one machine" in text
    assert "## Add a framework" not in text
    assert set(re.findall(r"\]\((\S*?)docs/", text)) == {"../"}
    assert set(re.findall(r"\]\((\S*?)docs/", readme())) == {""}


def test_sections_and_blocks_are_set_off_by_one_blank_line() -> None:
    for text in (readme(), readme(made_board(oha=None)), readme(Board([])), readme(single_run=True)):
        assert "\n\n\n" not in text
        assert text.endswith("\n")
        assert not re.search(r"[^\n]\n#+ ", text.replace("```sh\n", "").replace("```text\n", ""))


def test_a_section_that_would_be_cut_by_github_is_left_out_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    (first, *_) = made_board().sections
    second = replace(first, setting=replace(first.setting, target="docker"))
    board, one = Board([first, second]), len(readme(Board([first])).encode())
    whole = readme(board)
    assert "not on this page" not in whole
    monkeypatch.setattr(readme_module, "LARGEST", one + 1000)
    text = readme(board)
    assert len(text.encode()) < len(whole.encode())
    assert re.findall(r"^### (.+): not on this page$", text, re.MULTILINE) == [setting_title(second.setting)]
    monkeypatch.setattr(readme_module, "LARGEST", 1)
    assert f"### {setting_title(first.setting)}\n" in readme(board)
