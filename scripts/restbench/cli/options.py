"""Arguments and options that several commands take, with their choices, and with what a shell completes."""

from collections.abc import Callable, Iterable
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

_WIDTH = 78
"""Of help texts, without their indentation: they fit a terminal of 80 columns."""


def _one_of(kind: str, names: Iterable[str]) -> Callable[[str], str]:
    """A parser that gives a known name back. Raises UsageError for another."""
    known = tuple(names)

    def parse(name: str) -> str:
        if name not in known:
            raise UsageError(f"no {kind} is called {name}{did_you_mean(name, known)}")
        return name

    return parse


def _choice(kind: str, names: Iterable[str], about: str) -> Any:
    """An option --KIND of which help shows the choices: [auto|native|docker]."""
    known = tuple(names)
    return typer.Option(
        f"--{kind}",
        help=about,
        metavar=f"[{'|'.join(known)}]",
        parser=_one_of(kind, known),
        autocompletion=lambda incomplete: _starting_with(incomplete, known),
    )


def _starting_with(begun: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith(begun)]


def _frameworks(incomplete: str) -> list[str]:
    return _starting_with(incomplete, _catalogue()[0])


def _suites(incomplete: str) -> list[str]:
    return _starting_with(incomplete, _catalogue()[1])


def _catalogue() -> tuple[list[str], list[str]]:
    """Names of entries and suites; none where there is no catalogue, as a shell's completion must not fail."""
    from restbench.catalog import load_catalog
    from restbench.system.repository import find_repository

    try:
        catalog = load_catalog(find_repository())
    except RestbenchError:
        return [], []
    return list(catalog.entries), list(catalog.suites)


PROFILES_HELP = "\b\nProfiles:\n" + "\n".join(
    fill(profile.about, _WIDTH, initial_indent=f"  {name:7}", subsequent_indent=" " * 9)
    for name, profile in PROFILES.items()
)
"""What each profile is for, to stand under a command's options; "\\b" keeps its lines as they are."""

Frameworks = Annotated[
    list[str] | None,
    typer.Argument(
        help='such as python/falcon, "rust/*" or all',
        metavar="FRAMEWORK",
        show_default=False,
        autocompletion=_frameworks,
    ),
]
Name = Annotated[
    str, typer.Argument(help="language/framework, such as python/falcon", metavar="NAME", autocompletion=_frameworks)
]
Suites = Annotated[
    list[str] | None,
    typer.Option(
        "--suite",
        help="a suite, such as hello; repeatable, or with commas between names; all by default",
        metavar="NAME",
        show_default=False,
        autocompletion=_suites,
    ),
]
ProfileName = Annotated[str, _choice("profile", PROFILES, "how long and how hard")]
TargetName = Annotated[
    str, _choice("target", TARGETS, "where apps run; auto: natively where this machine can, else in Docker")
]
Port = Annotated[
    int | None, typer.Option(help="first port for native apps; free ones by default", min=1, max=LAST, metavar="PORT")
]
Out = Annotated[Path | None, typer.Option(help="where the run writes; out/ by default", metavar="FOLDER")]
Seed = Annotated[int | None, typer.Option(help="of the random order and values, to repeat a run", metavar="NUMBER")]
Json = Annotated[bool, typer.Option("--json", help="print the result as JSON, and nothing else, on standard output")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="say each step, with the seconds since the start")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="say failures and the result only")]
