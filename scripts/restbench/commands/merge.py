"""`restbench merge`: merges a run into the published results."""

from pathlib import Path
from typing import Annotated

import typer

from restbench.catalog import load_catalog
from restbench.results.merge import merge as merge_run
from restbench.system.repository import find_repository


def merge(
    run: Annotated[Path, typer.Argument(help="the folder with the results of a run")] = Path("out/results"),
) -> None:
    """Merges a run into results/, and prints the paths of the files that it wrote."""
    repository = find_repository()
    for path in merge_run(run, repository.results, load_catalog(repository)):
        print(repository.relative(path))
