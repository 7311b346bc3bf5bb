"""Renders the pages in results/: all tables of the board as Markdown, for readers on GitHub.

Pages of the first section are in results/ itself. Other settings have a folder each.
"""

import re
from typing import Any

from jinja2 import Environment

from restbench.board.models import Board, Matrix, Section, SuiteTables
from restbench.catalog.profiles import load_profiles
from restbench.render import columns, facts_columns, labels, page_columns
from restbench.render.environment import markdown_environment
from restbench.render.formats import dates
from restbench.render.grid import MOST_COLUMNS, Grid, split

ENTRIES = "entries"
"""The name of the page with versions, sizes and memory of all entries."""


def render_pages(board: Board) -> dict[str, str]:
    """The pages as path in results/ → Markdown. The same input always gives the same bytes."""
    env = markdown_environment()
    pages = {}
    for section in board.sections:
        shared = _shared(board, section)
        for suite in section.suites:
            page = env.get_template("suite.md.j2").render(**shared, suite=suite)
            pages[page_path(board, section, suite.name)] = page
        pages[page_path(board, section, ENTRIES)] = _entries(env, shared)
    return pages


def page_path(board: Board, section: Section, name: str) -> str:
    """The path of a page of the section, from results/: hello.md, or docker-quick-local-x86_64-2cpu/hello.md."""
    folder = "" if section is board.sections[0] else f"{setting_folder(section)}/"
    return f"{folder}{name}.md"


def matrix_grids(matrix: Matrix) -> list[Grid]:
    """A matrix as tables that are not too wide."""
    return split(columns.matrix_grid(matrix), 2 if _several_languages(matrix) else 1, MOST_COLUMNS)


def feature_grids(suite: SuiteTables) -> list[tuple[str, list[Grid]]]:
    """The titles of the tables of feature checks, with each as tables that are not too wide."""
    found = []
    for checks in suite.feature_tables:
        grid = columns.features_grid(checks)
        repeated = grid.headers.index(columns.SCORE) + 1
        found.append((checks.title, split(grid, repeated, MOST_COLUMNS)))
    return found


def _entries(env: Environment, shared: dict[str, Any]) -> str:
    return env.get_template("entries.md.j2").render(**shared, facts_columns=facts_columns)


def _shared(board: Board, section: Section) -> dict[str, Any]:
    """What the templates of all pages of a section need."""
    first = section is board.sections[0]
    return {
        "dates": dates,
        "feature_grids": feature_grids,
        "labels": labels,
        "matrix_grids": matrix_grids,
        "names": [(suite.name, suite.title) for suite in section.suites],
        "page_columns": page_columns,
        "profiles": load_profiles(),
        "root": "../" if first else "../../",
        "section": section,
    }


def setting_folder(section: Section) -> str:
    """The name of the folder of a setting that is not the first."""
    setting = section.setting
    return re.sub(r"[^a-z0-9_.-]", "-", f"{setting.target}-{setting.profile}-{setting.machine_class}".lower())


def _several_languages(matrix: Matrix) -> bool:
    return len({line.row.language for line in matrix.lines}) > 1
