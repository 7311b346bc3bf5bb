"""What the command line prints: help texts, and the errors that people are most likely to meet."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.core import TyperGroup

from restbench.cli import command, run
from restbench.system.repository import Repository
from tests.end_to_end.made import made_repository
from tests.unit.conftest import GOLDEN, Golden


def commands(group: TyperGroup, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The words of every command and group."""
    yield words
    for name, found in group.commands.items():
        if isinstance(found, TyperGroup):
            yield from commands(found, (*words, name))
        else:
            yield (*words, name)


COMMANDS = {"-".join(words): words for words in commands(command())}

ERRORS = {
    "framework": ("bench", "test/god"),
    "suite": ("bench", "test/good", "--suite", "helo"),
    "profile": ("bench", "--profile", "quik"),
    "target": ("verify", "--target", "podman"),
    "port": ("bench", "--port", "99999999"),
    "option": ("bench", "--suites", "hello"),
    "command": ("benhc",),
    "manifest": ("verify", "test/other"),
    "name": ("new", "Bad Name"),
    "merge": ("merge", "nowhere"),
}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """Two entries, one of which has mistakes in its manifest."""
    made = made_repository(tmp_path / "repository", "good", "other")
    manifest = made.frameworks / "test/other/framework.toml"
    text = manifest.read_text()
    assert "hello = true" in text
    manifest.write_text("homepag = 1\n" + text.replace("hello = true", 'hello = "no"'))
    monkeypatch.setenv("RESTBENCH_ROOT", str(made.root))
    monkeypatch.chdir(made.root)
    return made


@pytest.mark.parametrize("command", COMMANDS)
def test_help(command: str, golden: Golden, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*COMMANDS[command], "--help"]) == 0
    output = capsys.readouterr().out
    golden(output)
    assert max(map(len, output.splitlines())) <= 80
    assert output.isascii(), "Typer prints it in an encoding of its own on a terminal that has only ASCII"


@pytest.mark.parametrize("what", ERRORS)
def test_error(what: str, repository: Repository, golden: Golden, capsys: pytest.CaptureFixture[str]) -> None:
    code = run(list(ERRORS[what]))
    printed = capsys.readouterr()
    assert printed.out == ""
    text = f"$ restbench {' '.join(ERRORS[what])}\n{printed.err}exit code {code}\n"
    golden(text.replace(str(repository.root), "ROOT"))


def test_help_fits_a_narrow_terminal() -> None:
    argv = [sys.executable, "-m", "restbench", "bench", "--help"]
    ran = subprocess.run(argv, env=os.environ | {"COLUMNS": "60"}, capture_output=True, text=True, check=True)
    assert max(map(len, ran.stdout.splitlines())) <= 60


def test_each_golden_file_is_of_one_test(golden_names: list[str]) -> None:
    assert sorted(path.stem for path in GOLDEN.iterdir()) == sorted(golden_names)
