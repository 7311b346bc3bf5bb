"""The arguments and options that several commands take, with their choices and their shell completion."""

import shutil
from collections.abc import Iterable
from pathlib import Path
from textwrap import fill
from typing import Annotated, Any

import typer

from restbench.catalog.profiles import load_profiles
from restbench.catalog.select import TARGETS
from restbench.errors import RestbenchError, UsageError
from restbench.system.ports import LAST
from restbench.system.text import did_you_mean

PROFILES = load_profiles()

HELP_WIDTH = min(80, shutil.get_terminal_size().columns)
"""Columns of help texts."""


def _choice(kind: str, names: Iterable[str], about: str) -> Any:
    """Returns an option --KIND. Its help shows the choices, such as [auto|native|docker].

    Its parser raises UsageError for an unknown name.
    """
    known = tuple(names)

    def parse(name: str) -> str:
        if name not in known:
            raise UsageError(f"no {kind} is called {name}{did_you_mean(name, known)}")
        return name

    return typer.Option(
        f"--{kind}",
        help=about,
        metavar=f"[{'|'.join(known)}]",
        parser=parse,
        autocompletion=lambda incomplete: _starting_with(incomplete, known),
    )


def _starting_with(begun: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith(begun)]


def _frameworks(incomplete: str) -> list[str]:
    return _starting_with(incomplete, _catalogue()[0])


def _catalogue() -> tuple[list[str], list[str]]:
    """Returns the names of entries and of suites.

    Both lists are empty if there is no catalogue, because the completion of a shell must not fail.
    """
    from restbench.catalog import load_catalog
    from restbench.system.repository import find_repository

    try:
        catalog = load_catalog(find_repository())
    except RestbenchError:
        return [], []
    return list(catalog.entries), list(catalog.suites)


PROFILES_HELP = "\b\nProfiles:\n" + "\n".join(
    fill(profile.about, HELP_WIDTH - 2, initial_indent=f"  {name:7}", subsequent_indent=" " * 9)
    for name, profile in PROFILES.items()
)
"""The purpose of each profile, for the end of a command's help. "\\b" keeps the lines as they are."""

Frameworks = Annotated[
    list[str] | None,
    typer.Argument(
        help='such as python/falcon, "rust/*", rust, baselines or all; several with commas or spaces between them',
        metavar="FRAMEWORK",
        show_default=False,
        autocompletion=_frameworks,
    ),
]
Name = Annotated[
    str,
    typer.Argument(help="language/framework, such as python/falcon", metavar="FRAMEWORK", autocompletion=_frameworks),
]
Suites = Annotated[
    list[str] | None,
    typer.Option(
        "--suite",
        help="a suite, such as hello; repeatable, or several with commas or spaces between them; all by default",
        metavar="NAME",
        show_default=False,
        autocompletion=lambda incomplete: _starting_with(incomplete, _catalogue()[1]),
    ),
]
ProfileName = Annotated[str, _choice("profile", PROFILES, "how long and how hard to measure")]
TargetName = Annotated[
    str, _choice("target", TARGETS, "where apps run; auto: natively if this machine can, else in Docker")
]
Port = Annotated[
    int | None, typer.Option(help="first port for native apps; free ones by default", min=1, max=LAST, metavar="PORT")
]
Out = Annotated[Path | None, typer.Option(help="the folder to write to; out/ by default", metavar="FOLDER")]
Seed = Annotated[
    int | None, typer.Option(help="random seed, to repeat the order and the values of a run", metavar="NUMBER")
]
Json = Annotated[bool, typer.Option("--json", help="print only the result, as JSON, on standard output")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="print only failures and the result")]
