"""What an entry of any suite may name in its `lacks`, because its framework cannot do it (docs/CONTRACT.md).

A suite names in its suite.toml what else an entry may lack there.
"""

from dataclasses import dataclass

PIPELINING = "pipelining"
CUT_REQUEST_LINES = "cut-request-lines"
REFUSED_COMMENTS = "refused-comments"
REFUSED_TRAILING_TEXT = "refused-trailing-text"
SURROGATE_PAIRS = "surrogate-pairs"


@dataclass(frozen=True)
class Lack:
    """What a framework cannot do. `badge` stands beside its name, and `sentence` says what that means."""

    name: str
    badge: str
    sentence: str


def checked_by_hand(checks: str) -> Lack:
    """What the app's own code checks, because the framework does not. It is in the figures."""
    return Lack("by-hand", "validates partly by hand", f"the app's own code checks {checks}")


ANYWHERE = {
    lack.name: lack
    for lack in (
        Lack(
            PIPELINING,
            "no HTTP pipelining",
            "HTTP pipelining (RFC 9112, section 9.3.2): of several requests that arrive at once on a connection, some "
            "get no answer, or a wrong one. Browsers do not use it, and load sends one request at a time",
        ),
        Lack(
            CUT_REQUEST_LINES,
            "no cut request lines",
            "a request whose first line arrives in two pieces may get a 404. Load sends it in one",
        ),
        Lack(REFUSED_COMMENTS, "reads comments in JSON", "its JSON library reads comments, which JSON does not have"),
        Lack(
            REFUSED_TRAILING_TEXT,
            "ignores text behind JSON",
            "of a body that goes on behind its JSON, it takes the JSON and ignores the rest. Load has no such bodies",
        ),
        Lack(
            SURROGATE_PAIRS,
            "no escaped surrogate pairs",
            "a character beyond U+FFFF that a body has as an escaped pair of surrogates (RFC 8259, section 7) comes "
            "back as bytes that are not UTF-8. Load has no such texts",
        ),
    )
}
"""What an entry may lack in every suite, by its name in the manifest."""
