"""Builds the site: every page and file, as path → content. The same input always gives the same bytes."""

from collections.abc import Iterator

from restbench.render.environment import SITE, TEMPLATES
from restbench.site.data import board_data, series_data
from restbench.site.downloads import downloads
from restbench.site.feeds import feeds_of
from restbench.site.pages import ELSEWHERE, Content, Pages
from restbench.site.rounds import result_files


def build_site(content: Content) -> Iterator[tuple[str, bytes]]:
    """Yields path and content of each file."""
    pages = Pages(content)
    yield from pages.boards()
    yield from pages.frameworks()
    yield from pages.changes()
    yield from pages.runs()
    yield from pages.others()
    yield from _assets()
    yield from feeds_of(content.records, content.catalog.ranked, content.url or ELSEWHERE)
    yield from downloads(content.board).items()
    yield from board_data(pages.section, content.catalog, pages.measured)
    yield from series_data(pages.measured, pages.section)
    yield from result_files(content.results)


def _assets() -> Iterator[tuple[str, bytes]]:
    yield "base.css", (TEMPLATES / "report.css").read_bytes()
    for folder in ("styles", "scripts"):
        for path in sorted((SITE / folder).iterdir()):
            yield path.name, path.read_bytes()
    yield ".nojekyll", b""
