"""Builds the site: every page and file, as path → content. The same input always gives the same bytes."""

from collections.abc import Callable, Iterator, Sequence
from xml.etree import ElementTree as ET

from restbench.catalog import Entry
from restbench.catalog.load import Titles
from restbench.changes.records import ChangeRecord
from restbench.changes.summary import causes_text, change_title, extents, headline, whole
from restbench.render.environment import SITE, TEMPLATES
from restbench.site.badges import GONE, StatusBadge
from restbench.site.data import DOWNLOADS, board_data, result_files, series_data
from restbench.site.pages import Content, Pages

NEWEST = 50
"""How many records a feed has."""

_ATOM = "http://www.w3.org/2005/Atom"
_START = "1970-01-01T00:00:00+00:00"


def feeds_of(
    records: Sequence[ChangeRecord], entries: Sequence[Entry], url: str, titles: Titles
) -> Iterator[tuple[str, bytes]]:
    """Path and content of each feed: all changes that are claimed, and those of each framework and language."""
    known = [record for record in records if record.is_news]

    def feed_of(name: str, title: str, own: Sequence[ChangeRecord]) -> tuple[str, bytes]:
        path = f"feeds/{name}.xml"
        return path, feed(f"restbench: {title}", path, own, url, titles)

    yield feed_of("changes", "changes", known)
    for entry in entries:
        own = [record for record in known if record.entry == entry.id]
        yield feed_of(entry.id, entry.title, own)
    for language in {entry.language.name: entry.language for entry in entries}.values():
        own = [record for record in known if record.entry.startswith(f"{language.name}/")]
        yield feed_of(language.name, language.manifest.title, own)


def feed(title: str, path: str, records: Sequence[ChangeRecord], url: str, titles: Titles) -> bytes:
    """The feed at `path` of the site at `url`, with the newest records first."""
    ET.register_namespace("", _ATOM)
    newest = sorted(records, key=lambda record: record.at, reverse=True)[:NEWEST]
    root = ET.Element(f"{{{_ATOM}}}feed")
    _text(root, "title", title)
    _text(root, "id", f"{url}{path}")
    ET.SubElement(root, f"{{{_ATOM}}}link", rel="self", href=f"{url}{path}")
    ET.SubElement(root, f"{{{_ATOM}}}link", href=f"{url}changes/")
    _text(root, "updated", newest[0].at.isoformat() if newest else _START)
    author = ET.SubElement(root, f"{{{_ATOM}}}author")
    _text(author, "name", "restbench")
    for record in newest:
        _entry(root, record, url, titles)
    text: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _entry(root: ET.Element, record: ChangeRecord, url: str, titles: Titles) -> None:
    entry = ET.SubElement(root, f"{{{_ATOM}}}entry")
    told = change_title(titles(record.entry), record.version_before, record.version, headline(record))
    _text(entry, "title", told)
    _text(entry, "id", f"{url}changes/{record.id}/")
    ET.SubElement(entry, f"{{{_ATOM}}}link", href=f"{url}changes/{record.id}/")
    _text(entry, "updated", record.at.isoformat())
    sentences = [*extents(record.cells, record.causes, titles), f"What differs: {causes_text(record.causes)}."]
    _text(entry, "summary", f"{whole(record)}." if record.uncompared else " ".join(sentences))


def _text(parent: ET.Element, name: str, text: str) -> None:
    # XML has no control characters, which a version or a cause could contain
    ET.SubElement(parent, f"{{{_ATOM}}}{name}").text = "".join(c for c in text if c.isprintable())


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
    yield "base.css", (TEMPLATES / "report.css").read_bytes()
    for path in (*sorted((SITE / "styles").iterdir()), *sorted((SITE / "scripts").iterdir())):
        yield path.name, path.read_bytes()
    yield ".nojekyll", b""
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
