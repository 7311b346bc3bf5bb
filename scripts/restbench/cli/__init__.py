"""The command line: turns errors into one line and an exit code."""

import signal
import sys
from typing import NoReturn

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from restbench.cli.commands import app
from restbench.errors import RestbenchError
from restbench.system.interruption import Interruption


def command() -> TyperGroup:
    """The whole command line. The options that set up completion work, and help does not show them."""
    made = typer.main.get_command(app)
    assert isinstance(made, TyperGroup)
    for parameter in made.params:
        if parameter.name in ("install_completion", "show_completion"):
            parameter.hidden = True  # type: ignore[attr-defined]
    return made


def main() -> NoReturn:
    """Entry point of the `restbench` command."""
    interruption = Interruption()
    signal.signal(signal.SIGINT, interruption)
    signal.signal(signal.SIGTERM, interruption)
    sys.exit(run(sys.argv[1:]))


def run(words: list[str]) -> int:
    """Runs a command. Returns its exit code, after one line on standard error where it fails."""
    try:
        return command().main(words, prog_name="restbench", standalone_mode=False) or 0
    except RestbenchError as error:
        print(error.message, file=sys.stderr)
        if error.detail:
            print("  " + error.detail.replace("\n", "\n  "), file=sys.stderr)
        return error.exit_code
    except TyperException as error:
        print(_line(error), file=sys.stderr)
        return error.exit_code


def _line(error: TyperException) -> str:
    """What is wrong with a request, and where help is. Without any words it is the help itself."""
    said, context = error.format_message(), getattr(error, "ctx", None)
    if "\n" in said or context is None:
        return said
    stop = " See" if said.endswith("?") else "; see"
    return f"{said.rstrip('.')}{stop} {context.command_path} --help"
