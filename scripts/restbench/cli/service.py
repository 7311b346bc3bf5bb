"""The commands of `restbench ci`, which only the workflows call. They contain no logic."""

from pathlib import Path
from typing import Annotated

import typer

from restbench.cli.options import Frameworks, Suites
from restbench.containers.images import CacheUse

service = typer.Typer(help="Commands for the workflows.", no_args_is_help=True, rich_markup_mode=None)


@service.command()
def publish(
    context: typer.Context,
    jobs: Annotated[Path, typer.Argument(help="the folder with the artifacts of all jobs")],
    plan: Annotated[Path, typer.Option(help="the file that restbench matrix --plan wrote")],
    branch: Annotated[str, typer.Option(help="the branch to push to")] = "main",
) -> None:
    """Merge the jobs' results, render the board, commit and push."""
    from restbench.commands.ci import publish

    raise typer.Exit(publish(jobs, plan, branch, context.find_root().get_help()))


@service.command()
def comparisons(plan: Annotated[Path, typer.Argument(help="the file that restbench matrix --plan wrote")]) -> None:
    """Print the jobs of a plan that compare an entry with what it was, as JSON."""
    from restbench.commands.ci import comparisons

    raise typer.Exit(comparisons(plan))


@service.command()
def note_build(
    framework: Annotated[str, typer.Argument(help="the entry whose image was built, such as python/falcon")],
    seconds: Annotated[float, typer.Argument(min=0, help="how long that took")],
) -> None:
    """Note how long an image took to build that was not built by restbench."""
    from restbench.commands.ci import note_build

    raise typer.Exit(note_build(framework, seconds))


@service.command()
def report_regressions() -> None:
    """Open, change and close the issues about entries that became slower."""
    from restbench.commands.ci import report

    raise typer.Exit(report())


@service.command()
def prepare_pages() -> None:
    """Make the local gh-pages branch for github-action-benchmark."""
    from restbench.commands.ci import prepare_pages

    raise typer.Exit(prepare_pages())


@service.command()
def publish_pages() -> None:
    """Add the board and the index to gh-pages, and push it once."""
    from restbench.commands.ci import publish_pages

    raise typer.Exit(publish_pages())


@service.command()
def comment(
    run: Annotated[int, typer.Argument(help="the id of the workflow run for the pull request")],
    head: Annotated[str, typer.Option(help="the commit of that workflow run, as GitHub reports it")],
) -> None:
    """Create or change the one comment on a pull request."""
    from restbench.commands.ci import comment

    raise typer.Exit(comment(run, head))


@service.command()
def bake(
    frameworks: Frameworks = None,
    suites: Suites = None,
    base: Annotated[Path | None, typer.Option(help="a checkout to compare with, inside this checkout")] = None,
    cache: Annotated[CacheUse, typer.Option(help="what builds do with the layers that GitHub keeps")] = CacheUse.OFF,
) -> None:
    """Print what the images of a job are built from, for docker/bake-action."""
    from restbench.commands.ci import bake

    raise typer.Exit(bake(frameworks or [], suites or [], base, cache))
