"""The board on a terminal."""

import pytest

from restbench.commands.bench import summary_markdown
from restbench.render import terminal
from restbench.render.terminal import print_board
from tests.made.boards import made_board
from tests.made.shown import shown_board
from tests.unit.conftest import Golden


@pytest.mark.parametrize("width", [80, 140])
def test_terminal(
    width: int, golden: Golden, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "_PIPED_WIDTH", width)
    print_board(shown_board())
    lines = capsys.readouterr().out.splitlines()
    golden("\n".join(line.rstrip() for line in lines) + "\n")
    assert max(map(len, lines)) <= width


def test_the_summary_of_a_job_has_all_columns_and_text_stays_text() -> None:
    text = summary_markdown(made_board(several=True))
    assert text.startswith("<pre>\n")
    assert text.endswith("\n</pre>\n")
    assert "got &lt;nothing&gt; &amp; no *list*" in text
    assert "too narrow" not in text
    assert "\x1b" not in text
