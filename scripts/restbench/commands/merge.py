"""`restbench merge`: merges a run into the published results."""

import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from restbench.catalog import load_catalog
from restbench.results.files import read_folder
from restbench.results.merge import Precedence
from restbench.results.merge import merge as merge_run
from restbench.system.git import is_ancestor
from restbench.system.repository import find_repository


def merge(
    run: Annotated[Path, typer.Argument(help="the folder with the results of a run")] = Path("out/results"),
    replace: Annotated[
        bool, typer.Option("--replace", help="also replace figures of a larger profile or of another class of machines")
    ] = False,
) -> None:
    """Merges a run into results/, and prints the paths of the files that it wrote."""
    repository = find_repository()
    precedence = Precedence(partial(is_ancestor, repository.root), replace)
    for path in merge_run(run, repository.results, load_catalog(repository), precedence):
        print(repository.relative(path))
    runs = [each for result in read_folder(run).values() for each in result.runs.values()]
    if unnamed := sorted({each.id for each in runs if each.machine.commit is None}):
        print(
            f"{', '.join(unnamed)}: measured from files that were changed since the last commit, and the board says so",
            file=sys.stderr,
        )
