"""One connection to an app. Bytes are sent as they are given, and h11 reads the answers."""

import select
import socket
import time
from dataclasses import dataclass

import h11
import httpx

_CHUNK = 65_536


class ClosedBeforeAnswerError(ConnectionError):
    """The app closed the connection before the first byte of an answer."""


@dataclass(frozen=True)
class Received:
    """An answer. `size`: its bytes on the wire, with status line, headers and framing."""

    status: int
    headers: httpx.Headers
    raw: bytes
    size: int
    keeps_connection: bool

    def content(self) -> bytes:
        """Returns the body, decompressed where it is compressed."""
        if "content-encoding" not in self.headers:
            return self.raw
        return httpx.Response(self.status, headers=self.headers, content=self.raw).content


class Connection:
    """A TCP connection that carries one request after the other. Raises OSError and TimeoutError."""

    def __init__(self, host: str, deadline: float) -> None:
        """`host`: address and port. `deadline`: seconds, on the clock of time.monotonic()."""
        address, _, port = host.rpartition(":")
        self._socket = socket.create_connection((address, int(port)), timeout=_left(deadline))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._sent = self._answered = False

    @property
    def waits(self) -> bool:
        """Whether a request was sent of whose answer nothing has arrived. Any thread may ask.

        The kernel is asked, because that thread may get no CPU time for a while after the answer has arrived.
        """
        if not self._sent or self._answered:
            return False
        return not select.select([self._socket], [], [], 0)[0]

    def close(self) -> None:
        self._socket.close()

    def exchange(self, written: bytes, deadline: float) -> Received:
        """Sends a request and returns its answer.

        Raises h11.ProtocolError when the answer is not HTTP, and ClosedBeforeAnswerError, OSError and TimeoutError.
        """
        self._sent = self._answered = False
        try:
            self._socket.settimeout(_left(deadline))
            self._socket.sendall(written)
            self._sent = True
        except ConnectionError as error:
            raise ClosedBeforeAnswerError(str(error)) from error
        return self._read(written.split(b" ", 1)[0], deadline)

    def _read(self, method: bytes, deadline: float) -> Received:
        reader = h11.Connection(h11.CLIENT)
        # h11 did not send the request itself. To read the answer, it has to know that one was sent, and its method
        reader.send(h11.Request(method=method, target=b"/", headers=[(b"host", b"app")]))
        reader.send(h11.EndOfMessage())
        response, body, size = None, bytearray(), 0
        while True:
            event = reader.next_event()
            if event is h11.NEED_DATA:
                self._socket.settimeout(_left(deadline))
                received = self._receive(size)
                size += len(received)
                reader.receive_data(received)
            elif isinstance(event, h11.Response):
                response = event
            elif isinstance(event, h11.Data):
                body += event.data
            elif isinstance(event, h11.EndOfMessage) and response:
                keeps = reader.their_state is h11.DONE and reader.our_state is h11.DONE
                headers = httpx.Headers(list(response.headers.raw_items()))
                return Received(response.status_code, headers, bytes(body), size, keeps)
            elif isinstance(event, h11.ConnectionClosed):
                raise ClosedBeforeAnswerError("the connection was closed")

    def _receive(self, so_far: int) -> bytes:
        try:
            received = self._socket.recv(_CHUNK)
            self._answered = True
        except ConnectionError as error:
            if so_far:
                raise
            raise ClosedBeforeAnswerError(str(error)) from error
        if not received and not so_far:
            raise ClosedBeforeAnswerError("the connection was closed")
        return received


def _left(deadline: float) -> float:
    """Returns the seconds until the deadline. Raises TimeoutError when it has passed."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError("the time for an answer is over")
    return left
