"""`restbench render`: writes README.md and the pages in results/ from the published results."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from restbench.board import build_board
from restbench.board.summary import build_summary
from restbench.catalog import Catalog, load_catalog
from restbench.catalog.load import titles_of
from restbench.changes.chain import gains_of
from restbench.changes.records import CHANGES, readable_records
from restbench.changes.summary import newest_changes
from restbench.changes.trend_pictures import days_of_runs, trend_pictures
from restbench.render.markdown import padded
from restbench.render.markdown_pages import render_pages
from restbench.render.readme import render_readme
from restbench.results.files import read_folder
from restbench.results.merge import HISTORY, LATEST, LINKS
from restbench.results.models import EntryResult
from restbench.system.advice import command_line
from restbench.system.files import write_atomically
from restbench.system.repository import Repository, find_repository

Read = Callable[[Path], dict[str, EntryResult]]
"""Reads a folder of results: `read_folder`, or `readable_results` where damage may not stop the others."""


def render(
    check: Annotated[bool, typer.Option("--check", help="write nothing; exit 1 if a file is not current")] = False,
) -> int:
    """Writes README.md and the pages in results/ from results/latest.

    With `check`, writes nothing, and returns 1 if one of them is not current.
    """
    repository = find_repository()
    catalog = load_catalog(repository).check()
    if not check:
        write_board(repository, catalog)
        return 0
    wanted = _files(repository, catalog)
    stale = [path for path, content in wanted.items() if not path.is_file() or path.read_bytes() != content]
    for path in sorted([*stale, *_superfluous(repository, wanted)]):
        print(f"{repository.relative(path)} is out of date: run {command_line('render')}", file=sys.stderr)
    return 1 if stale or _superfluous(repository, wanted) else 0


def write_board(repository: Repository, catalog: Catalog, read: Read = read_folder) -> None:
    """Writes README.md and the pages in results/, and removes pages that the board no longer has.

    Only the change records and lines of history that cannot be read are left out.
    """
    wanted = _files(repository, catalog, read)
    for path, content in wanted.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.is_file() or path.read_bytes() != content:
            write_atomically(path, content)
    for path in _superfluous(repository, wanted):
        path.unlink()
        if not any(path.parent.iterdir()):
            path.parent.rmdir()


def _files(repository: Repository, catalog: Catalog, read: Read = read_folder) -> dict[Path, bytes]:
    """README.md and all pages, as path → content."""
    records = readable_records(repository.results / CHANGES)
    latest, links = (list(read(repository.results / folder).values()) for folder in (LATEST, LINKS))
    board = build_board(catalog, latest, links, gains_of(records))
    changes, trends, anew = newest_changes(records, titles_of(catalog)), list[str](), list[str]()
    if board.sections:
        section = board.sections[0]
        contracts = {suite.name: suite.manifest.contract for suite in catalog.suites.values()}
        days, anew = days_of_runs(repository.results / HISTORY, section, contracts)
        trends = trend_pictures(section, build_summary(section, catalog.selections.readme.summary), days, records)
    texts = {repository.results / path: page for path, page in render_pages(board, catalog).items()}
    texts[repository.root / "README.md"] = render_readme(board, catalog, changes, trends, len(records), anew)
    return {path: padded(text).encode() for path, text in texts.items()}


def _superfluous(repository: Repository, wanted: dict[Path, bytes]) -> list[Path]:
    """The pages in results/ that the board does not have."""
    return [path for path in repository.results.rglob("*.md") if path not in wanted]
