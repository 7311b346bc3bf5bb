"""report.html: everything inside, nothing from elsewhere."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from restbench.board import Board
from restbench.measure.outcome import Shortage
from restbench.render.answer import RunAnswer, answer_of, disturbed_answer
from restbench.render.report import render_report
from restbench.results.models import SoloRounds
from restbench.system.programs import Others
from tests.made.boards import board_of, long_row, long_table, made_board, made_catalog
from tests.made.records import a_cell, own_baseline, solo
from tests.made.shown import shown_board, shown_catalog
from tests.made.small import small_board, small_catalog
from tests.unit.conftest import Golden
from tests.unit.outline import outline


class Elements(HTMLParser):
    """The elements that are open."""

    VOID = ("meta", "link", "img", "br", "hr", "input")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open += [tag] if tag not in self.VOID else []

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def report(board: Board | None = None, answer: RunAnswer | None = None) -> str:
    return render_report(board or made_board(), made_catalog(), answer)


def test_report(golden: Golden) -> None:
    golden(outline(render_report(shown_board(), shown_catalog(), answer_of(shown_board()))))


def test_the_page_loads_nothing() -> None:
    text = report()
    assert Elements(text).open == []
    assert not re.search(r"<[^>]*\s(src|srcset|data|poster)=|<link|url\(|@import", text)
    assert "default-src 'none'" in text


def test_links_within_the_page_have_their_targets() -> None:
    text = report()
    anchors = re.findall('href="#(.*?)"', text)
    assert len(anchors) == 9
    assert all(f'id="{anchor}"' in text for anchor in anchors)


def test_bars_are_shares_of_the_first_rows_speed_in_their_order() -> None:
    board = made_board()
    drawn = re.findall(r'<svg class="bar" aria-hidden="true"><rect width="([\d.]+)%"', report(board))
    tables = [table for suite in board.sections[0].suites for table in suite.tables]
    expected = []
    for table in tables:
        shares = [row.share for row in table.rows if row.share]
        widest = max(share.high for share in shares)
        expected += [100 * share.middle / widest for share in shares]
        assert [share.middle for share in shares] == sorted((share.middle for share in shares), reverse=True)
    assert [float(width) for width in drawn] == pytest.approx(expected, abs=0.05)


def test_titles_and_reasons_are_escaped_and_cannot_end_a_script() -> None:
    table = replace(long_table(2), title="</script><script>alert(1)</script>")
    text = report(board_of(table))
    assert "<script>alert" not in text
    assert Elements(text).open == []
    assert "got &lt;nothing&gt; &amp; no *list*" in report()


def test_lines_of_a_table_have_as_many_cells_as_its_header() -> None:
    for table in re.findall("<table.*?</table>", report(), re.DOTALL):
        lines = re.findall("<tr.*?</tr>", table, re.DOTALL)
        assert len({len(re.findall(r"<t[dh]\b", line)) for line in lines}) == 1


def test_without_oha_it_says_so() -> None:
    assert "oha was missing" in report(made_board(oha=None))


def test_it_names_entries_that_it_did_not_measure() -> None:
    assert "Not in this run: Falcon, FastAPI, Starlette." in report(board_of(long_table(2)))
    assert "Not in this run" not in report()


def test_a_row_without_figures_has_no_bar() -> None:
    failed = replace(long_row(0), throughput=None, share=None, estimate=None, group=None, failure="did not start")
    text = report(board_of(replace(long_table(0), rows=[failed])))
    assert 'class="bar" aria' not in text
    assert "failed: did not start" in text


def test_an_empty_board_says_so() -> None:
    assert "There are no results yet." in report(Board([]))


def test_the_board_is_not_called_one_run() -> None:
    board = render_report(made_board(), made_catalog())
    assert "one run" not in board
    assert "<h1>restbench: the board</h1>" in board


def test_a_run_that_other_programs_disturbed_begins_with_that_and_its_figures_are_marked() -> None:
    found = small_board(
        falcon=a_cell(solo=solo([]), refused={"others used the app's CPUs": 8}, disturbed_throughput=4321)
    )
    answer = disturbed_answer(Shortage(1, 1, 8, 8, Others((("cargo", 0.92),), 9.9)), "restbench bench --resume")
    text = outline(render_report(found, small_catalog(), answer))
    first, second, command = text.splitlines()[2:5]
    assert command == "restbench bench --resume"
    assert first == (
        "Nothing could be measured: other programs used the CPUs in 8 of 8 rounds "
        "(load average 9.9; cargo: 92 % of a CPU)."
    )
    assert (second, command) == (
        "Wait until they are done, and go on with what is missing:",
        "restbench bench --resume",
    )
    assert "4,320 disturbed" in text
    assert "method" not in text.replace("METHODOLOGY", "")


def test_what_this_machine_could_not_measure_has_no_table() -> None:
    batch = a_cell(scenario="bcrypt", suite="workload", variant=None, solo=SoloRounds(), not_run="oha is missing")
    found = small_board(falcon=[own_baseline(), batch])
    text = outline(render_report(found, small_catalog(), answer_of(found)))
    assert "Not measured: Workload: oha is missing" in text
    assert "Workload" not in text.replace("Not measured: Workload", "")
