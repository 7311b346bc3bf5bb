"""The commands with their arguments and options. They contain no logic.

A command imports its implementation when it is called, so that `restbench list` does not wait for scipy.
"""

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from restbench.catalog.select import NEW
from restbench.cli.board import board
from restbench.cli.options import (
    PROFILES_HELP,
    Frameworks,
    Json,
    Name,
    Out,
    Port,
    ProfileName,
    Quiet,
    Seed,
    Suites,
    TargetName,
    Verbose,
)
from restbench.cli.service import service
from restbench.errors import Interrupted
from restbench.system.ports import LAST
from restbench.system.verbosity import verbosity

EPILOG = (
    "Exit codes: 0 success · 1 a check, a build or a cell failed · 2 the request or a manifest is wrong "
    "· 3 this machine lacks a tool · 4 results could not be read or written · 130 interrupted.\n\n"
    "To complete names in the shell, run: restbench --install-completion"
)


class _Commands(TyperGroup):
    """The group of all commands. It prints the message of an interruption, and treats a closed pipe as success.

    Typer itself ends an interrupted command without a message, and treats a closed pipe as a failure.
    """

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except Interrupted as error:
            print(error.message, file=sys.stderr)
            raise typer.Exit(error.exit_code) from error
        except BrokenPipeError as error:  # the reader has ended, as in `restbench list | head`
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the flush at exit would fail again
            raise typer.Exit(0) from error


app = typer.Typer(
    cls=_Commands,
    help="Benchmark REST frameworks, and verify that their answers are right.",
    epilog=EPILOG,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"terminal_width": 80, "help_option_names": ["-h", "--help"]},
)


def _say_version(asked: bool) -> None:
    if asked:
        from restbench.system.version import version

        print(f"restbench {version()}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool,
        typer.Option("--version", help="print the version and the commit", callback=_say_version, is_eager=True),
    ] = False,
) -> None:
    """Takes the options that stand before a command."""


@app.command(epilog=PROFILES_HELP)
def bench(
    frameworks: Frameworks = None,
    suites: Suites = None,
    profile: ProfileName = "quick",
    target: TargetName = "auto",
    port: Port = None,
    out: Out = None,
    seed: Seed = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="continue the unfinished run, with the arguments that it had")
    ] = False,
    json: Json = False,
    verbose: Verbose = False,
    quiet: Quiet = False,
) -> None:
    """Build, verify and measure frameworks; results go to out/."""
    from restbench.commands.bench import Request, bench

    request = Request(frameworks or [], suites or [], profile, target, port, out, seed, resume)
    raise typer.Exit(bench(request, verbosity(verbose, quiet), json))


@app.command()
def verify(
    frameworks: Frameworks = None,
    suites: Suites = None,
    target: TargetName = "auto",
    port: Port = None,
    seed: Seed = None,
    json: Json = False,
    verbose: Verbose = False,
    quiet: Quiet = False,
) -> None:
    """Check that apps keep the contract, and print every check."""
    from restbench.commands.verify import verify

    level = verbosity(verbose, quiet)
    raise typer.Exit(verify(frameworks or [], suites or [], target, port, seed, level, json))


@app.command()
def build(
    frameworks: Frameworks = None, target: TargetName = "auto", verbose: Verbose = False, quiet: Quiet = False
) -> None:
    """Build environments or images in parallel, and start no app."""
    from restbench.commands.build import build

    raise typer.Exit(build(frameworks or [], target, verbosity(verbose, quiet)))


@app.command()
def prepare(
    frameworks: Frameworks = None,
    suites: Suites = None,
    target: TargetName = "auto",
    install: Annotated[
        bool, typer.Option("--install/--no-install", help="--no-install: only print what is missing, and how to get it")
    ] = True,
) -> None:
    """Install missing tools that frameworks and suites need."""
    from restbench.commands.prepare import prepare

    raise typer.Exit(prepare(frameworks or [], suites or [], target, install))


@app.command(epilog=PROFILES_HELP)
def compare(
    base: Annotated[Path, typer.Argument(help="another checkout; make one with: git worktree add /tmp/base main")],
    frameworks: Frameworks = None,
    suites: Suites = None,
    profile: ProfileName = "pr",
    target: TargetName = "auto",
    out: Out = None,
    seed: Seed = None,
) -> None:
    """Compare frameworks in this checkout with another checkout."""
    from restbench.commands.bench import Request
    from restbench.commands.compare import compare

    raise typer.Exit(compare(base, Request(frameworks or [], suites or [], profile, target, None, out, seed)))


@app.command(name="list")
def list_(frameworks: Frameworks = None, json: Json = False) -> None:
    """List frameworks with their suites and variants.

    If the output is not a terminal, tabs separate the fields.
    """
    from restbench.commands.listing import list_entries

    raise typer.Exit(list_entries(frameworks or ["*"], json))


@app.command()
def solr(target: TargetName = "auto", port: Port = None) -> None:
    """Run Solr and the cache in front of it, to develop an entry.

    Ctrl-C stops both.
    """
    from restbench.commands.solr import solr

    solr(target, port)


@app.command()
def doctor(json: Json = False) -> None:
    """Check this machine, and print how to get what is missing."""
    from restbench.commands.doctor import doctor

    raise typer.Exit(doctor(json))


@app.command()
def new(
    name: Annotated[str, typer.Argument(help=f"language/framework, such as {NEW}", metavar="NAME")],
) -> None:
    """Create an entry that passes all checks of the suite hello."""
    from restbench.commands.scaffold import scaffold

    scaffold(name)


@app.command()
def checklist(
    name: Name,
    since: Annotated[str | None, typer.Option(help="the revision that its pull request branches off from")] = None,
    verify: Annotated[bool, typer.Option(help="also verify that it keeps the contract")] = True,
) -> None:
    """Print a checklist for a framework's pull request, as Markdown."""
    from restbench.commands.checklist import checklist

    raise typer.Exit(checklist(name, since, verify))


@app.command()
def serve(
    framework: Name,
    target: TargetName = "auto",
    port: Annotated[
        int | None, typer.Option(min=1, max=LAST, help="port of a native app; a free one by default", metavar="PORT")
    ] = None,
) -> None:
    """Run one app with its backend, to send it requests by hand."""
    from restbench.commands.serve import serve

    serve(framework, target, port)


app.add_typer(board)
app.add_typer(service, name="ci")
