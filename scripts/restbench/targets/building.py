"""Runs builds within a limit of time, and tells apart what fails: the entry, this machine or a server.

A build that knows the reason prints it as a line after "restbench:". The line can be anywhere in the log, because
Docker adds lines of its own. "restbench: unreachable: SERVER: REMEDY" says that a server of packages cannot be reached,
which is no fault of the entry. Package managers say so in words of their own, which have in common what the operating
system and the libraries for HTTP call it. Neither is it the entry's fault that a server answers with an error of its
own or refuses everybody, that the disk is full, or that an engine or this machine is out of order.
"""

import errno
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from restbench.catalog import Entry
from restbench.containers.engine import trouble_in
from restbench.errors import BuildError, EntryError, FullDiskError, MachineError, SlowBuildError, UnreachableError
from restbench.system.files import tail
from restbench.system.processes import run_logged
from restbench.system.text import harmless

BUILD_SECONDS = 1200.0
"""How long the build of an entry may take (docs/CONTRACT.md). The longest takes less than a quarter of it."""

NOT_BUILT = "not built"
"""The message for an entry that could not be built because this machine or a server failed."""

UNREACHABLE = f"{NOT_BUILT}: remote unreachable"
"""The message where a server of packages cannot be reached."""

FULL_DISK = "the disk is full: make room, for example with: docker system prune"

_LINES = 60
"""Docker repeats the last lines of a failed step, and adds some of the Dockerfile."""

_REASON = re.compile(r"(?:^|\s)restbench: (?P<unreachable>unreachable: )?(?P<reason>\S.*)", re.MULTILINE)

TRY_AGAIN = "check this machine's network, proxies and mirrors, and try again"

_NO_ROUTE = re.compile(
    r"could not resolve (?:host|proxy)|temporary failure (?:in name resolution|resolving)|name or service not known"
    r"|no such host|name resolution|unknown host|UnknownHostException|dns error|getaddrinfo|ENOTFOUND|EAI_AGAIN"
    r"|ECONNREFUSED|ECONNRESET|ETIMEDOUT|connection (?:refused|reset|timed out)|network is unreachable"
    r"|no route to host|failed to connect|could not connect|unable to connect|tcp connect error|i/o timeout"
    r"|(?:read|operation|request|handshake)s? timed? ?-?out|ReadTimeout|ConnectTimeout|SocketTimeoutException"
    r"|tls handshake|ssl connect error|certificate verify failed|x509: certificate|remote end closed connection"
    r"|connection (?:aborted|closed|was closed|broken)|unexpected eof|early eof|rpc failed|context deadline exceeded"
    r"|incomplete ?read|chunkedencodingerror|broken pipe while reading"
    r"|could not find a version that satisfies the requirement \S+ \(from versions: none\)",
    re.IGNORECASE,
)
"""How tools say that they cannot reach a server, that it did not answer to the end, or that it has nothing at all.

pip says the last where the index answers 429 or 503 for a package. The versions of an entry are locked, so the index
had the package once.
"""

_STATUS = r"(?:401|403|407|408|425|429|5\d\d)"
"""The answers of a server that is out of order, or that refuses this machine whatever it asks for."""

_REFUSES = re.compile(
    r"toomanyrequests|rate limit (?:exceeded|reached)|pull rate limit|too many requests|service unavailable"
    r"|bad gateway|gateway time-?out|internal server error|temporarily unavailable|answers with an error"
    rf"|failed to fetch (?:anonymous|oauth) token|\bE{_STATUS}\b"
    rf"|\b(?:status(?:[ -]?code)?|http(?:/\d(?:\.\d)?)?(?: error)?|error|code|answered|returned|got|response)"
    rf"[ :=(]+{_STATUS}\b|\b{_STATUS} (?:unauthorized|forbidden|proxy auth|request time|client error|server error)",
    re.IGNORECASE,
)
"""How tools say that a server answers so. Such a line counts only near the address of a server."""

_SAYS_FULL = re.compile(
    r"no space left on device|ENOSPC|disk quota exceeded|EDQUOT|disk (?:is )?full|not enough (?:disk )?space",
    re.IGNORECASE,
)

_SERVER = re.compile(r"https?://[^\s/\"'`<>()]+")

_NEAR = 12
"""How many lines before or after that one the address of the server may stand."""


def run_build(
    entry: Entry,
    argv: list[str],
    env: Mapping[str, str],
    log: Path,
    out: IO[bytes],
    *,
    cwd: Path | None,
    what: str,
    seconds: float = BUILD_SECONDS,
) -> None:
    """Runs a command of a build, and writes what it prints to the log, which is open as `out`.

    `what` is the message where it fails and the log does not say why. Raises BuildError where the entry is at fault,
    SlowBuildError after that many seconds, and another MachineError where this machine or a server is.
    """
    try:
        code = run_logged(argv, env=env, cwd=cwd, log=out, timeout=seconds)
    except TimeoutError as error:
        minutes = BUILD_SECONDS / 60
        raise SlowBuildError(f"{entry.id}: {NOT_BUILT}: it takes more than {minutes:.0f} minutes") from error
    except OSError as error:
        if is_full(error):
            raise FullDiskError(f"{entry.id}: {NOT_BUILT}: {FULL_DISK}") from error
        kind = BuildError if is_of_entry(error, argv) else MachineError
        raise kind(f"{entry.id}: the build could not start: {error}") from error
    if code != 0:
        raise failure(entry, what.format(code=code), log)


@contextmanager
def room_for(entry: Entry) -> Iterator[None]:
    """Raises FullDiskError where a file cannot be written in the block because the disk is full."""
    try:
        yield
    except OSError as error:
        if is_full(error):
            raise FullDiskError(f"{entry.id}: {FULL_DISK}") from error
        raise


def is_of_entry(error: OSError, argv: list[str]) -> bool:
    """Whether a command could not be started because of a program that the entry brings. Others have no full path."""
    return error.filename == argv[0] and Path(argv[0]).is_absolute()


def is_full(error: OSError) -> bool:
    """Whether the error says that there is no room on the disk."""
    return error.errno in (errno.ENOSPC, errno.EDQUOT)


def unreachable_server(log: str) -> str | None:
    """Returns the server that a log says could not be reached, with the tool's words for it. None if it says no such.

    It is the server that is named last up to the line with these words, or else the first after it.
    """
    lines = log.splitlines()
    for number, line in enumerate(lines):
        cut_off, refuses = _NO_ROUTE.search(line), _REFUSES.search(line)
        match = cut_off or refuses
        if not match:
            continue
        before = _SERVER.findall("\n".join(lines[max(0, number - _NEAR) : number + 1]))
        after = _SERVER.findall("\n".join(lines[number + 1 : number + 1 + _NEAR]))
        if cut_off or before or after:
            return f"{[*after[:1], *before][-1] if before or after else 'a server'} ({match[0]})"
    return None


def failure(entry: Entry, what: str, log: Path) -> EntryError:
    """Returns the error of a build that failed: the reason in one line if the log has it, else `what` and the log.

    It is a MachineError where the log says that this machine or a server failed.
    """
    end = harmless(tail(log, _LINES))
    if _SAYS_FULL.search(end):
        return FullDiskError(f"{entry.id}: {NOT_BUILT}: {FULL_DISK}")
    reasons = list(_REASON.finditer(end))
    if not reasons and (server := unreachable_server(end)):
        return UnreachableError(f"{entry.id}: {UNREACHABLE}: {server}: {TRY_AGAIN}")
    if not reasons and (trouble := trouble_in(end)):
        return MachineError(f"{entry.id}: {NOT_BUILT}: {trouble}")
    if not reasons:
        return BuildError(f"{entry.id}: {what}", entry.in_own_files(tail(log, 20)))
    reason = reasons[-1]["reason"]
    if reasons[-1]["unreachable"] or _REFUSES.search(reason):
        return UnreachableError(f"{entry.id}: {UNREACHABLE}: {reason}")
    return BuildError(f"{entry.id}: {reason}")
