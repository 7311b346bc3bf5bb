"""The suite `workload`: business logic that has to take its time, and must not hold up anyone else.

Nothing here depends on how fast the machine is: times are compared with what the contract asks for, or with what the
same app took a moment ago.
"""

import os
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any, TypeVar
from urllib.parse import quote

import bcrypt

from restbench.conformance import bodies
from restbench.conformance.contract import Contract, Rule
from restbench.conformance.difference import difference
from restbench.conformance.http import Answer, Client, shorten

BCRYPT_COST = 10
_BCRYPT_BYTES = 72
"""bcrypt takes no longer text (N. Provos, D. Mazières, A Future-Adaptable Password Scheme, 1999)."""

_TIMER_SLACK = 0.9
"""Timers of event loops count whole milliseconds and may come one early."""

_TRIES = 3
"""A machine that is busy elsewhere makes anything slow once; a blocked event loop is slow every time."""

_TRIES_TOGETHER = 10
"""More, as none of them is a chance for a wrong app: those that wait in turn never take less than the bound."""

QUEUE_CLIENTS = 10

STATUS_PATH = "/test/status"


class Workload(Contract):
    """Payloads, messages and the rules of each kind of work."""

    @property
    def validates(self) -> bool:
        return self.shape.body is not None

    @property
    def _queue(self) -> bool:
        return self.shape.path == "/test"

    @property
    def _key(self) -> str:
        return "message" if self._queue else "payload"

    @property
    def _seconds(self) -> float:
        return self.scenario.waits_ms / 1e3

    def random_body(self, rng: random.Random) -> Any:
        if self.shape.body is None:
            return None
        text = _short_text(rng) if self.scenario.computes == "bcrypt" else bodies.text(rng)
        return {self._key: text}

    def misfits(self) -> list[Any]:
        if self.shape.body is None:
            return []
        return [[], "text", {}, {self._key: None}, {self._key: ["a list"]}, {self._key: {"an": "object"}}]

    def ask(self, client: Client, identity: int, body: Any) -> Answer:
        path = self.shape.path.replace("{label}", quote(_label(identity), safe=""))
        return client.ask(self.shape.method, path, body)

    def check_body(self, answer: Answer, identity: int, body: Any) -> None:
        match self.scenario.name:
            case "status":
                _same_text(answer, "OK")
            case "labels":
                _same_text(answer, _label(identity))
            case "bcrypt":
                _verifies(answer, body["payload"])
            case _:
                expected = self._expected(body)
                if found := difference(expected, answer.json()):
                    path, wanted, got = found
                    raise answer.fail(f"{path} = {wanted}", got)

    def _expected(self, body: dict[str, str]) -> dict[str, str]:
        if self._queue:
            return {"message": body["message"], "note": f"handled for {self.scenario.waits_ms:g} ms"}
        return {"payload": f"Hello, {body['payload']}"}

    def own_rules(self, rng: random.Random) -> Iterable[Rule]:
        if self.scenario.waits_ms:
            yield "duration", partial(self._takes_its_time, rng)
        if self.scenario.name == "timed":
            yield "waits-together", partial(self._waits_together, rng)
        if self.scenario.computes == "bcrypt":
            yield "fresh-salt", partial(self._fresh_salt, rng)
            yield "others-go-on", partial(self._others_go_on, rng)
        if self.scenario.name == "labels":
            yield "every-label", self._every_label
        if self._queue:
            yield "every-message", partial(self._every_message, rng)

    def _every_label(self, client: Client) -> None:
        for identity in range(len(_LABELS)):
            self.check(self.ask(client, identity, None), identity, None)

    def _takes_its_time(self, rng: random.Random, client: Client) -> None:
        for _ in range(3):
            body = self.random_body(rng)
            answer, took = _timed(lambda body=body: self.ask(client, 0, body))  # type: ignore[misc]
            if took < _TIMER_SLACK * self._seconds:
                raise answer.fail(f"{self.scenario.waits_ms:g} ms of work", f"the answer after {took * 1e3:.1f} ms")

    def _waits_together(self, rng: random.Random, client: Client) -> None:
        """Many requests at a time wait at the same time: what blocks its event loop makes them wait in turn."""
        cpus = os.cpu_count() or 1
        crowd = 20 * cpus
        bound = crowd * self._seconds / cpus  # what as many workers as all the machine's CPUs would take in turn
        requests = [[partial(_asked, self, self.random_body(rng))] for _ in range(crowd)]
        took = []
        with _connected(client.base_url, crowd) as clients:
            for _ in range(_TRIES_TOGETHER):
                answers, seconds = _timed(lambda: _at_once(clients, requests))
                took.append(seconds)
                if seconds < bound:
                    return
        raise answers[0][0].fail(
            f"{crowd} requests at a time within {bound * 1e3:.0f} ms", f"{min(took) * 1e3:.0f} ms: they wait in turn"
        )

    def _fresh_salt(self, rng: random.Random, client: Client) -> None:
        body = self.random_body(rng)
        first, second = self.ask(client, 0, body), self.ask(client, 0, body)
        if first.json() == second.json():
            raise second.fail("another hash than the first time, with a salt of its own", second.shown())

    def _others_go_on(self, rng: random.Random, client: Client) -> None:
        """While hashes are computed, many requests without work are answered.

        On a blocked event loop one comes between two hashes. Counted in one and the same time, whatever a hash takes.
        """
        hashes = 4 * (os.cpu_count() or 1)
        crowd = [partial(_asked, self, self.random_body(rng)) for _ in range(hashes)]
        for _ in range(_TRIES):
            answered = _while_busy(client, crowd)
            if answered > 2 * hashes:
                return
        raise client.ask("GET", STATUS_PATH).fail(
            f"more than {2 * hashes} answers in a row while {hashes} hashes are computed",
            f"{answered}: the event loop is blocked",
        )

    def _every_message(self, rng: random.Random, client: Client) -> None:
        """Ten clients send messages one after the other, and each gets its own back."""
        each = 2 if self.scenario.waits_ms else 30
        messages = [[{"message": f"{n}-{i} {bodies.text(rng)}"} for i in range(each)] for n in range(QUEUE_CLIENTS)]
        with _connected(client.base_url, QUEUE_CLIENTS) as clients:
            answers = _at_once(clients, [[partial(_asked, self, m) for m in mine] for mine in messages])
        for mine, got in zip(messages, answers, strict=True):
            for message, answer in zip(mine, got, strict=True):
                self.check(answer, 0, message)


T = TypeVar("T")

Ask = Callable[[Client], Answer]


def _asked(contract: Contract, body: Any, client: Client) -> Answer:
    return contract.ask(client, 0, body)


@contextmanager
def _connected(base_url: str, number: int) -> Iterator[list[Client]]:
    """So many open connections: connecting takes long on a busy machine, and meanwhile nobody is kept waiting."""
    with ExitStack() as opened:
        clients = [opened.enter_context(Client(base_url)) for _ in range(number)]
        for client in clients:
            client.ask("GET", STATUS_PATH)
        yield clients


def _at_once(clients: Sequence[Client], requests: Sequence[Sequence[Ask]]) -> list[list[Answer]]:
    """Each inner list by one client, one request after the other; all lists at a time. Raises Mismatch."""

    def one(client: Client, mine: Sequence[Ask]) -> list[Answer]:
        return [ask(client) for ask in mine]

    with ThreadPoolExecutor(len(requests)) as pool:
        return list(pool.map(one, clients, requests))


def _while_busy(client: Client, crowd: Sequence[Ask]) -> int:
    """How many requests for the status, asked one by one, are answered while the crowd is being served."""
    answered = 0
    with _connected(client.base_url, len(crowd)) as clients, ThreadPoolExecutor(len(crowd)) as pool:
        busy = [pool.submit(ask, each) for ask, each in zip(crowd, clients, strict=True)]
        # the first hash has to be under way, or the first status would come before it
        wait(busy, timeout=0.02)
        while not all(request.done() for request in busy):
            client.ask("GET", STATUS_PATH)
            answered += 1
        for request in busy:
            request.result()
    return answered


def _timed(do: Callable[[], T]) -> tuple[T, float]:
    began = time.monotonic()
    result = do()
    return result, time.monotonic() - began


def _same_text(answer: Answer, expected: str) -> None:
    if answer.body != expected.encode():
        raise answer.fail(f"the body {expected}", answer.shown())


def _verifies(answer: Answer, payload: str) -> None:
    """The hash is bcrypt's, of the cost asked for, and of this payload."""
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
        raise answer.fail("a hash of the payload", f"{shorten(hashed)}, which is not")


def _short_text(rng: random.Random) -> str:
    """Text that bcrypt takes whole: not empty, at most 72 bytes, and without the byte 0, which ends it elsewhere."""
    text = bodies.text(rng).replace("\0", "").encode()[:_BCRYPT_BYTES].decode(errors="ignore")
    return text or "ø"


_LABELS = (
    "blue", "to do", "größer", "日本", "a+b", "100%", "what?", "#1", "50% & more", "a&b=c", "%3F",
)  # fmt: skip
"""Words of labels: with what has a meaning in URLs, and what looks as if it were still encoded."""


def _label(identity: int) -> str:
    """A label that shows whether a path is decoded, different for every number."""
    return f"{_LABELS[identity % len(_LABELS)]} {identity}"
