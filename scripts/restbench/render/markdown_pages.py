"""Renders the pages in results/: all tables of the board as Markdown, for readers on GitHub.

Pages of the first section are in results/ itself. Other settings have a folder each.
"""

import re

from restbench.board.models import Board, Section
from restbench.board.summary import absent_from, build_summary
from restbench.catalog import Catalog
from restbench.render.environment import markdown_environment

BOARD = "README"
"""The name of the first page of a setting, which GitHub shows with the folder."""

ENTRIES = "entries"
"""The name of the page with versions, sizes and memory of all entries."""


def render_pages(board: Board, catalog: Catalog) -> dict[str, str]:
    """The pages as path in results/ → Markdown. The same input always gives the same bytes."""
    env = markdown_environment()
    pages = {}
    for section in board.sections:
        first = section is board.sections[0]
        up = "" if first else "../"
        shared = {"root": f"../{up}", "section": section}
        pages[page_path(board, section, BOARD)] = env.get_template("section.md.j2").render(
            shared,
            awaited=catalog.awaited if first else [],
            missing=never_measured(board, catalog) if first else [],
            others=[(other, up + page_path(board, other, BOARD)) for other in board.sections if other is not section],
            rows=[row for suite in section.suites for table in suite.tables for row in table.rows],
            summary=build_summary(section, catalog.selections.readme.summary),
        )
        for suite in section.suites:
            rows = [row for table in suite.tables for row in table.rows]
            page = env.get_template("suite.md.j2").render(shared, absent_from=absent_from, rows=rows, suite=suite)
            pages[page_path(board, section, suite.name)] = page
        pages[page_path(board, section, ENTRIES)] = env.get_template("entries.md.j2").render(shared)
    return pages


def never_measured(board: Board, catalog: Catalog) -> list[str]:
    """The entries whose runs never gave any results, with the reason.

    Entries that no run has tried yet are left out. Pages therefore depend only on results, and a change that only adds
    an entry's folder does not change them.
    """
    return [f"{entry.title} ({board.missed[entry.id]})" for entry in catalog.ranked if entry.id in board.missed]


def page_path(board: Board, section: Section, name: str) -> str:
    """The path of a page of the section, from results/: hello.md, or docker-quick-local-x86_64-2cpu/hello.md."""
    folder = "" if section is board.sections[0] else f"{setting_folder(section)}/"
    return f"{folder}{name}.md"


def setting_folder(section: Section) -> str:
    """The name of the folder of a setting that is not the first."""
    setting = section.setting
    return re.sub(r"[^a-z0-9_.-]", "-", f"{setting.target}-{setting.profile}-{setting.machine_class}".lower())
