"""Servers that are wrong in what no library for servers allows. Each is killed by the check that is there for it."""

import json
import random
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from socketserver import StreamRequestHandler, ThreadingTCPServer

import pytest

from restbench.catalog import Cell, Entry, load_catalog
from restbench.conformance import CheckResult, Client, before_load
from restbench.conformance.checks import entry_checks, verdict
from restbench.conformance.contracts import contract_of
from restbench.conformance.crowd import BRIEF, under_load
from restbench.conformance.http import Mismatch
from restbench.conformance.reading import read_answers
from restbench.loadgen import Load
from restbench.system.repository import find_repository
from restbench.targets import Settings
from tests.unit.fakes import CPUS, FakeTarget, World
from tests.unit.raw_server import RIGHT, Answering, Last, accepting, serving

CELL = Cell("python/falcon", "hello", "hello_world", None)
UPDATE = Cell("python/falcon", "issue-tracker", "update-task", "raw")
TIMED = Cell("python/falcon", "workload", "timed", "raw")
WAITS_SECONDS = 0.02
UPDATED = b"HTTP/1.1 204 No Content\r\n\r\n"
NOT_FOUND = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
NOT_ALLOWED = b"HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n\r\n"


@pytest.fixture(scope="module")
def entry() -> Entry:
    return load_catalog(find_repository()).entries[CELL.entry]


def right(request: bytes) -> bytes:
    """The right answer to a request of the suite."""
    method, path, _ = request.split(b" ", 2)
    if path != b"/hello_world":
        return NOT_FOUND
    return RIGHT if method == b"GET" else NOT_ALLOWED


def changing(change: Callable[[bytes], bytes]) -> Answering:
    """Changes the answers to right requests."""

    def answer(_count: int, request: bytes) -> bytes:
        found = right(request)
        return change(found) if found == RIGHT else found

    return answer


def with_field(line: bytes) -> Callable[[bytes], bytes]:
    return lambda answer: answer.replace(b"\r\n", b"\r\n" + line + b"\r\n", 1)


def closing_after(answers: int) -> Answering:
    return lambda count, request: right(request) if count <= answers else None


def wants_lower_case(_count: int, request: bytes) -> bytes:
    return right(request) if b"\nhost:" in request or b"\nHost:" in request else NOT_FOUND


MUTANTS: dict[str, tuple[Answering, str, str]] = {
    "HTTP/1.0": (
        changing(lambda answer: Last(answer.replace(b"1.1", b"1.0", 1))),
        "connections",
        "expected an answer in HTTP/1.1, got HTTP/1.0",
    ),
    "closes after each answer": (
        changing(lambda answer: Last(with_field(b"Connection: close")(answer))),
        "connections",
        "expected a connection that is kept for 1000 requests, got it closes the connection after answer 1",
    ),
    "closes after two answers, without a word": (
        closing_after(2),
        "content-type",
        "got it closed the connection without an answer, after 2 requests",
    ),
    "ends with its connection": (
        changing(lambda answer: Last(answer.replace(b"content-length: 11\r\n", b""))),
        "connections",
        "expected an answer that says where it ends, got one that has neither a length nor chunks",
    ),
    "closes without an answer": (
        lambda _count, request: None if right(request) == RIGHT else right(request),
        "connections",
        "expected an answer, got it closed the new connection without one",
    ),
    "a byte too many": (
        changing(lambda answer: answer + b"\n"),
        "connections",
        r"expected nothing after the answer, got b'\n'",
    ),
    "gzip": (
        changing(with_field(b"Content-Encoding: gzip")),
        "connections",
        "expected an answer that is not encoded, as nobody asked for it, got content-encoding: gzip",
    ),
    "wants names in its own case": (
        wants_lower_case,
        "header-names",
        "with names of header fields in another case: expected status 200, got 404",
    ),
}


def killed(verdicts: Iterator[CheckResult]) -> CheckResult:
    """The first broken rule."""
    return next(verdict for verdict in verdicts if verdict.broken)


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_server_that_breaks_a_rule_of_http_dies(
    entry: Entry, mutant: str, record_property: Callable[[str, object], None]
) -> None:
    answering, check, message = MUTANTS[mutant]
    with serving(answering) as address:
        verdict = killed(before_load(address, entry, [CELL], random.Random(1)))
    assert verdict.check == check
    assert message in str(verdict.broken)
    record_property("mutant", (mutant, verdict.check, "", str(verdict.broken)))


WITH_204 = {
    "a body that is announced": (
        with_field(b"Content-Length: 2")(UPDATED) + b"{}",
        "expected 204 without a body, got headers that announce one: content-length: 2",
    ),
    "a body that nothing announces": (UPDATED + b"{}", r"expected nothing after the answer, got b'{}'"),
}


@pytest.mark.parametrize("mutant", WITH_204)
def test_a_body_with_204_is_seen(entry: Entry, mutant: str, record_property: Callable[[str, object], None]) -> None:
    answer, message = WITH_204[mutant]
    verdict = connections_of_update_task(entry, answer)
    assert message in str(verdict.broken)
    record_property("mutant", (mutant, verdict.check, "", str(verdict.broken)))


def test_a_204_without_a_body_is_right(entry: Entry) -> None:
    assert connections_of_update_task(entry, UPDATED).kept


def connections_of_update_task(entry: Entry, answer: bytes) -> CheckResult:
    """What the check `connections` says about a server that answers each request with these bytes."""
    with serving(lambda _count, _request: answer) as address:
        verdicts = list(before_load(address, entry, [UPDATE], random.Random(1)))
    return next(verdict for verdict in verdicts if verdict.check == "connections")


def reading_once(*, splits: bool) -> AbstractContextManager[str]:
    """A server that takes what it reads for one whole request, or where it `splits`, for whole ones."""

    def serve(connection: socket.socket) -> None:
        with connection:
            while received := connection.recv(65_536):
                parts = [part for part in received.split(b"\r\n\r\n") if part] if splits else [received]
                bad = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"
                whole = received.endswith(b"\r\n\r\n") and received.count(b" ") >= 2
                connection.sendall(b"".join(right(part) for part in parts) if whole else bad)
                if not whole:
                    return  # what follows is the rest of that request

    return accepting(serve)


@pytest.mark.parametrize("splits", [True, False])
def test_a_server_that_takes_a_read_for_a_request_dies(entry: Entry, splits: bool) -> None:
    with reading_once(splits=splits) as address:
        verdict = killed(before_load(address, entry, [CELL], random.Random(1)))
    assert verdict.check == "pieces"
    assert "GET /hello_world, in 2 pieces: expected" in str(verdict.broken)


def test_a_server_that_answers_the_first_of_several_requests_dies(entry: Entry) -> None:
    with reading_once(splits=False) as address:
        verdicts = list(before_load(address, entry, [CELL], random.Random(1)))
    (together,) = [verdict for verdict in verdicts if verdict.check == "together"]
    assert "one of 3 in one piece: expected an answer within 5 s, got none" in str(together.broken)


class Waits(StreamRequestHandler):
    """Answers as the scenario timed does. Requests of its connection wait in turn."""

    def handle(self) -> None:
        while line := self.rfile.readline():
            fields = dict(self._fields())
            body = self.rfile.read(int(fields.get(b"content-length", 0)))
            if line.split()[1] == b"/test/status":
                self.wfile.write(self._answer("text/plain; charset=utf-8", "OK"))
            else:
                answer = json.dumps({"payload": f"Hello, {json.loads(body)['payload']}"})
                self.later(self._answer("application/json", answer))

    def later(self, answer: bytes) -> None:
        time.sleep(WAITS_SECONDS)
        self.wfile.write(answer)

    def _fields(self) -> Iterator[tuple[bytes, bytes]]:
        while field := self.rfile.readline().strip():
            name, _, value = field.partition(b":")
            yield name.lower(), value

    @staticmethod
    def _answer(content_type: str, body: str) -> bytes:
        head = f"HTTP/1.1 200 OK\r\ncontent-type: {content_type}\r\ncontent-length: {len(body)}\r\n\r\n"
        return (head + body).encode()


class Overtakes(Waits):
    """An answer that waits holds back no answer to a later request of its connection."""

    def later(self, answer: bytes) -> None:
        threading.Timer(WAITS_SECONDS, self.wfile.write, [answer]).start()


def in_order(entry: Entry, handler: type[Waits]) -> Mismatch | None:
    """What the check `in-order` says about a server."""
    (check,) = [check for check in entry_checks(entry, [TIMED], random.Random(1)) if check.name == "in-order"]
    with ThreadingTCPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with Client(f"http://127.0.0.1:{server.server_address[1]}") as client:
            result = verdict(check.name, check.cell, partial(check.run, client))
        server.shutdown()
    return result.broken


def test_a_server_whose_answers_overtake_each_other_dies(
    entry: Entry, record_property: Callable[[str, object], None]
) -> None:
    broken = in_order(entry, Overtakes)
    assert "with GET /test/status behind it in one piece: expected content-type application/json" in str(broken)
    record_property("mutant", ("answers overtake each other", "in-order", "", str(broken)))


def test_a_server_whose_requests_wait_in_turn_answers_in_order(entry: Entry) -> None:
    assert in_order(entry, Waits) is None


def loading(entry: Entry, answering: Answering) -> None:
    with serving(answering) as address:
        read_answers(address, contract_of(entry, CELL), None, Load(10, 4, 4, None, requests=1200))


@pytest.mark.needs("wrk")
@pytest.mark.parametrize(
    ("answering", "message"),
    [
        (
            closing_after(100),
            "kept for 1000 requests, got it closed the connection without an answer, after 100 requests",
        ),
        (
            lambda count, request: Last(with_field(b"Connection: close")(RIGHT)) if count == 200 else right(request),
            "got it closes the connection after answer 200",
        ),
        (lambda count, request: right(request) + (b"{}" if count % 50 == 0 else b""), "that wrk could not read"),
        (
            lambda count, request: with_field(b"Content-Encoding: br")(RIGHT) if count == 77 else right(request),
            "(answer 77 under load): expected an answer that is not encoded",
        ),
        (
            lambda _count, _request: b"HTTP/1.1 304 Not Modified\r\n\r\n",
            "got 1200 answers without any header field",
        ),
    ],
    ids=["closes without a word", "closes", "bytes after answers", "encodes", "bare answers"],
)
def test_a_rule_of_http_that_is_broken_under_load_is_reported(entry: Entry, answering: Answering, message: str) -> None:
    with pytest.raises(Mismatch) as broken:
        loading(entry, answering)
    assert message in str(broken.value)


@pytest.mark.needs("wrk")
@pytest.mark.parametrize("connections", [1, 4])
def test_an_answer_without_content_needs_no_header_field(entry: Entry, connections: int) -> None:
    """wrk tells of no such answer. It is read over one connection, too, where a lost one is noticed."""
    with serving(lambda _count, _request: UPDATED) as address:
        contract = contract_of(entry, UPDATE)
        contract.shape = replace(contract.shape, method="GET", bodies=())  # the server reads no bodies
        read = read_answers(address, contract, None, Load(10, connections, connections, None, requests=1200))
    assert read.requests == 1200


def in_a_crowd(entry: Entry, address: str) -> CheckResult:
    """What the check `under-load` says about a server."""
    target = FakeTarget(World(), entry, Settings((0,)))
    target.base_url = address
    (found,) = under_load(target, entry, [CELL], CPUS, random.Random(1), pace=BRIEF)
    return found


@pytest.mark.needs("wrk")
def test_a_server_that_has_fewer_connections_than_the_cell_is_named(
    entry: Entry, record_property: Callable[[str, object], None]
) -> None:
    with serving(lambda _count, request: right(request), connections=20) as address:
        broken = str(in_a_crowd(entry, address).broken)
    assert "expected answers that are HTTP, over connections that stay open" in broken
    explained = r"of 64 connections that are opened at once: \d+ × closed without an answer, \d+ × status 200; the last"
    assert re.search(explained + " line of the app's log is: last words$", broken), broken
    record_property("mutant", ("has 20 connections", "under-load", "", broken))


@pytest.mark.needs("wrk")
def test_statuses_of_a_server_in_front_of_a_busy_app_are_counted(entry: Entry) -> None:
    busy = threading.Semaphore(5)

    def bad_gateway_when_busy(_count: int, request: bytes) -> bytes:
        if not busy.acquire(blocking=False):
            return b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n"
        time.sleep(0.01)
        busy.release()
        return right(request)

    with serving(bad_gateway_when_busy) as address:
        broken = str(in_a_crowd(entry, address).broken)
    assert "expected status 200, got 502" in broken
    assert re.search(r"64 connections that are opened at once: \d+ × status 200, \d+ × status 502", broken), broken


@pytest.mark.needs("wrk")
def test_a_right_server_keeps_every_rule(entry: Entry) -> None:
    with serving(lambda _count, request: right(request)) as address:
        verdicts = list(before_load(address, entry, [CELL], random.Random(1)))
        assert [str(verdict.broken) for verdict in verdicts if not verdict.kept] == []
        assert in_a_crowd(entry, address).broken is None
    loading(entry, lambda _count, request: right(request))
