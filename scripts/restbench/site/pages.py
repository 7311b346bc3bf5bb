"""Renders the pages of the site."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markupsafe import Markup

from restbench.board.models import Board, Section, Setting, SuiteTables
from restbench.board.rows import Table
from restbench.board.summary import Summary, absent_from, build_summary, leading_groups, of_frameworks
from restbench.catalog import Catalog, Entry
from restbench.catalog.load import titles_of
from restbench.changes import summary
from restbench.changes.records import ChangeRecord
from restbench.changes.regressions import ALL_CELLS
from restbench.render import labels
from restbench.render.environment import ROOT, html_environment
from restbench.render.formats import versions
from restbench.render.markdown_pages import setting_folder
from restbench.results.history import History
from restbench.results.models import EntryResult
from restbench.site import grids
from restbench.site.badges import badges_of
from restbench.site.charts import trend_svg
from restbench.site.data import FIELDS, FIELDS_OF_TABLES, FOLDER, raw_grid
from restbench.site.health import health_of, is_slower
from restbench.site.points import by_entry, events_of, overall, trends_of

_DOCUMENT = re.compile(r'<a href="([^":#]+\.md(?:#[^"]*)?)">(.*?)</a>', re.DOTALL)
"""A link to another document."""

_PICTURE = re.compile(r'<img src="([^"]+)" alt="([^"]*)" ?/?>')


def method_text(source: str | None) -> Markup:
    """The document as HTML. Its links to other documents lead to the repository, where its address is known."""
    text = (
        MarkdownIt("commonmark", {"html": False})
        .enable("table")
        .render((ROOT / "docs/METHODOLOGY.md").read_text(encoding="utf-8"))
    )
    # pages forbid styles in attributes, by which the library aligns the cells of tables
    text = text.replace(' style="text-align:right"', ' class="number"').replace(' style="text-align:left"', "")
    # a page loads nothing from another host
    text = _PICTURE.sub(r'<a href="\1">picture: \2</a>', text)
    text = text.replace("<h1>", "<h2>").replace("</h1>", "</h2>")  # the page has a heading of its own
    if source:
        text = _DOCUMENT.sub(rf'<a href="{source}/blob/HEAD/docs/\1">\2</a>', text)
    return Markup(text if source else _DOCUMENT.sub(r"\2", text))  # noqa: S704  our own file, without HTML


LEADING_GROUPS = 3
"""How many groups of all languages stand above a table. More would push it off the first screen of a phone."""

SHOWN_RUNS = 20
"""How many of the newest runs the list of runs has without the fold. Each run has a page."""

RECENT_CHANGES, SHOWN_CHANGES = 8, 20
"""How many of the newest changes the first page has, and the page of changes without the fold."""

NOT_FOUND = "404.html"

NAVIGATION = (
    ("", "Board"),
    ("framework/", "Frameworks"),
    ("compare/", "Compare"),
    ("changes/", "Changes"),
    ("method/", "Method"),
)
"""Addresses and titles of the pages that each page leads to. The others are at its foot."""

MOVED = {"board.html": "", "trends/": "compare/", "badges/": "framework/"}
"""Addresses that were published, and where they lead now."""

ABOUT = "Benchmarks of REST frameworks whose answers are checked"


@dataclass(frozen=True)
class Content:
    """What the site shows. `url` is its address, with a slash at its end. None where it is not known: what has
    whole addresses, such as feeds, is then left out. `source` is the repository's address.
    """

    board: Board
    catalog: Catalog
    records: Sequence[ChangeRecord]
    histories: Sequence[History]
    results: Sequence[EntryResult] = ()
    url: str | None = None
    source: str | None = None


class Pages:
    """Renders the pages, each as its path and its text."""

    def __init__(self, content: Content) -> None:
        self.content = content
        self.env = html_environment()
        self.env.globals |= {"summary": summary, "versions": versions}
        self.runs_found = grids.runs_of(content.histories)
        self.measured = by_entry(content.histories)
        self.newest_first = sorted(content.records, key=lambda record: record.at, reverse=True)
        self.titles = titles_of(content.catalog)
        self.known = {entry.id for entry in content.catalog.ranked}
        self.last = self.runs_found[0].first.at if self.runs_found else None

    @cached_property
    def section(self) -> Section | None:
        """The section that the first page shows."""
        return next(iter(self.content.board.sections), None)

    def page(self, address: str, template: str, about: str = ABOUT, **values: Any) -> tuple[str, bytes]:
        """A page at `address`, which is a folder or ends in .html."""
        path = address if address.endswith(".html") else f"{address}index.html"
        # GitHub Pages sends this page for addresses of any depth
        root = urlsplit(self.content.url or "").path if address == NOT_FOUND else "../" * path.count("/")
        text = self.env.get_template(f"{template}.html.j2").render(
            root=root,
            source=self.content.source,
            url=self.content.url,
            about=about,
            address=address,
            navigation=NAVIGATION,
            section=values.pop("section", self.section),
            **values,
        )
        return path, text.encode()

    @cached_property
    def summaries(self) -> dict[Setting, Summary]:
        """The summary of each section."""
        places = self.content.catalog.selections.readme.summary
        return {section.setting: build_summary(section, places) for section in self.content.board.sections}

    def boards(self) -> Iterator[tuple[str, bytes]]:
        """The first page, a page for each table and each suite of each setting."""
        if self.section is None:
            yield self.page("", "empty")
            return
        for section in self.content.board.sections:
            whole, folder = self.summaries[section.setting], board_address(self.content.board, section)
            tables = [(suite, table) for suite in section.suites for table in suite.tables]
            lead = whole.tables[0] if whole.tables else None
            first = next((each for each in tables if each[1] is lead), next(iter(tables), None))
            if section is self.section:
                if first is None:
                    yield self.page("", "empty")
                else:
                    yield self._table("", section, whole, *first)
            for suite, table in tables:
                yield self._table(f"{folder}{suite.name}/{table.name}/", section, whole, suite, table)
            for suite in section.suites:
                address = f"{folder}{suite.name}/"
                yield self.page(
                    address, "suite", about=suite.about, section=section, suite=suite, of_frameworks=of_frameworks
                )

    def _table(
        self, address: str, section: Section, whole: Summary, suite: SuiteTables, table: Table
    ) -> tuple[str, bytes]:
        """The page of a scenario's table. At the root of the site it also has what changed lately."""
        board, root = self.content.board, "../" * address.count("/")
        folder = board_address(board, section)
        order = [id(each) for each in whole.tables] or [id(table)]
        chips = [
            (each.title, f"{root}{folder}{s.name}/{each.name}/", each is table, each is table or id(each) in order)
            for s, each in sorted(
                ((s, each) for s in section.suites for each in s.tables),
                key=lambda found: order.index(id(found[1])) if id(found[1]) in order else len(order),
            )
        ]
        rows = [row for s in section.suites for each in s.tables for row in each.rows]
        news = [record for record in self.newest_first if record.is_news]
        fastest = labels.fastest(of_frameworks(table))
        return self.page(
            address,
            "board",
            about=f"{table.title}: {fastest}",
            section=section,
            suite=suite,
            setting=board.sections.index(section),
            result=table,
            fastest=fastest,
            leading=leading_groups(table, LEADING_GROUPS),
            absent=absent_from(section, suite, table),
            awaited=self.content.catalog.awaited,
            chips=chips,
            folder=f"{root}{folder}",
            others=[
                (labels.setting_title(o.setting), f"{root}{board_address(board, o)}{s.name}/")
                for o in board.sections
                if o is not section
                for s in o.suites
                if s.name == suite.name
            ],
            facts=section.facts,
            grid=grids.board_grid(table, whole, root, f"{root}{folder}"),
            failing=len({row.entry.id for row in rows if row.failure}),
            last=self.last,
            run=self.runs_found[0].name if self.last else None,
            compared=bool(self.newest_first),
            recent=grids.changes_grid(news[:RECENT_CHANGES], root, self.titles, self.known) if news else None,
            is_first=not address,
        )

    def frameworks(self) -> Iterator[tuple[str, bytes]]:
        """The list of all frameworks, and a page for each."""
        catalog, section = self.content.catalog, self.section
        facts = section.facts if section else []
        yield self.page("framework/", "frameworks", facts=facts, entries=catalog.ranked)
        for entry in catalog.ranked:
            yield from self._framework(entry)

    def _framework(self, entry: Entry) -> Iterator[tuple[str, bytes]]:
        address = f"framework/{entry.id}/"
        root, board = "../" * address.count("/"), self.content.board
        shown = []
        for section in board.sections:
            folder = f"{root}{board_address(board, section)}"
            if places := grids.places_of(section, entry.id):
                shown.append((section, grids.framework_grid(places, folder), grids.further_grid(places, folder)))
        setting = self.section.setting if self.section else None
        trends = trends_of(self.measured.get((entry.id, setting), []), self.titles) if setting else []
        cells = [(trend, trend_svg(trend, others=False)) for trend in trends if len(trend.points) > 1]
        whole = overall(trends)
        records = [record for record in self.newest_first if record.entry == entry.id]
        events = events_of(whole, records) if whole else []
        news = [record for record in records if record.is_news]
        slower = next((record for record in news if is_slower(record)), None)
        table = self.summaries[self.section.setting].tables[:1] if self.section else []
        rows = [place.row for place in grids.places_of(self.section, entry.id)] if self.section else []
        health = health_of(self.section, [entry], self.measured, self.newest_first) if self.section else []
        badges = badges_of(entry, self.section, table, records)
        yield self.page(
            address,
            "framework",
            about=f"{entry.title}: did a release get slower, and where does it stand?",
            entry=entry,
            shown=shown,
            facts=[row for row in (self.section.facts if self.section else []) if row.entry.id == entry.id],
            health=health[0] if health else None,
            failures=Counter(f"{self.titles('/'.join(r.cell.key[:2]))}: {r.failure}" for r in rows if r.failure),
            chains=[(t, chain) for t in table for chain in t.chains if chain.language == entry.language.manifest.title],
            records=records,
            slower=slower,
            changes=grids.changes_grid(news, root, self.titles) if news else None,
            whole=whole,
            picture=trend_svg(whole) if whole and cells and len(whole.points) > 1 else None,
            events=events,
            cells=len(cells),
            badges=badges,
            lacks=[*entry.lacks(), *entry.by_hand],
            done_by=entry.done_by(),
        )
        if cells:
            yield self.page(f"{address}cells/", "cells", entry=entry, cells=cells, events=events)
        for badge in badges:
            yield from badge.files(entry)

    def changes(self) -> Iterator[tuple[str, bytes]]:
        """What is broken or changed, and a page for each record."""
        news = [record for record in self.newest_first if record.is_news]
        older, entries = news[SHOWN_CHANGES:], self.content.catalog.ranked
        health = health_of(self.section, entries, self.measured, self.newest_first) if self.section else []
        yield self.page(
            "changes/",
            "changes",
            health=health,
            health_grid=grids.health_grid(health, "../"),
            broken=[each for each in health if each.broken_since],
            grid=grids.changes_grid(news[:SHOWN_CHANGES], "../", self.titles, self.known) if news else None,
            older=grids.changes_grid(older, "../", self.titles, self.known) if older else None,
            quiet=len(self.newest_first) - len(news),
        )
        for record in self.newest_first:
            cells = {ALL_CELLS: record.together, **record.cells} if record.together else record.cells
            differences = {name: cost for name, cost in cells.items() if cost.claimed or name == ALL_CELLS}
            quiet = {name: cost for name, cost in cells.items() if name not in differences}
            yield self.page(
                f"changes/{record.id}/",
                "change",
                record=record,
                title=self.titles(record.entry),
                known=record.entry in self.known,
                extents=summary.extents(record.cells, record.causes, self.titles),
                differences=grids.cells_grid(differences, self.titles),
                quiet=grids.cells_grid(quiet, self.titles) if quiet else None,
            )

    def runs(self) -> Iterator[tuple[str, bytes]]:
        """The list of runs, and a page for each."""
        older = self.runs_found[SHOWN_RUNS:]
        yield self.page(
            "runs/",
            "runs",
            grid=grids.runs_grid(self.runs_found[:SHOWN_RUNS], "../"),
            older=grids.runs_grid(older, "../") if older else None,
        )
        for run in self.runs_found:
            yield self.page(
                f"runs/{run.name}/",
                "run",
                run=run,
                grid=grids.run_grid(run, "../../", self.titles, self.known),
                raw=raw_grid(set(run.lines), self.content.results, "../../", self.titles),
            )

    def others(self) -> Iterator[tuple[str, bytes]]:
        """The pages that are the same for all results, and those that lead on."""
        yield self.page("method/", "method", text=method_text(self.content.source))
        yield self.page("download/", "download", folder=FOLDER, fields=FIELDS_OF_TABLES | FIELDS)
        yield self.page("compare/", "compare")
        yield self.page(NOT_FOUND, "missing")
        for old, new in MOVED.items():
            yield self.page(old, "moved", to=new)


def board_address(board: Board, section: Section) -> str:
    """The folder of the pages of a section's tables, from the root of the site."""
    return "board/" if section is board.sections[0] else f"board/{setting_folder(section)}/"
