"""What `--json` prints, what quiet runs say, and how a run shows that it goes on."""

import io
import json
import logging
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import jsonschema
import pytest
from rich.console import Console

from restbench.catalog import Catalog, Cell
from restbench.cli import run
from restbench.commands.schema import schema_texts
from restbench.commands.verdicts import Report
from restbench.conformance import CheckResult
from restbench.conformance.http import Mismatch
from restbench.measure.events import Building, Built, Event, Failed, Planned, Verifying, Visited
from restbench.render.progress import progress_on
from restbench.results.models import Failure
from restbench.system.repository import find_repository
from restbench.system.text import folded, harmless, one_line
from tests.end_to_end.made import made_repository

CELL = Cell("python/falcon", "hello", "hello_world", None)
VERDICTS = [
    CheckResult("connections", None),
    CheckResult("answer", CELL, broken=Mismatch("GET /hello_world", "Hello World", "Hello")),
    CheckResult("under-load", CELL, not_run="wrk is missing"),
]


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository with a sound entry and one whose manifest is no TOML."""
    made = made_repository(tmp_path / "repository", "good", "other")
    (made.frameworks / "test/other/framework.toml").write_text("title = [\n")
    monkeypatch.setenv("RESTBENCH_ROOT", str(made.root))


@pytest.mark.usefixtures("broken")
def test_list_is_a_document_with_entries_and_mistakes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["list", "--json"]) == 2
    listing = json.loads(capsys.readouterr().out)
    jsonschema.validate(listing, json.loads(schema_texts()["list-output.schema.json"]))
    assert [(entry["entry"], entry["suites"]) for entry in listing["entries"]] == [("test/good", {"hello": []})]
    assert listing["mistakes"][0].startswith("frameworks/test/other/framework.toml: is not TOML: ")


@pytest.mark.usefixtures("broken")
def test_a_piped_list_has_tabs_between_its_fields(capsys: pytest.CaptureFixture[str]) -> None:
    run(["list"])
    assert capsys.readouterr().out.split("\t")[0] == "test/good"


def reported(catalog: Catalog, quiet: bool) -> tuple[Report, list[str]]:
    """The report of three checks, and the lines that it prints."""
    page = io.StringIO()
    report = Report(catalog.entries["python/falcon"], "native", Console(file=page, width=200), quiet)
    report.begin()
    for verdict in VERDICTS:
        report.add(verdict)
    report.end()
    return report, page.getvalue().splitlines()


def test_the_document_of_an_entry_has_every_check_with_what_became_of_it(catalog: Catalog) -> None:
    report, _ = reported(catalog, quiet=False)
    checks = report.verified.checks
    assert [check.outcome for check in checks] == ["kept", "broken", "not run"]
    assert (checks[1].request, checks[1].expected, checks[1].got) == ("GET /hello_world", "Hello World", "Hello")
    assert checks[2].reason == "wrk is missing"
    assert report.verified.broken


def test_quiet_says_only_broken_checks_with_their_entry(catalog: Catalog) -> None:
    _, lines = reported(catalog, quiet=True)
    assert lines[0] == "  ✗ python/falcon hello_world answer"
    assert len(lines) == 4


@pytest.mark.parametrize(
    ("quiet", "lines"),
    [
        (True, ["✗ a/b: start: it does not answer"]),
        (
            False,
            [
                "40 rounds, about 0:02 min in all, with builds, verification and warm-up",
                "a/b: built in 2.0 s",
                "✗ a/b: start: it does not answer",
            ],
        ),
    ],
)
def test_a_run_says_as_much_as_it_was_asked_to(quiet: bool, lines: list[str]) -> None:
    page = io.StringIO()
    failure = Failure(check="start", got="it does not answer")
    events: list[Event] = [Planned(40, 2.0), Building("a/b"), Built("a/b", 2.0, False), Verifying("a/b")]
    events += [Visited(CELL, None), Failed("a/b", None, failure)]
    with progress_on(page, quiet) as observe:
        for event in events:
            observe(event)
    assert page.getvalue().splitlines() == lines


@pytest.mark.parametrize(
    ("begun", "completed"),
    [
        (["bench", "--profile", "q"], {"quick"}),
        (["verify", "--suite", "hel"], {"hello"}),
        (["verify", "python/starl"], {"python/starlette"}),
    ],
)
def test_shells_complete_names(begun: list[str], completed: set[str]) -> None:
    words = {"COMP_WORDS": " ".join(["restbench", *begun]), "COMP_CWORD": str(len(begun))}
    ran = subprocess.run(
        [sys.executable, "-m", "restbench"],
        env={"PYTHONPATH": str(find_repository().root / "scripts"), "_RESTBENCH_COMPLETE": "complete_bash", **words},
        capture_output=True,
        text=True,
        check=False,
    )
    assert set(ran.stdout.split()) == completed, ran.stderr


def test_a_reader_that_has_seen_enough_is_no_failure() -> None:
    command = f"set -o pipefail; {sys.executable} -m restbench list | true"
    env = {"PYTHONPATH": str(find_repository().root / "scripts"), "PATH": os.environ["PATH"], "PYTHONUNBUFFERED": "1"}
    ran = subprocess.run(["bash", "-c", command], env=env, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_the_version_and_the_way_of_calling(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert re.fullmatch(r"restbench \d+\.\d+\.\d+( \([0-9a-f]{10,}(-dirty)?\))?\n", capsys.readouterr().out)


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


def test_a_message_is_folded_after_punctuation_alone() -> None:
    text = "port 8080 is taken by python3 (PID 1): stop it, or call: make bench FRAMEWORK=python/falcon RESUME=1"
    assert folded(text, 60).splitlines() == [
        "port 8080 is taken by python3 (PID 1): stop it, or call:",
        "make bench FRAMEWORK=python/falcon RESUME=1",
    ]
    assert folded(text, 200) == text
    assert folded("one\ntwo", 60) == "one\ntwo"
    assert folded("make bench FRAMEWORK=python/falcon", 10) == "make bench FRAMEWORK=python/falcon"


def test_an_error_of_the_command_line_is_harmless(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", "python/\n::error::x"]) == 2
    assert not any(map(is_command, capsys.readouterr().err.splitlines()))


@pytest.mark.parametrize(
    ("level", "on_github", "message"),
    [
        (logging.WARNING, "true", "::warning::\u2060::error::x"),
        (logging.WARNING, "", "\u2060::error::x"),
        (logging.INFO, "true", "\u2060::error::x"),
    ],
)
def test_a_message_is_one_harmless_line_and_github_shows_warnings(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, level: int, on_github: str, message: str
) -> None:
    def command() -> SimpleNamespace:
        return SimpleNamespace(main=lambda *_, **__: logging.getLogger("restbench.anything").log(level, text))

    text = "::error::x\nof two lines"
    monkeypatch.setenv("GITHUB_ACTIONS", on_github)
    monkeypatch.setattr("restbench.cli.command", command)
    assert run([]) == 0
    assert capsys.readouterr().err == f"{message} of two lines\n"
