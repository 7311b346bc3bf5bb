"""A server that answers with given bytes, as no library for servers would."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

RIGHT = b"HTTP/1.1 200 OK\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: 11\r\n\r\nHello World"


class Last(bytes):
    """An answer after which the connection is closed."""


Answering = Callable[[int, bytes], bytes | None]
"""Gets the number of the request on its connection, from 1, and the request. Returns the answer; None: it closes."""


@contextmanager
def serving(answering: Answering) -> Iterator[str]:
    """Yields the address of a server with these answers. Each request is a head without a body."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=_accept, args=(listening, answering), daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        listening.shutdown(socket.SHUT_RDWR)


def _accept(listening: socket.socket, answering: Answering) -> None:
    while True:
        try:
            connection, _ = listening.accept()
        except OSError:
            return
        threading.Thread(target=_serve, args=(connection, answering), daemon=True).start()


def _serve(connection: socket.socket, answering: Answering) -> None:
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
