"""Renders README.md, which shows the board's summary on GitHub."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape

from restbench.board.models import Board, Section, SuiteTables
from restbench.board.rows import Row, Table
from restbench.board.summary import Leading, Summary, absent_from, build_summary, leading_groups
from restbench.catalog import Catalog
from restbench.catalog.lacks import PIPELINING, Lack
from restbench.catalog.profiles import DEFAULT as DEFAULT_PROFILE
from restbench.catalog.profiles import load_profiles
from restbench.measure.duration import planned_seconds, seconds_beside_load
from restbench.render import labels, markdown
from restbench.render.charts import Config, chart_size, entry_colours, fitting_config, quickchart_url
from restbench.render.environment import markdown_environment
from restbench.render.formats import BEHIND, figure
from restbench.render.grid import Grid
from restbench.render.markdown_pages import BOARD, page_path

README = "README.md.j2"

UNPIPELINED = "†"
"""Marks a framework that lacks HTTP pipelining."""

_AWAITED = f"results/{BOARD}.md#not-here-yet"

MOST_BROKEN = 3
"""How many frameworks with a failure are named."""


def render_readme(
    board: Board,
    catalog: Catalog,
    changes: Grid | None = None,
    trends: Sequence[str] = (),
    compared: int = 0,
    anew: Sequence[str] = (),
) -> str:
    """The Markdown of the board's README. It shows the first section of the board, and links to all pages.

    `changes` are the newest changes, and `trends` the Markdown of pictures. `compared`: how many comparisons of
    two versions there are. `anew`: suites that have runs by an earlier contract. The same input always gives the same
    bytes.
    """
    section = board.sections[0] if board.sections else None
    summary = build_summary(section, catalog.selections.readme.summary) if section else Summary([], [])
    site = (catalog.selections.site or "").rstrip("/")
    lead = summary.tables[0] if summary.tables else None
    leading = leading_groups(lead) if lead else Leading([])
    remarks = catalog.selections.readme.remarks
    links = _Links(board, site)
    template = markdown_environment().get_template(README)
    return template.render(
        apart=_apart(board),
        anew=[suite.title for suite in catalog.suites.values() if suite.name in anew],
        baselines=_baselines(lead) if lead else "",
        board_link=f"{site}/" if site else f"results/{BOARD}.md",
        chains=_chains(section, lead, catalog, links) if section and lead else [],
        changes=changes,
        changes_link=f"{site}/changes/" if site else "#what-changed-lately" if changes else None,
        chart=partial(chart, colours=entry_colours(board)),
        compared=compared,
        compare_link=_compare_link(catalog, section, site),
        elsewhere=_elsewhere(section, catalog) if section else "",
        first_run=_first_run(catalog),
        frameworks=len(section.facts) if section else 0,
        lacking_link=f"results/{BOARD}.md#{labels.LACKING}",
        languages=len({row.language for row in section.facts}) if section else 0,
        lead=lead,
        leading=leading,
        marked=any(row.behind for group in leading.groups for row in group),
        name=partial(_name, links=links),
        others=[(table, remarks.get(f"{links.suite_of(table).name}/{table.name}")) for table in summary.tables[1:]],
        page_of_table=links.table,
        page_path=partial(page_path, board),
        pictures=pictures(section, summary) if section else [],
        section=section,
        state=_state(section) if section else "",
        trends=trends,
        unpipelined=len({row.entry.id for row in section.facts if _is_unpipelined(row.entry.lacks())})
        if section
        else 0,
    )


@dataclass(frozen=True)
class _Links:
    """Where README leads to: pages of the site if its address is known, else files of the repository."""

    board: Board
    site: str

    def framework(self, row: Row) -> str:
        return f"{self.site}/framework/{row.entry.id}/" if self.site else f"frameworks/{row.entry.id}/"

    def suite_of(self, table: Table) -> SuiteTables:
        return next(suite for suite in self.board.sections[0].suites if any(each is table for each in suite.tables))

    def table(self, table: Table) -> str:
        page = page_path(self.board, self.board.sections[0], self.suite_of(table).name)
        return f"results/{page}#{markdown.anchor(table.title)}"


def _name(row: Row, links: _Links) -> str:
    """The framework's name with its marks. That of a row in a first group is bold."""
    name = f"[{markdown.escape(row.title)}]({links.framework(row)})"
    marks = f"{UNPIPELINED if _is_unpipelined(row.entry.lacks(row.cell.suite)) else ''}{BEHIND if row.behind else ''}"
    return f"{f'**{name}**' if row.group == 1 else name}{marks}"


def _is_unpipelined(lacks: Iterable[Lack]) -> bool:
    return any(lack.name == PIPELINING for lack in lacks)


def _baselines(lead: Table) -> str:
    """What the baselines answered per second in the run that links the languages, as text. Empty without such a run."""
    measured = [f"{row.title} {figure(row.linked_rate)}" for row in lead.rows if row.linked_rate]
    return ", ".join(measured) if len(measured) > 1 else ""


@dataclass(frozen=True)
class _ChainLine:
    """The chain of a language. `others`: Markdown about frameworks that are not in it."""

    language: str
    groups: list[list[Row]]
    others: str


def _chains(section: Section, lead: Table, catalog: Catalog, links: _Links) -> list[_ChainLine]:
    """The chains of the leading table. Frameworks of a language that it does not have are named, with the reason."""
    absent = absent_from(section, links.suite_of(lead), lead)
    also = {entry.language.manifest.title: entry.language.manifest.also_called[:1] for entry in catalog.ranked}
    lines = []
    for found in lead.chains:
        others = [("not compared", links.table(lead), [row.title for row in found.not_compared])]
        for each in absent:
            there = [row.title for row in each.rows if row.language == found.language]
            others.append((each.reason, links.table(each.table), there))
        awaited = [each.title for each in catalog.awaited if each.language == found.language]
        others.append(("not here yet", _AWAITED, awaited))
        named = [f"*[{why}]({link}): {markdown.escape(', '.join(titles))}*" for why, link, titles in others if titles]
        language = f"{found.language}{''.join(f' ({name})' for name in also.get(found.language, []))}"
        lines.append(_ChainLine(language, found.groups, "; ".join(named)))
    return lines


@dataclass(frozen=True)
class _Apart:
    """Frameworks that only another section of the board has: how many, their languages, its setting and its page."""

    count: int
    languages: str
    setting: str
    page: str


def _apart(board: Board) -> list[_Apart]:
    """What the first section lacks, and another one has. No other section has rows to compare with those shown."""
    found, known = [], {facts.entry.id for section in board.sections[:1] for facts in section.facts}
    for section in board.sections[1:]:
        rows = [facts for facts in section.facts if facts.entry.id not in known]
        languages, title = sorted({facts.language for facts in rows}), labels.setting_title(section.setting)
        if rows:
            found.append(_Apart(len(rows), ", ".join(languages), title, page_path(board, section, BOARD)))
    return found


def _elsewhere(section: Section, catalog: Catalog) -> str:
    """Names the awaited frameworks of languages that the board does not have, as Markdown."""
    here = {facts.language for facts in section.facts}
    named = [f"{each.title} ({each.language})" for each in catalog.awaited if each.language not in here]
    return f"*[not here yet]({_AWAITED}): {markdown.escape(', '.join(named))}*" if named else ""


def _compare_link(catalog: Catalog, section: Section | None, site: str) -> str:
    """Where two frameworks are compared: on the site with two of them chosen, else in the summary of all."""
    if not site or not section:
        return f"results/{BOARD}.md#summary"
    here = [entry for entry in catalog.selections.default if entry in {facts.entry.id for facts in section.facts}]
    return f"{site}/compare/{'?f=' + ','.join(here[:2]) if len(here) > 1 else ''}"


def _state(section: Section) -> str:
    """On what and when was measured, and what fails."""
    rows = [row for suite in section.suites for table in suite.tables for row in table.rows]
    broken = sorted({row.title for row in rows if row.failure})
    more = [f"{len(broken) - MOST_BROKEN} more"] if len(broken) > MOST_BROKEN else []
    named = ", ".join([*broken[:MOST_BROKEN], *more])
    fails = f"{len(broken)} with a failure: {named}" if broken else "nothing is broken"
    return f"{labels.measured_on(section)} · {fails}"


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
    return picture(config, f"Bar chart of {table.title}: {labels.fastest(table)}") if config else None


def picture(config: Config, alt: str) -> str:
    """A chart's picture. QuickChart draws it with twice as many pixels, for dense screens, so its width is given."""
    return f'<img width="{chart_size(config)[0]}" alt="{escape(alt)}" src="{escape(quickchart_url(config))}">'


def _first_run(catalog: Catalog) -> dict[str, str | int]:
    """What `make bench` measures by default: titles of frameworks, cells, minutes without builds, and profile."""
    entries = [catalog.entries[name] for name in catalog.selections.default if name in catalog.entries]
    profile = load_profiles()[DEFAULT_PROFILE]
    cells = [(entry, cell) for entry in entries for cell in entry.cells(list(catalog.suites))]
    scenarios = [entry.scenario(cell) for entry, cell in cells]
    loads, loaded = sum(map(profile.loads_of, scenarios)), sum(scenario.loaded for scenario in scenarios)
    load = sum(planned_seconds(profile, scenario) for scenario in scenarios)
    seconds = load + seconds_beside_load(loads, loaded, len(entries))
    return {
        "titles": ", ".join(entry.title for entry in entries),
        "cells": loaded,
        "minutes": math.ceil(seconds / 60),
        "profile": DEFAULT_PROFILE,
    }
