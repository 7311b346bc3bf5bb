"""A server that answers with given bytes, as no library for servers would."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial

RIGHT = b"HTTP/1.1 200 OK\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: 11\r\n\r\nHello World"


class Last(bytes):
    """An answer after which the connection is closed."""


Answering = Callable[[int, bytes], bytes | None]
"""Gets the number of the request on its connection, from 1, and the request. Returns the answer; None: it closes."""


@contextmanager
def accepting(serve: Callable[[socket.socket], None]) -> Iterator[str]:
    """Yields the address of a server that serves each connection in a thread of its own. Loads end with a reset."""

    def serve_one(connection: socket.socket) -> None:
        with suppress(ConnectionResetError):
            serve(connection)

    def accept() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=serve_one, args=(listening.accept()[0],), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        listening.shutdown(socket.SHUT_RDWR)


def serving(answering: Answering, connections: int | None = None) -> AbstractContextManager[str]:
    """The address of a server with these answers. Each request is a head without a body.

    `connections`: how many may be open. Others are closed at once.
    """
    if connections is None:
        return accepting(partial(_serve, answering))
    free = threading.Semaphore(connections)

    def serve(connection: socket.socket) -> None:
        if not free.acquire(blocking=False):
            connection.close()
            return
        try:
            _serve(answering, connection)
        finally:
            free.release()

    return accepting(serve)


def _serve(answering: Answering, connection: socket.socket) -> None:
    waiting, count = b"", 0
    with connection:
        while True:
            while b"\r\n\r\n" not in waiting:
                received = connection.recv(65_536)
                if not received:
                    return
                waiting += received
            request, _, waiting = waiting.partition(b"\r\n\r\n")
            count += 1
            answer = answering(count, request)
            if answer is None:
                return
            connection.sendall(answer)
            if isinstance(answer, Last):
                return
