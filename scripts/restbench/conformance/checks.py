"""The named checks. Each sends requests to a running app and raises Mismatch when an answer breaks a rule."""

import random
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass

from restbench.backends import Backend
from restbench.catalog import USUAL_SETUP, Cell, Entry
from restbench.catalog.lacks import REFUSED_COMMENTS
from restbench.conformance import bodies
from restbench.conformance.contract import Contract, Rule
from restbench.conformance.contracts import contract_of
from restbench.conformance.http import TRIED_AGAIN, Answer, Client, Mismatch, NoAnswer
from restbench.conformance.pieces import rules_of_pieces
from restbench.loadgen.request_shapes import ID_LIMIT

REFUSED = (400, 422)
NO_SUCH_METHOD = (404, 405)
NO_SUCH_ID = (400, 404, 422)

TRIES, BETWEEN_TRIES_SECONDS = 3, 0.5
"""How often a check without an answer is run, and the time until it is run again."""

_IDS = (0, 1, 17, ID_LIMIT - 1)
_RANDOM_BODIES = 12
_RANDOM_COSTLY_BODIES = 4  # each takes the app a good part of a second
_EXTRA_ROUTES = [(method, f"/route-{method.lower()}-{n}") for method in ("GET", "POST", "PUT") for n in range(10)]


@dataclass(frozen=True)
class Check:
    """A rule for a cell, or for the whole entry when `cell` is None."""

    name: str
    cell: Cell | None
    run: Callable[[Client], None]


def entry_checks(entry: Entry, cells: list[Cell], rng: random.Random, backend: Backend | None = None) -> list[Check]:
    """Returns the checks of an entry before load: first those of the entry itself, then those of each cell.

    All cells have the same setup. In a setup other than the usual one, only the rules that a setup can affect are
    checked.
    """
    usual = all(entry.scenario(cell).setup == USUAL_SETUP for cell in cells)
    if not usual:
        near = [cell for cell in cells if not entry.scenario(cell).link_delay_ms]  # an app cannot tell far from near
        return [check for cell in near for check in _changed_by_setup(entry, cell, rng, backend)]
    checks = [
        Check("connections", None, _connections(contract_of(entry, cells[0]), rng)),
        Check("unknown-path", None, _unknown_path(rng)),
    ]
    if any(cell.suite == "issue-tracker" for cell in cells):
        checks.append(Check("other-routes", None, _other_routes(rng)))
    contracts = [contract_of(entry, cell, backend) for cell in cells]
    others = [each for each in contracts if not (each.scenario.features or each.scenario.computes)]
    for cell, contract in zip(cells, contracts, strict=True):
        checks += [Check(name, cell, run) for name, run in _cell_checks(contract, rng)]
        if contract in others:
            checks.append(Check("after-others", cell, _after_others(contract, others, rng)))
    return checks


def _changed_by_setup(entry: Entry, cell: Cell, rng: random.Random, backend: Backend | None) -> Iterable[Check]:
    contract = contract_of(entry, cell, backend)
    yield Check("answer", cell, lambda client: contract.ask_and_check(client, rng))
    for name, run in contract.own_rules(rng):
        yield Check(name, cell, run)


def after_load_check(entry: Entry, cell: Cell, rng: random.Random) -> Check:
    """Returns the check that the cell still answers right."""
    contract = contract_of(entry, cell)
    return Check("after-load", cell, lambda client: contract.ask_and_check(client, rng))


def _cell_checks(contract: Contract, rng: random.Random) -> Iterable[Rule]:
    if contract.scenario.features:
        yield from contract.own_rules(rng)
        return

    def right_answer(client: Client) -> tuple[Answer, int, object]:
        identity, body = contract.random_id(rng), contract.random_body(rng)
        return contract.ask(client, identity, body), identity, body

    yield "status", lambda client: contract.check_status(right_answer(client)[0])
    if contract.scenario.content_type:
        yield "content-type", lambda client: contract.check_content_type(right_answer(client)[0])
    yield "answer", lambda client: contract.check_body(*right_answer(client))
    if contract.shape.has_id:
        yield "fresh-ids", _fresh_ids(contract, rng)
        yield "text-as-id", _text_as_id(contract, rng)
    if contract.shape.body is not None:
        yield "random-bodies", _random_bodies(contract, rng)
        yield "malformed-json", _malformed(contract, rng)
    if contract.validates:
        yield "wrong-types", _wrong_types(contract, rng)
    yield "wrong-method", _wrong_method(contract)
    yield from rules_of_pieces(contract, rng)
    yield from contract.own_rules(rng)


def _expect(answer: Answer, statuses: tuple[int, ...]) -> None:
    if answer.status not in statuses:
        raise answer.fail(f"status {' or '.join(map(str, statuses))}", answer.shown())


def _unknown_path(rng: random.Random) -> Callable[[Client], None]:
    def run(client: Client) -> None:
        for path in (f"/no-such-path-{rng.randrange(ID_LIMIT)}", "/", "/api/v1/nothing/1"):
            _expect(client.ask("GET", path), (404,))

    return run


def _connections(contract: Contract, rng: random.Random) -> Callable[[Client], None]:
    """Uses several connections at a time, and each of them twice.

    The app has to keep connections alive, and to accept new ones while others are open.
    """

    def run(client: Client) -> None:
        others = [Client(client.base_url) for _ in range(8)]
        try:
            for other in others + others:
                contract.ask_and_check(other, rng)
        finally:
            for other in others:
                other.__exit__(None, None, None)

    return run


def _after_others(contract: Contract, others: list[Contract], rng: random.Random) -> Callable[[Client], None]:
    """Asks after a request of each other cell, over the same connection.

    What is left of one request must not show in the answer to the next.
    """

    def run(client: Client) -> None:
        for other in others:
            with suppress(NoAnswer):  # the other cell is to blame
                other.ask(client, other.random_id(rng), other.random_body(rng))
            contract.ask_and_check(client, rng)

    return run


def _other_routes(rng: random.Random) -> Callable[[Client], None]:
    def run(client: Client) -> None:
        for method, path in _EXTRA_ROUTES:
            part = rng.randrange(ID_LIMIT)
            answer = client.ask(method, f"{path}/{part}")
            _expect(answer, (200,))
            if answer.json() != {"part": part}:
                raise answer.fail(f'{{"part": {part}}}', answer.shown())

    return run


def _fresh_ids(contract: Contract, rng: random.Random) -> Callable[[Client], None]:
    def run(client: Client) -> None:
        for identity in (*_IDS, *(contract.random_id(rng) for _ in range(4))):
            body = contract.random_body(rng)
            contract.check(contract.ask(client, identity, body), identity, body)

    return run


def _text_as_id(contract: Contract, rng: random.Random) -> Callable[[Client], None]:
    def run(client: Client) -> None:
        path = contract.shape.path_for("seventeen")
        _expect(client.ask(contract.shape.method, path, contract.random_body(rng)), NO_SUCH_ID)

    return run


def _random_bodies(contract: Contract, rng: random.Random) -> Callable[[Client], None]:
    def run(client: Client) -> None:
        for _ in range(_RANDOM_COSTLY_BODIES if contract.scenario.computes else _RANDOM_BODIES):
            contract.ask_and_check(client, rng)

    return run


def _malformed(contract: Contract, rng: random.Random) -> Callable[[Client], None]:
    def run(client: Client) -> None:
        comments = REFUSED_COMMENTS not in contract.entry.manifest.lacks
        body = contract.random_body(rng)
        for raw in bodies.malformed(body, validates=contract.validates, comments=comments, rng=rng):
            path = contract.shape.path_for(contract.random_id(rng))
            _expect(client.ask(contract.shape.method, path, raw=raw), REFUSED)
        contract.ask_and_check(client, rng)

    return run


def _wrong_types(contract: Contract, rng: random.Random) -> Callable[[Client], None]:
    def run(client: Client) -> None:
        for body in contract.misfits():
            path = contract.shape.path_for(contract.random_id(rng))
            _expect(client.ask(contract.shape.method, path, body), REFUSED)
        contract.ask_and_check(client, rng)

    return run


def _wrong_method(contract: Contract) -> Callable[[Client], None]:
    def run(client: Client) -> None:
        _expect(client.ask("DELETE", contract.shape.path_for(1)), NO_SUCH_METHOD)

    return run


def first_broken(check: Check, client: Client) -> Mismatch | None:
    """Runs a check. Returns the Mismatch, or None when the app keeps the rule.

    A check without an answer is run again: on a machine that is busy with other work it may have come too late, and so
    may the answer of the app's backend.
    """
    broken: Mismatch | None = None
    for _ in range(TRIES):
        try:
            check.run(client)
        except TRIED_AGAIN as silent:
            broken = silent
            time.sleep(BETWEEN_TRIES_SECONDS)
        except Mismatch as wrong:
            return wrong
        else:
            return None
    return broken
