"""README.md: what GitHub shows of the board."""

import math
from functools import partial
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from restbench.board.models import Board
from restbench.board.rows import Table
from restbench.catalog import Catalog, Cell, Entry, Scenario
from restbench.catalog.baselines import has_duets, partner_of
from restbench.catalog.profiles import DEFAULT as DEFAULT_PROFILE
from restbench.catalog.profiles import load_profiles
from restbench.catalog.select import DEFAULT as DEFAULT_ENTRIES
from restbench.render import columns, facts_columns, labels, markdown
from restbench.render.charts import entry_colours, fitting_config, quickchart_url
from restbench.render.formats import dates

TEMPLATES = Path(__file__).with_name("templates")
TEMPLATE = Path(__file__).resolve().parents[3] / "README.md.j2"


def render_readme(board: Board, catalog: Catalog, cli_help: str = "", single_run: bool = False) -> str:
    """The README of the board, or with `single_run` that of one run, as it stands in out/.

    `cli_help` is what `restbench --help` prints; without it that block is left out. Same input, same bytes.
    """
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
    )


def not_measured(board: Board, catalog: Catalog) -> list[str]:
    """The competitors that are in no table, with why where that is known, so that none goes missing in silence."""
    shown = _shown(board)
    return [_with_reason(entry, board) for entry in catalog.ranked if entry.id not in shown]


def never_measured(board: Board, catalog: Catalog) -> list[str]:
    """The competitors that a run was to measure and none ever did, with why.

    An entry that no run has met yet is not among them. README.md depends on results alone, so that a change which adds
    an entry's folder leaves it as it is.
    """
    return [_with_reason(entry, board) for entry in catalog.ranked if entry.id in board.missed]


def _shown(board: Board) -> set[str]:
    """The entries that have a row."""
    suites = [suite for section in board.sections for suite in section.suites]
    return {row.entry for suite in suites for table in suite.tables for row in table.rows}


def _with_reason(entry: Entry, board: Board) -> str:
    reason = board.missed.get(entry.id)
    return f"{entry.title} ({reason})" if reason else entry.title


def _chart(table: Table, colours: dict[str, str]) -> str | None:
    """The Markdown of a table's picture, or None where there is nothing to draw."""
    config = fitting_config(table, colours)
    if config is None:
        return None
    alt = f"Bar chart of {table.title}: {labels.leader(table)}"
    return f"![{markdown.escape(alt)}]({quickchart_url(config)})"


def usual_scenario(catalog: Catalog) -> Scenario | None:
    """The first scenario that is measured in every way, to stand for the others."""
    scenarios = [scenario for suite in catalog.suites.values() for scenario in suite.scenarios]
    return next((scenario for scenario in scenarios if has_duets(scenario)), None)


def _first_run(catalog: Catalog) -> dict[str, str | int]:
    """What `make bench` does when nothing is asked for: frameworks, cells, and minutes under load."""
    entries = [catalog.entries[name] for name in DEFAULT_ENTRIES if name in catalog.entries]
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
