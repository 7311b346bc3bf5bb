"""The encoding of what restbench prints: UTF-8, and plain signs on a terminal that lacks others."""

import codecs
import locale
import sys
import unicodedata
from io import TextIOWrapper

from rich.cells import cell_len

_PLAIN = {
    **dict(zip("✓✗…·–−≈×÷≥›▲▼µ†▏▎▍▌▋▊▉█─━│", "+x~---~x/>>^vu+########--|", strict=True)),
    **dict.fromkeys(map(chr, range(0x2800, 0x2900)), "*"),  # Braille, of which rich's spinner is made
    "→": "->",
}
"""A sign → what is printed in its place: one character, as tables have been laid out before. `…` is where rich cuts a
cell. An accent is left out, and any other character is a question mark.
"""


def print_utf8() -> None:
    """Sets the encoding of standard output and error. The locale counts only for terminals, which it describes."""
    codecs.register_error("plain", _plain)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            shown = _of_terminals() if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=shown, errors="backslashreplace" if shown == "utf-8" else "plain")


def _of_terminals() -> str:
    """The locale's encoding, whether or not Python is in UTF-8 mode."""
    try:
        return codecs.lookup(locale.getencoding()).name
    except LookupError:
        return "ascii"


def _plain(error: UnicodeError) -> tuple[str, int]:
    """Returns what is printed for the first character that the encoding lacks, and where the text goes on."""
    assert isinstance(error, UnicodeEncodeError)
    sign = error.object[error.start]
    letters = "".join(letter for letter in unicodedata.normalize("NFKD", sign) if letter.isascii())
    return _PLAIN.get(sign) or letters or "?" * cell_len(sign), error.start + 1
