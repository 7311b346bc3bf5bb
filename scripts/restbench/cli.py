"""The command line: parses, calls, turns errors into one line and an exit code. No logic.

Commands are imported when they are called, so that `restbench list` does not wait for scipy.
"""

import os
import signal
import sys
import time
from pathlib import Path
from types import FrameType
from typing import Annotated, Any, NoReturn, Optional

import typer
from typer.core import TyperGroup

from restbench.cli_service import service
from restbench.errors import Interrupted, RestbenchError
from restbench.processes import kill_own

EPILOG = (
    "Exit codes: 0 all is well · 1 something failed (a check, a build, a cell) · 2 the request or a manifest is wrong "
    "· 3 this machine lacks a tool · 4 results could not be read or written · 130 interrupted."
)

SAME_INTERRUPTION_SECONDS = 0.5
"""Some programs that start others pass a Ctrl-C on which these have had from the terminal too."""


class _Commands(TyperGroup):
    """All commands. Typer itself ends an interrupted one without a word."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except Interrupted as error:
            print(error.message, file=sys.stderr)
            raise typer.Exit(error.exit_code) from error


app = typer.Typer(
    cls=_Commands,
    help="Benchmarks of REST frameworks with proof that the app was right.",
    epilog=EPILOG,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"terminal_width": 100, "help_option_names": ["-h", "--help"]},
)

Frameworks = Annotated[
    Optional[list[str]],  # noqa: UP045 - typer reads this form
    typer.Argument(envvar="FRAMEWORKS", help='such as python/falcon, "rust/*" or all', show_default=False),
]
Suites = Annotated[str, typer.Option(envvar="SUITES", help='suites, such as "hello issue-tracker"; all by default')]
ProfileName = Annotated[
    str, typer.Option("--profile", envvar="PROFILE", help="how long and how hard: see profiles.toml")
]
TargetName = Annotated[str, typer.Option("--target", envvar="TARGET", help="auto, native or docker")]
Port = Annotated[Optional[int], typer.Option(help="first port for native apps; free ones by default")]  # noqa: UP045
Out = Annotated[Optional[Path], typer.Option(help="where the run writes; out/ by default")]  # noqa: UP045
Seed = Annotated[Optional[int], typer.Option(help="of the random order and values, to repeat a run")]  # noqa: UP045


@app.command()
def bench(
    frameworks: Frameworks = None,
    suites: Suites = "",
    profile: ProfileName = "quick",
    target: TargetName = "auto",
    port: Port = None,
    out: Out = None,
    seed: Seed = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="take up the run that was ended, as it was asked for then")
    ] = False,
) -> None:
    """Build, prove and measure; writes out/ and never touches results/."""
    from restbench.commands.bench import Request, bench

    raise typer.Exit(bench(Request(frameworks or [], suites.split(), profile, target, port, out, seed, resume)))


@app.command()
def verify(
    frameworks: Frameworks = None,
    suites: Suites = "",
    target: TargetName = "auto",
    port: Port = None,
    seed: Seed = None,
) -> None:
    """Check that apps keep the contract, and print every check."""
    from restbench.commands.verify import verify

    raise typer.Exit(verify(frameworks or [], suites.split(), target, port, seed))


@app.command()
def build(frameworks: Frameworks = None, target: TargetName = "auto") -> None:
    """Build environments or images, side by side, and start nothing."""
    from restbench.commands.build import build

    raise typer.Exit(build(frameworks or [], target))


@app.command()
def prepare(frameworks: Frameworks = None, suites: Suites = "", target: TargetName = "auto") -> None:
    """Install what entries and suites need and this machine lacks, where this user may."""
    from restbench.commands.prepare import prepare

    raise typer.Exit(prepare(frameworks or [], suites.split(), target))


@app.command()
def compare(
    base: Annotated[Path, typer.Argument(help="another checkout, such as: git worktree add /tmp/base main")],
    frameworks: Frameworks = None,
    suites: Suites = "",
    profile: Annotated[str, typer.Option(help="how long and how hard: see profiles.toml")] = "pr",
    target: TargetName = "auto",
    out: Out = None,
    seed: Seed = None,
) -> None:
    """Measure entries against themselves in another checkout, round by round side by side."""
    from restbench.commands.bench import Request
    from restbench.commands.compare import compare

    raise typer.Exit(compare(base, Request(frameworks or [], suites.split(), profile, target, None, out, seed)))


@app.command()
def matrix(
    frameworks: Frameworks = None,
    since: Annotated[Optional[str], typer.Option(help="only what differs from the merge base with it")] = None,  # noqa: UP045
    sample: Annotated[
        bool, typer.Option("--sample", help="where the harness differs, a fixed sample stands for all entries")
    ] = False,
    base: Annotated[Optional[Path], typer.Option(help="the checkout, in this one, to compare with")] = None,  # noqa: UP045
    plan: Annotated[Optional[Path], typer.Option(help="also write the plan of the run to this file")] = None,  # noqa: UP045
) -> None:
    """Print what the jobs of a workflow are to measure, as JSON."""
    from restbench.commands.matrix import matrix

    raise typer.Exit(matrix(frameworks or [], since, sample, base, plan))


@app.command(name="list")
def list_(frameworks: Frameworks = None) -> None:
    """List the entries of the board with their suites and variants."""
    from restbench.commands.listing import list_entries

    list_entries(frameworks or ["*"])


@app.command()
def merge(
    run: Annotated[Path, typer.Argument(help="the results of a run")] = Path("out/results"),
) -> None:
    """Bring a run into results/: the newest of every cell, and its history."""
    from restbench.commands.publish import publish

    publish(run)


@app.command()
def migrate() -> None:
    """Convert results/ of an older restbench to the schema of this one, once."""
    from restbench.commands.migrate import migrate

    migrate()


@app.command()
def render(
    context: typer.Context,
    check: Annotated[bool, typer.Option("--check", help="write nothing; exit 1 if README.md is not current")] = False,
) -> None:
    """Write README.md from results/."""
    from restbench.commands.publish import render

    raise typer.Exit(render(check, context.find_root().get_help()))


@app.command()
def solr(
    target: TargetName = "auto",
    port: Annotated[Optional[int], typer.Option(help="of the cache, natively; a free one by default")] = None,  # noqa: UP045
) -> None:
    """Run Solr and the cache in front of it alone, until Ctrl-C, to develop an entry."""
    from restbench.commands.solr import solr

    solr(target, port)


@app.command()
def doctor() -> None:
    """Say what this machine has and lacks, and how to get it."""
    from restbench.commands.doctor import doctor

    raise typer.Exit(doctor())


@app.command()
def new(name: Annotated[str, typer.Argument(help="language/framework, such as python/litestar")]) -> None:
    """Write a new entry that passes conformance for hello."""
    from restbench.commands.scaffold import scaffold

    scaffold(name)


@app.command()
def checklist(
    name: Annotated[str, typer.Argument(help="language/framework, such as python/litestar")],
    since: Annotated[Optional[str], typer.Option(help="where its pull request branches off")] = None,  # noqa: UP045
    prove: Annotated[bool, typer.Option(help="also check that it keeps the contract")] = True,
) -> None:
    """Tick what a framework's pull request needs, as a Markdown list."""
    from restbench.commands.checklist import checklist

    raise typer.Exit(checklist(name, since, prove))


@app.command()
def schema(
    check: Annotated[bool, typer.Option("--check", help="write nothing; exit 1 if a schema is not current")] = False,
) -> None:
    """Write the JSON Schemas of manifests and results to schemas/."""
    from restbench.commands.schema import export_schemas

    raise typer.Exit(export_schemas(check))


@app.command()
def trust(
    parts: Annotated[
        Optional[list[str]],  # noqa: UP045 - typer reads this form
        typer.Argument(help="identical, agreement, detection, neighbour; all by default", show_default=False),
    ] = None,
    framework: Annotated[
        Optional[list[str]],  # noqa: UP045 - typer reads this form
        typer.Option(help="an entry to copy, beside the baseline of its language; repeatable", show_default=False),
    ] = None,
    copies: Annotated[int, typer.Option(help="how many copies of an entry are compared")] = 6,
    repeats: Annotated[int, typer.Option(help="how often each slowdown is compared")] = 20,
    profile: Annotated[str, typer.Option(help="how long and how hard copies are measured")] = "quick",
) -> None:
    """Measure things whose right answer is known: identical apps, slowdowns of a known size, ratios in two ways."""
    from restbench.commands.trust import trust

    trust(parts or [], framework or [], copies, repeats, profile)


@app.command()
def serve(
    framework: Annotated[str, typer.Argument(help="language/framework, such as python/falcon")],
    target: TargetName = "auto",
    port: Annotated[Optional[int], typer.Option(help="of the app, natively; a free one by default")] = None,  # noqa: UP045
) -> None:
    """Build and run one app with what it needs until Ctrl-C, and say how to ask it."""
    from restbench.commands.serve import serve

    serve(framework, target, port)


app.add_typer(service, name="ci")


def main() -> NoReturn:
    """Entry point of the `restbench` command."""
    interruption = _Interruption()
    signal.signal(signal.SIGINT, interruption)
    signal.signal(signal.SIGTERM, interruption)
    try:
        app()
    except RestbenchError as error:
        print(error.message, file=sys.stderr)
        if error.detail:
            print("  " + error.detail.replace("\n", "\n  "), file=sys.stderr)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        sys.exit(0)  # `restbench list | head` has seen enough
    sys.exit(0)


class _Interruption:
    """The first Ctrl-C unwinds through every context manager. A second one, of a person who will not wait for that,
    kills what was started and ends at once."""

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
