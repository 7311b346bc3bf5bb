"""What is loaded is what was verified: checks send the load generators' bytes, and ids of the same range."""

import itertools
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from restbench.conformance import Client
from restbench.loadgen import Load
from restbench.loadgen.oha import Oha
from restbench.loadgen.request_shapes import LOADED_IDS, RequestShape
from restbench.loadgen.wrk import Wrk
from tests.unit.raw_server import accepting

pytestmark = pytest.mark.slow

ANSWER = b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok"
SHAPES = [
    RequestShape("GET", "/hello"),
    RequestShape("GET", "/users/{id}"),
    RequestShape("POST", "/users/{id}/tasks", {"content-type": "application/json"}, b'{"a": "\xc3\xa9 {id}"}'),
]


@contextmanager
def recorder() -> Iterator[tuple[str, list[bytes]]]:
    """A server's URL, and what each read of it brought. Every request fits into one."""
    seen: list[bytes] = []

    def serve(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            while received := connection.recv(65_536):
                seen.append(received)
                connection.sendall(ANSWER)

    with accepting(serve) as address:
        yield address, seen


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    "generator",
    [pytest.param(Wrk(), marks=pytest.mark.needs("wrk")), pytest.param(Oha(), marks=pytest.mark.needs("oha"))],
    ids=["wrk", "oha"],
)
def test_proofs_send_what_load_generators_send(generator: Wrk | Oha, shape: RequestShape) -> None:
    load = Load(0.3, 1, 1, None) if generator.name == "wrk" else Load(20, 1, 1, None, requests=20)
    with recorder() as (url, seen):
        result = generator.run(url, shape, load)
        loaded = list(seen)
        seen.clear()
        path = loaded[0].split()[1].decode()
        body = loaded[0].partition(b"\r\n\r\n")[2] or None
        with Client(url, writers=[generator.write]) as client:
            answer = client.ask(shape.method, path, raw=body)
    assert seen == [loaded[0]]
    size = answer.size if generator.name == "wrk" else len(answer.body)
    assert result.received == size * result.requests
    if shape.has_id:
        ids = [int(request.split()[1].split(b"/")[2]) for request in loaded]
        assert all(number in LOADED_IDS for number in ids)
        assert len(ids) - len(set(ids)) <= len(ids) // 32, "one request in 32 asks for an id again"
        steps = {b - a for a, b in itertools.pairwise(ids)}
        assert len(steps) > len(ids) / 2, "ids that rise by the same step tell an app that it is loaded"
