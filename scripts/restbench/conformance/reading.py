"""Reads every answer to a load of wrk, because an app may answer right only when it is idle, or only most of the time.

An answer that has the form of right answers is compared as a whole. Any other is parsed, as an app may order keys anew,
or escape a text in another legal way.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from restbench.conformance.contract import Contract
from restbench.conformance.http import KEEPALIVE_REQUESTS, Answer, BackendSilent, Mismatch, closed_early, encoded
from restbench.loadgen import WRK, AnswerForm, Load, LoadResult, OddAnswer, Read, Reading
from restbench.loadgen.interface import LOADED_IDS

_ONE_PROCESS = 10**7
"""Numbers of fetches that differ by less come from one process: no load makes so many fetches.

Two processes begin at random numbers, of which there are 8 × 10⁹.
"""

_PROBE_ID = LOADED_IDS.start


def read_answers(base_url: str, contract: Contract, form: AnswerForm | None, load: Load, requests: int) -> LoadResult:
    """Sends load until each connection has sent `requests` requests, for `load.seconds` at most, and reads all answers.

    Raises Mismatch for the first rule that is broken, BackendSilent when no rule is broken and the app says that its
    backend is silent, LoadError when nothing is answered, and ToolError when wrk fails.
    """
    probe = None
    if contract.numbered:  # the load's own answers do not show how many fetches there were, and those of the probe do
        shape = contract.numbered.shape
        probe = WRK.write(shape.method, shape.path_for(_PROBE_ID), base_url.removeprefix("http://"), {}, None)
    read = WRK.read(base_url, contract.shape, load, Reading(requests, form, probe))
    silent: list[BackendSilent] = []
    numbers = read.numbers + list(_checked(contract, read.odd, silent))
    request = f"{contract.shape.method} {contract.shape.path}"
    if unasked := unasked_answers(read.load, request):
        raise unasked
    _check_connections(read, request)
    number, times = next(iter(Counter(numbers).most_common(1)), (0, 0))
    if times > 1:
        got = f"the fetch {number} in {times} answers: rows or answers are kept"
        raise Mismatch(f"{len(numbers)} × {request}", "a fetch of its own for each answer", got)
    if contract.numbered and not read.load.errors:
        _check_fetches(contract.numbered, read, request)
    if silent:
        raise silent[0]
    return read.load


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
        if each.is_probe:
            continue
        identity = each.id or 0
        where = f"request {each.count} of a connection under load"
        request = f"{shape.method} {shape.path_for(identity)} ({where})"
        if broken := encoded(each.encoding):
            raise Mismatch(request, *broken)
        answer = Answer(request, each.status, each.content_type, each.body)
        try:
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
    unread = read.load.errors.get("read", 0) - sum(not closed.announced for closed in read.closed)
    if unread > 0:
        expected = "answers that are HTTP, and nothing after them"
        raise Mismatch(f"{request} under load", expected, f"{unread} that wrk could not read")


def _check_fetches(numbered: Contract, read: Read, request: str) -> None:
    """Raises Mismatch when there were fewer fetches than requests.

    Each connection shows the number of a fetch first and last. A process has numbered the fetches between its smallest
    and its largest number, and the requests of its connections are among them.
    """
    seen: dict[int, list[tuple[int, OddAnswer]]] = {}
    for each in read.odd:
        if each.is_probe:
            answer = Answer(f"GET {numbered.shape.path_for(_PROBE_ID)}", each.status, each.content_type, each.body)
            numbered.check(answer, _PROBE_ID, None)
            number = numbered.number_of(answer)
            assert number is not None, "a right answer of this scenario has a number"
            seen.setdefault(each.connection, []).append((number, each))
    for process in _processes(number for probes in seen.values() for number, _ in probes):
        mine = [probes for probes in seen.values() if len(probes) == 2 and {n for n, _ in probes} <= process]
        requests = sum(last.count for _, (_, last) in mine)
        fetches = max(process) - min(process) + 1 - len(process)
        if fetches < requests:
            got = f"{fetches} fetches: the data source is not asked each time"
            raise Mismatch(f"{requests} × {request}", f"{requests} fetches", got)


def _processes(numbers: Iterable[int]) -> Iterator[set[int]]:
    """Splits numbers of fetches into those of each process."""
    process: list[int] = []
    for number in sorted(numbers):
        if process and number - process[-1] > _ONE_PROCESS:
            yield set(process)
            process = []
        process.append(number)
    if process:
        yield set(process)
