"""The named checks. Each sends requests to a running app and raises Mismatch when an answer breaks a rule."""

import json
import random
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from itertools import cycle, islice
from typing import Any, Generic, NamedTuple, TypeVar

from restbench.backends import Backend
from restbench.catalog import USUAL_SETUP, Cell, Entry
from restbench.catalog.lacks import REFUSED_COMMENTS, REFUSED_TRAILING_TEXT, SURROGATE_PAIRS
from restbench.conformance import bodies
from restbench.conformance.contract import Contract, Rule
from restbench.conformance.contracts import contract_of
from restbench.conformance.http import TRIED_AGAIN, Answer, Client, Mismatch, NoAnswer, shorten
from restbench.conformance.pieces import rules_of_pieces
from restbench.errors import ToolError
from restbench.loadgen.interface import ID_LIMIT

REFUSED = (400, 422)
NO_SUCH_METHOD = (404, 405)
NO_SUCH_ID = (400, 404, 422)

TRIES, BETWEEN_TRIES_SECONDS = 3, 0.5
"""How often what a busy machine can cause is tried, and the time until it is tried again."""

SOURCE_MS, CROWD_SOURCE_MS = range(2, 6), range(20, 31)
"""How many milliseconds a fetch may take in an app that is verified, and in one whose crowds only fetch.

Which of them is drawn at each start. It takes longer in crowds because there, answers of an app that does not wait are
late all the same: they come when the app has handled the requests before.
"""

SLOW_MS, SMALL_POOL = 100, 2
SLOW_SOURCE: Mapping[str, str] = {"POOL_SIZE": str(SMALL_POOL), "POOL_LATENCY_MS": str(SLOW_MS)}
"""Variables that give an app of one worker a slow data source with few connections (docs/CONTRACT.md)."""

_CLIENTS_OF_POOL = 20
"""How many requests that fetch are sent at once, at least, to an app with that source."""

_TIMED = 3
"""How many answers are timed in a check of its own. All other answers are timed too."""

_IDS = (0, 1, 17, ID_LIMIT - 1)
_RANDOM_BODIES = 12
_RANDOM_COSTLY_BODIES = 4  # each takes the app a good part of a second
_ESCAPED_BODIES = 3
_PAIR = re.compile(r"\\ud[89ab]")
"""The beginning of an escaped pair of surrogates."""

_EXTRA_ROUTES = [(method, f"/route-{method.lower()}-{n}") for method in ("GET", "POST", "PUT") for n in range(10)]


T = TypeVar("T")


@dataclass(frozen=True)
class CheckResult:
    """The result of a check.

    `broken` says how the app broke the rule, and `not_run` why the check was not run. Both are None for a kept rule.
    `found` is what the check found, where that is worth a line. `tries`: how often it was tried.
    """

    check: str
    cell: Cell | None
    broken: Mismatch | None = None
    not_run: str | None = None
    found: str = ""
    tries: int = 1

    @property
    def kept(self) -> bool:
        return self.broken is None and self.not_run is None


@dataclass(frozen=True)
class Check:
    """A rule for a cell, or for the whole entry when `cell` is None."""

    name: str
    cell: Cell | None
    run: Callable[[Client], object]


def entry_checks(
    entry: Entry, cells: list[Cell], rng: random.Random, backend: Backend | None = None, source_ms: float = 0.0
) -> list[Check]:
    """Returns the checks of an entry before load: first those of the entry itself, then those of each cell.

    All cells have the same setup. In a setup other than the usual one, only the rules that a setup can affect are
    checked. `source_ms`: the milliseconds that a fetch takes in the app; 0 where no answer may be too soon for it.
    """
    contracts = [contract_of(entry, cell, backend, source_ms) for cell in cells]
    if any(contract.scenario.setup != USUAL_SETUP for contract in contracts):
        near = [each for each in contracts if not each.scenario.link_delay_ms]  # an app cannot tell far from near
        checks = []
        for each in near:
            checks.append(Check("answer", each.cell, partial(each.right_answer, rng=rng)))
            checks += [Check(name, each.cell, run) for name, run in (*_duration(each, rng), *each.own_rules(rng))]
        return checks
    checks = [
        Check("connections", None, partial(_connections, contracts[0], rng)),
        Check("unknown-path", None, partial(_unknown_path, rng)),
    ]
    if any(cell.suite == "issue-tracker" for cell in cells):
        checks.append(Check("other-routes", None, partial(_other_routes, rng)))
    others = [each for each in contracts if not (each.scenario.features or each.scenario.computes)]
    for contract in contracts:
        checks += [Check(name, contract.cell, run) for name, run in _cell_checks(contract, rng)]
        if contract in others:
            checks.append(Check("after-others", contract.cell, partial(_after_others, contract, others, rng)))
    return checks


def _cell_checks(contract: Contract, rng: random.Random) -> Iterable[Rule]:
    if contract.scenario.features:
        yield from contract.own_rules(rng)
        return

    def answered(client: Client) -> tuple[Answer, int, object]:
        identity, body = contract.random_id(rng), contract.random_body(rng)
        return contract.ask(client, identity, body), identity, body

    shape = contract.shape
    yield "status", lambda client: contract.check_status(answered(client)[0])
    if contract.scenario.content_type:
        yield "content-type", lambda client: contract.check_content_type(answered(client)[0])
    yield "answer", lambda client: contract.check_body(*answered(client))
    if shape.has_id:
        yield "fresh-ids", partial(_fresh_ids, contract, rng)
        asked = (shape.method, shape.path_for("seventeen"), contract.random_body(rng))
        yield "text-as-id", lambda client: _expect(client.ask(*asked), NO_SUCH_ID)
    if shape.bodies:
        yield "random-bodies", partial(_random_bodies, contract, rng)
        lacks = contract.entry.manifest.lacks
        if SURROGATE_PAIRS not in lacks:
            yield "escaped-texts", partial(_escaped_texts, contract, rng)
        malformed = bodies.malformed(
            contract.random_body(rng),
            validates=contract.validates,
            comments=REFUSED_COMMENTS not in lacks,
            trailing=REFUSED_TRAILING_TEXT not in lacks,
            rng=rng,
        )
        yield "malformed-json", partial(_refuses, contract, rng, malformed)
    if contract.validates:
        misfits = [json.dumps(body, ensure_ascii=False).encode() for body in contract.misfits()]
        yield "wrong-types", partial(_refuses, contract, rng, misfits)
    yield "wrong-method", lambda client: _expect(client.ask("DELETE", shape.path_for(1)), NO_SUCH_METHOD)
    yield from rules_of_pieces(contract, rng)
    yield from _duration(contract, rng)
    yield from contract.own_rules(rng)


def _duration(contract: Contract, rng: random.Random) -> Iterable[Rule]:
    """The rule that an answer takes as long as its work or its fetches, where it has any."""

    def takes_its_time(client: Client) -> None:
        for _ in range(_TIMED):
            contract.right_answer(client, rng)

    if contract.soonest_ms:
        yield "duration", takes_its_time


def _expect(answer: Answer, statuses: tuple[int, ...]) -> None:
    if answer.status not in statuses:
        raise answer.fail(f"status {' or '.join(map(str, statuses))}", answer.shown())


def _unknown_path(rng: random.Random, client: Client) -> None:
    for path in (f"/no-such-path-{rng.randrange(ID_LIMIT)}", "/", "/api/v1/nothing/1"):
        _expect(client.ask("GET", path), (404,))


def _connections(contract: Contract, rng: random.Random, client: Client) -> None:
    """Uses several connections at a time, and each of them twice.

    The app has to keep connections alive, and to accept new ones while others are open.
    """
    with ExitStack() as opened:
        others = [opened.enter_context(Client(client.base_url)) for _ in range(8)]
        for other in others + others:
            contract.right_answer(other, rng)


def _after_others(contract: Contract, others: list[Contract], rng: random.Random, client: Client) -> None:
    """Asks after a request of each other cell, over the same connection.

    What is left of one request must not show in the answer to the next.
    """
    for other in others:
        with suppress(NoAnswer):  # the other cell is at fault
            other.ask(client, other.random_id(rng), other.random_body(rng))
        contract.right_answer(client, rng)


def _other_routes(rng: random.Random, client: Client) -> None:
    for method, path in _EXTRA_ROUTES:
        part = rng.randrange(ID_LIMIT)
        answer = client.ask(method, f"{path}/{part}")
        _expect(answer, (200,))
        if answer.json() != {"part": part}:
            raise answer.fail(f'{{"part": {part}}}', answer.shown())


def _fresh_ids(contract: Contract, rng: random.Random, client: Client) -> None:
    for identity in (*_IDS, *(contract.random_id(rng) for _ in range(4))):
        body = contract.random_body(rng)
        contract.check(contract.ask(client, identity, body), identity, body)


def _random_bodies(contract: Contract, rng: random.Random, client: Client) -> None:
    for _ in range(_RANDOM_COSTLY_BODIES if contract.scenario.computes else _RANDOM_BODIES):
        contract.right_answer(client, rng)


def _escaped_texts(contract: Contract, rng: random.Random, client: Client) -> None:
    """Sends bodies with all but ASCII escaped. Each has a character that JSON escapes as a pair of surrogates."""
    written = ((body, json.dumps(body)) for body in iter(partial(contract.random_body, rng), None))
    for body, text in islice((each for each in written if _PAIR.search(each[1])), _ESCAPED_BODIES):
        identity = contract.random_id(rng)
        answer = client.ask(contract.shape.method, contract.path(identity), raw=text.encode())
        contract.check(answer, identity, body)


def _refuses(contract: Contract, rng: random.Random, wrong: list[bytes], client: Client) -> None:
    """The app refuses each of these bodies, and answers right afterwards."""
    for raw in wrong:
        path = contract.shape.path_for(contract.random_id(rng))
        _expect(client.ask(contract.shape.method, path, raw=raw), REFUSED)
    contract.right_answer(client, rng)


def fetching(entry: Entry, cells: list[Cell]) -> list[Cell]:
    """Returns the cells whose requests ask the data source."""
    return [cell for cell in cells if entry.scenario(cell).source_fetches]


def fetches_in_turn(contracts: Sequence[Contract], rng: random.Random, base_url: str) -> None:
    """Raises Mismatch when more fetches are made at a time than the pool of the data source has connections.

    The app was started with SLOW_SOURCE and one worker. It gets all requests at once, in turn of each contract. However
    it works, an answer cannot come before as many fetches were made as the answers so far need.
    """
    entry = contracts[0].entry
    processes = entry.concurrency if entry.language.manifest.shares_nothing else None
    at_a_time = max(SMALL_POOL, processes or 0)
    number = max(_CLIENTS_OF_POOL, 2 * at_a_time, 2 * len(contracts))
    asked = [(each, each.random_id(rng), each.random_body(rng)) for each in islice(cycle(contracts), number)]
    began = time.monotonic()

    def ask(contract: Contract, identity: int, body: Any) -> float:
        with Client(base_url) as client:
            answer = contract.ask(client, identity, body)
        came = time.monotonic() - began
        contract.check(answer, identity, body)
        return came

    with ThreadPoolExecutor(number) as pool:
        came = sorted(pool.map(lambda each: ask(*each), asked))
    for index, seconds in enumerate(came):
        soonest = (index // at_a_time + 1) * contracts[0].soonest_ms
        if seconds * 1e3 < soonest:
            shapes = " and ".join(dict.fromkeys(f"{each.shape.method} {each.shape.path}" for each in contracts))
            raise Mismatch(
                f"{number} requests at once: {shapes}",
                f"answer {index + 1} after {soonest:g} ms or later, as {at_a_time} fetches at a time take {SLOW_MS} ms",
                f"it came after {seconds * 1e3:.0f} ms: not every fetch holds a connection of the pool",
            )


class Outcome(NamedTuple, Generic[T]):
    """What came of something that may be tried again. `value`: its result, or the Mismatch of its last try.

    `tries`: how often it was tried. `before`: what was wrong in the try before the last, where there was one.
    """

    value: T | Mismatch
    tries: int
    before: str

    @property
    def broken(self) -> Mismatch | None:
        return self.value if isinstance(self.value, Mismatch) else None

    @property
    def note(self) -> str:
        """Says how often it was tried, and why. Empty where the first try was enough."""
        return f"at try {self.tries} of {TRIES}; before: {shorten(self.before)}" if self.tries > 1 else ""


def outcome(run: Callable[[], T]) -> Outcome[T]:
    """Runs something. It is run again after what a machine that is busy with other work can cause, TRIES times at most.

    That is an answer which does not come, also from the app's backend, what a right app may look like by chance, and a
    ToolError. The last ToolError is raised.
    """
    tries, before = 1, ""
    while True:
        try:
            return Outcome(run(), tries, before)
        except ToolError as error:
            if tries == TRIES:
                raise
            before = error.message
        except Mismatch as broken:
            if tries == TRIES or not isinstance(broken, TRIED_AGAIN):
                return Outcome(broken, tries, before)
            before = str(broken)
        tries += 1
        time.sleep(BETWEEN_TRIES_SECONDS)


def verdict(check: str, cell: Cell | None, run: Callable[[], object]) -> CheckResult:
    """Runs a check. A check that was kept at a later try says so."""
    found = outcome(run)
    return CheckResult(check, cell, found.broken, found="" if found.broken else found.note, tries=found.tries)
