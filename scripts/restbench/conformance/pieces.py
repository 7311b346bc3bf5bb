"""Checks that an app reads a request by its bytes, and not by how they arrive (docs/CONTRACT.md, "HTTP")."""

import random
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from restbench.catalog.lacks import CUT_REQUEST_LINES, PIPELINING
from restbench.conformance.contract import Contract, Rule
from restbench.conformance.http import Client

_TOGETHER = 3
"""How many requests are sent at once."""

_RANDOM_CUTS = 6
_HEADER_NAME = re.compile(rb"(?m)^[A-Za-z-]+(?=:)")


def rules_of_pieces(contract: Contract, rng: random.Random) -> Iterable[Rule]:
    """Returns the rules about requests in pieces, requests in one piece, and names of header fields."""
    yield "pieces", lambda client: _in_pieces(contract, client, rng)
    if PIPELINING not in contract.entry.manifest.lacks:
        yield "together", lambda client: _together(contract, client, rng)
    yield "header-names", lambda client: _in_any_case(contract, client, rng)


def cut(content: bytes, places: Iterable[int]) -> list[bytes]:
    """Returns the content in pieces, cut at these offsets."""
    ends = [place for place in sorted(set(places)) if 0 < place < len(content)]
    return [content[begin:end] for begin, end in zip([0, *ends], [*ends, len(content)], strict=True)]


def places_of(written: bytes, rng: random.Random, *, line_is_cut: bool = True) -> list[list[int]]:
    """Returns where to cut a request. Each list is of one request.

    There is a cut in the method, in the path, in the query, behind the request line, in a header field, between two of
    them, in the end of the head, between head and body, in the body, and in a character of it, where there are such
    places; and one list of random places. `line_is_cut`: whether there are cuts in the request line.
    """
    line, head = written.index(b"\r\n"), written.index(b"\r\n\r\n") + 4
    second = written.index(b"\r\n", line + 2) + 2
    places = [line + 2, rng.randrange(line + 3, second - 2), second, head - 2]
    if line_is_cut:
        method, address = written.index(b" "), written.rindex(b" ", 0, line)
        query = written.find(b"?", 0, address)
        path = query if query >= 0 else address
        places += [rng.randrange(1, method), rng.randrange(method + 2, path), line + 1]
        places += [rng.randrange(query + 1, address)] if query >= 0 else []
    if head < len(written):
        places += [head, rng.randrange(head + 1, len(written))]
        # the second byte of a character of several bytes has these two bits (RFC 3629)
        places += [at for at in range(head, len(written)) if written[at] & 0xC0 == 0x80][:1]
    first = 1 if line_is_cut else line + 2
    return [*([place] for place in places), [rng.randrange(first, len(written)) for _ in range(_RANDOM_CUTS)]]


def _in_pieces(contract: Contract, client: Client, rng: random.Random) -> None:
    """Sends one request again and again, each time cut elsewhere."""
    identity, body = contract.random_id(rng), contract.random_body(rng)
    request = contract.request(client, identity, body)
    for places in places_of(request.written, rng, line_is_cut=_line_is_cut(contract)):
        pieces = cut(request.written, places)
        named = replace(request, shown=f"{request.shown}, in {len(pieces)} pieces")
        (answer,) = client.send([named], pieces)
        contract.check(answer, identity, body)


def _line_is_cut(contract: Contract) -> bool:
    return CUT_REQUEST_LINES not in contract.entry.manifest.lacks


def _together(contract: Contract, client: Client, rng: random.Random) -> None:
    """Sends several requests in one piece, and then in two that are cut in the last: in its head, then in its body."""
    for cut_in in ("", "head", "body"):
        asked = [(contract.random_id(rng), contract.random_body(rng)) for _ in range(_TOGETHER)]
        written = [contract.request(client, *each) for each in asked]
        how = f", one of {_TOGETHER} in one piece" + (f" that ends in the {cut_in} of the last" if cut_in else "")
        requests = [replace(each, shown=each.shown + how) for each in written]
        content = b"".join(request.written for request in requests)
        last = len(content) - len(requests[-1].written)
        line, body = content.index(b"\r\n", last) + 2, content.index(b"\r\n\r\n", last) + 4
        head = last + 1 if _line_is_cut(contract) else line
        places = {"": range(0), "head": range(head, body), "body": range(body, len(content))}[cut_in]
        if cut_in and not places:
            continue  # the requests have no body
        answers = client.send(requests, cut(content, [rng.choice(places)] if cut_in else []))
        for answer, (identity, sent) in zip(answers, asked, strict=True):
            contract.check(answer, identity, sent)


def _in_any_case(contract: Contract, client: Client, rng: random.Random) -> None:
    """Sends requests whose header fields have names in upper case, in lower case, and in a mixture of both."""
    for change in (bytes.upper, bytes.lower, bytes.swapcase):
        identity, body = contract.random_id(rng), contract.random_body(rng)
        request = contract.request(client, identity, body)
        head, end, content = request.written.partition(b"\r\n\r\n")
        renamed = _HEADER_NAME.sub(partial(_changed, change), head) + end + content
        named = replace(request, shown=f"{request.shown}, with names of header fields in another case")
        (answer,) = client.send([named], [renamed])
        contract.check(answer, identity, body)


def _changed(change: Callable[[bytes], bytes], name: re.Match[bytes]) -> bytes:
    return change(name[0])
