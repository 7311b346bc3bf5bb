"""A client for one app: a request, its answer, the rules of HTTP, and the exception for a broken one."""

import codecs
import itertools
import json
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from typing import Any, NamedTuple, NoReturn, Self
from urllib.parse import quote, urlsplit

import h11

from restbench.conformance.connection import ClosedBeforeAnswerError, Connection, Received
from restbench.conformance.development import debug_headers, trace_in
from restbench.errors import MachineError
from restbench.loadgen import RequestWriter, request_writers
from restbench.system.limits import is_shortage

KEEPALIVE_REQUESTS = 1000
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
    if broken := encoded(headers.get("content-encoding", "")) or development(answer):
        return broken
    if answer.status >= 400 or answered >= KEEPALIVE_REQUESTS:
        return None
    if answer.version != "1.1":
        return "an answer in HTTP/1.1", f"HTTP/{answer.version}"
    if answer.status not in _WITHOUT_BODY and length is None and chunks is None:
        return "an answer that says where it ends", "one that has neither a length nor chunks"
    return None if answer.keeps_connection else closed_early(answered, announced=True)


def encoded(encoding: str) -> Broken | None:
    """The rule that an answer with this content encoding breaks. No request asks for one."""
    if encoding:
        return "an answer that is not encoded, as nobody asked for it", f"content-encoding: {encoding}"
    return None


def development(answer: Received) -> Broken | None:
    """The rule that an answer breaks which shows the app's inside, as frameworks answer in development mode."""
    expected = "an answer as in production, without a stack trace, a path of a file, or headers of a debugger"
    if debugging := debug_headers(answer.headers):
        return expected, f"headers {', '.join(debugging)}"
    trace = trace_in(answer.body.decode(errors="replace")) if answer.status >= 400 else None
    return (expected, f"{answer.status}: {shorten(trace)}") if trace is not None else None


def closed_early(answered: int, *, announced: bool) -> Broken:
    """The rule that an app breaks which closes a connection after so many answers. `announced`: the last said so."""
    silently = f"it closed the connection without an answer, after {answered} requests"
    how = f"it closes the connection after answer {answered}" if announced else silently
    return f"a connection that is kept for {KEEPALIVE_REQUESTS} requests", how


def may_close(answered: int, idle_seconds: float, status: int) -> bool:
    """Whether an app may close a connection that has answered so many requests, the last one with that status.

    `idle_seconds`: the time since then.
    """
    return answered >= KEEPALIVE_REQUESTS or idle_seconds > IDLE_SECONDS or status >= 400


TIMEOUT_SECONDS = 5.0
"""A later answer counts as no answer."""

UNAVAILABLE = (502, 503, 504)
"""The statuses with which an app says that its backend does not answer."""

_IN_URLS = "%/?#[]@!$&'()*+,;=:~"
"""Characters that are left as they are in a URL, in addition to letters and digits (RFC 3986)."""

_SHOWN = 300
"""The most characters of an answer or a value that a failure shows."""


class Mismatch(Exception):  # noqa: N818 - a finding about the app, not an error of ours
    """An app broke a rule: the request, the answer that the contract expects, and the answer that came."""

    def __init__(self, request: str, expected: str, got: str) -> None:
        super().__init__(f"{request}: expected {expected}, got {got}")
        self.request = request
        self.expected = expected
        self.got = got


class NoAnswer(Mismatch):
    """No answer came: a time-out, or a refused or broken connection."""


class ClosedEarly(Mismatch):
    """The app closed a connection that it has to keep, without a word."""


class BackendSilent(Mismatch):
    """The app says that its backend gave no answer."""


class ByChance(Mismatch):
    """A right app may look so once: other work kept it, or the check, from running in time."""


TRIED_AGAIN = (NoAnswer, BackendSilent, ByChance)
"""What may be so once in a right app, on a machine that is busy with other work."""


@dataclass(frozen=True)
class Answer:
    """An answer with its request. `size`: bytes on the wire, with status line and headers; `head`: only those.

    `seconds`: from when the request was sent until the answer was complete. It is infinite where nobody timed it.
    """

    request: str
    status: int
    content_type: str
    body: bytes
    size: int = 0
    head: int = 0
    has_date: bool = False
    seconds: float = inf

    def fail(self, expected: str, got: str) -> Mismatch:
        return Mismatch(self.request, expected, got)

    def json(self) -> Any:
        """Returns the body as JSON. Raises Mismatch unless it is JSON by RFC 8259, in UTF-8, without a repeated key.

        A body that is nested too deeply to be read is no JSON either. All callers share the document: do not change it.
        """
        try:
            return self._document
        except (ValueError, RecursionError) as error:
            raise self.fail("a JSON body (RFC 8259, UTF-8)", f"{shorten(str(error), 100)}: {self.shown()}") from error

    @cached_property
    def _document(self) -> Any:
        return strict_json(self.body)

    def shown(self) -> str:
        """Returns the answer in one line."""
        text = shorten(self.body.decode(errors="replace"))
        return f"{self.status} {self.content_type or 'without content-type'}: {text or 'no body'}"


def strict_json(content: bytes) -> Any:
    """Returns the document. Raises ValueError unless it is JSON by RFC 8259, in UTF-8, without a repeated key.

    Raises RecursionError where it is nested too deeply. json.loads would take UTF-16 and UTF-32 too, a byte order mark,
    NaN, and the last of several values of a key.
    """
    if content.startswith(codecs.BOM_UTF8):
        raise ValueError("it begins with a byte order mark")
    return _DECODER.decode(content.decode("utf-8"))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        repeated, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise ValueError(f"the key {repeated!r} is there twice")
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_constant)


def shorten(text: str, limit: int = _SHOWN) -> str:
    """Returns the text in one line, cut after `limit` characters."""
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[:limit]}… ({len(text)} characters)"


class Answered(NamedTuple):
    """The last request on a connection, and the status of its answer."""

    request: str
    status: int


@dataclass(frozen=True)
class Request:
    """A request as it is written. `shown`: how a failure names it."""

    shown: str
    method: str
    written: bytes


@dataclass
class Client:
    """Sends requests to one app, byte for byte as the load generators do, with each generator's format in turn.

    A context manager. The connection is kept from one request to the next, and closed when the context is left.

    `patience`: seconds after which an answer counts as no answer. `writers`: the functions that write the requests.
    """

    base_url: str
    patience: float = TIMEOUT_SECONDS
    writers: Sequence[RequestWriter] = field(default_factory=request_writers)

    def __post_init__(self) -> None:
        self._host = urlsplit(self.base_url).netloc
        self._writers = itertools.cycle(self.writers)
        self._connection: Connection | None = None
        self._last: Answered | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._drop()

    @property
    def waits(self) -> bool:
        """Whether a request was sent of whose answer nothing has arrived. Any thread may ask."""
        return self._connection is not None and self._connection.waits

    def ask(self, method: str, path: str, body: object = None, *, raw: bytes | None = None) -> Answer:
        """Sends `body` as JSON, or the bytes of `raw` unchanged with the content type of JSON.

        Raises NoAnswer when no answer comes, and Mismatch for an answer that breaks a rule of HTTP (docs/CONTRACT.md).
        """
        asked = self.request(method, path, body, raw=raw)
        return self.send([asked], [asked.written])[0]

    def request(self, method: str, path: str, body: object = None, *, raw: bytes | None = None) -> Request:
        """Writes a request, which is not sent."""
        content = raw if raw is not None else None if body is None else json.dumps(body, ensure_ascii=False).encode()
        headers = {} if content is None else {"content-type": "application/json"}
        shown = f"{method} {path}" + (
            f" {shorten(content.decode(errors='replace'), 120)}" if content is not None else ""
        )
        written = next(self._writers)(method, quote(path, safe=_IN_URLS), self._host, headers, content)
        return Request(shown, method, written)

    def send(self, requests: Sequence[Request], pieces: Sequence[bytes]) -> list[Answer]:
        """Sends requests in these pieces, each to be read by itself. Returns the answers in their order.

        No method is HEAD, whose answers are read in another way.

        Raises NoAnswer when one does not come, Mismatch for one that breaks a rule of HTTP, and MachineError where this
        machine can open no connection.
        """
        shown = requests[0].shown
        try:
            received = self._exchange(requests, pieces)
        except TimeoutError as error:
            raise NoAnswer(shown, f"an answer within {self.patience:.0f} s", "none") from error
        except ClosedBeforeAnswerError as error:
            raise NoAnswer(shown, "an answer", "it closed the new connection without one") from error
        except (OSError, h11.ProtocolError) as error:
            if isinstance(error, OSError) and is_shortage(error):
                raise MachineError(f"no connection could be opened: {error.strerror}") from error
            raise NoAnswer(shown, "an answer", f"{type(error).__name__}: {error}") from error
        return [
            Answer(
                request.shown,
                got.status,
                got.headers.get("content-type", ""),
                got.body,
                got.size,
                got.head,
                "date" in got.headers,
                got.seconds,
            )
            for request, got in zip(requests, received, strict=True)
        ]

    def _exchange(self, requests: Sequence[Request], pieces: Sequence[bytes]) -> list[Received]:
        """Sends requests and returns their answers, of which none breaks a rule of HTTP.

        Where the app may have closed the kept connection, they are sent once more, on a new connection. After any error
        the connection is closed.
        """
        deadline = time.monotonic() + self.patience
        method, count = requests[0].method, len(requests)
        try:
            got = self._reuse(requests, pieces, deadline)
            if got is None:
                self._connection = Connection(self._host, deadline)
                got = self._connection.exchange(pieces, method, deadline, count)
            assert self._connection
            for request, each in zip(requests, got, strict=True):
                if broken := broken_rule(each, self._connection.answered):
                    raise Mismatch(request.shown, *broken)
            self._last = Answered(requests[-1].shown, got[-1].status)
            self._refuse_unasked()
        except BaseException:
            self._drop()
            raise
        if not got[-1].keeps_connection:
            self._drop()
        return got

    def _reuse(self, requests: Sequence[Request], pieces: Sequence[bytes], deadline: float) -> list[Received] | None:
        """Returns the answers on the kept connection. None: no connection is kept, or the app has closed it rightly.

        Raises Mismatch where it had to be kept, and OSError where the app accepts no other one.
        """
        connection = self._connection
        if connection is None:
            return None
        self._refuse_unasked()
        before = connection.answered
        try:
            return connection.exchange(pieces, requests[0].method, deadline, len(requests))
        except ClosedBeforeAnswerError as error:
            answered, is_old = connection.answered - before, connection.answered >= KEEPALIVE_REQUESTS
            between = answered == 0 and self._last and may_close(before, connection.idle_seconds, self._last.status)
            if between or is_old:  # an old connection may also end among requests that came in one piece
                self._drop()
                return None
            # an app that has ended accepts no other connection: it gives no answer, and has closed nothing too early
            Connection(self._host, deadline).close()
            raise ClosedEarly(requests[answered].shown, *closed_early(connection.answered, announced=False)) from error

    def _refuse_unasked(self) -> None:
        """Raises Mismatch where bytes follow the last answer, as far as they have arrived."""
        if self._connection and self._last and (more := self._connection.unasked()):
            raise Mismatch(self._last.request, "nothing after the answer", shorten(repr(more), 120))

    def _drop(self) -> None:
        if self._connection:
            self._connection.close()
            self._connection = None
