"""The command line: which commands there are, and how an error becomes a message and an exit code.

A command is a module of `commands/`: a function whose parameters are its arguments and options. The module is imported
when the command is called, so that `restbench list` and `restbench --help` do not wait for scipy.
"""

import logging
import os
import signal
import sys
import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from types import FrameType
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from restbench.commands.options import HELP_WIDTH, PROFILES_HELP
from restbench.errors import Interrupted, RestbenchError, UsageError
from restbench.system.advice import manual, program
from restbench.system.files import write_atomically
from restbench.system.processes import kill_own
from restbench.system.repository import find_repository
from restbench.system.signs import print_utf8
from restbench.system.text import folded, harmless, one_line

SAME_INTERRUPTION_SECONDS = 0.5
"""A signal this soon after the first one is taken for the same Ctrl-C. The terminal sends Ctrl-C to restbench, and some
programs that start restbench pass it on once more.
"""


_COLUMNS = 80
"""The width that is taken for that of a terminal which does not know its own, as on a serial line."""


@dataclass(frozen=True)
class _Command:
    """A command: `function` is module:function below restbench.commands, and `help` its text in --help."""

    function: str
    help: str
    epilog: str | None = None

    def load(self, name: str) -> Any:
        """Imports the function, and returns it as a command of that name."""
        module, _, function = self.function.partition(":")
        app = typer.Typer(**_SETTINGS)
        app.command(name, help=self.help, epilog=self.epilog)(
            getattr(import_module(f"restbench.commands.{module}"), function)
        )
        return typer.main.get_command(app)


_SETTINGS: dict[str, Any] = {
    "add_completion": False,
    "rich_markup_mode": None,
    "context_settings": {"terminal_width": HELP_WIDTH, "help_option_names": ["-h", "--help"]},
}

COMMANDS = {
    "bench": _Command("bench:bench", "Build, verify and measure frameworks; results go to out/.", PROFILES_HELP),
    "verify": _Command("verify:verify", "Check that apps keep the contract, and print every check."),
    "build": _Command("build:build", "Build environments or images in parallel, and start no app."),
    "prepare": _Command("prepare:prepare", "Install missing tools that frameworks and suites need."),
    "compare": _Command("compare:compare", "Compare frameworks with an earlier version of themselves.", PROFILES_HELP),
    "list": _Command(
        "listing:list_entries",
        "List frameworks with their suites and variants.\n\nIf the output is not a terminal, tabs separate the fields.",
    ),
    "solr": _Command("serve:solr", "Run Solr and the cache in front of it, to develop an entry.\n\nCtrl-C stops both."),
    "doctor": _Command("doctor:doctor", "Check this machine, and print how to get what is missing."),
    "new": _Command("scaffold:scaffold", "Create an entry that passes all checks of the suite hello."),
    "rename": _Command("rename:rename", "Rename an entry, with all that is published of it."),
    "serve": _Command("serve:serve", "Run one app with its backend, to send it requests by hand."),
    "changes": _Command("changes:changes", "List what became faster or slower, by how much, and what differs."),
    "matrix": _Command("matrix:matrix", "Print the jobs of a workflow and what they measure, as JSON."),
    "merge": _Command("merge:merge", "Merge a run into results/ (latest values and history)."),
    "render": _Command("render:render", "Write README.md and the pages in results/."),
    "site": _Command("site:site", "Write the static site from results/."),
    "schema": _Command("schema:schema", "Write the JSON Schemas of manifests and results to schemas/."),
    "agree": _Command("agree:agree", "Check results against their throughputs, or against other results."),
}

SERVICE = {
    "commit-results": _Command("ci:commit_results", "Merge the jobs' results, render the board, and commit both."),
    "comparisons": _Command(
        "ci:comparisons", "Print the jobs of a plan that compare an entry with what it was, as JSON."
    ),
    "report-regressions": _Command(
        "ci:report_regressions", "Open, change and close the issues about entries that became slower."
    ),
    "report-alarms": _Command("ci:report_alarms", "Open, change and close the issue about what has been missing."),
    "prepare-pages": _Command("ci:prepare_pages", "Make the local gh-pages branch for github-action-benchmark."),
    "commit-pages": _Command("ci:commit_pages", "Add the site to the local gh-pages branch."),
    "comment": _Command("ci:comment", "Create or change the one comment on a pull request."),
    "scope": _Command("ci:scope", "Write what has to be tested of a change."),
    "bake": _Command("ci:bake", "Print what the images of a job are built from, for docker/bake-action."),
}
"""The commands of `restbench ci`, which only the workflows call."""

_ABOUT = "Benchmark REST frameworks, and verify that their answers are right."
_EPILOG = (
    "Exit codes: 0 success; 1 a check, a build or a cell failed; 2 the request or a manifest is wrong; "
    "3 this machine lacks a tool; 4 results could not be read or written; 130 interrupted.\n\n"
    f"To complete names in the shell, run: {program()} --install-completion"
)


class _Group(TyperGroup):
    """A group that imports a command only to run it. Until then, the group has its name and its help text."""

    lazy: Mapping[str, _Command]

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, command, rest = super().resolve_command(ctx, args)
        return name, self.lazy[name].load(name) if name and name in self.lazy else command, rest


class _Root(_Group):
    """The group of all commands. It prints the message of an interruption, and treats a closed pipe as success.

    Typer itself ends an interrupted command without a message, and treats a closed pipe as a failure.
    """

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except Interrupted as error:
            kill_own()  # Ctrl-C may come between the start of a process and the line that notes it
            _say(error.message)
            raise typer.Exit(error.exit_code) from error
        except BrokenPipeError as error:  # the reader has ended, as in `restbench list | head`
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the flush at exit would fail again
            raise typer.Exit(0) from error


class _Messages(logging.Handler):
    """Prints each message of the harness on standard error, in one line. GitHub shows a warning with its run."""

    def emit(self, record: logging.LogRecord) -> None:
        message = one_line(record.getMessage())
        shown = record.levelno >= logging.WARNING and os.environ.get("GITHUB_ACTIONS")
        print(f"::warning::{message}" if shown else message, file=sys.stderr)


def _say(message: str) -> None:
    """Prints a message on standard error, and folds it to the width of a terminal."""
    if sys.stderr.isatty():
        message = folded(message, os.get_terminal_size(sys.stderr.fileno()).columns or _COLUMNS)
    print(message, file=sys.stderr)


def _check_encoding(arguments: list[str]) -> None:
    """Raises UsageError where an argument is not UTF-8, as uv and files of results could not have such a path."""
    for argument in arguments:
        shown = os.fsencode(argument).decode(errors="backslashreplace")
        if shown != argument:
            raise UsageError(
                f"{shown} is not in UTF-8: write it in UTF-8, as this harness and its tools take no other paths"
            )


def _kept_traceback() -> str:
    """Writes the traceback of the exception into a log, and says which. Where it cannot, returns the traceback."""
    try:
        repository = find_repository()
        log = repository.state / "logs" / "traceback.log"
        write_atomically(log, traceback.format_exc().encode())
    except RestbenchError:
        return traceback.format_exc()
    return f"its traceback is in {repository.relative(log)}"


def _say_version(asked: bool) -> None:
    if asked:
        from restbench.system.git import version

        print(f"restbench {version()}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool,
        typer.Option("--version", help="print the version and the commit", callback=_say_version, is_eager=True),
    ] = False,
) -> None:
    """Takes the options that stand before a command."""


def command() -> TyperGroup:
    """Returns the whole command line. The options that set up completion work, but help does not show them."""
    app = typer.Typer(
        **{**_SETTINGS, "add_completion": True},
        cls=_Root,
        help=_ABOUT,
        epilog=_EPILOG,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
    )
    app.callback()(_root)
    root = _with_commands(app, COMMANDS)
    for parameter in root.params:
        if parameter.name in ("install_completion", "show_completion"):
            parameter.hidden = True  # type: ignore[attr-defined]
    service = typer.Typer(**_SETTINGS, cls=_Group, help="Commands for the workflows.", no_args_is_help=True)
    service.callback()(lambda: None)
    root.add_command(_with_commands(service, SERVICE), "ci")
    return root


def _with_commands(app: typer.Typer, commands: Mapping[str, _Command]) -> TyperGroup:
    """Returns the app as a group that has these commands, none of them imported."""
    for name, each in commands.items():
        app.command(name, help=each.help)(lambda: None)
    made = typer.main.get_command(app)
    assert isinstance(made, _Group)
    made.lazy = commands
    return made


class Interruption:
    """A handler of SIGINT and SIGTERM.

    The first signal raises Interrupted, so that every context manager can clean up. A second signal comes from a person
    who does not want to wait for that. It kills the processes that were started, and ends the harness at once.
    """

    def __init__(self) -> None:
        self._first: float | None = None

    def __call__(self, _number: int, _frame: FrameType | None) -> None:
        now = time.monotonic()
        if self._first is None:
            self._first = now
            raise Interrupted
        if now - self._first > SAME_INTERRUPTION_SECONDS:
            kill_own()
            os.write(2, b"ended at once: containers that were started are removed by the next run\n")
            os._exit(Interrupted.exit_code)


def main() -> NoReturn:
    """Runs the command of this process, and ends the process with its exit code."""
    interruption = Interruption()
    signal.signal(signal.SIGINT, interruption)
    signal.signal(signal.SIGTERM, interruption)
    print_utf8()
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Runs a command and returns its exit code. Prints the message of a failure on standard error."""
    harness = logging.getLogger("restbench")
    harness.setLevel(logging.INFO)
    harness.addHandler(messages := _Messages())
    try:
        _check_encoding(arguments)
        return command().main(arguments, prog_name="restbench", standalone_mode=False) or 0
    except RestbenchError as error:
        _say(harmless(error.message))
        if error.detail:
            print("  " + harmless(error.detail).replace("\n", "\n  "), file=sys.stderr)
        return error.exit_code
    except TyperException as error:
        message, context = error.format_message(), getattr(error, "ctx", None)
        if "\n" not in message and context:  # without arguments, the message is the help itself
            stop = " See" if message.endswith("?") else "; see"
            message = f"{message.rstrip('.')}{stop} {manual(context.command_path.partition(' ')[2])}"
        _say(message)
        return error.exit_code
    except (OSError, RuntimeError, UnicodeError) as error:
        named = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else str(error)
        _say(f"restbench failed: {one_line(named)}; {_kept_traceback()}")
        return 1
    finally:
        harness.removeHandler(messages)
