"""What `restbench doctor` prints: a group for the machine and for each language, and what is ready."""

from pathlib import Path

import pytest
from rich.console import Console

from restbench.catalog import Catalog, load_catalog
from restbench.cli import run
from restbench.commands import doctor as command
from restbench.system import debian
from restbench.system.repository import find_repository
from restbench.targets.toolchains import PYTHON, Tool
from tests.end_to_end.made import made_repository
from tests.unit.fakes import FakeRuntime, World

GROUPS = {
    "this machine": [Tool("wrk", "4.1.0"), Tool("disk", "1.0 GB free", otherwise="make room")],
    "the suite solr": [],
    "C++": [
        Tool("g++", "14.2.0"),
        Tool("ninja", None, "ninja", ("ninja-build",)),
        Tool("cmake", "3.18", "cmake 3.25 or newer", ("cmake",), "install it from https://cmake.org"),
    ],
}
PRINTED = """\
this machine
  ✓ wrk   4.1.0
  - disk  1.0 GB free; make room
C++
  ✓ g++    14.2.0
  - ninja  missing; install it with: apt-get install ninja-build
  - cmake  3.18; cmake 3.25 or newer is needed; install it with: apt-get install cmake, or install it from https://cmake.org
"""
NARROW = """\
C++
  ✓ g++    14.2.0
  - ninja  missing; install it with: apt-get
           install ninja-build
  - cmake  3.18; cmake 3.25 or newer is
           needed; install it with: apt-get
           install cmake, or install it from
           https://cmake.org
"""


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with two entries, on a machine that was examined already."""
    repository = made_repository(tmp_path / "repository", "good", "other")
    monkeypatch.setenv("RESTBENCH_ROOT", str(repository.root))
    monkeypatch.setattr(command, "examine", lambda *_: dict(GROUPS))
    return repository.frameworks / "test/other/framework.toml"


@pytest.mark.usefixtures("made")
def test_each_group_has_its_tools_and_the_end_says_what_is_ready(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor"]) == 0
    assert capsys.readouterr().out == f"{PRINTED}ready: 2 of 2 entries can run natively\n"


def test_a_narrow_terminal_has_the_columns_below_each_other() -> None:
    console = Console(force_terminal=True, no_color=True, width=46, record=True)
    command._print(console, "C++", GROUPS["C++"])
    assert console.export_text() == NARROW


@pytest.mark.parametrize(("name", "code"), [("wrk", 3), ("taskset", 3), ("oha", 0)])
@pytest.mark.usefixtures("made")
def test_without_what_every_run_needs_the_exit_code_says_so(
    name: str, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "examine", lambda *_: {"this machine": [Tool(name, None, name, (name,))]})
    assert run(["doctor"]) == code
    assert (
        f"  {'✗' if code else '-'} {name}  missing; install it with: apt-get install {name}\n"
        in capsys.readouterr().out
    )


def test_a_broken_manifest_is_named_and_the_rest_is_examined(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made.write_text("title = [\n")
    assert run(["doctor"]) == 2
    output = capsys.readouterr().out
    assert output.startswith(PRINTED)
    assert "  ✗ manifest  frameworks/test/other/framework.toml: is not TOML: " in output
    assert output.endswith("ready: 1 of 1 entries can run natively\n")


@pytest.mark.parametrize(
    ("lacks", "ready"),
    [
        ([], "ready: {all} of {all} entries can run natively"),
        (
            [Tool(PYTHON, None, "Python >=3.11"), Tool("cc", None, "cc", ("gcc",))],
            "ready: 0 of {all} entries can run natively; {all} more after: restbench prepare all --target native",
        ),
        (
            [Tool("go", None, "go", (), "install it from https://go.dev"), Tool("cc", None, "cc", ("gcc",))],
            "ready: 0 of {all} entries can run natively; {all} need what Debian and uv do not have",
        ),
    ],
)
def test_the_end_says_what_one_command_adds(
    lacks: list[Tool], ready: str, catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "lacks_of", lambda _entry: lacks)
    assert command.what_is_ready(catalog) == ready.format(all=len(catalog.entries))


def test_what_is_missing_has_one_command() -> None:
    gcc = Tool("g++", "14.2.0")
    tools = [gcc, Tool("ninja", None, "ninja", ("ninja-build",)), Tool("cmake", None, "cmake", ("cmake",))]
    remedy = "ninja, cmake are missing: install them with: apt-get install ninja-build cmake"
    assert command.summed_up("all", tools) == [gcc, Tool("left out", "all", otherwise=remedy)]
    assert command.summed_up("all", [gcc]) == [gcc]


def test_what_single_entries_lack_is_named_once_for_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debian, "codename", lambda: "forky")
    monkeypatch.setattr(debian, "installed", dict)
    entries = load_catalog(find_repository()).entries
    asked = [entries["cpp/pistache"], entries["cpp/restinio"]]
    *_, last = command._language(asked)
    remedy = "Debian is forky, and Debian trixie is needed: use --target docker"
    assert last == Tool("left out", "pistache, restinio", otherwise=remedy)


@pytest.mark.parametrize("trouble", [None, "this machine cannot delay a link: tc is missing"])
def test_doctor_says_whether_links_can_be_delayed(trouble: str | None) -> None:
    found = command._links(FakeRuntime(World(link_unavailable_reason=trouble)), "run as root")
    assert found.name == "delayed links (native)"
    assert found.found == (trouble or "netem works")
    assert bool(found.remedy) == bool(trouble)
