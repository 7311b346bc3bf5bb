"""`restbench ci …`: what only the workflows call. Parses and calls, as cli.py does."""

from pathlib import Path
from typing import Annotated

import typer

service = typer.Typer(help="What the workflows call.", no_args_is_help=True, rich_markup_mode=None)


@service.command()
def publish(
    context: typer.Context,
    jobs: Annotated[Path, typer.Argument(help="a folder with the artifact of each job")],
    plan: Annotated[Path, typer.Option(help="what restbench matrix --plan wrote")],
    branch: Annotated[str, typer.Option(help="what is pushed to")] = "main",
) -> None:
    """Merge what the jobs of a run left, render the board, commit both and push."""
    from restbench.commands.ci import publish

    raise typer.Exit(publish(jobs, plan, branch, context.find_root().get_help()))


@service.command()
def prepare_pages() -> None:
    """Make the local gh-pages branch that github-action-benchmark commits to."""
    from restbench.commands.ci import prepare_pages

    raise typer.Exit(prepare_pages())


@service.command()
def publish_pages() -> None:
    """Add the board and the index to gh-pages, and push it once."""
    from restbench.commands.ci import publish_pages

    raise typer.Exit(publish_pages())


@service.command()
def comment(
    run: Annotated[int, typer.Argument(help="the run of the pull request's workflow")],
    head: Annotated[str, typer.Option(help="the commit that the workflow ran for, as GitHub says")],
) -> None:
    """Post or change the one comment of a pull request."""
    from restbench.commands.ci import comment

    raise typer.Exit(comment(run, head))
