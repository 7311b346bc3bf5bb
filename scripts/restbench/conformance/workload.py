"""The suite `workload`: business logic that takes a given time and must not hold up other requests.

No check depends on the speed of the machine. Requests that wait are compared with as many that do not. The answers
that come while hashes are computed are counted against the hashes that have ended.
"""

import os
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import quote

import bcrypt

from restbench.catalog.lacks import PIPELINING
from restbench.conformance import bodies
from restbench.conformance.contract import Contract, Rule
from restbench.conformance.difference import check_json, check_text
from restbench.conformance.http import TIMEOUT_SECONDS, Answer, ByChance, Client, NoAnswer, shorten

BCRYPT_COST = 10
_BCRYPT_BYTES = 72
"""The longest text that bcrypt takes (N. Provos, D. Mazières, A Future-Adaptable Password Scheme, 1999)."""

_IN_TURN = 0.5
"""Requests that wait in turn take longer than requests without waiting by their whole waiting. Less than this share of
it is no waiting in turn."""

_AHEAD = 2
"""On a blocked event loop no more answers than these are ahead of the hashes."""

_CROWDS = 3
"""How many crowds of hashes are sent at most. An app in many processes may get little CPU time beside the hashes, which
compute in as many, for as long as one crowd takes."""

_HASHES_SECONDS = 30.0
"""How long an answer may take where hashes are computed under load (docs/CONTRACT.md): it waits for those before it."""

QUEUE_CLIENTS = 10

STATUS_PATH = "/test/status"


class Workload(Contract):
    """The contract of payloads and messages, with the rules of each kind of work."""

    @property
    def validates(self) -> bool:
        return bool(self.shape.bodies)

    @property
    def _queue(self) -> bool:
        return self.shape.path == "/test"

    @property
    def _key(self) -> str:
        return "message" if self._queue else "payload"

    def random_body(self, rng: random.Random) -> Any:
        if not self.shape.bodies:
            return None
        text = _short_text(rng) if self.scenario.computes == "bcrypt" else bodies.text(rng)
        return {self._key: text}

    def misfits(self) -> list[Any]:
        if not self.shape.bodies:
            return []
        return [[], "text", {}, {self._key: None}, {self._key: ["a list"]}, {self._key: {"an": "object"}}]

    def path(self, identity: int) -> str:
        return self.shape.path.replace("{label}", quote(_label(identity), safe=""))

    def check_body(self, answer: Answer, identity: int, body: Any) -> None:
        match self.scenario.name:
            case "status":
                check_text(answer, "OK")
            case "labels":
                check_text(answer, _label(identity))
            case "bcrypt":
                _verifies(answer, body["payload"])
            case _ if self._queue:
                note = f"handled for {self.scenario.waits_ms:g} ms"
                check_json(answer, {"message": body["message"], "note": note})
            case _:
                check_json(answer, {"payload": f"Hello, {body['payload']}"})

    def own_rules(self, rng: random.Random) -> Iterable[Rule]:
        if self.scenario.name == "timed":
            yield "waits-together", partial(self._waits_together, rng)
            if PIPELINING not in self.entry.manifest.lacks:
                yield "in-order", partial(self._in_order, rng)
        if self.scenario.computes == "bcrypt":
            yield "fresh-salt", partial(self._fresh_salt, rng)
            yield "others-go-on", partial(self._others_go_on, rng)
        if self.scenario.name == "labels":
            yield "every-label", self._every_label
        if self._queue:
            yield "every-message", partial(self._every_message, rng)

    def _every_label(self, client: Client) -> None:
        for identity in range(len(LABELS)):
            self.check(self.ask(client, identity, None), identity, None)

    def _waits_together(self, rng: random.Random, client: Client) -> None:
        """Many requests wait at the same time. An app that blocks its event loop makes them wait in turn.

        On a busy machine each request takes longer. So they are compared with as many requests of the scenario simple,
        which has the same body and the same answer.
        """
        cpus = os.cpu_count() or 1
        crowd = 20 * cpus
        most = _IN_TURN * crowd * self.scenario.waits_ms / cpus  # with one blocking worker per CPU
        took = []
        with _connected(client.base_url, crowd) as clients:
            for contract in (Workload(self.entry, replace(self.cell, scenario="simple")), self):
                requests = [[partial(_asked, contract, self.random_body(rng))] for _ in range(crowd)]
                took.append(1e3 * _seconds_of(partial(_at_once, clients, requests)))
        prompt, waiting = took
        if waiting - prompt >= most:
            raise ByChance(
                f"{crowd} × {self.shape.method} {self.shape.path} at once",
                f"that they take at most {most:.0f} ms longer than without waiting, which is {prompt:.0f} ms",
                f"{waiting:.0f} ms: they wait in turn",
            )

    def _in_order(self, rng: random.Random, client: Client) -> None:
        """Sends a request that waits and one that does not in one piece. The answer to the first comes first."""
        body = self.random_body(rng)
        waits, prompt = self.request(client, 0, body), client.request("GET", STATUS_PATH)
        asked = replace(waits, shown=f"{waits.shown}, with {prompt.shown} behind it in one piece")
        first, second = client.send([asked, prompt], [waits.written + prompt.written])
        self.check(first, 0, body)
        check_text(second, "OK")

    def _fresh_salt(self, rng: random.Random, client: Client) -> None:
        body = self.random_body(rng)
        first, second = self.ask(client, 0, body), self.ask(client, 0, body)
        if first.json() == second.json():
            raise second.fail("a hash with a fresh salt, which differs from the first hash", second.shown())

    def _others_go_on(self, rng: random.Random, client: Client) -> None:
        """The app answers requests without work while it computes hashes.

        On a blocked event loop each answer waits for the end of a hash. The first answer may come before the hashes
        begin, and another one before an ended hash is written. So no more than two are ahead of the hashes at any time,
        however busy the machine is. Each hash is verified, as an app may compute cheaper ones while it is busy.
        """
        crowd = 4 * (os.cpu_count() or 1)
        most: int | None = None
        for _ in range(_CROWDS):
            hashed = [self.random_body(rng) for _ in range(crowd)]
            ahead, hashes = _while_busy(client, [partial(_asked, self, body) for body in hashed])
            with ThreadPoolExecutor(os.cpu_count()) as pool:  # bcrypt releases the lock of the interpreter
                for _ in pool.map(lambda answer, body: self.check(answer, 0, body), hashes, hashed):
                    pass
            if ahead is not None:
                most = max(ahead, most or 0)
                if most > _AHEAD:
                    return
        asked = f"GET {STATUS_PATH}"
        if most is None:
            raise NoAnswer(asked, "answers while hashes are computed", "hashes that came before it was asked")
        raise ByChance(
            asked,
            f"at some time, over {_AHEAD} answers more than hashes have ended, of {crowd} computed at once",
            f"{most}: the event loop is blocked",
        )

    def _every_message(self, rng: random.Random, client: Client) -> None:
        """Ten clients at a time send messages. Each client waits for an answer, and gets its own message back."""
        each = 2 if self.scenario.waits_ms else 30
        messages = [[{"message": f"{n}-{i} {bodies.text(rng)}"} for i in range(each)] for n in range(QUEUE_CLIENTS)]
        with _connected(client.base_url, QUEUE_CLIENTS) as clients:
            answers = _at_once(clients, [[partial(_asked, self, m) for m in mine] for mine in messages])
        for mine, got in zip(messages, answers, strict=True):
            for message, answer in zip(mine, got, strict=True):
                self.check(answer, 0, message)


Ask = Callable[[Client], Answer]


def _asked(contract: Contract, body: Any, client: Client) -> Answer:
    return contract.ask(client, 0, body)


def _status(client: Client) -> Answer:
    return client.ask("GET", STATUS_PATH)


@contextmanager
def _connected(base_url: str, number: int, patience: float = TIMEOUT_SECONDS) -> Iterator[list[Client]]:
    """Yields clients with open connections, as connecting during a check would delay its requests on a busy machine."""
    with ExitStack() as opened:
        clients = [opened.enter_context(Client(base_url, patience=patience)) for _ in range(number)]
        for client in clients:
            _status(client)
        yield clients


def _at_once(clients: Sequence[Client], requests: Sequence[Sequence[Ask]]) -> list[list[Answer]]:
    """Sends all inner lists at the same time. One client sends the requests of a list, one after the other.

    Returns the answers in the same order. Raises Mismatch when an answer does not come.
    """
    with ThreadPoolExecutor(len(requests)) as pool:
        return list(pool.map(lambda client, mine: [ask(client) for ask in mine], clients, requests))


def _while_busy(client: Client, crowd: Sequence[Ask]) -> tuple[int | None, list[Answer]]:
    """Asks for the status, again and again, while the crowd is served.

    Returns by how many answers, at most, the status was ahead of the crowd's answers, and the answers to the crowd. The
    first is None when all answers had arrived before the status was asked. It is asked from when all requests of the
    crowd had been sent: on a busy machine the threads of the crowd may send late, and an app without a request is free.
    """
    answered, ahead = 0, None
    with _connected(client.base_url, len(crowd), _HASHES_SECONDS) as clients, ThreadPoolExecutor(len(crowd)) as pool:
        busy = [pool.submit(ask, each) for ask, each in zip(crowd, clients, strict=True)]
        while not all(request.done() or each.waits for request, each in zip(busy, clients, strict=True)):
            wait(busy, timeout=0.001, return_when=FIRST_EXCEPTION)
        while any(each.waits for each in clients):
            _status(client)
            answered += 1
            lead = answered - sum(not each.waits for each in clients)
            ahead = lead if ahead is None else max(ahead, lead)
        return ahead, [request.result() for request in busy]


def _seconds_of(do: Callable[[], object]) -> float:
    began = time.monotonic()
    do()
    return time.monotonic() - began


def _verifies(answer: Answer, payload: str) -> None:
    """Raises Mismatch unless the answer holds a bcrypt hash of this payload, with the cost of the contract."""
    document = answer.json()
    if not isinstance(document, dict) or set(document) != {"payload"} or not isinstance(document["payload"], str):
        raise answer.fail('{"payload": <a bcrypt hash>}', answer.shown())
    hashed = document["payload"]
    kind, _, rest = hashed.lstrip("$").partition("$")
    if kind not in ("2a", "2b", "2y") or not rest.startswith(f"{BCRYPT_COST}$"):
        raise answer.fail(f"a bcrypt hash of cost {BCRYPT_COST}", shorten(hashed))
    try:
        right = bcrypt.checkpw(payload.encode(), hashed.encode())
    except ValueError as error:
        raise answer.fail("a bcrypt hash", shorten(hashed)) from error
    if not right:
        raise answer.fail("a hash of the payload", f"{shorten(hashed)}, which does not match it")


def _short_text(rng: random.Random) -> str:
    """Returns a text that bcrypt takes as a whole: not empty, and at most 72 bytes.

    It has no byte 0, which ends the text in some implementations.
    """
    text = bodies.text(rng).replace("\0", "").encode()[:_BCRYPT_BYTES].decode(errors="ignore")
    return text or "ø"


LABELS = (
    "blue", "to do", "größer", "日本", "a+b", "100%", "what?", "#1", "50% & more", "a&b=c", "%3F",
)  # fmt: skip
"""Texts of labels. They hold characters with a meaning in URLs, and parts that look percent-encoded."""


def _label(identity: int) -> str:
    """Returns a label that is different for every number, and shows whether the app decodes the path."""
    return f"{LABELS[identity % len(LABELS)]} {identity}"
