"""Writes text and grids as GitHub's Markdown."""

import re

from restbench.render.grid import Grid, Text

_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": "&#36;", "|": "&#124;"})
_NO_BREAK_SPACE = "\u00a0"
_RANGE = re.compile(r"–(?=\d)")
_WORD_JOINER = "\u2060"
_NOTICED = re.compile(r"[@#:]|www(?=\.)|GH(?=-\d)")
_UNIT = 4096
"""Bytes. The sizes of files that `padded` made are multiples of it."""

_MARKUP = re.compile(r"([\\`*\[\]~]|(?<!\w)_|_(?!\w))")


def escape(text: str) -> str:
    """Escapes text so that Markdown shows it unchanged, on one line, in a paragraph or a table cell."""
    # a dollar sign would begin a formula, and a bar would end a table cell
    return _MARKUP.sub(r"\\\1", " ".join(text.split())).translate(_ENTITIES)


def anchor(heading: str) -> str:
    """The anchor that GitHub gives a heading: "JSON in, nothing out" → json-in-nothing-out."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def defused(text: str) -> str:
    """Changes untrusted text so that GitHub notifies nobody and makes no links. `escape` has to follow."""
    return _NOTICED.sub(lambda found: found[0] + _WORD_JOINER, text)


def table(grid: Grid) -> str:
    """Writes the grid as a pipe table, with its notes below."""
    rows = [
        [escape(header) for header in grid.headers],
        ["--:" if number else ":--" for number in grid.numbers],
        *([_cell(*cell) for cell in zip(line.cells, grid.numbers, strict=True)] for line in grid.lines),
    ]
    lines = ["| " + " | ".join(cells) + " |" for cells in rows]
    notes = [f"{number}. {escape(note)}" for number, note in enumerate(grid.notes, start=1)]
    return "\n".join([*lines, *(["", *notes] if notes else [])])


def _cell(cell: Text, number: bool) -> str:
    text = escape(cell.text)
    if number:
        # GitHub wraps the cells of wide tables wherever it can, and a figure must stay on one line
        text = _RANGE.sub("–" + _WORD_JOINER, text.replace(" ", _NO_BREAK_SPACE))
    if cell.href:
        text = f"[{text}]({cell.href})"
    if cell.detail:
        text += _NO_BREAK_SPACE + escape(cell.detail)
    text += "".join(f" <sub>[{escape(badge.text)}]({badge.href})</sub>" for badge in cell.badges)
    return text if cell.note is None else f"{text}<sup>{cell.note}</sup>"


def padded(text: str) -> str:
    """The text with a comment at its end, which nobody sees, so that its size is a multiple of _UNIT.

    Pages are committed with all results, and most of a page stays the same from one version to the next. But git looks
    for the version that a delta is made from only among those of nearly the same size, the newest first if sizes are
    equal. Without the comment every version has a size of its own. Then it is compared with versions of any time of the
    year, and the history of pages takes three times as much.
    """
    start, end = "\n<!--", "-->\n"
    missing = -len(f"{text}{start}{end}".encode()) % _UNIT
    return f"{text}{start}{' ' * missing}{end}"
