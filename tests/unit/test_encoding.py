"""The encoding of files, pipes and terminals is restbench's own, whatever the locale."""

import ast
import os
import pty
import shutil
import subprocess
import sys
import termios
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from restbench.cli import run
from restbench.errors import MissingToolError
from restbench.system.processes import LOCALE, environment, user_environment
from restbench.system.repository import find_repository
from restbench.system.signs import print_utf8
from tests.made.locales import latin1

ROOT = find_repository().root
UTF8 = {"LC_ALL": "C.UTF-8"}
RESTBENCH = [sys.executable, "-m", "restbench"]


@pytest.fixture(scope="module")
def locale(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return latin1(tmp_path_factory.mktemp("locale"))


def bare(variables: Mapping[str, str]) -> dict[str, str]:
    """This environment with those variables in the place of all that set a locale."""
    set_here = ("LANG", "LOCPATH", "PYTHONUTF8", "PYTHONIOENCODING")
    return {k: v for k, v in os.environ.items() if not k.startswith("LC_") and k not in set_here} | dict(variables)


def shown(argv: list[str], variables: Mapping[str, str], columns: int = 0) -> str:
    """Runs a command on a terminal. Returns the bytes that the terminal gets, each as the character of its number."""
    outer, inner = pty.openpty()
    termios.tcsetwinsize(inner, (24, columns))
    env = bare({"TERM": "dumb", **variables})
    with subprocess.Popen(argv, cwd=ROOT, env=env, stdin=inner, stdout=inner, stderr=inner, start_new_session=True):
        os.close(inner)
        text = b"".join(read(outer))
    os.close(outer)
    return text.decode("latin-1").replace("\r\n", "\n")


def read(terminal: int) -> Iterator[bytes]:
    try:
        while part := os.read(terminal, 10_000):
            yield part
    except OSError:  # the command has ended
        return


ALIKE = ["--help", "list", "changes", "render --check", "schema --check", "bench käse"]


@pytest.mark.parametrize("words", ALIKE)
def test_a_command_prints_the_same_into_a_pipe_in_each_locale(words: str, locale: dict[str, str]) -> None:
    def piped(variables: Mapping[str, str]) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [*RESTBENCH, *words.split()], cwd=ROOT, env=bare(variables), capture_output=True, check=False
        )

    ours, theirs = piped(UTF8), piped(locale)
    assert (theirs.returncode, theirs.stdout, theirs.stderr) == (ours.returncode, ours.stdout, ours.stderr)
    theirs.stdout.decode()


def ran_in(locale: Mapping[str, str], *words: str) -> str:
    """Runs a command in a locale. Returns what it printed, which is UTF-8."""
    argv = [*RESTBENCH, *words]
    ran = subprocess.run(argv, cwd=ROOT, env=bare(locale), capture_output=True, check=False)
    assert ran.returncode in (0, MissingToolError.exit_code), ran.stderr
    return ran.stdout.decode()


def test_doctor_prints_its_marks_in_each_locale(locale: dict[str, str]) -> None:
    assert "✓ disk" in ran_in(locale, "doctor")


def test_the_board_is_the_same_in_each_locale(locale: dict[str, str], tmp_path: Path) -> None:
    for part in ("README.md.j2", "docs", "fixtures", "frameworks", "schemas"):
        (tmp_path / part).symlink_to(ROOT / part)
    shutil.copy(ROOT / "README.md", tmp_path)
    shutil.copytree(ROOT / "results", tmp_path / "results")
    ran_in(locale | {"RESTBENCH_ROOT": str(tmp_path)}, "render")
    for path in ["README.md", *(str(page.relative_to(ROOT)) for page in ROOT.glob("results/*.md"))]:
        assert (tmp_path / path).read_bytes() == (ROOT / path).read_bytes()


def test_the_site_is_written_in_each_locale(locale: dict[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "ümläute"
    assert str(folder) in ran_in(locale, "site", str(folder))
    assert any("BáiZé" in page.read_bytes().decode() for page in folder.rglob("*.html"))


@pytest.mark.parametrize("columns", [0, 40, 120])
def test_a_terminal_that_has_not_all_signs_gets_plain_ones(columns: int, locale: dict[str, str]) -> None:
    for variables in (locale, {"LC_ALL": "C"}):
        text = shown([*RESTBENCH, "list", "python"], variables, columns)
        assert text.isascii()
        assert "python/falcon " in text
        table = [line for line in text.splitlines() if line.startswith("|")]
        assert len(set(map(len, table))) == 1, "columns stay below each other"


def test_a_terminal_of_utf_8_gets_all_signs() -> None:
    assert "──" in shown([*RESTBENCH, "list", "python"], UTF8, 80).encode("latin-1").decode()


def test_an_error_is_printed_on_a_terminal_of_unknown_width(locale: dict[str, str]) -> None:
    said = shown([*RESTBENCH, "list", "käse→"], locale)
    assert said.startswith("no framework is called k")
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("encoding", "printed"),
    [
        ("ascii", "+ x ~ - - - ~ x > -> ## * Skoda BaiZe ? ??"),
        ("iso8859-1", "+ x ~ · - - ~ × > -> ## * Skoda BáiZé ø ??"),
        ("iso8859-2", "+ x ~ - - - ~ × > -> ## * Škoda BáiZé ? ??"),
    ],
)
def test_a_sign_that_a_terminal_lacks_is_printed_as_a_plain_one(encoding: str, printed: str) -> None:
    print_utf8()
    signs = "✓ ✗ … · – − ≈ × ≥ → █▎ ⠋ Škoda BáiZé ø 本"
    assert signs.encode(encoding, "plain").decode(encoding) == printed


def test_a_name_that_is_not_utf_8_is_refused_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "--out", "k\udce4se"]) == 2
    assert capsys.readouterr().err.startswith("k\\xe4se is not in UTF-8: write it in UTF-8")


def test_what_is_started_has_a_locale_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.ISO-8859-1", "LANGUAGE": "de", "PROXY": "here"}.items():
        monkeypatch.setenv(name, value)
    for made in (environment({}), user_environment()):
        assert {name: made[name] for name in LOCALE} == {"LC_ALL": "C.UTF-8", "LANGUAGE": ""}
    assert user_environment()["PROXY"] == "here"
    assert "PROXY" not in environment({})
    assert "LANG" not in environment({})


SCRIPTS = sorted(
    path
    for path in (ROOT / "scripts").rglob("*")
    if path.is_file()
    and "__pycache__" not in path.parts
    and (path.suffix == ".py" or path.read_bytes().startswith(b"#!/usr/bin/env python3"))
)


def without_encoding(source: str) -> list[int]:
    """Returns the lines with a call that reads or writes text in the locale's encoding."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    found = []
    for call in calls:
        keywords = {keyword.arg for keyword in call.keywords}
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        of_file = name in ("read_text", "write_text")
        of_pipe = name in ("run", "Popen", "check_output") and keywords & {"text", "universal_newlines"}
        if "encoding" not in keywords and (of_file or of_pipe):
            found.append(call.lineno)
    return found


def test_every_file_and_pipe_of_text_has_its_encoding() -> None:
    """ruff sees only the paths whose type it can infer, and no pipes."""
    assert len(SCRIPTS) > 100
    found = {str(path): lines for path in SCRIPTS if (lines := without_encoding(path.read_bytes().decode()))}
    assert found == {}


@pytest.mark.parametrize(
    "call",
    [
        "path.read_text()",
        "path.write_text('é')",
        "subprocess.run(argv, text=True)",
        "subprocess.Popen(argv, universal_newlines=True)",
    ],
)
def test_a_call_without_an_encoding_is_found(call: str) -> None:
    assert without_encoding(call) == [1]
