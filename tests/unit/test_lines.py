"""Text from elsewhere is printed, and does nothing."""

import logging

import pytest

from restbench.cli import run
from restbench.system.lines import harmless, one_line

COMMANDS = [
    "::error title=x::y",
    "  ::set-output name=x::y",
    "##[add-mask]x",
    "text ##[error]x",
    "a\n::stop-commands::x",
]


def is_command(line: str) -> bool:
    """As actions/runner decides it (ActionCommand.TryParseV2 and TryParse)."""
    return line.strip().startswith("::") or "##[" in line


@pytest.mark.parametrize("text", COMMANDS)
def test_no_line_is_a_command_of_a_workflow(text: str) -> None:
    assert any(map(is_command, text.splitlines()))
    assert not any(map(is_command, harmless(text).splitlines()))
    assert not is_command(one_line(text))


def test_words_stay_as_they_are() -> None:
    text = "std::string at main.cpp:7\n\tin [a] ## heading"
    assert harmless(text) == text


@pytest.mark.parametrize("text", ["\x1b[31mred", "a\rb", "\u202eabc", "a\u2028b", "\x00"])
def test_nothing_commands_a_terminal(text: str) -> None:
    assert not set(harmless(text)) & set("\x1b\r\u202e\u2028\x00")


def test_a_line_is_one_line_and_short() -> None:
    assert one_line("a\n\n b\t c") == "a b c"
    assert len(one_line("x" * 3000)) == 500


def test_an_error_of_the_command_line_is_harmless(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", "python/\n::error::x"]) == 2
    assert not any(map(is_command, capsys.readouterr().err.splitlines()))


@pytest.mark.parametrize(
    ("level", "on_github", "said"),
    [
        (logging.WARNING, "true", "::warning::\u2060::error::x"),
        (logging.WARNING, "", "\u2060::error::x"),
        (logging.INFO, "true", "\u2060::error::x"),
    ],
)
def test_a_message_is_one_harmless_line_and_github_shows_warnings(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, level: int, on_github: str, said: str
) -> None:
    assert run(["list", "nothing/like-it"]) == 2
    capsys.readouterr()
    monkeypatch.setenv("GITHUB_ACTIONS", on_github)
    logging.getLogger("restbench.anything").log(level, "::error::x\nof two lines")
    assert capsys.readouterr().err == f"{said} of two lines\n"
