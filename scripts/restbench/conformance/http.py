"""A client for one app: a request, its answer, and the exception for a broken rule."""

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


class BackendSilent(Mismatch):
    """The app says that its backend gave no answer."""


TRIED_AGAIN = (NoAnswer, BackendSilent)
"""What may be so once in a right app, on a machine that is busy with other work."""


@dataclass(frozen=True)
class Answer:
    """An answer with its request. `size`: bytes on the wire, with status line and headers."""

    request: str
    status: int
    content_type: str
    body: bytes
    size: int = 0

    def fail(self, expected: str, got: str) -> Mismatch:
        return Mismatch(self.request, expected, got)

    def json(self) -> Any:
        """Returns the body as JSON. Raises Mismatch when it is not JSON, or nested too deeply to be read."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError) as error:
            raise self.fail("a JSON body", self.shown()) from error

    def shown(self) -> str:
        """Returns the answer in one line."""
        text = shorten(self.body.decode(errors="replace"))
        return f"{self.status} {self.content_type or 'without content-type'}: {text or 'no body'}"


def shorten(text: str, limit: int = _SHOWN) -> str:
    """Returns the text in one line, cut after `limit` characters."""
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[:limit]}… ({len(text)} characters)"


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

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._drop()

    @property
    def waits(self) -> bool:
        """Whether a request was sent of whose answer nothing has arrived. Any thread may ask."""
        return self._connection is not None and self._connection.waits

    def ask(self, method: str, path: str, body: object = None, *, raw: bytes | None = None) -> Answer:
        """Sends `body` as JSON, or the bytes of `raw` unchanged with the content type of JSON.

        Raises NoAnswer when no answer comes.
        """
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
        """Sends a request and returns its answer.

        An app may close a kept connection before the request. Then the request is sent once more, on a new connection.
        After any other error the connection is closed.
        """
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
        """Returns the answer on the kept connection. None: no connection is kept, or the app has closed it."""
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
