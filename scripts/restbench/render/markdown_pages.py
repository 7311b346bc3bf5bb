"""Renders the pages in results/: all tables of the board as Markdown, for readers on GitHub.

Pages of the first section are in results/ itself. Other settings have a folder each.
"""

import re

from restbench.board.models import Board, Section
from restbench.render.environment import markdown_environment

ENTRIES = "entries"
"""The name of the page with versions, sizes and memory of all entries."""


def render_pages(board: Board) -> dict[str, str]:
    """The pages as path in results/ → Markdown. The same input always gives the same bytes."""
    env = markdown_environment()
    pages = {}
    for section in board.sections:
        shared = {"root": "../" if section is board.sections[0] else "../../", "section": section}
        for suite in section.suites:
            page = env.get_template("suite.md.j2").render(shared, suite=suite)
            pages[page_path(board, section, suite.name)] = page
        pages[page_path(board, section, ENTRIES)] = env.get_template("entries.md.j2").render(shared)
    return pages


def page_path(board: Board, section: Section, name: str) -> str:
    """The path of a page of the section, from results/: hello.md, or docker-quick-local-x86_64-2cpu/hello.md."""
    folder = "" if section is board.sections[0] else f"{setting_folder(section)}/"
    return f"{folder}{name}.md"


def setting_folder(section: Section) -> str:
    """The name of the folder of a setting that is not the first."""
    setting = section.setting
    return re.sub(r"[^a-z0-9_.-]", "-", f"{setting.target}-{setting.profile}-{setting.machine_class}".lower())
