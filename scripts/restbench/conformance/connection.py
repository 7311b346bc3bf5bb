"""One connection to an app. Bytes are sent as they are given, and h11 reads the answers. Nothing is repaired."""

import select
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass

import h11
import httpx

_CHUNK = 65_536

BETWEEN_PIECES_SECONDS = 0.001
"""The pause after each piece of a request. Without it the kernel would give the app several pieces at once."""


class ClosedBeforeAnswerError(ConnectionError):
    """The app closed the connection before the first byte of an answer."""


@dataclass(frozen=True)
class Received:
    """An answer as it came. `version`: of HTTP, such as "1.1". `size`: its bytes, all of them.

    `head`: how many of them are status line and headers. `keeps_connection`: whether the next answer may follow.
    `seconds`: from the first byte of the request that was sent to the last byte of the answer.
    """

    version: str
    status: int
    headers: httpx.Headers
    body: bytes
    size: int
    head: int
    keeps_connection: bool
    seconds: float


class Connection:
    """A TCP connection that carries one request after the other. Raises OSError and TimeoutError.

    `answered`: how many requests were answered. `idle_seconds`: from the last answer until the request after it was
    sent, or could not be sent.
    """

    def __init__(self, host: str, deadline: float) -> None:
        """`host`: address and port. `deadline`: seconds, on the clock of time.monotonic()."""
        address, _, port = host.rpartition(":")
        self._socket = socket.create_connection((address, int(port)), timeout=_left(deadline))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._waits_for_byte = False
        self._rest = b""
        self._quiet_since = time.monotonic()
        self.answered = 0
        self.idle_seconds = 0.0

    @property
    def waits(self) -> bool:
        """Whether a request was sent of whose answer nothing has arrived. Any thread may ask.

        The kernel is asked, because that thread may get no CPU time for a while after the answer has arrived.
        """
        return self._waits_for_byte and not self._has_input()

    def close(self) -> None:
        self._socket.close()

    def unasked(self) -> bytes:
        """Bytes that came after the last answer, as far as they have arrived. They are of no answer."""
        if not self._rest and self._has_input():
            try:
                self._rest = self._socket.recv(_CHUNK)
            except ConnectionError:
                return b""
        return self._rest

    def exchange(self, pieces: Sequence[bytes], method: str, deadline: float, answers: int = 1) -> list[Received]:
        """Sends a request, or several, and returns the answers. `pieces`: the bytes, each to be read by itself.

        Raises h11.ProtocolError when an answer is not HTTP, and ClosedBeforeAnswerError, OSError and TimeoutError.
        """
        self._waits_for_byte = False
        began = time.monotonic()
        try:
            for piece in pieces[:-1]:
                self._send(piece, deadline)
                time.sleep(BETWEEN_PIECES_SECONDS)
            self._send(pieces[-1], deadline)
        except ConnectionError as error:
            raise ClosedBeforeAnswerError(str(error)) from error
        finally:
            self.idle_seconds = time.monotonic() - self._quiet_since  # this thread may have had no CPU for a while
        self._waits_for_byte = True
        return [self._read(method, deadline, began) for _ in range(answers)]

    def _send(self, piece: bytes, deadline: float) -> None:
        self._socket.settimeout(_left(deadline))
        self._socket.sendall(piece)

    def _read(self, method: str, deadline: float, began: float) -> Received:
        reader = h11.Connection(h11.CLIENT)
        # h11 did not send the request itself. To read the answer, it has to know that one was sent, and its method
        reader.send(h11.Request(method=method, target=b"/", headers=[(b"host", b"app")]))
        reader.send(h11.EndOfMessage())
        taken = bytearray(self._rest)
        if self._rest:
            reader.receive_data(self._rest)
            self._rest = b""
        response, body = None, bytearray()
        while True:
            event = reader.next_event()
            if event is h11.NEED_DATA:
                received = self._receive(len(taken), deadline)
                taken += received
                reader.receive_data(received)
            elif isinstance(event, h11.Response):
                response = event
            elif isinstance(event, h11.Data):
                body += event.data
            elif isinstance(event, h11.EndOfMessage) and response:
                self._rest = reader.trailing_data[0]
                self._quiet_since, self.answered = time.monotonic(), self.answered + 1
                del taken[len(taken) - len(self._rest) :]
                return Received(
                    response.http_version.decode(),
                    response.status_code,
                    httpx.Headers(list(response.headers.raw_items())),
                    bytes(body),
                    len(taken),
                    taken.find(b"\r\n\r\n") + 4,
                    reader.their_state is h11.DONE and reader.our_state is h11.DONE and not reader.trailing_data[1],
                    self._quiet_since - began,
                )
            elif isinstance(event, h11.ConnectionClosed):
                raise ClosedBeforeAnswerError("the connection was closed")

    def _receive(self, so_far: int, deadline: float) -> bytes:
        try:
            self._socket.settimeout(_left(deadline))
            received = self._socket.recv(_CHUNK)
            self._waits_for_byte = False
        except ConnectionError as error:
            if so_far:
                raise
            raise ClosedBeforeAnswerError(str(error)) from error
        if not received and not so_far:
            raise ClosedBeforeAnswerError("the connection was closed")
        return received

    def _has_input(self) -> bool:
        """Whether bytes of the app, or the end of the connection, can be read at once."""
        return bool(select.select([self._socket], [], [], 0)[0])


def _left(deadline: float) -> float:
    """Returns the seconds until the deadline. Raises TimeoutError when it has passed."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError("the time for an answer is over")
    return left
