"""Every command that a message tells a person to type can be run, in the form in which restbench was called."""

import ast
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from restbench.cli import COMMANDS
from restbench.system import advice
from restbench.system.advice import CALLED_BY, ONLY_MAKE, TARGETS, VARIABLES, command_line, manual, option, program
from restbench.system.repository import find_repository

ROOT = find_repository().root
CODE = ROOT / "scripts/restbench"
RESTBENCH = ".venv/bin/restbench"

NAMES = ["python/falcon", "rust/*"]
"""What stands in place of names that are known only when a message is printed."""
VALUE = "a folder"

PUBLISHED = ("changes/comparison_summary.py", "ci/issues.py", "commands/rename.py")
"""Modules whose texts with commands are published, or are files of the repository."""

Options = dict[str, Any]
Call = tuple[tuple[str, ...], Options]


def trees() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(CODE.rglob("*.py")):
        if path != Path(advice.__file__):
            yield str(path.relative_to(CODE)), ast.parse(path.read_text())


def calls(function: str) -> list[Call]:
    """The arguments of every call of the function, with examples in place of those that are not constant."""
    found: list[Call] = []
    for _, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function:
                words: list[str] = []
                for word in node.args:
                    example = NAMES if isinstance(word, ast.Starred) else NAMES[:1]
                    words += [str(word.value)] if isinstance(word, ast.Constant) else example
                values = {each.arg: each.value for each in node.keywords if each.arg}
                found.append((tuple(words), {k: getattr(v, "value", VALUE) for k, v in values.items()}))
    return [call for number, call in enumerate(found) if call not in found[:number]]


ADVISED = calls("command_line")
OPTIONS = calls("option")


@pytest.fixture(autouse=True)
def called(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [RESTBENCH, "anything"])
    monkeypatch.delenv(CALLED_BY, raising=False)


def parsed(words: list[str]) -> tuple[str, dict[str, Any]]:
    """A command of restbench and its parameters. It fails where the command line would refuse them."""
    name, *rest = words
    return name, COMMANDS[name].load(name).make_context(name, rest).params


def made(command: str) -> list[list[str]]:
    """The commands that make would run for a command."""
    make, *words = shlex.split(command)
    assert make == "make"
    outer = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    argv = [make, "--dry-run", *words]
    ran = subprocess.run(argv, cwd=ROOT, env=outer, capture_output=True, text=True, check=True)
    return [shlex.split(line) for line in ran.stdout.splitlines() if "scripts/" in line or RESTBENCH in line]


def test_messages_name_commands() -> None:
    assert {words[0] for words, _ in ADVISED} >= {"bench", "list", "doctor", "lock", "prepare"}
    assert {words[0] for words, _ in OPTIONS} >= {"resume", "port", "target", "profile"}


@pytest.mark.parametrize(("words", "options"), ADVISED)
def test_restbench_accepts_what_messages_name(words: tuple[str, ...], options: Options) -> None:
    first, *rest = shlex.split(command_line(*words, **options))
    if words[0] in ONLY_MAKE:
        assert (first, rest[0]) == ("make", words[0])
    else:
        assert first == RESTBENCH
        assert parsed(rest)[0] == words[0]


@pytest.mark.needs("make")
@pytest.mark.parametrize(("words", "options"), ADVISED)
def test_make_does_the_same(words: tuple[str, ...], options: Options, monkeypatch: pytest.MonkeyPatch) -> None:
    by_restbench = shlex.split(command_line(*words, **options))[1:]
    monkeypatch.setenv(CALLED_BY, "bench")
    command = command_line(*words, **options)
    if words[0] in ONLY_MAKE:
        (script,) = made(command)
        assert script == [f"scripts/{words[0]}", *words[1:]]
    elif words[0] in TARGETS:
        lines = [line[line.index(RESTBENCH) + 1 :] for line in made(command) if RESTBENCH in line]
        assert parsed(by_restbench) in [parsed(line) for line in lines]
    else:
        assert shlex.split(command) == [RESTBENCH, *by_restbench]


@pytest.mark.parametrize(("words", "_options"), OPTIONS)
def test_options_that_messages_name_exist(
    words: tuple[str, ...], _options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = (command.load(name) for name, command in COMMANDS.items())
    known = {each for command in commands for parameter in command.params for each in parameter.opts}
    assert shlex.split(option(*words))[0] in known
    monkeypatch.setenv(CALLED_BY, "bench")
    variable = option(*words).partition("=")[0]
    assert re.search(rf"\$\(call (given|names),{variable}\)", (ROOT / "Makefile").read_text())


def test_messages_name_commands_only_by_these_functions() -> None:
    """A text that names a command itself has one form, and nothing tests it."""
    commands, targets = "|".join(COMMANDS), "|".join(TARGETS.values())
    named = re.compile(rf"\brestbench ({commands})\b|\bmake ({targets})\b|(?<=[\s(])--({'|'.join(VARIABLES)})\b")
    wrong = [
        f"{module}: {text}"
        for module, tree in trees()
        if module not in PUBLISHED
        for text in texts(tree)
        if named.search(text)
    ]
    assert wrong == []


def texts(tree: ast.Module) -> Iterator[str]:
    """The texts of a module, without docstrings and the texts of --help."""
    left_out = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    left_out |= {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg == "help"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in left_out:
            yield node.value


@pytest.mark.needs("make")
@pytest.mark.parametrize("name", ["list", pytest.param("doctor", marks=pytest.mark.slow)])
@pytest.mark.parametrize("caller", ["", "bench"])
def test_some_of_them_are_run(name: str, caller: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CALLED_BY, caller)
    monkeypatch.setattr(sys, "argv", [str(Path(sys.executable).with_name("restbench"))])
    command = command_line(name)
    ready = subprocess.run(["make", "--question", ".venv/.restbench-ready"], cwd=ROOT, capture_output=True, check=False)
    if caller and ready.returncode:
        pytest.skip("make would set up .venv first: run make setup")
    ran = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S602
    assert "python/falcon" in ran.stdout or "ready: " in ran.stdout, ran.stderr


@pytest.mark.parametrize(
    ("caller", "command"),
    [
        ("", ".venv/bin/restbench bench --out 'a b' --resume"),
        ("bench", "make bench OUT='a b' RESUME=1"),
        ("prepare", "make bench OUT='a b' RESUME=1"),
        ("board", "make board OUT='a b' RESUME=1"),
    ],
)
def test_a_command_has_the_form_in_which_restbench_was_called(
    caller: str, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CALLED_BY, caller)
    assert command_line("bench", out=Path("a b"), resume=True) == command


def test_make_gets_names_as_one_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CALLED_BY, "bench")
    assert command_line("verify", "python/falcon", port=None) == "make verify FRAMEWORK=python/falcon"
    assert command_line("verify", *NAMES) == "make verify FRAMEWORKS='python/falcon rust/*'"


def test_what_make_cannot_do_is_a_command_of_restbench(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CALLED_BY, "board")
    assert command_line("merge", "out/results", replace=True) == f"{RESTBENCH} merge out/results --replace"
    assert command_line("bench", seed="7") == f"{RESTBENCH} bench --seed 7"


def test_help_is_that_of_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (manual("bench"), manual("")) == (f"{RESTBENCH} bench --help", f"{RESTBENCH} --help")
    monkeypatch.setenv(CALLED_BY, "serve")
    assert manual("serve") == "make help"


@pytest.mark.parametrize("folder", ["bin", "a bin"])
def test_restbench_is_called_by_its_path_unless_it_is_on_path(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / folder / "restbench"
    file.parent.mkdir()
    file.touch(0o755)
    monkeypatch.setattr(sys, "argv", [str(file)])
    monkeypatch.setenv("PATH", "/nowhere")
    assert shlex.split(program()) == [str(file)]
    monkeypatch.setenv("PATH", str(file.parent))
    assert program() == "restbench"


def test_restbench_that_python_runs_as_a_module_is_called_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [str(CODE / "__main__.py")])
    assert shlex.split(program()) == [sys.executable, "-m", "restbench"]
