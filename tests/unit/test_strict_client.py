"""The verifier's client repairs nothing: what breaks a rule of HTTP is reported, and what may be so is accepted."""

import random
import time

import pytest

from restbench.conformance.http import Answer, Client, Mismatch, NoAnswer, strict_json
from restbench.conformance.pieces import cut, places_of
from tests.unit.raw_server import RIGHT, Answering, serving


def asking(answering: Answering, times: int = 1, method: str = "GET", pause: float = 0) -> Answer:
    """Asks a server with these answers, over one connection while that is kept."""
    with serving(answering) as address, Client(address) as client:
        for _ in range(times - 1):
            client.ask(method, "/hello_world")
        time.sleep(pause)
        return client.ask(method, "/hello_world")


def with_header(line: bytes, answer: bytes = RIGHT) -> bytes:
    status, _, rest = answer.partition(b"\r\n")
    return b"\r\n".join([status, line, rest])


# tests/contract/test_wire_mutants.py has the others
BROKEN: dict[str, tuple[bytes, str, str]] = {
    "another answer": (RIGHT + RIGHT, "nothing after the answer", "HTTP/1.1 200 OK"),
    "chunks with 204": (
        b"HTTP/1.1 204 No Content\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
        "204 without a body",
        "headers that announce one: transfer-encoding: chunked",
    ),
    "a header of a debugger": (
        with_header(b"X-Debug-Token: 7f3a9c"),
        "an answer as in production, without a stack trace, a path of a file, or headers of a debugger",
        "headers x-debug-token",
    ),
    "a body with 304": (b"HTTP/1.1 304 Not Modified\r\n\r\n{}", "nothing after the answer", "b'{}'"),
    "HTTP/1.0, kept": (
        with_header(b"connection: keep-alive", RIGHT.replace(b"1.1", b"1.0", 1)),
        "an answer in HTTP/1.1",
        "HTTP/1.0",
    ),
}


@pytest.mark.parametrize(("answer", "expected", "got"), BROKEN.values(), ids=BROKEN)
def test_what_breaks_a_rule_is_reported(answer: bytes, expected: str, got: str) -> None:
    with pytest.raises(Mismatch) as caught:
        asking(lambda _count, _request: answer)
    assert (caught.value.request, caught.value.expected) == ("GET /hello_world", expected)
    assert got in caught.value.got


def test_bytes_that_come_later_are_seen_by_the_next_request() -> None:
    def late(count: int, _request: bytes) -> bytes:
        return RIGHT if count == 1 else b"late"

    with serving(late) as address, Client(address) as client:
        client.ask("GET", "/first")
        assert client._connection
        client._connection._socket.sendall(b"GET / HTTP/1.1\r\n\r\n")
        time.sleep(0.1)
        with pytest.raises(Mismatch, match="GET /first: expected nothing after the answer, got b'late'"):
            client.ask("GET", "/second")


def closing_after(answers: int, answer: bytes = RIGHT) -> Answering:
    """Closes each connection after so many answers, without a word."""
    return lambda count, _request: answer if count <= answers else None


@pytest.mark.parametrize("answers", [1000, 1500])
def test_a_connection_may_be_closed_after_1000_requests(answers: int) -> None:
    assert asking(closing_after(answers), answers + 2).body == b"Hello World"


@pytest.mark.parametrize(("answers", "is_kept_long_enough"), [(1000, True), (999, False)])
def test_a_connection_may_be_closed_among_requests_in_one_piece(answers: int, is_kept_long_enough: bool) -> None:
    with serving(closing_after(answers)) as address, Client(address) as client:
        for _ in range(answers - 1):
            client.ask("GET", "/hello_world")
        requests = 3 * [client.request("GET", "/hello_world")]
        if is_kept_long_enough:
            answered = client.send(requests, [b"".join(request.written for request in requests)])
            assert [answer.body for answer in answered] == 3 * [b"Hello World"]
        else:
            with pytest.raises(Mismatch, match="a connection that is kept for 1000 requests"):
                client.send(requests, [b"".join(request.written for request in requests)])


def test_the_1000th_answer_may_say_that_it_is_the_last() -> None:
    def last(count: int, _request: bytes) -> bytes:
        return with_header(b"connection: close") if count == 1000 else RIGHT

    assert asking(last, 1002).body == b"Hello World"


def test_a_connection_that_was_idle_may_be_closed() -> None:
    assert asking(closing_after(2), 3, pause=1.1).body == b"Hello World"


def test_an_answer_of_an_error_may_close() -> None:
    error = b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n"
    assert asking(closing_after(1, with_header(b"connection: close", error)), 3).status == 404
    assert asking(closing_after(1, error), 3).status == 404


def test_an_app_that_has_ended_is_no_app_that_closes() -> None:
    with serving(closing_after(1)) as address, Client(address) as client:
        client.ask("GET", "/hello_world")
        silent = client
    with pytest.raises(NoAnswer):
        silent.ask("GET", "/hello_world")


def test_an_answer_of_development_mode_breaks_a_rule() -> None:
    """tests/unit/test_development.py has what such answers look like."""
    body = b'Traceback (most recent call last):\n  File "app.py", line 3, in main'
    answer = b"HTTP/1.1 404 Not Found\r\ncontent-length: %d\r\n\r\n%b" % (len(body), body)
    with pytest.raises(Mismatch, match=r"expected an answer as in production, .* got 404: Traceback"):
        asking(lambda _count, _request: answer)


ALLOWED: dict[str, bytes] = {
    "204 with a length of 0": b"HTTP/1.1 204 No Content\r\ncontent-length: 0\r\n\r\n",
    "chunks": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nHel\r\n0\r\n\r\n",
    "names in any case": with_header(b"X-A: b").replace(b"content-length", b"CONTENT-Length"),
    "an interim answer": b"HTTP/1.1 103 Early Hints\r\n\r\n" + RIGHT,
}


@pytest.mark.parametrize("answer", ALLOWED.values(), ids=ALLOWED)
def test_what_may_be_so_is_accepted(answer: bytes) -> None:
    assert asking(lambda _count, _request: answer, 3).status in (200, 204)


def test_requests_in_one_piece_are_answered_in_their_order() -> None:
    def echo(count: int, request: bytes) -> bytes:
        body = request.split(b" ")[1]
        return b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n%s" % (len(body), body)

    with serving(echo) as address, Client(address) as client:
        requests = [client.request("GET", f"/{number}") for number in range(5)]
        answers = client.send(requests, [b"".join(request.written for request in requests)])
        assert [answer.body for answer in answers] == [b"/0", b"/1", b"/2", b"/3", b"/4"]
        (whole,) = client.send(requests[:1], [requests[0].written[i : i + 1] for i in range(len(requests[0].written))])
        assert whole.body == b"/0"


def test_facts_of_an_answer() -> None:
    answer = asking(lambda _count, _request: RIGHT)
    assert (answer.size, answer.head, answer.has_date) == (len(RIGHT), len(RIGHT) - 11, False)
    assert asking(lambda _count, _request: with_header(b"Date: Mon, 01 Jan 2024 00:00:00 GMT")).has_date


NO_JSON: dict[str, bytes] = {
    "UTF-16": '{"a": 1}'.encode("utf-16"),
    "UTF-16 without a mark": '{"a": 1}'.encode("utf-16-le"),
    "UTF-32": '{"a": 1}'.encode("utf-32"),
    "a mark": b"\xef\xbb\xbf{}",
    "latin 1": '{"a": "é"}'.encode("latin-1"),
    "a key twice": b'{"a": 1, "b": {}, "a": 1}',
    "a key twice, once escaped": b'{"a": 1, "\\u0061": 2}',
    "a key twice below": b'{"a": [{"b": 1, "b": 2}]}',
    "NaN": b'{"a": NaN}',
    "Infinity": b"[-Infinity]",
    "two documents": b"{} {}",
    "a comma": b"[1,]",
    "nothing": b"",
    "deep": b"[" * 100_000,
}


@pytest.mark.parametrize("content", NO_JSON.values(), ids=NO_JSON)
def test_what_is_no_json_of_ours_is_refused(content: bytes) -> None:
    with pytest.raises(Mismatch, match="expected a JSON body"):
        Answer("GET /", 200, "application/json", content).json()


@pytest.mark.parametrize(
    ("content", "document"),
    [
        (b' {"a": [1, 2.5, null, true]} \n', {"a": [1, 2.5, None, True]}),
        ('"é🦀"'.encode(), "é🦀"),
        (b'"\\ud83e"', "\ud83e"),
    ],
)
def test_json_in_any_legal_form_is_read(content: bytes, document: object) -> None:
    assert strict_json(content) == document


HEAD = b"Host: app\r\nContent-Type: application/json\r\n\r\n"
REQUESTS = {
    "a path": b"GET /hello_world HTTP/1.1\r\n" + HEAD,
    "a query": b"GET /facets?document_type=1 HTTP/1.1\r\n" + HEAD,
    "a body": b"POST /test HTTP/1.1\r\n" + HEAD + '{"message":"gr\u00fcn"}'.encode(),
}


@pytest.mark.parametrize("written", REQUESTS.values(), ids=REQUESTS)
@pytest.mark.parametrize("seed", range(50))
def test_pieces_are_the_request(written: bytes, seed: int) -> None:
    for places in places_of(written, random.Random(seed)):
        pieces = cut(written, places)
        assert len(pieces) > 1
        assert all(pieces)
        assert b"".join(pieces) == written


@pytest.mark.parametrize("seed", range(50))
def test_every_part_is_cut(seed: int) -> None:
    def cuts(name: str) -> set[int]:
        return {place for places in places_of(REQUESTS[name], random.Random(seed)) for place in places[:1]}

    query, body = REQUESTS["a query"], REQUESTS["a body"]
    address = query.index(b"/"), query.index(b"?"), query.index(b" HTTP")
    assert cuts("a query") & {1, 2}, "the method"
    assert cuts("a query") & set(range(address[0] + 1, address[1])), "the path"
    assert cuts("a query") & set(range(address[1] + 1, address[2])), "the query"
    assert {query.index(b"\r\n") + 1, query.index(b"\r\n") + 2} <= cuts("a query"), "the end of the line"
    assert body.index("\u00fc".encode()) + 1 in cuts("a body"), "a character"


@pytest.mark.parametrize("written", REQUESTS.values(), ids=REQUESTS)
@pytest.mark.parametrize("seed", range(50))
def test_a_request_line_stays_whole_where_the_framework_needs_it(written: bytes, seed: int) -> None:
    line = written.index(b"\r\n") + 2
    for places in places_of(written, random.Random(seed), line_is_cut=False):
        assert cut(written, places)[0].startswith(written[:line])
