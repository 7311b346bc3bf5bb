"""Badges: an SVG of our own, and the JSON that shields.io reads from an endpoint."""

import json

from markupsafe import Markup

from restbench.board.models import Section
from restbench.board.rows import Row, Table

_CHARACTER = 7
"""The width of a character in pixels, at most. Text that is narrower leaves room on both sides."""


def badges_of(section: Section) -> dict[str, bytes]:
    """Two files for each entry and table: the group of its best row. Path → content."""
    files = {}
    for suite in section.suites:
        for table in suite.tables:
            for row in reversed(table.compared):  # the best row of an entry comes last
                path = f"badges/{row.entry}/{suite.name}-{table.name}"
                label, message = f"restbench: {table.title}", _message(row, table)
                files[f"{path}.svg"] = _svg(label, message).encode()
                files[f"{path}.json"] = json.dumps(
                    {"schemaVersion": 1, "label": label, "message": message, "color": "blue"}, ensure_ascii=False
                ).encode()
    return files


def _message(row: Row, table: Table) -> str:
    if row.group is None:
        return "not compared with all others"
    return "fastest group" if row.group == 1 else f"group {row.group} of {table.groups}"


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
