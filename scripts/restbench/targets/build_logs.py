"""Why a build failed. A build that knows the reason prints it as a line after "restbench:".

The line can be anywhere in the log, because Docker adds lines of its own. "restbench: unreachable: SERVER: REMEDY" says
that a server of packages cannot be reached, which is no fault of the entry. Package managers say so in words of their
own, which have in common what the operating system and the libraries for HTTP call it.
"""

import re
from pathlib import Path

from restbench.catalog import Entry
from restbench.errors import BuildError, UnreachableError
from restbench.system.files import tail

NOT_BUILT = "not built: remote unreachable"
"""What is said of an entry whose server of packages cannot be reached."""

_LINES = 60
"""Docker repeats the last lines of a failed step, and adds some of the Dockerfile."""

_REASON = re.compile(r"(?:^|\s)restbench: (?P<unreachable>unreachable: )?(?P<reason>\S.*)", re.MULTILINE)

TRY_AGAIN = "check this machine's network, proxies and mirrors, and try again"

_NO_ROUTE = re.compile(
    r"could not resolve (?:host|proxy)|temporary failure (?:in name resolution|resolving)|name or service not known"
    r"|no such host|name resolution|unknown host|UnknownHostException|dns error|getaddrinfo|ENOTFOUND|EAI_AGAIN"
    r"|ECONNREFUSED|ECONNRESET|ETIMEDOUT|connection (?:refused|reset|timed out)|network is unreachable"
    r"|no route to host|failed to connect|could not connect|unable to connect|tcp connect error|i/o timeout",
    re.IGNORECASE,
)
"""How tools say that they cannot reach a server."""

_SERVER = re.compile(r"https?://[^\s/\"'`<>()]+")

_NEAR = 12
"""How many lines before or after that one the address of the server may stand."""


def unreachable_server(log: str) -> str | None:
    """Returns the server that a log says could not be reached, with the tool's words for it. None if it says no such.

    It is the server that is named last up to the line with these words, or else the first after it.
    """
    lines = log.splitlines()
    for number, line in enumerate(lines):
        if said := _NO_ROUTE.search(line):
            before = _SERVER.findall("\n".join(lines[max(0, number - _NEAR) : number + 1]))
            after = _SERVER.findall("\n".join(lines[number + 1 : number + 1 + _NEAR]))
            return f"{[*after[:1], *before][-1] if before or after else 'a server'} ({said[0]})"
    return None


def failure(entry: Entry, what: str, log: Path) -> BuildError:
    """Returns the error of a build that failed: the reason in one line if the log has it, else `what` and the log."""
    end = tail(log, _LINES)
    reasons = list(_REASON.finditer(end))
    if not reasons and (server := unreachable_server(end)):
        return UnreachableError(f"{entry.id}: {NOT_BUILT}: {server}: {TRY_AGAIN}")
    if not reasons:
        return BuildError(f"{entry.id}: {what}", tail(log, 20))
    reason = reasons[-1]["reason"]
    if reasons[-1]["unreachable"]:
        return UnreachableError(f"{entry.id}: {NOT_BUILT}: {reason}")
    return BuildError(f"{entry.id}: {reason}")
