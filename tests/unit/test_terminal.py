"""The board on a terminal."""

import pytest

from restbench.commands.bench import summary_markdown
from restbench.render import terminal
from restbench.render.terminal import print_board
from tests.made.boards import made_board


@pytest.fixture
def shown(capsys: pytest.CaptureFixture[str]) -> list[str]:
    print_board(made_board(several=True))
    return [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]


def test_each_scenario_has_a_table_with_groups_shares_costs_and_measured_throughput(shown: list[str]) -> None:
    start = shown.index("Hello: Plain text")
    assert shown[start + 2].startswith("group framework variant speed, % relative cost measured req/s")
    (falcon,) = [line for line in shown[start : start + 12] if "Falcon" in line]
    share, cost = falcon.split()[3:5]
    assert 0 < float(share) < 100
    assert cost == "1"


def test_each_language_has_its_chain(shown: list[str]) -> None:
    assert "Python, fastest first: Falcon › Starlette › FastAPI" in shown


def test_a_lower_bound_is_marked(shown: list[str]) -> None:
    assert any("Rocket" in line and "≥" in line for line in shown)


def test_a_failed_row_points_to_its_reason_under_the_table(shown: list[str]) -> None:
    (failed,) = [place for place, line in enumerate(shown) if line.startswith("✗ FastAPI")]
    note = shown[failed].rpartition("failed ")[2].strip("[]")
    under = " ".join(shown[failed : failed + 6])
    assert f"{note}. failed: answers: POST /api/v1/board/pydantic/7/task: expected labels ['a|b']" in under


def test_the_end_says_how_it_was_measured(shown: list[str]) -> None:
    assert any(line.startswith("native, profile quick, at most 20 rounds per cell") for line in shown)
    assert any(line.startswith("The load generator can drive ") for line in shown)


def test_a_terminal_of_80_columns_gets_whole_lines_and_fewer_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "_PIPED_WIDTH", 80)
    print_board(made_board(several=True))
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    heading = next(line for line in lines if "group" in line)
    assert " ".join(heading.split()) == "group framework variant speed, % measured req/s"
    assert any(line.startswith("This terminal is too narrow for: relative cost, p99 ms, ") for line in lines)


def test_the_summary_of_a_job_has_all_columns_and_text_stays_text() -> None:
    text = summary_markdown(made_board(several=True))
    assert text.startswith("<pre>\n")
    assert text.endswith("\n</pre>\n")
    assert "got &lt;nothing&gt; &amp; no *list*" in text
    assert "too narrow" not in text
    assert "\x1b" not in text


def test_notes_are_as_wide_as_the_terminal_whatever_the_table_is(shown: list[str]) -> None:
    """A failed row makes a table narrow, and its reason is long."""
    (note,) = {line for line in shown if "failed: answers: POST" in line}
    assert note.endswith("got <nothing> & no *list*")
