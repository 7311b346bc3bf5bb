"""What `--json` prints, what quiet runs say, and how a run shows that it goes on."""

import io
import json
import os
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

import jsonschema
import pytest
from rich.console import Console

from restbench.catalog import Catalog, Cell
from restbench.cli import run
from restbench.commands.schema import schema_texts
from restbench.commands.verdicts import Report
from restbench.conformance import Verdict
from restbench.conformance.http import Mismatch
from restbench.measure.events import Building, Built, Event, Failed, Planned, Remarked, Verifying, Visited
from restbench.render.progress import LineProgress, LiveProgress, progress_on
from restbench.results.models import Failure
from restbench.system.lines import harmless, one_line
from restbench.system.repository import find_repository
from tests.end_to_end.made import made_repository
from tests.made.records import a_duet_round, a_latency_round, a_solo_round

CELL = Cell("python/falcon", "hello", "hello_world", None)
VERDICTS = [
    Verdict("connections", None),
    Verdict("answer", CELL, broken=Mismatch("GET /hello_world", "Hello World", "Hello")),
    Verdict("under-load", CELL, not_run="wrk is missing"),
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


def test_quiet_says_broken_checks_alone_with_their_entry(catalog: Catalog) -> None:
    _, lines = reported(catalog, quiet=True)
    assert lines[0] == "  ✗ python/falcon hello_world answer"
    assert len(lines) == 4


@pytest.mark.parametrize(
    ("quiet", "said"),
    [
        (True, ["✗ a/b: start: it does not answer"]),
        (False, ["40 rounds, about 0:02 min of load", "a/b: built in 2.0 s", "✗ a/b: start: it does not answer"]),
    ],
)
def test_a_run_says_as_much_as_it_was_asked_to(quiet: bool, said: list[str]) -> None:
    page = io.StringIO()
    failure = Failure(check="start", got="it does not answer")
    events: list[Event] = [Planned(40, 2.0), Building("a/b"), Built("a/b", 2.0, False), Verifying("a/b")]
    events += [Visited(CELL, None), Failed("a/b", None, failure)]
    with progress_on(page, quiet) as observe:
        for event in events:
            observe(event)
    assert page.getvalue().splitlines() == said


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


HELLO = Cell("python/fastapi", "hello", "hello_world", None)


def lines_of(*events: Event) -> list[str]:
    out = StringIO()
    progress = LineProgress(Console(file=out))
    for event in events:
        progress.observe(event)
    return out.getvalue().splitlines()


def live(*events: Event) -> list[str]:
    """The line of the cell that a terminal shows last, in words, after those events."""
    out = StringIO()
    with LiveProgress(Console(file=out, force_terminal=True, width=140, height=40, no_color=True)) as progress:
        for event in events:
            progress.observe(event)
        progress.observe(Planned(10, 60))
    name = str(HELLO)
    # the bar names the cell too, after what was done
    lines = [line.split() for line in out.getvalue().splitlines() if name in line and "━" not in line]
    return lines[-1][lines[-1].index(name) :] if name in lines[-1] else [name, *lines[-1][1:]]


def test_a_log_has_a_line_for_each_tenth_of_the_rounds() -> None:
    said = lines_of(Planned(20, 90), *[Visited(HELLO, a_solo_round())] * 20)
    assert said[0] == "20 rounds, about 1:30 min of load"
    assert [line.split(" after")[0] for line in said[1:]] == [f"{2 * i} of 20 rounds" for i in range(1, 11)]


def test_a_log_tells_what_was_built_remarked_and_failed() -> None:
    failure = Failure(check="start", got="it did not come up [at all]")
    said = lines_of(
        Built("python/fastapi", 3.21, cached=False),
        Built("python/falcon", 0.0, cached=True),
        Remarked("python/falcon", "its date is not known"),
        Failed("python/fastapi", HELLO, failure),
    )
    assert said == [
        "python/fastapi: built in 3.2 s",
        "python/falcon: its date is not known",
        "✗ python/fastapi/hello/hello_world: start: it did not come up [at all]",
    ]


def test_a_terminal_shows_medians_of_the_rounds_that_count_by_kind() -> None:
    assert live(
        Visited(HELLO, None),
        *[Visited(HELLO, a_solo_round(throughput=throughput)) for throughput in (9_000, 10_000, 12_000)],
        Visited(HELLO, a_solo_round(throughput=1_000, invalid=["errors: read"])),
        *[Visited(HELLO, a_duet_round(cost)) for cost in (1.5, 1.7)],
        Visited(HELLO, a_latency_round()),
    ) == [str(HELLO), "5", "1", "10,000", "1.60", "app"]


def test_a_terminal_shows_a_cell_of_which_no_round_counts_yet() -> None:
    assert live(Visited(HELLO, a_duet_round(1.5, invalid=["too few answers"]))) == [str(HELLO), "0", "1"]


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
