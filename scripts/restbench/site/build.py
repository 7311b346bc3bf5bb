"""Builds the site: every page and file, as path → content. The same input always gives the same bytes."""

from collections.abc import Callable, Iterator

from restbench.render.environment import SITE, TEMPLATES
from restbench.site.badges import GONE, StatusBadge
from restbench.site.data import board_data, series_data
from restbench.site.feeds import feeds_of
from restbench.site.pages import Content, Pages
from restbench.site.rounds import DOWNLOADS, result_files


def build_site(content: Content) -> Iterator[tuple[str, bytes]]:
    """Yields path and content of each file, and what stands at the addresses of former names of entries."""
    pages = Pages(content)
    for path, made in _files(content, pages):
        yield path, made
        for old, new in content.catalog.moved.items():
            if path.startswith(f"framework/{new}/"):
                address = path.removesuffix("index.html")
                yield pages.page(address.replace(new, old, 1), "moved", to=address)
            elif path.startswith((f"badges/{new}/", f"feeds/{new}.", f"{DOWNLOADS}/{new}.")):
                yield path.replace(new, old, 1), made


def _files(content: Content, pages: Pages) -> Iterator[tuple[str, bytes]]:
    yield from pages.boards()
    yield from pages.frameworks()
    yield from pages.changes()
    yield from pages.runs()
    yield from pages.others()
    yield from _assets()
    if content.url:  # a feed has whole addresses
        yield from feeds_of(content.records, content.catalog.ranked, content.url, pages.titles)
    yield from board_data(content.board, content.catalog, pages.measured)
    yield from series_data(pages.measured, pages.section)
    yield from result_files(content.results)


def build_gone(content: Content) -> Callable[[str], bytes | None]:
    """Returns what makes a file that the site no longer has: a page or a badge that says so, or None to leave it.

    Links to pages of removed frameworks, scenarios and settings keep working, and show no figures of other times as if
    they were of today.
    """
    pages, badge = Pages(content), StatusBadge("gone", GONE)

    def gone(path: str) -> bytes | None:
        if path.startswith("badges/"):
            return badge.svg if path.endswith(".svg") else badge.json if path.endswith(".json") else None
        if path.startswith(("framework/", "board/")) and path.endswith("/index.html"):
            return pages.page(path.removesuffix("index.html"), "gone")[1]
        return None

    return gone


def _assets() -> Iterator[tuple[str, bytes]]:
    yield "base.css", (TEMPLATES / "report.css").read_bytes()
    for folder in ("styles", "scripts"):
        for path in sorted((SITE / folder).iterdir()):
            yield path.name, path.read_bytes()
    yield ".nojekyll", b""
