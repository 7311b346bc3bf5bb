"""The commands for maintainers of the board, with their arguments and options. They contain no logic."""

from pathlib import Path
from typing import Annotated

import typer

from restbench.cli.options import Frameworks, Json, ProfileName, Suites

board = typer.Typer(rich_markup_mode=None)


@board.command()
def changes(
    frameworks: Frameworks = None,
    everything: Annotated[
        bool, typer.Option("--all", help="also print the records in which no difference is claimed")
    ] = False,
    json: Json = False,
) -> None:
    """List what became faster or slower, by how much, and what differs."""
    from restbench.commands.changes import changes

    raise typer.Exit(changes(frameworks or [], everything, json))


@board.command()
def matrix(
    frameworks: Frameworks = None,
    since: Annotated[
        str | None, typer.Option(help="only entries that changed since the merge base with this revision")
    ] = None,
    sample: Annotated[
        bool, typer.Option("--sample", help="if the harness changed, measure a fixed sample instead of all")
    ] = False,
    base: Annotated[Path | None, typer.Option(help="a checkout to compare with, inside this checkout")] = None,
    plan: Annotated[Path | None, typer.Option(help="also write the plan of the run to this file")] = None,
    suites: Suites = None,
) -> None:
    """Print the jobs of a workflow and what they measure, as JSON."""
    from restbench.commands.matrix import matrix

    raise typer.Exit(matrix(frameworks or [], since, sample, base, plan, suites))


@board.command()
def merge(
    run: Annotated[Path, typer.Argument(help="the folder with the results of a run")] = Path("out/results"),
) -> None:
    """Merge a run into results/ (latest values and history)."""
    from restbench.commands.merge import publish

    publish(run)


@board.command()
def render(
    context: typer.Context,
    check: Annotated[bool, typer.Option("--check", help="write nothing; exit 1 if a file is not current")] = False,
) -> None:
    """Write README.md and the pages in results/."""
    from restbench.commands.merge import render

    raise typer.Exit(render(check, context.find_root().get_help()))


@board.command()
def site(
    folder: Annotated[Path, typer.Argument(help="the folder to write to; files that are there stay")],
    url: Annotated[
        str | None, typer.Option(help="the address of the site, for feeds and badges", show_default=False)
    ] = None,
    source: Annotated[
        str | None, typer.Option(help="the address of the repository, for links to it", show_default=False)
    ] = None,
) -> None:
    """Write the static site from results/."""
    from restbench.commands.site import site

    raise typer.Exit(site(folder, url, source))


@board.command()
def demo(
    folder: Annotated[Path, typer.Argument(help="the folder to write to, which must not exist yet")],
    entries: Annotated[int, typer.Option(help="number of made frameworks", min=3)] = 40,
    weeks: Annotated[int, typer.Option(help="number of weekly runs", min=2)] = 260,
    seed: Annotated[int, typer.Option(help="random seed")] = 1,
) -> None:
    """Write a made board with a history of years, to try the site."""
    from restbench.commands.demo import demo

    raise typer.Exit(demo(folder, entries, weeks, seed))


@board.command()
def schema(
    check: Annotated[bool, typer.Option("--check", help="write nothing; exit 1 if a schema is not current")] = False,
) -> None:
    """Write the JSON Schemas of manifests and results to schemas/."""
    from restbench.commands.schema import export_schemas

    raise typer.Exit(export_schemas(check))


@board.command()
def trust(
    parts: Annotated[
        list[str] | None,
        typer.Argument(
            help="the parts to run: identical, agreement, detection, neighbour, and simulation, which loads nothing; "
            "the first four by default",
            show_default=False,
        ),
    ] = None,
    framework: Annotated[
        list[str] | None,
        typer.Option(help="an entry to measure with the baseline of its language; repeatable", show_default=False),
    ] = None,
    copies: Annotated[int, typer.Option(help="number of copies of each entry", min=2)] = 6,
    repeats: Annotated[int, typer.Option(help="number of comparisons for each slowdown", min=1)] = 20,
    profile: ProfileName = "quick",
    seed: Annotated[int, typer.Option(help="random seed of the simulation")] = 1,
) -> None:
    """Check the method on apps whose right result is known.

    Copies of one app have to come out equal, and an app with a known slowdown has to come out slower. Duet rounds and
    solo rounds have to give the same ratio.
    """
    from restbench.commands.trust import trust

    trust(parts or [], framework or [], copies, repeats, profile, seed)
