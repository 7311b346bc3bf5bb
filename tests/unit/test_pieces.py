"""Where requests are cut."""

import random

import pytest

from restbench.conformance.pieces import cut, places_of

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
