"""What an entry of any suite may name in its `lacks`, because its framework cannot do it (docs/CONTRACT.md).

A suite names in its suite.toml what else an entry may lack there.
"""

PIPELINING = "pipelining"
REFUSED_COMMENTS = "refused-comments"

ANYWHERE = {
    PIPELINING: "of several requests that arrive at once, some may get no answer; load sends one after the other",
    REFUSED_COMMENTS: "its JSON library reads comments, too",
}
"""Name → what the board then says beside the rows of the entry."""
