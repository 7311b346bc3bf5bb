"""Reads answers to a load of wrk, because an app may answer right only when it is idle, or only most of the time.

An answer that has the form of right answers is compared as a whole. Any other is parsed, as an app may order keys anew,
or escape a text in another legal way.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from http import HTTPStatus

from restbench.conformance.answers import RightAnswers
from restbench.conformance.bodies import wrong_under_load
from restbench.conformance.contract import Contract
from restbench.conformance.http import (
    KEEPALIVE_REQUESTS,
    Answer,
    BackendSilent,
    Mismatch,
    NoAnswer,
    closed_early,
    encoded,
)
from restbench.errors import LoadError
from restbench.loadgen import WRK, Load, LoadResult, OddAnswer, Read, Reading
from restbench.loadgen.interface import LOADED_IDS

MIXED, MIXED_EACH = 128, 2
"""About half of so many requests of a load whose answers are all read have a wrong body: this many at most, and so many
for each connection.
"""

FIRST_MIXED = (0.1, 0.9)
"""The shares of such a load between which these begin, at random. An app that knew the moment could read bodies only
then.
"""


def reading_of(contract: Contract, right: RightAnswers | None) -> Reading:
    """Returns how the answers of a cell are read."""
    rows, soonest = max(1, len(contract.rows)), contract.soonest_ms
    return Reading(right.forms, rows, right.have_ids, soonest) if right else Reading(soonest_ms=soonest)


def with_wrong_ones(reading: Reading, contract: Contract, connections: int, rng: random.Random) -> Reading:
    """Returns the reading of a load that has wrong bodies among right ones. GET requests have no bodies."""
    wrong: list[bytes] = []
    first = str(LOADED_IDS.start).encode()
    for body in contract.shape.bodies:
        # with an id in its place, as what replaces a text has to be as long
        wrong += wrong_under_load(body.replace(b"{id}", first), validates=contract.validates, rng=rng)
    mixed = min(MIXED, MIXED_EACH * connections)
    return replace(reading, wrong=tuple(wrong), mixed=mixed, after=rng.uniform(*FIRST_MIXED))


def read_answers(base_url: str, contract: Contract, right: RightAnswers | None, load: Load) -> LoadResult:
    """Sends load, and reads all answers.

    Raises Mismatch for the first rule that is broken, BackendSilent when no rule is broken and the app says that its
    backend is silent, NoAnswer when an answer does not come, and ToolError when wrk fails.
    """
    request = f"{contract.shape.method} {contract.shape.path}"
    try:
        read = WRK.read(base_url, contract.shape, load, reading_of(contract, right))
    except LoadError as error:
        raise NoAnswer(request, "answers", f"{error.message} {error.detail}".strip()) from error
    check_answers(contract, [read])
    expect_all(contract, [read])
    return read.load


def check_answers(contract: Contract, reads: Sequence[Read]) -> None:
    """Checks the answers of loads that were sent at the same time. Raises Mismatch for the first rule that is broken.

    Raises BackendSilent when no rule is broken and the app says that its backend is silent. That answers are missing is
    not looked at.
    """
    silent: list[BackendSilent] = []
    numbers: list[int] = []
    request = f"{contract.shape.method} {contract.shape.path}"
    for read in reads:
        numbers += read.numbers
        numbers += _checked(contract, read.odd, silent)
        if unasked := unasked_answers(read.load, request):
            raise unasked
        _check_connections(read, request)
        if read.bare and contract.scenario.status != HTTPStatus.NO_CONTENT:
            wanted = "a content-type in each answer"
            raise Mismatch(f"{request} under load", wanted, f"{read.bare} answers without any header field")
        # How long a single bare answer took is not known. The time of all answers is at least that of the right ones.
        shortest_ms = contract.soonest_ms * (read.load.requests - read.refused)
        if read.bare and (taken_ms := read.load.mean_ms * read.load.requests) < shortest_ms:
            wanted = "answers no sooner than the contract says"
            mean = f"a mean of {taken_ms / read.load.requests:.1f} ms: some were not waited for"
            raise Mismatch(f"{request} under load", wanted, mean)
        if read.soonest_ms is not None:
            wanted = "an answer no sooner than the contract says"
            raise Mismatch(
                f"{request} under load", wanted, f"one after {read.soonest_ms:.1f} ms: it was not waited for"
            )
        if read.refused < read.wrong and not _lost(read.load):
            wanted = f"400 or 422 to each of {read.wrong} wrong bodies among right ones"
            raise Mismatch(f"{request} under load", wanted, f"{read.refused} of them")
    if numbers:
        contract.check_numbers(numbers, min(read.began for read in reads), max(read.ended for read in reads))
    if silent:
        raise silent[0]


def expect_all(contract: Contract, reads: Iterable[Read]) -> None:
    """Raises NoAnswer when a load has fewer answers than requests, or none at all.

    A connection may be closed after a wrong request was refused. The next one on it is lost then.
    """
    request = f"{contract.shape.method} {contract.shape.path}"
    for read in reads:
        if (lost := _lost(read.load)) > read.refused:
            expected = "an answer to each within 5 s"
            raise NoAnswer(f"{read.load.sent} × {request} under load", expected, f"{lost} without one")
        if not read.load.requests:
            raise NoAnswer(f"{request} under load", "answers", "none")


def _lost(load: LoadResult) -> int:
    """Returns how many requests got no answer."""
    late = load.errors.get("timeout", 0) + load.errors.get("unanswered", 0)
    return max(late, (load.sent or 0) - load.requests)


def unasked_answers(load: LoadResult, request: str) -> Mismatch | None:
    """Returns a Mismatch when more answers came than requests were sent, else None."""
    if not load.unasked:
        return None
    return Mismatch(f"{load.sent} × {request}", f"{load.sent} answers", f"{load.requests}: more than one for a request")


def _checked(contract: Contract, odd: Iterable[OddAnswer], silent: list[BackendSilent]) -> Iterator[int]:
    """Parses answers, and yields the numbers of their fetches. Raises Mismatch for a wrong answer.

    Answers that say that the backend is silent are added to `silent`, and the others are read on.
    """
    shape = contract.shape
    for each in odd:
        identity = each.id or 0
        path = shape.path_for(each.id) if each.id is not None else shape.path
        request = f"{shape.method} {path} (answer {each.count} under load)"
        answer = Answer(request, each.status, each.content_type, each.body)
        if each.to_wrong:
            raise answer.fail("status 400 or 422 to a wrong body", answer.shown())
        if broken := encoded(each.encoding):
            raise Mismatch(request, *broken)
        try:
            if not each.is_known:
                contract.check_status(answer)
                raise answer.fail("the id of a request that waits for its answer", answer.shown())
            contract.check(answer, identity, contract.loaded_body(identity))
        except BackendSilent as error:
            silent.append(error)
            continue
        if (number := contract.number_of(answer)) is not None:
            yield number


def _check_connections(read: Read, request: str) -> None:
    """Raises Mismatch where the app closed a connection too early, or sent what is no answer.

    An app that accepts no connection has ended, which another check says.
    """
    if "connect" in read.load.errors:
        return
    for closed in read.closed:
        if closed.answers < KEEPALIVE_REQUESTS:
            raise Mismatch(f"{request} under load", *closed_early(closed.answers, announced=closed.announced))
    unread = read.load.errors.get("read", 0) - read.refused - sum(not closed.announced for closed in read.closed)
    # connections that may be closed have had so many answers each
    if unread * KEEPALIVE_REQUESTS > read.load.requests:
        expected = "answers that are HTTP, over connections that stay open"
        raise Mismatch(f"{request} under load", expected, f"{unread} that were closed, or that wrk could not read")
