"""The board that golden files show. It is small, so that they are read, and has something of each kind."""

from dataclasses import replace

from restbench.board import Board
from restbench.catalog import Catalog
from restbench.catalog.manifests import Awaited, ReadmeSelection, Selections
from tests.made.boards import board_with, made_board, made_catalog
from tests.made.small import small_catalog

TABLES = ("hello_world", "userinfo-raw", "sprint-schema", "create-task-schema")
"""Those of one row limited by noise, of the first page, and of a failed cell among them."""

AWAITED = [
    Awaited(title="Django", language="Python", homepage="https://example.org", waits_for="its entry"),
    Awaited(title="Rails", language="Ruby", homepage="https://example.org", waits_for="the language Ruby"),
]


def shown_catalog() -> Catalog:
    """Three languages. axum lacks what it may lack, Sanic was never measured, and two frameworks are awaited."""
    catalog = made_catalog(several=True)
    axum = catalog.entries["rust/axum"]
    sanic = small_catalog().entries["python/sanic"]
    manifest = axum.manifest.model_copy(update={"lacks": ["pipelining", "refused-comments"]})
    return replace(
        catalog,
        awaited=AWAITED,
        entries=catalog.entries | {axum.id: replace(axum, manifest=manifest), sanic.id: sanic},
        selections=Selections(
            default=["python/falcon", "python/fastapi"],
            readme=ReadmeSelection(
                summary=["issue-tracker/sprint-schema", "hello/hello_world"],
                remarks={"hello/hello_world": "what routing alone costs"},
            ),
        ),
    )


def shown_board() -> Board:
    """The made board of several languages, with a few of its tables."""
    board = board_with(made_board(several=True), shown_catalog().entries["rust/axum"])
    (section,) = board.sections
    suites = [
        replace(suite, tables=[table for table in suite.tables if table.name in TABLES]) for suite in section.suites
    ]
    return replace(board, sections=[replace(section, suites=suites)], missed={"python/sanic": "its job was cancelled"})
