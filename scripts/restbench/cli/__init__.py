"""The entry point of the command line. It turns an error into a message and an exit code."""

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
    """Returns the whole command line. The options that set up completion work, but help does not show them."""
    made = typer.main.get_command(app)
    assert isinstance(made, TyperGroup)
    for parameter in made.params:
        if parameter.name in ("install_completion", "show_completion"):
            parameter.hidden = True  # type: ignore[attr-defined]
    return made


def main() -> NoReturn:
    """The entry point of the `restbench` command."""
    interruption = Interruption()
    signal.signal(signal.SIGINT, interruption)
    signal.signal(signal.SIGTERM, interruption)
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Runs a command and returns its exit code. Prints the message of a failure on standard error."""
    try:
        return command().main(arguments, prog_name="restbench", standalone_mode=False) or 0
    except RestbenchError as error:
        print(error.message, file=sys.stderr)
        if error.detail:
            print("  " + error.detail.replace("\n", "\n  "), file=sys.stderr)
        return error.exit_code
    except TyperException as error:
        print(_line(error), file=sys.stderr)
        return error.exit_code


def _line(error: TyperException) -> str:
    """Returns the message for a wrong request, with the command that shows help.

    For a request without arguments, the message is the help itself.
    """
    said, context = error.format_message(), getattr(error, "ctx", None)
    if "\n" in said or context is None:
        return said
    stop = " See" if said.endswith("?") else "; see"
    return f"{said.rstrip('.')}{stop} {context.command_path} --help"
