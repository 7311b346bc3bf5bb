"""What an entry of any suite may name in its `lacks`, because its framework cannot do it (docs/CONTRACT.md).

A suite names in its suite.toml what else an entry may lack there.
"""

PIPELINING = "pipelining"
CUT_REQUEST_LINES = "cut-request-lines"
REFUSED_COMMENTS = "refused-comments"

ANYWHERE = {
    PIPELINING: "of several requests that arrive at once, some get no answer, or a wrong one; load sends one at a time",
    CUT_REQUEST_LINES: "a request whose first line arrives in two pieces may get a 404; load sends it in one",
    REFUSED_COMMENTS: "its JSON library reads comments, too",
}
"""Name → what the board then says beside the rows of the entry."""
