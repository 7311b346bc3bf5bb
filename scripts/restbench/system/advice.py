"""Commands that messages tell a person to type, in the form in which restbench was called.

After `make bench` that is `make bench RESUME=1`, and after `.venv/bin/restbench bench` it is
`.venv/bin/restbench bench --resume`.
"""

import os
import shlex
import shutil
import sys
from pathlib import Path

CALLED_BY = "RESTBENCH_MAKE_TARGET"
"""The variable of the environment in which the Makefile says which of its targets calls restbench."""

TARGETS = {
    "prepare": "setup",
    **{
        name: name
        for name in ("bench", "verify", "build", "serve", "solr", "new", "list", "doctor", "render", "schema")
    },
}
"""Command → the target of make that does the same."""

MEASURING = ("board", "links")
"""Targets that run `restbench bench` and then do more. A run that one of them began is continued by it."""

ONLY_MAKE = ("lock", "tools")
"""Targets for which restbench has no command."""

VARIABLES = {
    "suite": "SUITES",
    "profile": "PROFILE",
    "target": "TARGET",
    "port": "PORT",
    "out": "OUT",
    "resume": "RESUME",
    "replace": "REPLACE",
    "since": "SINCE",
    "upgrade": "UPGRADE",
}
"""Option → the variable of make that means the same."""


def command_line(command: str, *names: str, **options: str | Path | bool | None) -> str:
    """Returns a command with names of entries and options. Options that are None or False are left out.

    If make calls restbench, and make cannot do it, this is the command of restbench all the same.
    """
    given = {option: value for option, value in options.items() if value}
    caller = os.environ.get(CALLED_BY)
    if command in ONLY_MAKE or (caller and command in TARGETS and given.keys() <= VARIABLES.keys()):
        target = caller if command == "bench" and caller in MEASURING else TARGETS.get(command, command)
        named = [f"FRAMEWORK{'S' * (len(names) > 1)}={_quoted(' '.join(names))}"] if names else []
        return " ".join(["make", str(target), *named, *(_variable(*each) for each in given.items())])
    words = [shlex.quote(name) for name in names]
    return " ".join(filter(None, [program(), command, *words, *(_option(*each) for each in given.items())]))


def option(name: str, value: str | bool = "") -> str:
    """Returns an option of the command that runs, such as --target native or TARGET=native.

    `value`: True for an option that has none. Without a value, only the name is returned.
    """
    if not os.environ.get(CALLED_BY):
        return _option(name, value or True)
    return _variable(name, value) if value else VARIABLES[name]


def manual(command: str) -> str:
    """Returns the command that prints what the options of a command mean."""
    return "make help" if os.environ.get(CALLED_BY) else command_line(command, help=True)


def program() -> str:
    """Returns restbench as it was called: by its path, or by its name where that is on PATH."""
    called = Path(sys.argv[0])
    if (called.parent.name, called.name) == ("restbench", "__main__.py"):
        return shlex.join([sys.executable, "-m", "restbench"])
    on_path = shutil.which("restbench")
    if called.name != "restbench" or (on_path and called.exists() and called.samefile(on_path)):
        return "restbench"
    return shlex.quote(sys.argv[0])


def _option(name: str, value: str | Path | bool) -> str:
    return f"--{name}" if value is True else f"--{name} {shlex.quote(str(value))}"


def _variable(name: str, value: str | Path | bool) -> str:
    return f"{VARIABLES[name]}={1 if value is True else _quoted(str(value))}"


def _quoted(value: str) -> str:
    """Quotes the value of a variable for the shell and for make."""
    return shlex.quote(value.replace("$", "$$"))
