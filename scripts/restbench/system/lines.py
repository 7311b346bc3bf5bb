"""Makes text from elsewhere safe to print: from an artifact, an app, a build, git or an API.

GitHub's runners take a line that begins with "::" and a line with "##[" for a command of the workflow (docs.github.com,
"Workflow commands"; actions/runner, ActionCommand.cs). A terminal takes control characters for commands.
"""

import re
import unicodedata

_WORD_JOINER = "\u2060"
"""A character that nobody sees, and that no command has."""

_COMMAND = re.compile(r"^(\s*)(?=::)|(?<=##)(?=\[)", re.MULTILINE)

_DROPPED = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Categories of characters: those that control something, and bytes of a path that are no UTF-8."""

LONGEST = 500


def harmless(text: str) -> str:
    """The text without control characters, and without anything that a runner would take for a command."""
    kept = "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in _DROPPED)
    return _COMMAND.sub(lambda found: (found[1] or "") + _WORD_JOINER, kept)


def one_line(text: str, longest: int = LONGEST) -> str:
    """The harmless text on one line of at most so many characters."""
    line = harmless(" ".join(text.split()))
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
