"""`restbench site`: writes the static site."""

import logging
from pathlib import Path
from typing import Annotated

import typer

from restbench.board import build_board
from restbench.catalog import Catalog, load_catalog
from restbench.changes.chain import gains_of
from restbench.changes.records import CHANGES, readable_records
from restbench.errors import UsageError
from restbench.results.files import readable_results
from restbench.results.history import read_history
from restbench.results.merge import HISTORY, LATEST, LINKS
from restbench.site.build import build_site
from restbench.site.pages import Content
from restbench.site.write import write_site
from restbench.system.repository import Repository, find_repository

log = logging.getLogger(__name__)


def site(
    folder: Annotated[Path, typer.Argument(help="the folder to write to; files that are there stay")],
    source: Annotated[
        str | None, typer.Option(help="the address of the repository, for links to it", show_default=False)
    ] = None,
) -> None:
    """Writes the site of the published results to the folder.

    Raises UsageError where the folder is a file.
    """
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is no folder: name another one")
    repository = find_repository()
    written = write_site(folder, build_site(content_of(repository, load_catalog(repository), source)))
    print(f"{written.files} files, {written.size / 1e6:.1f} MB, {len(written.changed)} of them written to {folder}")


def content_of(repository: Repository, catalog: Catalog, source: str | None = None) -> Content:
    """What the site shows of the results of a repository. Only what cannot be read is missing."""
    results = repository.results
    histories = [read_history(month) for month in sorted((results / HISTORY).glob("*.jsonl"))]
    records = readable_records(results / CHANGES)
    for damage in filter(None, (history.damage for history in histories)):
        log.warning(damage)
    latest, links = (list(readable_results(results / folder).values()) for folder in (LATEST, LINKS))
    board = build_board(catalog, latest, links, gains_of(records))
    return Content(board, catalog, records, histories, latest, catalog.selections.site, source)
