"""What the command line prints: help texts, and the errors that people are most likely to meet.

The expected texts are files in golden/. `make golden` writes them anew; the change is then read in the diff.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.core import TyperGroup

from restbench.cli import command, run
from restbench.system.repository import Repository
from tests.end_to_end.made import made_repository

GOLDEN = Path(__file__).with_name("golden")


def commands(group: TyperGroup, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The words of every command and group."""
    yield words
    for name, found in group.commands.items():
        if isinstance(found, TyperGroup):
            yield from commands(found, (*words, name))
        else:
            yield (*words, name)


COMMANDS = {"-".join(("help", *words)): words for words in commands(command())}

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


def check(name: str, text: str, rewrite: bool) -> None:
    """Compares a text with the file of that name, or writes that file."""
    path = GOLDEN / f"{name}.txt"
    if rewrite:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    assert path.is_file(), f"{path.name} is missing: run make golden"
    assert text == path.read_text()


@pytest.mark.parametrize("name", COMMANDS)
def test_help(name: str, capsys: pytest.CaptureFixture[str], pytestconfig: pytest.Config) -> None:
    assert run([*COMMANDS[name], "--help"]) == 0
    said = capsys.readouterr().out
    check(name, said, pytestconfig.getoption("rewrite_golden"))
    assert max(map(len, said.splitlines())) <= 80


@pytest.mark.parametrize("name", ERRORS)
def test_errors(
    name: str, repository: Repository, capsys: pytest.CaptureFixture[str], pytestconfig: pytest.Config
) -> None:
    code = run(list(ERRORS[name]))
    said = capsys.readouterr()
    assert said.out == ""
    text = f"$ restbench {' '.join(ERRORS[name])}\n{said.err}exit code {code}\n"
    check(f"error-{name}", text.replace(str(repository.root), "ROOT"), pytestconfig.getoption("rewrite_golden"))


def test_no_golden_file_is_left_behind() -> None:
    expected = {*COMMANDS, *(f"error-{name}" for name in ERRORS)}
    assert {path.stem for path in GOLDEN.iterdir()} == expected
