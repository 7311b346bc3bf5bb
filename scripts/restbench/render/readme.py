"""Renders README.md, which shows the board's summary on GitHub, and the README.md of a single run."""

import math
from collections.abc import Sequence
from datetime import datetime
from functools import partial

from restbench.board.models import Board, Section, SuiteTables
from restbench.board.rows import Table
from restbench.board.summary import Summary, build_summary
from restbench.catalog import Catalog, Entry
from restbench.catalog.profiles import DEFAULT as DEFAULT_PROFILE
from restbench.catalog.profiles import load_profiles
from restbench.render import labels, markdown
from restbench.render.charts import Config, entry_colours, fitting_config, quickchart_url
from restbench.render.environment import markdown_environment
from restbench.render.grid import Grid
from restbench.render.markdown_pages import BOARD, page_path

README = "README.md.j2"

MOST_BYTES = 1_000_000
"""A job summary may have 1 MiB (docs.github.com, "Workflow commands", step isolation and limits)."""

MOST_BROKEN = 3
"""How many frameworks with a failure are named."""


def render_readme(
    board: Board,
    catalog: Catalog,
    changes: Grid | None = None,
    trends: Sequence[str] = (),
    due: datetime | None = None,
) -> str:
    """The Markdown of the board's README. It shows the first section of the board, and links to all pages.

    `changes` are the newest changes, and `trends` the Markdown of pictures. `due`: when the next run is. The same input
    always gives the same bytes.
    """
    section = board.sections[0] if board.sections else None
    summary = build_summary(section, catalog.selections.readme.summary) if section else Summary([], [])
    site = (catalog.selections.readme.site or "").rstrip("/")
    template = markdown_environment().get_template(README)
    return template.render(
        board_link=f"{site}/" if site else f"results/{BOARD}.md",
        changes=changes,
        changes_link=f"{site}/changes/" if site else "docs/SITE.md",
        chart=partial(chart, colours=entry_colours(board)),
        compare_link=f"{site}/compare/" if site else "docs/SITE.md",
        first_run=_first_run(catalog),
        frameworks=len(section.facts) if section else 0,
        languages=len({row.language for row in section.facts}) if section else 0,
        lead=summary.tables[0] if summary.tables else None,
        page_of=lambda row: f"{site}/framework/{row.entry}/" if site else f"frameworks/{row.entry}/",
        page_path=partial(page_path, board),
        pictures=pictures(section, summary) if section else [],
        section=section,
        state=_state(section, due) if section else "",
        trends=trends,
    )


def _state(section: Section, due: datetime | None) -> str:
    """When and where was measured, what fails, and when the next run is."""
    rows = [row for suite in section.suites for table in suite.tables for row in table.rows]
    broken = sorted({row.title for row in rows if row.failure})
    more = [f"{len(broken) - MOST_BROKEN} more"] if len(broken) > MOST_BROKEN else []
    named = ", ".join([*broken[:MOST_BROKEN], *more])
    fails = f"{len(broken)} with a failure: {named}" if broken else "0 with a failure"
    parts = [labels.measured_on(section), f"{len(section.facts)} frameworks, {fails}"]
    return " · ".join([*parts, *([f"next run {due:%Y-%m-%d}"] if due and section.setting.is_services else [])])


def render_run(board: Board, catalog: Catalog) -> str:
    """The Markdown of out/README.md: one run, with all of its tables."""
    template = markdown_environment().get_template("run.md.j2")
    return template.render(
        board=board,
        chart=partial(chart, colours=entry_colours(board)),
        missing=not_measured(board, catalog),
    )


def within_summary(text: str) -> str:
    """The Markdown of a run, cut at the end of a line where a job summary of GitHub would refuse it."""
    content = text.encode()
    if len(content) <= MOST_BYTES:
        return text
    kept = content[:MOST_BYTES].decode(errors="ignore").rpartition("\n")[0]
    return f"{kept}\n\nThe rest was cut to fit into a job summary. report.html has all of it.\n"


def pictures(section: Section, summary: Summary) -> list[tuple[SuiteTables, Table]]:
    """Each suite with the table of which README has a picture: the first of the summary's, or the suite's first one.

    Suites are in the order of the summary.
    """
    order = [id(table) for table in summary.tables]

    def place(table: Table) -> int:
        return order.index(id(table)) if id(table) in order else len(order)

    found = [(suite, min(suite.tables, key=place)) for suite in section.suites if suite.tables]
    return sorted(found, key=lambda picture: place(picture[1]))


def chart(table: Table, colours: dict[str, str]) -> str | None:
    """The Markdown of a table's chart. None if there is nothing to draw."""
    config = fitting_config(table, colours)
    if config is None:
        return None
    return picture(config, f"Bar chart of {table.title}: {labels.fastest(table)}")


def picture(config: Config, alt: str) -> str:
    """The Markdown of a chart's picture."""
    return f"![{markdown.escape(alt)}]({quickchart_url(config)})"


def not_measured(board: Board, catalog: Catalog) -> list[str]:
    """The entries that are in no table, with the reason where it is known. No entry is missing silently."""
    shown = _shown(board)
    return [_with_reason(entry, board) for entry in catalog.ranked if entry.id not in shown]


def _shown(board: Board) -> set[str]:
    """The ids of all entries that have a row in a table."""
    suites = [suite for section in board.sections for suite in section.suites]
    return {row.entry for suite in suites for table in suite.tables for row in table.rows}


def _with_reason(entry: Entry, board: Board) -> str:
    reason = board.missed.get(entry.id)
    return f"{entry.title} ({reason})" if reason else entry.title


def _first_run(catalog: Catalog) -> dict[str, str | int]:
    """What `make bench` measures by default: titles of frameworks, number of cells, minutes of load, and profile."""
    entries = [catalog.entries[name] for name in catalog.selections.default if name in catalog.entries]
    profile = load_profiles()[DEFAULT_PROFILE].for_board()
    cells = [(entry, cell) for entry in entries for cell in entry.cells(list(catalog.suites))]
    seconds = sum(profile.planned_seconds(entry.scenario(cell)) for entry, cell in cells)
    return {
        "titles": ", ".join(entry.title for entry in entries),
        "cells": sum(entry.scenario(cell).loaded for entry, cell in cells),
        "minutes": math.ceil(seconds / 60),
        "profile": DEFAULT_PROFILE,
    }
