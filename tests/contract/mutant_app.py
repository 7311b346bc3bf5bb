"""Mutants: apps of the entries starlette and fastapi that are wrong in one way. $MUTANT names the mutant.

Each mutant is an ASGI application around the right app. Others are right: they show that no check takes them for wrong.
"""

import asyncio
import gzip
import itertools
import json
import os
import random
import re
import sys
import time
import types
from collections import Counter
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Change = Callable[[Scope, Message, bytes], bytes]


def changing(app: App, change: Change) -> App:
    """Returns the app with changed answers. `change` gets the start and the whole body of an answer.

    It returns the new body, and may change the start in place.
    """

    async def changed(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        start: Message = {}
        body = b""

        async def collect(message: Message) -> None:
            nonlocal body
            if message["type"] == "http.response.start":
                start.update(message)
                return
            body += message.get("body", b"")
            if message.get("more_body", False):
                return
            altered = change(scope, start, body)
            headers = [(k, v) for k, v in start["headers"] if k != b"content-length"]
            await send({**start, "headers": [*headers, (b"content-length", str(len(altered)).encode())]})
            await send({"type": "http.response.body", "body": altered})

        await app(scope, receive, collect)

    return changed


def on_json(change: Callable[[Scope, Any], Any]) -> Callable[[App], App]:
    """Returns a mutant that changes successful JSON answers."""

    def altered(scope: Scope, start: Message, body: bytes) -> bytes:
        is_json = dict(start["headers"]).get(b"content-type", b"").startswith(b"application/json")
        if not is_json or start["status"] >= 400:
            return body
        return json.dumps(change(scope, json.loads(body)), ensure_ascii=False).encode()

    return lambda app: changing(app, altered)


def header(start: Message, name: bytes, value: bytes) -> None:
    start["headers"] = [(k, v) for k, v in start["headers"] if k != name] + [(name, value)]


def caches_by_route(app: App) -> App:
    """Repeats the first answer of each route for every id."""
    kept: dict[str, tuple[Message, bytes]] = {}

    def keep(scope: Scope, start: Message, body: bytes) -> bytes:
        route = f"{scope['method']} {scope['path'].rstrip('0123456789')}"
        if start["status"] >= 300:
            return body
        first, kept_body = kept.setdefault(route, (dict(start), body))
        start.update(first)
        return kept_body

    return changing(app, keep)


def ignores_the_body(app: App) -> App:
    """Reads a fixed task instead of the task that was sent."""
    other = b'{"summary":"s","description":"d","issue_type":"i","priority":"p","labels":[],"components":[]}'

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        async def mine() -> Message:
            message = await receive()
            if message["type"] == "http.request":
                while message.get("more_body"):
                    message = await receive()
                return {"type": "http.request", "body": other if scope["method"] in ("POST", "PUT") else b""}
            return message

        await app(scope, mine, send)

    return wrapped


def drops_labels(_scope: Scope, document: Any) -> Any:
    return {k: v for k, v in document.items() if k != "labels"} if isinstance(document, dict) else document


def keeps_ascii(_scope: Scope, document: Any) -> Any:
    """Replaces characters of a task's summary that are not ASCII."""
    if isinstance(document, dict) and "summary" in document:
        return document | {"summary": document["summary"].encode("ascii", "replace").decode()}
    return document


def loses_an_issue(_scope: Scope, document: Any) -> Any:
    if isinstance(document, dict) and "issues" in document:
        return document | {"issues": document["issues"][:-1]}
    return document


def writes_nulls(_scope: Scope, document: Any) -> Any:
    if isinstance(document, dict) and "issues" in document:
        return document | {"issues": [{"assigned": None} | issue for issue in document["issues"]]}
    return document


def text_as_part(scope: Scope, document: Any) -> Any:
    return {"part": str(document["part"])} if scope["path"].startswith("/route-") else document


def accepts_malformed_json(_scope: Scope, start: Message, body: bytes) -> bytes:
    if start["status"] in (400, 422):
        start["status"] = 201
        header(start, b"content-type", b"application/json")
        return b"{}"
    return body


def forgets_the_charset(_scope: Scope, start: Message, body: bytes) -> bytes:
    if start["status"] == 200 and body == b"Hello World":
        header(start, b"content-type", b"text/plain")
    return body


def calls_json_html(_scope: Scope, start: Message, body: bytes) -> bytes:
    if body[:1] == b"{":
        header(start, b"content-type", b"text/html")
    return body


def answers_errors_with_200(_scope: Scope, start: Message, body: bytes) -> bytes:
    if start["status"] == 404:
        start["status"] = 200
        header(start, b"content-type", b"text/html")
        return b"<html><body>Not found</body></html>"
    return body


def created_is_200(_scope: Scope, start: Message, body: bytes) -> bytes:
    if start["status"] == 201:
        start["status"] = 200
    return body


def hangs_on(path: str) -> Callable[[App], App]:
    def mutate(app: App) -> App:
        async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "http" and scope["path"].startswith(path):
                await asyncio.sleep(3600)
            await app(scope, receive, send)

        return wrapped

    return mutate


def counting(limit: int, then: Callable[[Send], Awaitable[None]]) -> Callable[[App], App]:
    """Returns a mutant that does something else after `limit` requests."""

    def mutate(app: App) -> App:
        seen = 0

        async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
            nonlocal seen
            seen += scope["type"] == "http"
            if seen > limit:
                await then(send)
            else:
                await app(scope, receive, send)

        return wrapped

    return mutate


async def die(_send: Send) -> None:
    # kills the whole group: otherwise gunicorn would start another worker, and no check would see the death
    os.killpg(0, 9)


async def fail(send: Send) -> None:
    await send({"type": "http.response.start", "status": 500, "headers": [(b"content-type", b"text/plain")]})
    await send({"type": "http.response.body", "body": b"out of memory"})


def first_connection_only(app: App) -> App:
    """Answers only the first connection, and lets all others wait."""
    first: list[Any] = []

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            first.append(scope["client"])
            if scope["client"] != first[0]:
                await asyncio.sleep(3600)
        await app(scope, receive, send)

    return wrapped


def wrong_when_busy(app: App) -> App:
    """Answers wrongly when more than eight requests are under way."""
    busy = 0

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        nonlocal busy
        busy += 1
        try:
            crowded = on_json(lambda _scope, _document: {"busy": True})
            await (crowded(app) if busy > 8 else app)(scope, receive, send)
        finally:
            busy -= 1

    return wrapped


def blocks_while_waiting(app: App) -> App:
    """Waits as long as it should, and blocks all other requests meanwhile."""

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith("/test/timed/"):
            time.sleep(0.020)
        await app(scope, receive, send)

    return wrapped


def loses_a_message(app: App) -> App:
    """Leaves the message out of every fiftieth answer of the queue."""
    seen = itertools.count(1)

    def lose(scope: Scope, document: Any) -> Any:
        lost = scope["path"] == "/test" and next(seen) % 50 == 0
        return document | {"message": ""} if lost else document

    return on_json(lose)(app)


def deadlocks(app: App) -> App:
    """Never answers a message that comes while eight others are handled."""
    busy = 0

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        nonlocal busy
        if scope["type"] != "http" or scope["path"] != "/test":
            await app(scope, receive, send)
            return
        busy += 1
        if busy > 8:
            await asyncio.sleep(3600)
        await asyncio.sleep(0.01)
        await app(scope, receive, send)
        busy -= 1

    return wrapped


def asks_who_asks(app: App) -> App:
    """Answers correctly only requests with a user-agent. Load generators send none."""

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        named = scope["type"] != "http" or any(name == b"user-agent" for name, _ in scope["headers"])
        await (app if named else on_json(lambda _scope, _document: {})(app))(scope, receive, send)

    return wrapped


def knows_loaded_ids(scope: Scope, document: Any) -> Any:
    """Gives an empty answer for the ids that load generators send."""
    return {} if scope["path"].rpartition("/")[2][:2] in ("10", "11", "12", "13") else document


def short_on_busy_connections(app: App) -> App:
    """Under load, answers with one issue on connections with many requests. The sampler's connection has only a few."""
    asked: dict[Any, int] = {}
    busy = 0

    def shorten(_scope: Scope, document: Any) -> Any:
        return document | {"issues": document["issues"][:1]} if "issues" in document else document

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        nonlocal busy
        busy += 1
        try:
            client = scope.get("client")
            asked[client] = asked.get(client, 0) + (busy > 8)
            await (on_json(shorten)(app) if asked[client] > 8 else app)(scope, receive, send)
        finally:
            busy -= 1

    return wrapped


def busily(mutate: Callable[[App], App], others: int = 8) -> Callable[[App], App]:
    """Returns a mutant that is wrong only while more than `others` requests are under way."""

    def mutated(app: App) -> App:
        wrong, busy = mutate(app), 0

        async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
            nonlocal busy
            busy += 1
            try:
                await (wrong if busy > others else app)(scope, receive, send)
            finally:
                busy -= 1

        return wrapped

    return mutated


def on_old_connections(mutate: Callable[[App], App], requests: int, connections: int = 0) -> Callable[[App], App]:
    """Returns a mutant that is wrong on a connection with so many requests, while there are more than `connections`."""

    def mutated(app: App) -> App:
        wrong = mutate(app)
        asked: dict[Any, int] = {}

        async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
            client = scope.get("client")
            asked[client] = asked.get(client, 0) + 1
            await (wrong if asked[client] >= requests and len(asked) > connections else app)(scope, receive, send)

        return wrapped

    return mutated


def redirects_with_as_many_bytes(app: App) -> App:
    def redirect(_scope: Scope, start: Message, body: bytes) -> bytes:
        start["status"] = 302
        return b"x" * len(body)

    return changing(app, redirect)


def answers_another_request(share: float) -> Callable[[App], App]:
    """Gives the latest answer to the same kind of request, in place of some answers."""
    rng = random.Random(1)
    latest: dict[str, bytes] = {}

    def mix_up(scope: Scope, _start: Message, body: bytes) -> bytes:
        kind = f"{scope['method']} {scope['path'].translate({ord(digit): None for digit in '0123456789'})}"
        other = latest.get(kind, body)
        latest[kind] = body
        return other if rng.random() < share else body

    return lambda app: changing(app, mix_up)


def another_id(scope: Scope, start: Message, body: bytes) -> bytes:
    """Puts another id of as many digits in place of the one that was asked for."""
    identity = next((part for part in scope["path"].split("/") if part.isdigit() and len(part) == 10), None)
    return body.replace(identity.encode(), b"1" + identity[:0:-1].encode()) if identity else body


def from_the_15th_second(app: App) -> App:
    """Three of four answers are wrong from the 15th second on."""
    wrong, began, seen = changing(app, another_id), time.monotonic(), itertools.count()

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        late = time.monotonic() - began > 15 and next(seen) % 4 > 0
        await (wrong if late else app)(scope, receive, send)

    return wrapped


def serialises_at_start(app: App) -> App:
    """Keeps the first sprint as bytes, and puts the id of each request into them. The data source is asked."""
    kept: dict[str, tuple[bytes, bytes]] = {}

    def splice(scope: Scope, start: Message, body: bytes) -> bytes:
        if not scope["path"].startswith("/api/v1/sprint/") or start["status"] != 200:
            return body
        identity = b'"id":%d' % json.loads(body)["sprint"]["id"]
        first, of = kept.setdefault("sprint", (body, identity))
        return first.replace(of, identity)

    return changing(app, splice)


def keeps_answers_by_body(app: App) -> App:
    """Repeats a finished answer when the path and the bytes of the body come again."""
    kept: dict[tuple[str, bytes], list[Message]] = {}

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST":
            await app(scope, receive, send)
            return
        messages = [await receive()]
        while messages[-1].get("more_body"):
            messages.append(await receive())
        key = (scope["path"], b"".join(message.get("body", b"") for message in messages))
        if key not in kept:
            sent: list[Message] = []

            async def again() -> Message:
                return messages.pop(0) if messages else await receive()

            async def keep(message: Message) -> None:
                sent.append(message)

            await app(scope, again, keep)
            if sent[0]["status"] >= 300:
                for message in sent:
                    await send(message)
                return
            kept[key] = sent
        for message in kept[key]:
            await send(dict(message))

    return wrapped


def keeps_rows(key: Callable[[Scope], str]) -> Callable[[App], App]:
    """Keeps what was fetched for a key. The answer is made anew of it, with the id and the body of the request."""
    rows: dict[str, dict[str, Any]] = {}

    def from_kept_row(scope: Scope, document: Any) -> Any:
        if not isinstance(document, dict):
            return document
        row = {field: document[field] for field in ("picture", "issues", "author") if field in document}
        return document | rows.setdefault(f"{scope['method']} {sorted(row)} {key(scope)}", row)

    return on_json(from_kept_row)


def id_of(scope: Scope) -> str:
    return next((part for part in scope["path"].split("/") if part.isdigit()), "")


def path_of(scope: Scope) -> str:
    return str(scope["path"])


def cuts_answers(_scope: Scope, _start: Message, body: bytes) -> bytes:
    """Ends an answer early. The content-length is right for what is left."""
    return body[: len(body) * 99 // 100]


def leaks_into_the_next(app: App) -> App:
    """What a POST brought shows in the next GET."""
    left: list[str] = []

    def leak(scope: Scope, document: Any) -> Any:
        if not isinstance(document, dict):
            return document
        if scope["method"] == "POST" and "summary" in document:
            left[:] = [document["summary"]]
        if scope["method"] == "GET" and "name" in document and left:
            return document | {"name": left.pop()}
        return document

    return on_json(leak)(app)


def orders_keys_anew(app: App) -> App:
    """A right app: the keys of each object come in a random order, and characters are escaped or not."""
    rng = random.Random(1)

    def shuffled(value: Any) -> Any:
        if isinstance(value, list):
            return [shuffled(each) for each in value]
        if not isinstance(value, dict):
            return value
        return {key: shuffled(value[key]) for key in rng.sample(list(value), len(value))}

    def rewrite(_scope: Scope, start: Message, body: bytes) -> bytes:
        is_json = dict(start["headers"]).get(b"content-type", b"").startswith(b"application/json")
        return json.dumps(shuffled(json.loads(body)), ensure_ascii=rng.random() < 1 / 2).encode() if is_json else body

    return changing(app, rewrite)


def in_chunks(app: App) -> App:
    """A right app: answers are sent in two chunks, without a content-length."""

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        async def chunked(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [(k, v) for k, v in message["headers"] if k != b"content-length"]}
            elif body := message.get("body", b""):
                await send({**message, "body": body[: len(body) // 2], "more_body": True})
                message = {**message, "body": body[len(body) // 2 :]}
            await send(message)

        await app(scope, receive, chunked)

    return wrapped


def closes_after(requests: int) -> Callable[[App], App]:
    """Closes each connection after so many answers, and says so."""
    seen: Counter[Any] = Counter()

    def close(scope: Scope, start: Message, body: bytes) -> bytes:
        seen[tuple(scope["client"])] += 1
        if seen[tuple(scope["client"])] % requests == 0:
            header(start, b"connection", b"close")
        return body

    return lambda app: changing(app, close)


def gzips(_scope: Scope, start: Message, body: bytes) -> bytes:
    if start["status"] >= 300 or not body:
        return body
    header(start, b"content-encoding", b"gzip")
    return gzip.compress(body)


def on_bytes_of_json(change: Callable[[bytes], bytes]) -> Callable[[App], App]:
    """Returns a mutant that changes the bytes of successful JSON answers."""

    def altered(_scope: Scope, start: Message, body: bytes) -> bytes:
        return change(body) if body[:1] == b"{" and start["status"] < 400 else body

    return lambda app: changing(app, altered)


def writes_a_key_twice(body: bytes) -> bytes:
    """The first member is there twice, the second time as it should be."""
    first = next(iter(json.loads(body)))
    return b'{"%s":"another",' % first.encode() + body[1:]


def on_date_times(change: Callable[[str], str]) -> Callable[[App], App]:
    """Returns a mutant that writes date-times in another form."""

    def changed(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: changed(each) for key, each in value.items()}
        if isinstance(value, list):
            return [changed(each) for each in value]
        is_one = isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\dT[0-9:.]+(Z|[+-]\d\d:\d\d)", value)
        return change(value) if is_one else value

    return on_json(lambda _scope, document: changed(document))


def no_number(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def repairing(repair: Callable[[str], str]) -> Callable[[App], App]:
    """Returns a mutant that reads more than JSON: a body that is none is repaired, if that makes it one."""

    def better(content: bytes) -> bytes:
        try:
            json.loads(content, parse_constant=no_number)
        except ValueError:
            try:
                repaired = repair(content.decode()).encode()
                json.loads(repaired, parse_constant=no_number)
            except ValueError:
                return content
            return repaired
        return content

    def mutant(app: App) -> App:
        async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
            if scope.get("method") not in ("POST", "PUT"):
                await app(scope, receive, send)
                return
            content, more = b"", True
            while more:
                message = await receive()
                content, more = content + message.get("body", b""), message.get("more_body", False)
            scope["headers"] = [(k, v) for k, v in scope["headers"] if k != b"content-length"]

            async def once() -> Message:
                return {"type": "http.request", "body": better(content)}

            await app(scope, once, send)

        return wrapped

    return mutant


PLAIN = '{"summary":"s","description":"d","issue_type":"i","priority":"p","labels":[],"components":[],"payload":"p"}'
"""A body that several requests take."""


def first_document(text: str) -> str:
    """The first document, where another one follows."""
    document, end = json.JSONDecoder().raw_decode(text)
    json.loads(text[end:])
    return json.dumps(document)


def without_the_rest(text: str) -> str:
    """The document, where what follows is none."""
    document, end = json.JSONDecoder().raw_decode(text)
    return text if text[end:].strip().startswith("{") else json.dumps(document)


def closed(text: str) -> str:
    """A document that was cut behind a text."""
    return text + "}" if text.endswith(('"', "]")) else text


def is_slow(app: App) -> App:
    """A right app: each answer takes 20 ms longer."""

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        await asyncio.sleep(0.02)
        await app(scope, receive, send)

    return wrapped


def keeps_the_answer(app: App) -> App:
    """Asks Solr only once for each address, and repeats the answer."""
    kept: dict[tuple[str, bytes], list[Message]] = {}

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        address = (scope.get("path", ""), scope.get("query_string", b""))
        if address in kept:
            for message in kept[address]:
                await send(message)
            return
        sent: list[Message] = []

        async def keep(message: Message) -> None:
            sent.append(message)
            await send(message)

        await app(scope, receive, keep)
        if sent and sent[0].get("status") == 200:
            kept[address] = sent

    return wrapped


def hides_100_too(scope: Scope, documents: Any) -> Any:
    if scope["path"].startswith("/anonymization/"):
        for child in (child for document in documents for child in document.get("child_objects", [])):
            if child.get("number") == 100:
                child["number"] = 0
    return documents


def forgets_children(_scope: Scope, documents: Any) -> Any:
    if isinstance(documents, list):
        return [{key: value for key, value in d.items() if key != "child_objects"} for d in documents]
    return documents


def fills_in_nulls(_scope: Scope, documents: Any) -> Any:
    return [{"string_array": None} | d for d in documents] if isinstance(documents, list) else documents


def reads_text_as_1(app: App) -> App:
    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("query_string") == b"document_type=test":
            scope["query_string"] = b"document_type=1"
        await app(scope, receive, send)

    return wrapped


def never_asks_the_source() -> None:
    async def at_once(_source: object) -> None:
        pass

    source.DataSource._use_connection = at_once


def updates_without_the_source() -> None:
    """An update takes as long as a fetch, and is none."""

    async def only_wait(self: Any, _task: object) -> None:
        await self._use_connection()

    source.DataSource.save_task = only_wait


def updates_without_the_source_when_busy() -> None:
    right, busy = source.DataSource.save_task, 0

    async def save_task(self: Any, task: object) -> None:
        nonlocal busy
        busy += 1
        try:
            await (self._use_connection() if busy > 8 else right(self, task))
        finally:
            busy -= 1

    source.DataSource.save_task = save_task


def answers_twice() -> None:
    """Each second request is answered twice, in one write."""
    cycle, seen = uvicorn.protocols.http.httptools_impl.RequestResponseCycle, itertools.count()
    right = cycle.send

    async def send(self: Any, message: Message) -> None:
        real: Any = self.transport
        written: list[bytes] = []
        self.transport = types.SimpleNamespace(
            write=written.append, close=real.close, is_closing=real.is_closing, get_extra_info=real.get_extra_info
        )
        await right(self, message)
        self.transport = real
        self.__dict__.setdefault("whole", []).extend(written)
        if self.response_complete:
            real.write(b"".join(self.whole) * (1 + next(seen) % 2))

    cycle.send = send


def forgets_to_wait() -> None:
    work.TIMED_SECONDS = 0


def hashes_cheaply() -> None:
    work.hash_password = lambda payload: bcrypt.hashpw(payload.encode(), bcrypt.gensalt(4)).decode()


def keeps_its_salt() -> None:
    salt = bcrypt.gensalt(10)
    work.hash_password = lambda payload: bcrypt.hashpw(payload.encode(), salt).decode()


def hashes_something_else() -> None:
    work.hash_password = lambda _payload: bcrypt.hashpw(b"secret", bcrypt.gensalt(10)).decode()


def hashes_on_the_loop() -> None:
    async def at_once(do: Callable[..., Any], *arguments: Any) -> Any:
        return do(*arguments)

    starlette.concurrency.run_in_threadpool = at_once


BEFORE: dict[str, Callable[[], None]] = {
    "sleeps-0-ms": forgets_to_wait,
    "blocks-the-loop": forgets_to_wait,
    "bcrypt-cost-4": hashes_cheaply,
    "same-salt": keeps_its_salt,
    "hashes-something-else": hashes_something_else,
    "hashes-on-the-loop": hashes_on_the_loop,
    "never-asks-the-source": never_asks_the_source,
    "updates-without-the-source": updates_without_the_source,
    "updates-without-the-source-when-busy": updates_without_the_source_when_busy,
    "answers-twice": answers_twice,
}
"""Mutant → a function that changes its modules before the app is loaded."""

MUTANTS: dict[str, Callable[[App], App]] = {
    "cached-id": caches_by_route,
    "body-ignored": ignores_the_body,
    "task-not-echoed": on_json(drops_labels),
    "ascii-only": on_json(keeps_ascii),
    "99-issues": on_json(loses_an_issue),
    "nulls": on_json(writes_nulls),
    "text-as-part": on_json(text_as_part),
    "malformed-json-accepted": lambda app: changing(app, accepts_malformed_json),
    "missing-charset": lambda app: changing(app, forgets_the_charset),
    "json-called-html": lambda app: changing(app, calls_json_html),
    "error-page-with-200": lambda app: changing(app, answers_errors_with_200),
    "wrong-status": lambda app: changing(app, created_is_200),
    "hangs-on-a-path": hangs_on("/api/v1/sprint/"),
    "dies-after-1000": counting(1000, die),
    "500s-under-load": counting(3000, fail),
    "first-connection-only": first_connection_only,
    "asks-who-asks": asks_who_asks,
    "knows-loaded-ids": on_json(knows_loaded_ids),
    "short-on-busy-connections": short_on_busy_connections,
    "never-asks-the-source": lambda app: app,
    "wrong-when-busy": wrong_when_busy,
    "sleeps-0-ms": lambda app: app,
    "blocks-the-loop": blocks_while_waiting,
    "bcrypt-cost-4": lambda app: app,
    "same-salt": lambda app: app,
    "hashes-something-else": lambda app: app,
    "hashes-on-the-loop": lambda app: app,
    "loses-a-message": loses_a_message,
    "deadlocks": deadlocks,
    "updates-without-the-source": lambda app: app,
    "updates-without-the-source-when-busy": lambda app: app,
    "answers-twice": lambda app: app,
    "redirects-with-as-many-bytes": on_old_connections(redirects_with_as_many_bytes, requests=40, connections=20),
    "mixes-up-1-percent": busily(answers_another_request(0.01)),
    "mixes-up-half-a-percent": busily(answers_another_request(0.005)),
    "another-id-from-the-300th": on_old_connections(lambda app: changing(app, another_id), requests=300),
    "wrong-from-the-15th-second": from_the_15th_second,
    "serialises-at-start": serialises_at_start,
    "keeps-answers-by-body": keeps_answers_by_body,
    "keeps-rows-by-id": keeps_rows(id_of),
    "keeps-rows-by-path": keeps_rows(path_of),
    "keeps-rows-by-id-when-busy": busily(keeps_rows(id_of)),
    "cuts-answers-when-busy": busily(lambda app: changing(app, cuts_answers)),
    "leaks-into-the-next": leaks_into_the_next,
    "closes-after-700": closes_after(700),
    "gzips": lambda app: changing(app, gzips),
    "utf-16": on_bytes_of_json(lambda body: body.decode().encode("utf-16")),
    "a-mark": on_bytes_of_json(lambda body: b"\xef\xbb\xbf" + body),
    "a-key-twice": on_bytes_of_json(writes_a_key_twice),
    "spaces-in-date-times": on_date_times(lambda text: text.replace("T", " ")),
    "offsets-without-colons": on_date_times(lambda text: text.replace("Z", "+0000")),
    "reads-single-quotes": repairing(lambda text: text.replace("'", '"')),
    "reads-comments": repairing(lambda text: re.sub(r"/\*.*?\*/|//.*", "", text)),
    "reads-a-comma-too-many": repairing(lambda text: re.sub(r",\s*}", "}", text)),
    "reads-what-is-cut": repairing(closed),
    "reads-nothing": repairing(lambda text: text or PLAIN),
    "reads-the-first-of-two": repairing(first_document),
    "reads-no-further": repairing(without_the_rest),
    "reads-nan": repairing(lambda text: text.replace("NaN", '"x"')),
    "keeps-the-answer": keeps_the_answer,
    "hides-100-too": on_json(hides_100_too),
    "forgets-children": on_json(forgets_children),
    "fills-in-nulls": on_json(fills_in_nulls),
    "reads-text-as-1": reads_text_as_1,
}


RIGHT: dict[str, Callable[[App], App]] = {
    "none": lambda app: app,
    "orders-keys-anew": orders_keys_anew,
    "in-chunks": in_chunks,
    "closes-after-1000": closes_after(1000),
    "writes-t-and-z": on_date_times(str.lower),
    "is-slow": is_slow,
}
"""Apps that are changed and right all the same."""


def load(entry: str) -> App:
    """Returns the app in an entry's folder."""
    sys.path.insert(0, entry)
    import app as right  # type: ignore[import-not-found]

    return right.app  # type: ignore[no-any-return]


if "MUTANT" in os.environ:
    import bcrypt
    import starlette.concurrency  # type: ignore[import-not-found]
    import uvicorn.protocols.http.httptools_impl  # type: ignore[import-not-found]

    from shared import source, work  # type: ignore[import-not-found]

    BEFORE.get(os.environ["MUTANT"], lambda: None)()
    app = (MUTANTS | RIGHT)[os.environ["MUTANT"]](load(str(Path(os.environ["MUTATED_ENTRY"]))))
