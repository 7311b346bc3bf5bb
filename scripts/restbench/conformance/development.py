"""Finds what answers have in development mode: a stack trace, a path of code or of the server, a page for debugging.

The messages of validators and parsers, which say what was wrong with a body, have none of these.
"""

import html
import re
from collections.abc import Iterable

_HEADERS = ("x-debug", "x-clockwork", "x-miniprofiler", "x-chromelogger", "x-sourcefiles", "phpdebugbar", "djdt-")
"""How the names of headers begin that tools for debugging add."""

_CODE = (
    r"\.(?:cc|cjs|clj|cpp|cs|cxx|dart|exs?|fs|go|groovy|hpp|hs|java|js|jsx|kts?|lua|mjs|php|phtml|pl|pm|py|rb|rs|scala|"
    r"swift|tsx?|vb|zig)\b"
)

_TRACES = re.compile(
    "|".join(
        (
            r"Traceback \(most recent call last\)|\b[Ss]tack (?:back)?trace:|^Caused by: [\w.$]+(?:Error|Exception)\b",
            r"\bgoroutine \d+ \[|\bpanicked at ",  # Go, Rust
            r"^\s*at .+[(:]\S+:\d+:\d+\)?[\s\"',}\]]*$",  # Node.js
            r"^\s*at [\w.$<>`+/@]+\(.*\)(\s+in .+:line \d+)?[\s\"',}\]]*$",  # Java, .NET
            r"^#\d+ .+\(\d+\): ",  # PHP
            rf"[\w$]{_CODE}(?::\d+|\W{{1,20}}(?:on |at )?line\W{{1,3}}\d+)",  # a line of a file, in any of them
            rf"(?:[/\\]{{1,2}}[\w.@+-]+){{2,}}{_CODE}(?!/)|\b[A-Za-z]:(?:[/\\]{{1,2}}[\w .@+-]+)+{_CODE}",  # a file
            r"(?<![\w.:/@-])/(?:app|etc|home|opt|root|srv|tmp|usr|var)/[\w.@+-]+",  # another file of the server
            r"\b(?:node_modules|site-packages|dist-packages)[/\\]|\.cargo/registry/|\.m2/repository/|/go/pkg/mod/",
            # Django, Flask, Starlette, Symfony, ASP.NET Core, Ruby on Rails
            r"\bDEBUG = True\b|\b(?:Werkzeug|Starlette) Debugger\b|__debugger__|\bSymfony Exception\b",
            r"\bAn unhandled exception occurred while processing the request\b|\bRails\.root:",
        )
    ),
    re.MULTILINE,
)

_BREAK, _TAG = re.compile(r"<br\s*/?>"), re.compile(r"</?[A-Za-z][^<>]*>")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "r": "\n", "t": "\t"}


def debug_headers(names: Iterable[str]) -> list[str]:
    """Returns the names of headers, in lower case, that tools for debugging have added."""
    return [name for name in names if name.startswith(_HEADERS)]


def trace_in(text: str) -> str | None:
    """Returns the end of the text, from a stack trace, a path or the like on; None where it has none.

    The text may be HTML or JSON: it is also read without tags and escapes.
    """
    plain = html.unescape(_TAG.sub("", _BREAK.sub("\n", text)))
    for each in (text, _ESCAPE.sub(lambda found: _ESCAPES.get(found[1], found[1]), plain)):
        if found := _TRACES.search(each):
            return each[found.start() :]
    return None
