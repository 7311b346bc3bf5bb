"""The rules of HTTP that every answer keeps (docs/CONTRACT.md, "HTTP")."""

from restbench.conformance.connection import Received

KEPT_REQUESTS = 1000
"""How many requests a connection is kept for: the default of nginx (`keepalive_requests`, ngx_http_core_module)."""

IDLE_SECONDS = 1.0
"""A connection on which nothing was asked for longer than this may be closed."""

_WITHOUT_BODY = (204, 304)

Broken = tuple[str, str]
"""What the rule wants, and what came."""


def broken_rule(answer: Received, answered: int) -> Broken | None:
    """Returns the rule that the answer breaks. `answered`: the requests that its connection has answered.

    What came after the answer is not looked at here.
    """
    headers = answer.headers
    length, chunks = headers.get("content-length"), headers.get("transfer-encoding")
    # a 304 may say the length of what it does not send (RFC 9110, 8.6)
    if answer.status == 204 and (length not in (None, "0") or chunks):
        named = {"content-length": length, "transfer-encoding": chunks}
        framing = ", ".join(f"{name}: {value}" for name, value in named.items() if value is not None)
        return f"{answer.status} without a body", f"headers that announce one: {framing}"
    if broken := encoded(headers.get("content-encoding", "")):
        return broken
    if answer.status >= 400 or answered >= KEPT_REQUESTS:
        return None
    if answer.version != "1.1":
        return "an answer in HTTP/1.1", f"HTTP/{answer.version}"
    if answer.status not in _WITHOUT_BODY and length is None and chunks is None:
        return "an answer that says where it ends", "one that has neither a length nor chunks"
    return None if answer.keeps_connection else closed_early(answered, said=True)


def encoded(encoding: str) -> Broken | None:
    """The rule that an answer with this content encoding breaks. No request asks for one."""
    if encoding:
        return "an answer that is not encoded, as nobody asked for it", f"content-encoding: {encoding}"
    return None


def closed_early(answered: int, *, said: bool) -> Broken:
    """The rule that an app breaks which closes a connection after so many answers. `said`: the last one said so."""
    said_so = f"it closes the connection after answer {answered}"
    how = said_so if said else f"it closed the connection without an answer, after {answered} requests"
    return f"a connection that is kept for {KEPT_REQUESTS} requests", how


def may_close(answered: int, idle_seconds: float, status: int) -> bool:
    """Whether an app may close a connection that has answered so many requests, the last one with that status.

    `idle_seconds`: the time since then.
    """
    return answered >= KEPT_REQUESTS or idle_seconds > IDLE_SECONDS or status >= 400
