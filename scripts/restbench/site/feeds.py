"""Atom feeds of change records (RFC 4287). Ids are made of the id of a record, and never of its figures."""

from collections.abc import Iterator, Sequence
from xml.etree import ElementTree as ET

from restbench.catalog import Entry
from restbench.catalog.titles import Titles
from restbench.changes.records import ChangeRecord
from restbench.changes.summary import causes_text, headline, whole

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
    _text(entry, "title", f"{titles(record.entry)}: {headline(record)}")
    _text(entry, "id", f"{url}changes/{record.id}/")
    ET.SubElement(entry, f"{{{_ATOM}}}link", href=f"{url}changes/{record.id}/")
    _text(entry, "updated", record.at.isoformat())
    said = whole(record) if record.uncompared else f"What differs: {causes_text(record.causes)}"
    _text(entry, "summary", f"{said}.")


def _text(parent: ET.Element, name: str, text: str) -> None:
    # XML has no control characters, which a version or a cause could contain
    ET.SubElement(parent, f"{{{_ATOM}}}{name}").text = "".join(c for c in text if c.isprintable())
