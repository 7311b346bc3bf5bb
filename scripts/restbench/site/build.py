"""Builds the site: every page and file, as path → content. The same input always gives the same bytes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from restbench.board.models import Board, Section
from restbench.board.summary import build_summary
from restbench.catalog import Catalog, Entry
from restbench.changes.records import ChangeRecord
from restbench.render import labels
from restbench.render.environment import SITE, TEMPLATES, html_environment
from restbench.render.markdown_pages import setting_folder
from restbench.results.history import History
from restbench.results.models import EntryResult
from restbench.site import grids
from restbench.site.badges import badges_of
from restbench.site.charts import trend_svg
from restbench.site.data import board_data, series_data
from restbench.site.downloads import COLUMNS, downloads
from restbench.site.feeds import feeds_of
from restbench.site.method import method_text
from restbench.site.points import by_entry, trends_of
from restbench.site.rounds import raw_grid, result_files, rounds_of
from restbench.site.schedule import next_run

CHART_JS = SITE / "vendor/chart.js/chart.umd.min.js"
RECENT = timedelta(weeks=4)
"""How old a change is that the first page has, at most, when the last run took place."""

SHOWN_RUNS = 200
"""How many runs the list of runs has. Each run has a page."""


NOT_FOUND = "404.html"

ELSEWHERE = "https://example.org/restbench/"
"""The address in feeds and beside badges where the site's own is not known."""

NAVIGATION = (("framework", "Frameworks"), ("compare", "Compare"), ("changes", "Changes"), ("method", "Method"))
"""Addresses and titles of the pages that each page leads to, beside the board. The others are at its foot."""


@dataclass(frozen=True)
class Content:
    """What the site shows. `url` is its address, with a slash at its end; None where it is not known. `source` is the
    repository's address.

    `made`: the data is made up, and every page says so.
    """

    board: Board
    catalog: Catalog
    records: Sequence[ChangeRecord]
    histories: Sequence[History]
    results: Sequence[EntryResult] = ()
    url: str | None = None
    source: str | None = None
    made: bool = False


def build_site(content: Content) -> Iterator[tuple[str, bytes]]:
    """Yields path and content of each file."""
    pages = _Pages(content)
    yield from pages.first()
    yield from pages.boards()
    yield from pages.frameworks()
    yield from pages.changes()
    yield from pages.runs()
    yield from pages.others()
    yield from _assets()
    yield from feeds_of(content.records, content.catalog.ranked, content.url or ELSEWHERE)
    yield from downloads(content.board).items()
    section = content.board.sections[0] if content.board.sections else None
    yield from board_data(section, content.catalog.ranked, pages.measured)
    yield from series_data(pages.measured, section)
    yield from result_files(content.results)
    if content.board.sections:
        yield from badges_of(content.board.sections[0]).items()


def board_address(board: Board, section: Section) -> str:
    """The folder of the pages of a section's tables, from the root of the site."""
    return "board/" if section is board.sections[0] else f"board/{setting_folder(section)}/"


class _Pages:
    """Renders the pages."""

    def __init__(self, content: Content) -> None:
        self.content = content
        self.env = html_environment()
        self.runs_found = grids.runs_of(content.histories)
        self.measured = by_entry(content.histories)
        self.newest_first = sorted(content.records, key=lambda record: record.at, reverse=True)

    def page(self, address: str, template: str, **values: Any) -> tuple[str, bytes]:
        """A page at `address`, which is a folder or ends in .html."""
        path = address if address.endswith(".html") else f"{address}index.html"
        # GitHub Pages sends this page for addresses of any depth
        root = urlsplit(self.content.url or "").path if address == NOT_FOUND else "../" * path.count("/")
        board = self.content.board
        first = board.sections[0] if board.sections else None
        suites = [(suite.name, suite.title) for suite in first.suites] if first else []
        text = self.env.get_template(f"{template}.html.j2").render(
            root=root,
            made=self.content.made,
            source=self.content.source,
            suites=suites,
            address=address,
            navigation=[*((f"board/{name}", "Board") for name, _ in suites[:1]), *NAVIGATION],
            **values,
        )
        return path, text.encode()

    def first(self) -> Iterator[tuple[str, bytes]]:
        """The first page, and the page for addresses that do not exist."""
        board, catalog = self.content.board, self.content.catalog
        section = board.sections[0] if board.sections else None
        summary = build_summary(section, catalog.selections.readme.summary) if section else None
        last = self.runs_found[0].first.at if self.runs_found else None
        recent = [record for record in self.newest_first if last and record.at > last - RECENT and record.claims]
        yield self.page(
            "",
            "first",
            section=section,
            summary=grids.summary_with_links(summary, "") if summary and summary.lines else None,
            lead=summary.tables[0] if summary and summary.tables else None,
            last=last,
            run=self.runs_found[0].name if last else None,
            due=next_run(last) if last else None,
            recent=grids.changes_grid(recent, "") if recent else None,
            compared=bool(self.newest_first),
        )
        yield self.page(NOT_FOUND, "missing")

    def boards(self) -> Iterator[tuple[str, bytes]]:
        board = self.content.board
        for section in board.sections:
            others = [
                (labels.setting_title(o.setting), board_address(board, o)) for o in board.sections if o != section
            ]
            facts = {row.entry.id: row for row in section.facts}
            for suite in section.suites:
                address = f"{board_address(board, section)}{suite.name}/"
                root = "../" * address.count("/")
                yield self.page(
                    address,
                    "board",
                    section=section,
                    suite=suite,
                    others=others,
                    facts=facts,
                    grid_of=partial(grids.board_grid, root=root),
                )
                yield f"{address}rounds.json", rounds_of(suite)

    def frameworks(self) -> Iterator[tuple[str, bytes]]:
        board, catalog = self.content.board, self.content.catalog
        yield self.page("framework/", "frameworks", sections=board.sections, entries=catalog.ranked)
        for entry in catalog.ranked:
            yield self._framework(entry)

    def _framework(self, entry: Entry) -> tuple[str, bytes]:
        address = f"framework/{entry.id}/"
        root = "../" * address.count("/")
        board = self.content.board
        shown = []
        for section in board.sections:
            places = grids.places_of(section, entry.id)
            if places:
                grid = grids.framework_grid(places, f"{root}{board_address(board, section)}")
                trends = trends_of(self.measured.get((entry.id, section.setting), []))
                charts = [(trend, trend_svg(trend)) for trend in trends if len(trend.points) > 1]
                shown.append((section, grid, charts))
        facts = [row for section in board.sections[:1] for row in section.facts if row.entry.id == entry.id]
        records = [record for record in self.newest_first if record.entry == entry.id]
        badges = [
            (place.table.title, f"badges/{entry.id}/{place.suite.name}-{place.table.name}")
            for section in board.sections[:1]
            for place in {p.table.name: p for p in grids.places_of(section, entry.id) if p.row.compared}.values()
        ]
        return self.page(
            address,
            "framework",
            entry=entry,
            shown=shown,
            facts=facts,
            changes=grids.changes_grid(records, root) if records else None,
            badges=badges,
            url=self.content.url or ELSEWHERE,
        )

    def changes(self) -> Iterator[tuple[str, bytes]]:
        claiming = [record for record in self.newest_first if record.claims]
        yield self.page(
            "changes/",
            "changes",
            grid=grids.changes_grid(claiming, "../") if claiming else None,
            quiet=len(self.newest_first) - len(claiming),
        )
        for record in self.newest_first:
            yield self.page(f"changes/{record.id}/", "change", record=record, grid=grids.cells_grid(record))

    def runs(self) -> Iterator[tuple[str, bytes]]:
        yield self.page("runs/", "runs", grid=grids.runs_grid(self.runs_found[:SHOWN_RUNS], "../"))
        for run in self.runs_found:
            yield self._run(run)

    def _run(self, run: grids.Ran) -> tuple[str, bytes]:
        root = "../../"
        return self.page(
            f"runs/{run.name}/",
            "run",
            run=run,
            grid=grids.run_grid(run, root, {entry.id for entry in self.content.catalog.ranked}),
            raw=raw_grid(set(run.lines), self.content.results, root),
        )

    def others(self) -> Iterator[tuple[str, bytes]]:
        yield self.page("method/", "method", text=method_text(self.content.source))
        yield self.page("download/", "download", columns_of=COLUMNS)
        yield self.page("compare/", "compare")
        yield self.page("trends/", "trends")
        yield self.page("badges/", "badges", entries=self.content.catalog.ranked)
        yield self.page("board.html", "moved", to="./")


def _assets() -> Iterator[tuple[str, bytes]]:
    yield "base.css", (TEMPLATES / "report.css").read_bytes()
    for folder in ("styles", "scripts"):
        for path in sorted((SITE / folder).iterdir()):
            yield path.name, path.read_bytes()
    yield "chart.js", CHART_JS.read_bytes()
    yield ".nojekyll", b""
