"""Badges: an SVG of our own, and the JSON that shields.io reads from an endpoint. A framework has at most three."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from markupsafe import Markup

from restbench.board.models import Section
from restbench.board.rows import Table
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
        left, right = (len(text) * _CHARACTER + 10 for text in (LABEL, self.message))
        markup = Markup(
            '<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="20" role="img" '
            'aria-label="{label}: {message}">'
            "<title>{label}: {message}</title>"
            '<rect width="{left}" height="20" fill="#555"/>'
            '<rect x="{left}" width="{right}" height="20" fill="#0a5c94"/>'
            '<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">'
            '<text x="{at_left}" y="14">{label}</text><text x="{at_right}" y="14">{message}</text></g></svg>\n'
        ).format(
            whole=left + right,
            left=left,
            right=right,
            at_left=left / 2,
            at_right=left + right / 2,
            label=LABEL,
            message=self.message,
        )
        return markup.encode()

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
                    rank = "fastest group" if number == 1 else f"group {number} of {len(chain.groups)}"
                    own = [row for row in group if row.entry.id == entry.id]
                    found += [StatusBadge("group", f"{rank} in {row.language}") for row in own]
        row = next((row for row in table.compared if row.entry.id == entry.id), None)
        titles = {facts.entry.id: facts.entry.title for facts in section.facts} if section else {}
        base = titles.get(row.cell.baseline.entry) if row and row.cell.baseline and not row.is_baseline else None
        if row and base and row.relative_cost:
            found.append(StatusBadge("cost", f"{figure(row.relative_cost.middle)} × the CPU time of {base}"))
    since = [record.version_before for record in takewhile(lambda record: not is_slower(record), newest_first)]
    if since and since[-1]:
        found.append(StatusBadge("slowdown", f"no slowdown since {since[-1]}"))
    return found
