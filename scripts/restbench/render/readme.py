"""Renders README.md, which shows the board on GitHub."""

import math
from dataclasses import replace
from functools import partial
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from restbench.board.models import Board, Section
from restbench.board.rows import Table
from restbench.catalog import Catalog, Cell, Entry, Scenario
from restbench.catalog.baselines import has_duets, partner_of
from restbench.catalog.profiles import DEFAULT as DEFAULT_PROFILE
from restbench.catalog.profiles import load_profiles
from restbench.render import columns, facts_columns, labels, markdown
from restbench.render.charts import entry_colours, fitting_config, quickchart_url
from restbench.render.formats import dates

TEMPLATES = Path(__file__).with_name("templates")
TEMPLATE = Path(__file__).resolve().parents[3] / "README.md.j2"


LARGEST = 480_000
"""The most bytes of the board's README. GitHub shows the first 512,000 and cuts what follows, in the middle of a table
(github.com/isaacs/github/issues/1610)."""


def render_readme(board: Board, catalog: Catalog, cli_help: str = "", single_run: bool = False) -> str:
    """The Markdown of the board's README, or with `single_run` of the README.md of one run in out/.

    `cli_help` is the output of `restbench --help`. Without it the section "Commands" is left out. The last sections of
    the board are left out where it would be larger than LARGEST, but not the first. The same input always gives the
    same bytes.
    """
    for shown in range(len(board.sections), 0, -1):
        text = _render(
            replace(board, sections=board.sections[:shown]), board.sections[shown:], catalog, cli_help, single_run
        )
        if single_run or len(text.encode()) <= LARGEST:
            return text
    return _render(replace(board, sections=board.sections[:1]), board.sections[1:], catalog, cli_help, single_run)


def _render(board: Board, left_out: list[Section], catalog: Catalog, cli_help: str, single_run: bool) -> str:
    env = Environment(
        loader=FileSystemLoader(TEMPLATE.parent),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701  Markdown: `md` escapes what comes from outside
    )
    env.filters["md"] = markdown.escape
    env.filters["table"] = markdown.table
    profiles = load_profiles()
    return env.get_template(TEMPLATE.name).render(
        board=board,
        catalog=catalog,
        chart=partial(_chart, colours=entry_colours(board)),
        cli_help=cli_help.strip(),
        columns=columns,
        dates=dates,
        facts_columns=facts_columns,
        first_run=_first_run(catalog),
        frameworks=len(_shown(board)),
        missing=not_measured(board, catalog) if single_run else never_measured(board, catalog),
        profiles=profiles,
        root="../" if single_run else "",
        single_run=single_run,
        usual=usual_scenario(catalog),
        labels=labels,
        left_out=left_out,
    )


def not_measured(board: Board, catalog: Catalog) -> list[str]:
    """The ranked entries that are in no table, with the reason where it is known. No entry is missing silently."""
    shown = _shown(board)
    return [_with_reason(entry, board) for entry in catalog.ranked if entry.id not in shown]


def never_measured(board: Board, catalog: Catalog) -> list[str]:
    """The ranked entries whose runs never gave any results, with the reason.

    Entries that no run has tried yet are left out. README.md therefore depends on results alone, and a change that only
    adds an entry's folder does not change it.
    """
    return [_with_reason(entry, board) for entry in catalog.ranked if entry.id in board.missed]


def _shown(board: Board) -> set[str]:
    """The ids of all entries that have a row in a table."""
    suites = [suite for section in board.sections for suite in section.suites]
    return {row.entry for suite in suites for table in suite.tables for row in table.rows}


def _with_reason(entry: Entry, board: Board) -> str:
    reason = board.missed.get(entry.id)
    return f"{entry.title} ({reason})" if reason else entry.title


def _chart(table: Table, colours: dict[str, str]) -> str | None:
    """The Markdown of a table's chart. None if there is nothing to draw."""
    config = fitting_config(table, colours)
    if config is None:
        return None
    alt = f"Bar chart of {table.title}: {labels.leader(table)}"
    return f"![{markdown.escape(alt)}]({quickchart_url(config)})"


def usual_scenario(catalog: Catalog) -> Scenario | None:
    """The first scenario that has duet rounds. It stands for the others in the table of profiles."""
    scenarios = [scenario for suite in catalog.suites.values() for scenario in suite.scenarios]
    return next((scenario for scenario in scenarios if has_duets(scenario)), None)


def _first_run(catalog: Catalog) -> dict[str, str | int]:
    """What `make bench` measures by default: titles of frameworks, number of cells, minutes of load, and profile."""
    entries = [catalog.entries[name] for name in catalog.selections.default if name in catalog.entries]
    profile = load_profiles()[DEFAULT_PROFILE]
    cells = [(entry, cell) for entry in entries for cell in entry.cells(list(catalog.suites))]
    seconds = sum(profile.planned_seconds(e.scenario(cell), _has_partner(catalog, e, cell)) for e, cell in cells)
    return {
        "titles": ", ".join(entry.title for entry in entries),
        "cells": sum(entry.scenario(cell).loaded for entry, cell in cells),
        "minutes": math.ceil(seconds / 60),
        "profile": DEFAULT_PROFILE,
    }


def _has_partner(catalog: Catalog, entry: Entry, cell: Cell) -> bool:
    """Whether the cell is measured in duet rounds."""
    baseline = catalog.baseline_of(entry)
    return baseline is not None and baseline.id != entry.id and partner_of(entry, cell, baseline) is not None
