"""`restbench merge` and `restbench render`: update the published results and README.md."""

import sys
from pathlib import Path

from restbench.board import build_board
from restbench.catalog import Catalog, load_catalog
from restbench.render.readme import render_readme
from restbench.results.files import read_folder
from restbench.results.merge import LATEST, merge
from restbench.system.files import write_atomically
from restbench.system.repository import Repository, find_repository


def publish(run: Path) -> None:
    """Merges a run into results/, and prints the paths of the files that it wrote."""
    repository = find_repository()
    for path in merge(run, repository.results, load_catalog(repository)):
        print(repository.relative(path))


def render(check: bool, cli_help: str) -> int:
    """Writes README.md from results/latest.

    With `check`, writes nothing, and returns 1 if README.md is not current.
    """
    repository = find_repository()
    content = readme_of(repository, load_catalog(repository).check(), cli_help).encode()
    path = repository.root / "README.md"
    if check:
        current = path.is_file() and path.read_bytes() == content
        if not current:
            print("README.md is out of date: run restbench render", file=sys.stderr)
        return 0 if current else 1
    write_atomically(path, content)
    return 0


def readme_of(repository: Repository, catalog: Catalog, cli_help: str) -> str:
    """Returns the content of README.md for results/latest. `cli_help` is the text of `restbench --help`."""
    return render_readme(build_board(catalog, read_folder(repository.results / LATEST).values()), catalog, cli_help)
