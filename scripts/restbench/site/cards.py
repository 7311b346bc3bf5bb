"""The pictures that other sites show beside a shared link: which frameworks are the fastest of each language."""

import io
from collections.abc import Iterator

from PIL import Image, ImageDraw, ImageFont

from restbench.board.rows import Chain, Table

WIDTH, HEIGHT = 1200, 630
"""The size that sites recommend for such pictures, in pixels."""

MARGIN, LINE = 60, 44
PAGE, TEXT, QUIET, OWN = "#ffffff", "#1f2328", "#59636e", "#0969da"
COLOURS = 16
"""A picture of few colours is small: all of a site's take less than 5 MB."""

LONGEST_NAME = 34


def card_of(title: str, table: Table | None, entry: str | None = None) -> bytes:
    """A PNG with the chain of each language in a table, or of the entry's own language, where it is in colour."""
    image = Image.new("RGB", (WIDTH, HEIGHT), PAGE)
    draw = ImageDraw.Draw(image)
    draw.text((MARGIN, 48), "restbench", fill=QUIET, font=_font(30))
    draw.text((MARGIN, 88), _short(title), fill=TEXT, font=_font(60))
    draw.text((MARGIN, 172), f"Fastest first: {table.title}" if table else "No results yet", fill=QUIET, font=_font(30))
    top = 236
    for chain in table.chains if table else []:
        if entry and not any(row.entry == entry for group in chain.groups for row in group):
            continue
        draw.text((MARGIN, top), chain.language, fill=QUIET, font=_font(30))
        for line in _lines(draw, chain, entry, most=(HEIGHT - MARGIN - top) // LINE if entry else 1):
            left = float(MARGIN + 200)
            for text, colour in line:
                draw.text((left, top), text, fill=colour, font=_font(30))
                left += draw.textlength(text, font=_font(30))
            top += LINE
        if top > HEIGHT - MARGIN - LINE:
            break
    written = io.BytesIO()
    image.quantize(COLOURS).save(written, "PNG", optimize=True)
    return written.getvalue()


def _lines(draw: ImageDraw.ImageDraw, chain: Chain, entry: str | None, most: int) -> Iterator[list[tuple[str, str]]]:
    """The names of a chain with their separators and colours, in at most so many lines. What does not fit is "…"."""
    words = [
        (f"{_short(row.title)}{', ' if row is not group[-1] else ' › '}", OWN if row.entry == entry else TEXT)
        for group in chain.groups
        for row in group
    ]
    words[-1] = (words[-1][0].removesuffix(" › "), words[-1][1])
    line: list[tuple[str, str]] = []
    width, lines = 0.0, 1
    for text, colour in words:
        own = draw.textlength(text, font=_font(30))
        if line and width + own > WIDTH - 2 * MARGIN - 240:
            if lines == most:
                yield [*line, ("…", TEXT)]
                return
            yield line
            line, width, lines = [], 0.0, lines + 1
        line.append((text, colour))
        width += own
    if line:
        yield line


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_NAME else f"{text[: LONGEST_NAME - 1]}…"


_FONTS: dict[int, ImageFont.FreeTypeFont] = {}


def _font(size: int) -> ImageFont.FreeTypeFont:
    """The font that the library brings along, so that pictures are the same on all machines."""
    if size not in _FONTS:
        font = ImageFont.load_default(size)
        assert isinstance(font, ImageFont.FreeTypeFont), "wheels of the library have FreeType"
        _FONTS[size] = font
    return _FONTS[size]
