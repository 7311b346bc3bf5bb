"""One request and its answer, and how a rule says that it was broken."""

import itertools
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote, urlsplit

import h11

from restbench.conformance.connection import ClosedBeforeAnswerError, Connection, Received
from restbench.loadgen import RequestWriter, request_writers

TIMEOUT_SECONDS = 5.0
"""An answer that takes longer counts as none."""

_IN_URLS = "%/?#[]@!$&'()*+,;=:~"
"""What may stand in a URL as it is, beside letters and digits (RFC 3986)."""

_SHOWN = 300
"""Characters of a request or an answer that a failure shows."""


class Mismatch(Exception):  # noqa: N818 - a finding about the app, not an error of ours
    """A rule was broken: what was asked, what the contract wants, what came."""

    def __init__(self, request: str, expected: str, got: str) -> None:
        super().__init__(f"{request}: expected {expected}, got {got}")
        self.request = request
        self.expected = expected
        self.got = got


class NoAnswer(Mismatch):
    """Nothing came: a time-out, a refused or a broken connection."""


@dataclass(frozen=True)
class Answer:
    """What came back, with the request that brought it. `size`: bytes with status line and headers."""

    request: str
    status: int
    content_type: str
    body: bytes
    size: int = 0

    def fail(self, expected: str, got: str) -> Mismatch:
        return Mismatch(self.request, expected, got)

    def json(self) -> Any:
        """The body as JSON. Raises Mismatch where it is none, or nested more deeply than can be read."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError) as error:
            raise self.fail("a JSON body", self.shown()) from error

    def shown(self) -> str:
        """The answer in one line."""
        text = shorten(self.body.decode(errors="replace"))
        return f"{self.status} {self.content_type or 'without content-type'}: {text or 'no body'}"


def shorten(text: str, limit: int = _SHOWN) -> str:
    """One line of at most `limit` characters."""
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[:limit]}… ({len(text)} characters)"


@dataclass
class Client:
    """Sends requests to one app as the load generators do, byte for byte, each in turn. A context manager: leaving
    closes its connection, which is kept from one request to the next.

    `patience`: seconds after which an answer counts as none. `writers`: what writes the requests.
    """

    base_url: str
    patience: float = TIMEOUT_SECONDS
    writers: Sequence[RequestWriter] = field(default_factory=request_writers)

    def __post_init__(self) -> None:
        self._host = urlsplit(self.base_url).netloc
        self._writers = itertools.cycle(self.writers)
        self._connection: Connection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._drop()

    def ask(self, method: str, path: str, body: object = None, *, raw: bytes | None = None) -> Answer:
        """Sends a body as JSON, or bytes as they are but called JSON. Raises Mismatch where no answer comes."""
        content = raw if raw is not None else None if body is None else json.dumps(body, ensure_ascii=False).encode()
        headers = {} if content is None else {"content-type": "application/json"}
        request = f"{method} {path}" + (
            f" {shorten(content.decode(errors='replace'), 120)}" if content is not None else ""
        )
        written = next(self._writers)(method, quote(path, safe=_IN_URLS), self._host, headers, content)
        try:
            got = self._exchange(written)
        except TimeoutError as error:
            raise NoAnswer(request, f"an answer within {self.patience:.0f} s", "none") from error
        except (OSError, h11.ProtocolError) as error:
            raise NoAnswer(request, "an answer", f"{type(error).__name__}: {error}") from error
        return Answer(request, got.status, got.headers.get("content-type", ""), got.content(), got.size)

    def _exchange(self, written: bytes) -> Received:
        """One request and its answer. An app may close a kept connection before the request: it is sent again, once.
        A connection on which anything else goes wrong is closed."""
        deadline = time.monotonic() + self.patience
        try:
            got = self._on_kept(written, deadline)
            if got is None:
                self._connection = Connection(self._host, deadline)
                got = self._connection.exchange(written, deadline)
        except BaseException:
            self._drop()
            raise
        if not got.keeps_connection:
            self._drop()
        return got

    def _on_kept(self, written: bytes, deadline: float) -> Received | None:
        """None where there is no kept connection, or where the app had closed it."""
        if self._connection is None:
            return None
        try:
            return self._connection.exchange(written, deadline)
        except ClosedBeforeAnswerError:
            self._drop()
            return None

    def _drop(self) -> None:
        if self._connection:
            self._connection.close()
            self._connection = None
