"""The named checks. Each sends requests to a running app and raises Mismatch when an answer breaks a rule."""

import json
import random
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from restbench.backends import Backend
from restbench.catalog import USUAL_SETUP, Cell, Entry
from restbench.catalog.lacks import REFUSED_COMMENTS
from restbench.conformance import bodies
from restbench.conformance.contract import Contract, Rule
from restbench.conformance.contracts import contract_of
from restbench.conformance.http import TRIED_AGAIN, Answer, Client, Mismatch, NoAnswer
from restbench.conformance.pieces import rules_of_pieces
from restbench.errors import ToolError
from restbench.loadgen.interface import ID_LIMIT

REFUSED = (400, 422)
NO_SUCH_METHOD = (404, 405)
NO_SUCH_ID = (400, 404, 422)

TRIES, BETWEEN_TRIES_SECONDS = 3, 0.5
"""How often what got no answer is tried, and the time until it is tried again."""

SLOW_MS = 100
SLOW_SOURCE: Mapping[str, str] = {"POOL_LATENCY_MS": str(SLOW_MS)}
"""Variables that give the app a slow data source (docs/CONTRACT.md)."""

_TIMER_SLACK = 0.95
"""Share of the expected time that an answer has to take, as timers may end too early."""

_IDS = (0, 1, 17, ID_LIMIT - 1)
_RANDOM_BODIES = 12
_RANDOM_COSTLY_BODIES = 4  # each takes the app a good part of a second
_EXTRA_ROUTES = [(method, f"/route-{method.lower()}-{n}") for method in ("GET", "POST", "PUT") for n in range(10)]


T = TypeVar("T")


@dataclass(frozen=True)
class Check:
    """A rule for a cell, or for the whole entry when `cell` is None."""

    name: str
    cell: Cell | None
    run: Callable[[Client], object]


def entry_checks(entry: Entry, cells: list[Cell], rng: random.Random, backend: Backend | None = None) -> list[Check]:
    """Returns the checks of an entry before load: first those of the entry itself, then those of each cell.

    All cells have the same setup. In a setup other than the usual one, only the rules that a setup can affect are
    checked.
    """
    contracts = [contract_of(entry, cell, backend) for cell in cells]
    if any(contract.scenario.setup != USUAL_SETUP for contract in contracts):
        near = [each for each in contracts if not each.scenario.link_delay_ms]  # an app cannot tell far from near
        checks = []
        for each in near:
            checks.append(Check("answer", each.cell, partial(each.right_answer, rng=rng)))
            checks += [Check(name, each.cell, run) for name, run in each.own_rules(rng)]
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
        comments = REFUSED_COMMENTS not in contract.entry.manifest.lacks
        random_body = contract.random_body(rng)
        malformed = bodies.malformed(random_body, validates=contract.validates, comments=comments, rng=rng)
        yield "malformed-json", partial(_refuses, contract, rng, malformed)
    if contract.validates:
        misfits = [json.dumps(body, ensure_ascii=False).encode() for body in contract.misfits()]
        yield "wrong-types", partial(_refuses, contract, rng, misfits)
    yield "wrong-method", lambda client: _expect(client.ask("DELETE", shape.path_for(1)), NO_SUCH_METHOD)
    yield from rules_of_pieces(contract, rng)
    yield from contract.own_rules(rng)


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


def _refuses(contract: Contract, rng: random.Random, wrong: list[bytes], client: Client) -> None:
    """The app refuses each of these bodies, and answers right afterwards."""
    for raw in wrong:
        path = contract.shape.path_for(contract.random_id(rng))
        _expect(client.ask(contract.shape.method, path, raw=raw), REFUSED)
    contract.right_answer(client, rng)


def fetching(entry: Entry, cells: list[Cell]) -> list[Cell]:
    """Returns the cells whose requests ask the data source."""
    return [cell for cell in cells if entry.scenario(cell).source_fetches]


def asks_source(contract: Contract, rng: random.Random, client: Client) -> None:
    """Raises Mismatch when an answer comes before the data source can have given its rows.

    The app was started with SLOW_SOURCE, so that each answer has to take at least as long as its fetches.
    """
    shortest, body = contract.scenario.source_fetches * SLOW_MS, contract.random_body(rng)
    began = time.monotonic()
    answer = contract.ask(client, contract.random_id(rng), body)
    took = (time.monotonic() - began) * 1e3
    if took < _TIMER_SLACK * shortest:
        wanted = f"an answer after {shortest} ms, which the data source takes"
        raise answer.fail(wanted, f"one after {took:.0f} ms: the source is not asked")


def outcome(run: Callable[[], T]) -> T | Mismatch:
    """Returns the result, or the Mismatch that was raised. Where an answer does not come, `run` is tried again.

    On a machine that is busy with other work it may have come too late, and so may the answer of the app's backend.
    `run` is tried again after a ToolError too. The last one is raised.
    """
    tries = 1
    while True:
        try:
            return run()
        except ToolError:
            if tries == TRIES:
                raise
        except Mismatch as broken:
            if tries == TRIES or not isinstance(broken, TRIED_AGAIN):
                return broken
        tries += 1
        time.sleep(BETWEEN_TRIES_SECONDS)


def first_broken(run: Callable[[Client], object], client: Client) -> Mismatch | None:
    """Runs a check. Returns the Mismatch, or None when the app keeps the rule."""
    found = outcome(partial(run, client))
    return found if isinstance(found, Mismatch) else None
