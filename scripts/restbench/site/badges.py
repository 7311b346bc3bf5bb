"""Badges: an SVG of our own, and the JSON that shields.io reads from an endpoint. A framework has at most three."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from restbench.board.models import Section
from restbench.board.rows import Row, Table
from restbench.catalog import Entry
from restbench.changes.records import ChangeRecord
from restbench.render.formats import figure
from restbench.site.health import is_slower

_CHARACTER = 7
"""The width of a character in pixels, at most. Text that is narrower leaves room on both sides."""

LABEL = "restbench"

GONE = "no longer measured"


@dataclass(frozen=True)
class StatusBadge:
    """What a badge says. `name` is a part of its address, which stays the same."""

    name: str
    message: str

    def path(self, entry: str) -> str:
        return f"badges/{entry}/{self.name}"

    def markdown(self, entry: Entry, url: str) -> str:
        """The badge with a link to the framework's page, to be copied."""
        alt = f"{LABEL}: {self.message}"
        return f"[![{alt}]({url}{self.path(entry.id)}.svg)]({url}framework/{entry.id}/)"

    def files(self, entry: Entry) -> Iterator[tuple[str, bytes]]:
        yield f"{self.path(entry.id)}.svg", self.svg
        yield f"{self.path(entry.id)}.json", self.json

    @property
    def svg(self) -> bytes:
        return _svg(LABEL, self.message).encode()

    @property
    def json(self) -> bytes:
        document = {"schemaVersion": 1, "label": LABEL, "message": self.message, "color": "blue"}
        return json.dumps(document, ensure_ascii=False).encode()


def badges_of(
    entry: Entry, section: Section | None, tables: Sequence[Table], newest_first: Sequence[ChangeRecord]
) -> list[StatusBadge]:
    """The badges of an entry: its group in its language, its cost, and whether a version made it slower.

    The first two are those of the first of `tables`. `newest_first`: the change records of the entry.
    """
    found = []
    for table in tables[:1]:
        for chain in table.chains:
            for number, group in enumerate(chain.groups, start=1):
                if sum(map(len, chain.groups)) > 1:  # alone in its language it would always be the fastest
                    found += [_group(row, number, len(chain.groups)) for row in group if row.entry.id == entry.id]
        row = next((row for row in table.compared if row.entry.id == entry.id), None)
        base = _title_of_baseline(row, section) if row else None
        if row and base and row.relative_cost:
            found.append(StatusBadge("cost", f"{figure(row.relative_cost.middle)} × the CPU time of {base}"))
    if since := _no_slowdown_since(newest_first):
        found.append(StatusBadge("slowdown", f"no slowdown since {since}"))
    return found


def _group(row: Row, number: int, groups: int) -> StatusBadge:
    where = f"in {row.language}"
    return StatusBadge("group", f"fastest group {where}" if number == 1 else f"group {number} of {groups} {where}")


def _title_of_baseline(row: Row, section: Section | None) -> str | None:
    """The title of the entry that the row is compared with. None for the baseline itself."""
    if row.cell.baseline is None or row.is_baseline or section is None:
        return None
    return next((facts.entry.title for facts in section.facts if facts.entry.id == row.cell.baseline.entry), None)


def _no_slowdown_since(newest_first: Sequence[ChangeRecord]) -> str | None:
    """The oldest version since which no change made the entry slower. None if nothing was compared since."""
    since = None
    for record in newest_first:
        if is_slower(record):
            break
        since = record.version_before
    return since


def _svg(label: str, message: str) -> str:
    left, right = (len(text) * _CHARACTER + 10 for text in (label, message))
    return Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="20" role="img" '
        'aria-label="{label}: {message}">'
        "<title>{label}: {message}</title>"
        '<rect width="{left}" height="20" fill="#555"/><rect x="{left}" width="{right}" height="20" fill="#0a5c94"/>'
        '<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">'
        '<text x="{at_left}" y="14">{label}</text><text x="{at_right}" y="14">{message}</text></g></svg>\n'
    ).format(
        whole=left + right,
        left=left,
        right=right,
        at_left=left / 2,
        at_right=left + right / 2,
        label=label,
        message=message,
    )
