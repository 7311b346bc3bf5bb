"""Mutants: apps of the entries starlette and fastapi that are wrong in one way. $MUTANT names the mutant.

MUTANTS has them all. Each is an ASGI application around the right app. Some are right: they show that no check takes
them for wrong.
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
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Change = Callable[[Scope, Message, bytes], bytes]
Mutate = Callable[[App], App]


def changing(change: Change) -> Mutate:
    """Returns a mutant that changes answers. `change` gets the start and the whole body of an answer.

    It returns the new body, and may change the start in place.
    """

    def mutate(app: App) -> App:
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

    return mutate


def on_json(change: Callable[[Scope, Any], Any]) -> Mutate:
    """Returns a mutant that changes successful JSON answers."""

    def altered(scope: Scope, start: Message, body: bytes) -> bytes:
        is_json = dict(start["headers"]).get(b"content-type", b"").startswith(b"application/json")
        if not is_json or start["status"] >= 400:
            return body
        return json.dumps(change(scope, json.loads(body)), ensure_ascii=False).encode()

    return changing(altered)


def on_field(name: str, change: Callable[[Any], Any]) -> Mutate:
    """Returns a mutant that changes one member of the objects that have it."""

    def changed(_scope: Scope, document: Any) -> Any:
        has_it = isinstance(document, dict) and name in document
        return document | {name: change(document[name])} if has_it else document

    return on_json(changed)


def on_each(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Mutate:
    """Returns a mutant that changes each document of a list."""
    return on_json(lambda _scope, found: [change(each) for each in found] if isinstance(found, list) else found)


def restating(of: Collection[int], status: int, kind: bytes | None = None, body: bytes | None = None) -> Mutate:
    """Returns a mutant that gives answers of some statuses another one, and perhaps another type and body."""

    def restated(_scope: Scope, start: Message, right: bytes) -> bytes:
        if start["status"] not in of:
            return right
        start["status"] = status
        if kind is not None:
            header(start, b"content-type", kind)
        return right if body is None else body

    return changing(restated)


def first(do: Callable[[Scope], Awaitable[None]]) -> Mutate:
    """Returns a mutant that does something before it answers a request."""

    def mutate(app: App) -> App:
        async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "http":
                await do(scope)
            await app(scope, receive, send)

        return wrapped

    return mutate


async def whole_body(receive: Receive) -> bytes:
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    return body


def replayed(body: bytes, receive: Receive) -> Receive:
    """Brings the body in one message, and then what else comes."""
    bodies = [body]

    async def again() -> Message:
        return {"type": "http.request", "body": bodies.pop()} if bodies else await receive()

    return again


def reading(change: Callable[[bytes], bytes]) -> Mutate:
    """Returns a mutant that reads the body of a POST or PUT as another one."""

    def mutate(app: App) -> App:
        async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
            if scope.get("method") in ("POST", "PUT"):
                receive = replayed(change(await whole_body(receive)), receive)
                scope["headers"] = [(k, v) for k, v in scope["headers"] if k != b"content-length"]
            await app(scope, receive, send)

        return wrapped

    return mutate


def header(start: Message, name: bytes, value: bytes) -> None:
    start["headers"] = [(k, v) for k, v in start["headers"] if k != name] + [(name, value)]


def caches_by_route(app: App) -> App:
    """Repeats the first answer of each route for every id."""
    cache: dict[str, tuple[Message, bytes]] = {}

    def keep(scope: Scope, start: Message, body: bytes) -> bytes:
        route = f"{scope['method']} {scope['path'].rstrip('0123456789')}"
        if start["status"] >= 300:
            return body
        first, first_body = cache.setdefault(route, (dict(start), body))
        start.update(first)
        return first_body

    return changing(keep)(app)


def drops_labels(_scope: Scope, document: Any) -> Any:
    return {k: v for k, v in document.items() if k != "labels"} if isinstance(document, dict) else document


def forgets_the_charset(_scope: Scope, start: Message, body: bytes) -> bytes:
    if start["status"] == 200 and body == b"Hello World":
        header(start, b"content-type", b"text/plain")
    return body


def calls_json_html(_scope: Scope, start: Message, body: bytes) -> bytes:
    if body[:1] == b"{":
        header(start, b"content-type", b"text/html")
    return body


def names_its_profile(_scope: Scope, start: Message, body: bytes) -> bytes:
    header(start, b"x-debug-token", b"7f3a9c")
    return body


def shows_where_it_refused(_scope: Scope, start: Message, body: bytes) -> bytes:
    return b'{"error": "no JSON\\n    at parse (/srv/app/body.js:3:9)"}' if start["status"] in (400, 422) else body


async def waits_for_a_sprint(scope: Scope) -> None:
    if scope["path"].startswith("/api/v1/sprint/"):
        await asyncio.sleep(3600)


def counting(limit: int, then: Callable[[Send], Awaitable[None]]) -> Mutate:
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


def first_connection_only() -> Callable[[Scope], Awaitable[None]]:
    """Answers only the first connection, and lets all others wait."""
    known: list[Any] = []

    async def wait(scope: Scope) -> None:
        known.append(scope["client"])
        if scope["client"] != known[0]:
            await asyncio.sleep(3600)

    return wait


async def blocks_while_waiting(scope: Scope) -> None:
    """Waits as long as it should, and blocks all other requests meanwhile."""
    if scope["path"].startswith("/test/timed/"):
        time.sleep(0.020)


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
    short = on_field("issues", lambda issues: issues[:1])(app)

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        nonlocal busy
        busy += 1
        try:
            client = scope.get("client")
            asked[client] = asked.get(client, 0) + (busy > 8)
            await (short if asked[client] > 8 else app)(scope, receive, send)
        finally:
            busy -= 1

    return wrapped


def busily(mutate: Mutate, others: int = 8) -> Mutate:
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


def on_old_connections(mutate: Mutate, requests: int, connections: int = 0) -> Mutate:
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


def redirects_with_as_many_bytes(_scope: Scope, start: Message, body: bytes) -> bytes:
    start["status"] = 302
    return b"x" * len(body)


def answers_another_request(share: float) -> Mutate:
    """Gives the latest answer to the same kind of request, in place of some answers."""
    rng = random.Random(1)
    latest: dict[str, bytes] = {}

    def mix_up(scope: Scope, _start: Message, body: bytes) -> bytes:
        kind = f"{scope['method']} {scope['path'].translate({ord(digit): None for digit in '0123456789'})}"
        other = latest.get(kind, body)
        latest[kind] = body
        return other if rng.random() < share else body

    return changing(mix_up)


def another_id(scope: Scope, start: Message, body: bytes) -> bytes:
    """Puts another id of as many digits in place of the one that was asked for."""
    identity = next((part for part in scope["path"].split("/") if part.isdigit() and len(part) == 10), None)
    return body.replace(identity.encode(), b"1" + identity[:0:-1].encode()) if identity else body


def from_the_15th_second(app: App) -> App:
    """Three of four answers are wrong from the 15th second on."""
    wrong, began, seen = changing(another_id)(app), time.monotonic(), itertools.count()

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        late = time.monotonic() - began > 15 and next(seen) % 4 > 0
        await (wrong if late else app)(scope, receive, send)

    return wrapped


def serialises_at_start(app: App) -> App:
    """Keeps the first sprint as bytes, and puts the id of each request into them. The data source is asked."""
    cache: dict[str, tuple[bytes, bytes]] = {}

    def splice(scope: Scope, start: Message, body: bytes) -> bytes:
        if not scope["path"].startswith("/api/v1/sprint/") or start["status"] != 200:
            return body
        identity = b'"id":%d' % json.loads(body)["sprint"]["id"]
        first, of = cache.setdefault("sprint", (body, identity))
        return first.replace(of, identity)

    return changing(splice)(app)


def splices_a_sprint(app: App) -> App:
    """Makes every sprint of the bytes of the first: the id and the number of the fetch are put in their places."""
    first: list[str] = []

    def splice(scope: Scope, start: Message, body: bytes) -> bytes:
        if not scope["path"].startswith("/api/v1/sprint/") or start["status"] != 200:
            return body
        sprint = json.loads(body)
        index, number = next(
            (issue["index"], issue["description_short"][-10:])
            for issue in sprint["issues"]
            if issue["description_short"][-10:].isdigit()
        )
        first[:] = first or [body.decode()]
        made = json.loads(first[0])
        made["sprint"]["id"] = sprint["sprint"]["id"]
        text = made["issues"][index]["description_short"]
        made["issues"][index]["description_short"] = f"{text[:-10]}{number}"
        return json.dumps(made, ensure_ascii=False, separators=(",", ":")).encode()

    return changing(splice)(app)


def keeps_answers(method: str) -> Mutate:
    """Returns a mutant that repeats a finished answer when the address and the bytes of the body come again."""
    cache: dict[tuple[str, bytes, bytes], list[Message]] = {}

    def mutate(app: App) -> App:
        async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
            if scope.get("method") != method:
                await app(scope, receive, send)
                return
            body = await whole_body(receive)
            key = (scope["path"], scope["query_string"], body)
            sent: list[Message] = []

            async def keep(message: Message) -> None:
                sent.append(message)

            if key not in cache:
                await app(scope, replayed(body, receive), keep)
                if sent[0]["status"] < 300:
                    cache[key] = sent
            for message in cache.get(key, sent):
                await send(dict(message))

        return wrapped

    return mutate


def keeps_rows(key: Callable[[Scope], str]) -> Mutate:
    """Keeps what was fetched for a key. The answer is made anew of it, with the id and the body of the request."""
    rows: dict[str, dict[str, Any]] = {}

    def from_cached_row(scope: Scope, document: Any) -> Any:
        if not isinstance(document, dict):
            return document
        row = {field: document[field] for field in ("picture", "issues", "author") if field in document}
        return document | rows.setdefault(f"{scope['method']} {sorted(row)} {key(scope)}", row)

    return on_json(from_cached_row)


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

    return changing(rewrite)(app)


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


def closes_after(requests: int) -> Mutate:
    """Closes each connection after so many answers, and says so."""

    def mutate(app: App) -> App:
        async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                await app(scope, receive, send)
                return
            # not its address: a later connection may have the same port
            connection = receive.__self__.transport.get_protocol()  # type: ignore[attr-defined]
            connection.answers = getattr(connection, "answers", 0) + 1

            async def close(message: Message) -> None:
                if message["type"] == "http.response.start" and connection.answers == requests:
                    message["headers"] = [*message["headers"], (b"connection", b"close")]
                await send(message)

            await app(scope, receive, close)

        return wrapped

    return mutate


def gzips(_scope: Scope, start: Message, body: bytes) -> bytes:
    if start["status"] >= 300 or not body:
        return body
    header(start, b"content-encoding", b"gzip")
    return gzip.compress(body)


def on_bytes_of_json(change: Callable[[bytes], bytes]) -> Mutate:
    """Returns a mutant that changes the bytes of successful JSON answers."""

    def altered(_scope: Scope, start: Message, body: bytes) -> bytes:
        return change(body) if body[:1] == b"{" and start["status"] < 400 else body

    return changing(altered)


def writes_a_key_twice(body: bytes) -> bytes:
    """The first member is there twice, the second time as it should be."""
    first = next(iter(json.loads(body)))
    return b'{"%s":"another",' % first.encode() + body[1:]


def on_date_times(change: Callable[[str], str]) -> Mutate:
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


def repairing(repair: Callable[[str], str]) -> Mutate:
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

    return reading(better)


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


async def is_slow(_scope: Scope) -> None:
    """A right app: each answer takes 20 ms longer."""
    await asyncio.sleep(0.02)


def hides_100_too(scope: Scope, documents: Any) -> Any:
    if scope["path"].startswith("/anonymization/"):
        for child in (child for document in documents for child in document.get("child_objects", [])):
            if child.get("number") == 100:
                child["number"] = 0
    return documents


async def reads_text_as_1(scope: Scope) -> None:
    if scope["query_string"] == b"document_type=test":
        scope["query_string"] = b"document_type=1"


def next_number() -> int:
    """The number of a fetch that is only counted."""
    number: int = source.numbers.next()
    return number


def never_asks_the_source() -> None:
    async def at_once(_source: object) -> int:
        return next_number()

    source.DataSource._fetch = at_once


def fetching(fetch: Callable[[Any], Awaitable[int]]) -> Callable[[], None]:
    """Returns a change of the modules: a fetch does this in place of holding a connection of the pool for a while."""

    def change() -> None:
        source.DataSource._fetch = fetch

    return change


async def ignores_the_pool(_source: Any) -> int:
    await asyncio.sleep(source.LATENCY)
    return next_number()


async def waits_1_ms_or_long(_source: Any) -> int:
    """Knows the check with a slow source, and waits for 1 ms otherwise."""
    async with source._pool:
        await asyncio.sleep(source.LATENCY if source.LATENCY > 0.05 else 0.001)
    return next_number()


def waits_unless_busy(others: int) -> Callable[[], None]:
    """Fetches wait only while `others` or fewer are made at the same time."""

    def change() -> None:
        right, busy = source.DataSource._fetch, 0

        async def fetch(self: Any) -> int:
            nonlocal busy
            busy += 1
            try:
                return await right(self) if busy <= others else next_number()
            finally:
                busy -= 1

        source.DataSource._fetch = fetch

    return change


def shares_a_wait() -> None:
    """Fetches that begin while another one waits end with it."""
    right = source.DataSource._fetch
    waiting: list[asyncio.Future[int]] = []

    async def fetch(self: Any) -> int:
        if not waiting or waiting[0].done():
            waiting[:] = [asyncio.ensure_future(right(self))]
        await asyncio.shield(waiting[0])
        return next_number()

    source.DataSource._fetch = fetch


def updates_unread_when_busy(app: App) -> App:
    """Answers 204 while more than eight requests are under way. The body is not read, and the fetch only counted."""

    async def at_once(scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("method") != "PUT":
            await app(scope, receive, send)
            return
        next_number()
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    return busily(lambda _app: at_once)(app)


def answers_timed_as_simple(app: App) -> App:
    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope = {**scope, "path": scope["path"].replace("/timed/", "/simple/")}
        await app(scope, receive, send)

    return wrapped


async def only_waits(_source: Any, _task: object) -> None:
    async with source._pool:
        await asyncio.sleep(source.LATENCY)


def updates_without_the_source() -> None:
    """An update takes as long as a fetch, and is none."""
    source.DataSource.save_task = only_waits


def updates_without_the_source_when_busy() -> None:
    right, busy = source.DataSource.save_task, 0

    async def save_task(self: Any, task: object) -> None:
        nonlocal busy
        busy += 1
        try:
            await (only_waits(self, task) if busy > 8 else right(self, task))
        finally:
            busy -= 1

    source.DataSource.save_task = save_task


def asking(method: str, **changed: str) -> Callable[[Any, int], Awaitable[None]]:
    """Returns a function that asks the cache, with other parameters than the right ones, and forgets the answer."""

    async def ask(client: Any, document_type: int) -> None:
        parameters = solr.parameters(document_type) | changed
        async with client._session.request(method, solr.SELECT_URL, params=parameters) as answer:
            await answer.read()

    return ask


def keeps_documents_when_busy(ask: Callable[[Any, int], Awaitable[None]]) -> Callable[[], None]:
    """Returns a change of the modules: what Solr answered is kept, and used again while others are under way.

    So that the cache has had as many requests, it is asked for something else in the background.
    """

    def change() -> None:
        right, busy = solr.Solr.select, 0
        kept: dict[int, bytes] = {}
        asked: set[asyncio.Task[None]] = set()

        async def select(self: Any, document_type: int) -> bytes:
            nonlocal busy
            busy += 1
            try:
                if busy <= 2 or document_type not in kept:
                    kept[document_type] = await right(self, document_type)
                else:
                    task = asyncio.ensure_future(ask(self, document_type))
                    asked.add(task)
                    task.add_done_callback(asked.discard)
                return kept[document_type]
            finally:
                busy -= 1

        solr.Solr.select = select

    return change


fetched_documents: list[bytes] = []


def keeps_what_was_fetched() -> None:
    right = solr.Solr.select

    async def select(self: Any, document_type: int) -> bytes:
        fetched_documents[:] = [await right(self, document_type)]
        return fetched_documents[0]

    solr.Solr.select = select


def casts_documents(_scope: Scope, start: Message, body: bytes) -> bytes:
    """Answers with documents that do not fit the types as if they did."""
    if start["status"] < 500 or not fetched_documents:
        return body
    start["status"] = 200
    header(start, b"content-type", b"application/json")
    documents = json.loads(fetched_documents.pop())["response"]["docs"]
    return json.dumps(documents).encode()


def is_a_request_behind() -> None:
    """Each request gets the documents that were fetched for the one before. None gets those of another."""
    right = solr.Solr.select
    before: dict[int, bytes] = {}

    async def select(self: Any, document_type: int) -> bytes:
        if document_type not in before:
            before[document_type] = await right(self, document_type)
        fetched = await right(self, document_type)
        before[document_type], earlier = fetched, before[document_type]
        return earlier

    solr.Solr.select = select


def makes_numbers_up(_scope: Scope, documents: Any) -> Any:
    for child in documents[-1].get("child_objects", []) if isinstance(documents, list) and documents else []:
        child["name"] = re.sub(r"[1-9]\d{9}$", lambda _number: str(random.randrange(10**9, 10**10)), child["name"])
    return documents


def sends_a_parameter_more() -> None:
    right = solr.parameters
    solr.parameters = lambda document_type: right(document_type) | {"wt": "json"}


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


def hashing(salt: Callable[[], bytes], secret: bytes | None = None) -> Callable[[], None]:
    """Returns a change of the modules: they hash with other salts, or something else."""

    def change() -> None:
        work.hash_password = lambda payload: bcrypt.hashpw(secret or payload.encode(), salt()).decode()

    return change


def hashes_cheaply_when_busy() -> None:
    """With more than three hashes under way, computes cheap ones and says that they are not."""
    busy = Counter[str]()

    def hash_password(payload: str) -> str:
        busy["hashes"] += 1
        try:
            cost = 4 if busy["hashes"] > 3 else 10
            return bcrypt.hashpw(payload.encode(), bcrypt.gensalt(cost)).decode().replace("$04$", "$10$")
        finally:
            busy["hashes"] -= 1

    work.hash_password = hash_password


def hashes_on_the_loop() -> None:
    async def at_once(do: Callable[..., Any], *arguments: Any) -> Any:
        return do(*arguments)

    starlette.concurrency.run_in_threadpool = at_once


def unchanged(app: App) -> App:
    return app


@dataclass(frozen=True)
class Mutant:
    """An app that is wrong in one way, and the checks that must kill it.

    `killer`, `before_its_rounds` and `in_a_run`: a check, with its cell where it belongs to a cell. The others find it
    where it is measured: when the run verifies it, and in its rounds, which take more than 15 seconds. `app` is what
    stands around the right app, and `before` changes modules before that is loaded. `of`: the entry whose app it is;
    "solr" is that of fastapi with Solr behind it.
    """

    killer: str = ""
    app: Mutate = unchanged
    before: Callable[[], None] | None = None
    in_a_run: str = ""
    before_its_rounds: str = ""
    of: str = "starlette"


MUTANTS = {
    "cached-id": Mutant("userinfo/raw fresh-ids", caches_by_route),
    "body-ignored": Mutant("create-task/raw answer", reading(lambda _body: PLAIN.encode())),
    "task-not-echoed": Mutant("create-task/raw answer", on_json(drops_labels)),
    "ascii-only": Mutant(
        "create-task/raw random-bodies", on_field("summary", lambda text: text.encode("ascii", "replace").decode())
    ),
    "99-issues": Mutant("sprint/raw answer", on_field("issues", lambda issues: issues[:-1])),
    "nulls": Mutant(
        "sprint/raw answer", on_field("issues", lambda issues: [{"assigned": None} | issue for issue in issues])
    ),
    "text-as-part": Mutant("other-routes", on_field("part", str)),
    "malformed-json-accepted": Mutant(
        "create-task/raw malformed-json", restating((400, 422), 201, b"application/json", b"{}")
    ),
    "missing-charset": Mutant("hello_world content-type", changing(forgets_the_charset)),
    "json-called-html": Mutant("userinfo/raw content-type", changing(calls_json_html)),
    "error-page-with-200": Mutant(
        "unknown-path", restating((404,), 200, b"text/html", b"<html><body>Not found</body></html>")
    ),
    "debug-headers": Mutant("unknown-path", changing(names_its_profile)),
    "a-page-for-debugging": Mutant(
        "unknown-path",
        restating((404,), 404, b"text/html", b"<p>You see this because <code>DEBUG = True</code></p>"),
        before_its_rounds="userinfo/raw unknown-path",
    ),
    "names-a-file": Mutant(
        "create-task/raw malformed-json", restating((400, 422), 400, b"text/plain", b"no task in /app/src/body.py")
    ),
    "traces-of-refused-bodies": Mutant("create-task/raw malformed-json", changing(shows_where_it_refused)),
    "escapes-one-by-one": Mutant(
        "create-task/raw escaped-texts",
        reading(lambda body: re.sub(rb"\\u[dD][89a-fA-F][0-9a-fA-F]{2}", rb"\\ufffd", body)),
    ),
    "wrong-status": Mutant("create-task/raw status", restating((201,), 200)),
    "hangs-on-a-path": Mutant("sprint/raw status", first(waits_for_a_sprint)),
    "dies-after-1000": Mutant("alive", counting(1000, die)),
    "500s-under-load": Mutant("under-load", counting(3000, fail)),
    "first-connection-only": Mutant("connections", first(first_connection_only())),
    "wrong-when-busy": Mutant("under-load", busily(on_json(lambda _scope, _document: {"busy": True}))),
    "asks-who-asks": Mutant("sprint/raw fresh-ids", asks_who_asks),
    "knows-loaded-ids": Mutant("sprint/raw answer", on_json(knows_loaded_ids)),
    "short-on-busy-connections": Mutant("sprint/raw under-load", short_on_busy_connections),
    "never-asks-the-source": Mutant("sprint/raw asks-source", before=never_asks_the_source),
    "waits-1-ms-or-long": Mutant("userinfo/raw duration", before=fetching(waits_1_ms_or_long)),
    "ignores-the-pool": Mutant(
        "create-task/raw pool", before=fetching(ignores_the_pool), before_its_rounds="create-task/raw pool"
    ),
    "waits-unless-busy": Mutant("userinfo/raw pool", before=waits_unless_busy(8)),
    "waits-unless-very-busy": Mutant(
        "userinfo/raw waits-under-load",
        before=waits_unless_busy(30),
        before_its_rounds="userinfo/raw waits-under-load",
    ),
    "shares-a-wait": Mutant("update-task/raw pool", before=shares_a_wait),
    "updates-unread-when-busy": Mutant("update-task/raw pool", updates_unread_when_busy),
    "answers-timed-at-once-when-busy": Mutant("timed/raw under-load", busily(answers_timed_as_simple)),
    "sleeps-0-ms": Mutant("timed/raw duration", before=forgets_to_wait),
    "blocks-the-loop": Mutant("timed/raw waits-together", first(blocks_while_waiting), forgets_to_wait),
    "bcrypt-cost-4": Mutant("bcrypt answer", before=hashing(lambda: bcrypt.gensalt(4))),
    "same-salt": Mutant("bcrypt fresh-salt", before=hashing(cache(lambda: bcrypt.gensalt(10)))),
    "hashes-something-else": Mutant("bcrypt answer", before=hashing(lambda: bcrypt.gensalt(10), b"secret")),
    "hashes-cheaply-when-busy": Mutant("bcrypt others-go-on", before=hashes_cheaply_when_busy),
    "hashes-on-the-loop": Mutant("bcrypt others-go-on", before=hashes_on_the_loop),
    "loses-a-message": Mutant("queue-0ms-all-near every-message", loses_a_message),
    "deadlocks": Mutant("queue-0ms-all-near every-message", deadlocks),
    "answers-twice": Mutant("connections", before=answers_twice),
    "redirects-with-as-many-bytes": Mutant(
        "under-load", on_old_connections(changing(redirects_with_as_many_bytes), requests=40, connections=20)
    ),
    "mixes-up-1-percent": Mutant("userinfo/raw under-load", busily(answers_another_request(0.01))),
    "mixes-up-half-a-percent": Mutant(
        "userinfo/raw under-load", busily(answers_another_request(0.005)), in_a_run="userinfo/raw every-answer"
    ),
    "another-id-from-the-300th": Mutant("under-load", on_old_connections(changing(another_id), requests=300)),
    "wrong-from-the-15th-second": Mutant(app=busily(from_the_15th_second), in_a_run="userinfo/raw every-answer"),
    "serialises-at-start": Mutant("sprint/raw fresh-rows", serialises_at_start),
    "splices-a-sprint": Mutant("sprint/raw fresh-rows", splices_a_sprint),
    "keeps-answers-by-body": Mutant("create-task/raw fresh-rows", keeps_answers("POST")),
    "keeps-rows-by-id": Mutant("userinfo/raw fresh-rows", keeps_rows(id_of)),
    "keeps-rows-by-path": Mutant("create-task/raw fresh-rows", keeps_rows(path_of)),
    "keeps-rows-by-id-when-busy": Mutant("sprint/raw under-load", busily(keeps_rows(id_of))),
    "cuts-answers-when-busy": Mutant("create-task/raw under-load", busily(changing(cuts_answers))),
    "updates-without-the-source": Mutant("update-task/raw fetches", before=updates_without_the_source),
    "updates-without-the-source-when-busy": Mutant(
        "update-task/raw under-load",
        before=updates_without_the_source_when_busy,
        in_a_run="update-task/raw fetches",
    ),
    "leaks-into-the-next": Mutant("userinfo/raw after-others", leaks_into_the_next),
    "closes-after-700": Mutant("userinfo/raw under-load", closes_after(700)),
    "closes-after-100": Mutant(
        "userinfo/raw under-load", closes_after(100), before_its_rounds="userinfo/raw under-load"
    ),
    "gzips": Mutant("connections", changing(gzips)),
    "utf-16": Mutant("userinfo/raw answer", on_bytes_of_json(lambda body: body.decode().encode("utf-16"))),
    "a-mark": Mutant("userinfo/raw answer", on_bytes_of_json(lambda body: b"\xef\xbb\xbf" + body)),
    "a-key-twice": Mutant("userinfo/raw answer", on_bytes_of_json(writes_a_key_twice)),
    "spaces-in-date-times": Mutant("sprint/raw answer", on_date_times(lambda text: text.replace("T", " "))),
    "offsets-without-colons": Mutant("sprint/raw answer", on_date_times(lambda text: text.replace("Z", "+0000"))),
    "reads-single-quotes": Mutant("create-task/raw malformed-json", repairing(lambda text: text.replace("'", '"'))),
    "reads-comments": Mutant(
        "create-task/raw malformed-json", repairing(lambda text: re.sub(r"/\*.*?\*/|//.*", "", text))
    ),
    "reads-a-comma-too-many": Mutant(
        "create-task/raw malformed-json", repairing(lambda text: re.sub(r",\s*}", "}", text))
    ),
    "reads-what-is-cut": Mutant("create-task/raw malformed-json", repairing(closed)),
    "reads-nothing": Mutant("create-task/raw malformed-json", repairing(lambda text: text or PLAIN)),
    "reads-the-first-of-two": Mutant("create-task/raw malformed-json", repairing(first_document)),
    "reads-no-further": Mutant("create-task/raw malformed-json", repairing(without_the_rest)),
    "reads-nan": Mutant(
        "simple/pydantic malformed-json", repairing(lambda text: text.replace("NaN", '"x"')), of="fastapi"
    ),
    "casts-documents": Mutant(
        "json_serialization/pydantic checked-documents", changing(casts_documents), keeps_what_was_fetched, of="solr"
    ),
    "keeps-the-answer": Mutant("json_serialization/pydantic asks-each-time", keeps_answers("GET"), of="solr"),
    "hides-100-too": Mutant("anonymization/pydantic answer", on_json(hides_100_too), of="solr"),
    "forgets-children": Mutant(
        "json_serialization/pydantic answer",
        on_each(lambda found: {key: value for key, value in found.items() if key != "child_objects"}),
        of="solr",
    ),
    "fills-in-nulls": Mutant(
        "json_serialization/pydantic answer", on_each(lambda found: {"string_array": None} | found), of="solr"
    ),
    "keeps-documents-and-asks-for-the-head": Mutant(
        "json_serialization/pydantic under-load", before=keeps_documents_when_busy(asking("HEAD")), of="solr"
    ),
    "keeps-documents-and-asks-for-none": Mutant(
        "json_serialization/pydantic under-load", before=keeps_documents_when_busy(asking("GET", rows="0")), of="solr"
    ),
    "keeps-documents-and-forgets-others": Mutant(
        "anonymization/pydantic under-load", before=keeps_documents_when_busy(asking("GET")), of="solr"
    ),
    "is-a-request-behind": Mutant("json_serialization/pydantic asks-each-time", before=is_a_request_behind, of="solr"),
    "makes-numbers-up": Mutant("json_serialization/pydantic asks-each-time", on_json(makes_numbers_up), of="solr"),
    "sends-a-parameter-more": Mutant("json_serialization/pydantic answer", before=sends_a_parameter_more, of="solr"),
    "reads-text-as-1": Mutant("validation/pydantic rejects-text", first(reads_text_as_1), of="solr"),
}

RIGHT: dict[str, Mutate] = {
    "none": unchanged,
    "orders-keys-anew": orders_keys_anew,
    "in-chunks": in_chunks,
    "closes-after-1000": closes_after(1000),
    "writes-t-and-z": on_date_times(str.lower),
    "is-slow": first(is_slow),
}
"""Apps that are changed and right all the same."""


def load(entry: str) -> App:
    """Returns the app in an entry's folder."""
    sys.path.insert(0, entry)
    import app as right  # type: ignore[import-not-found]

    return right.app  # type: ignore[no-any-return]


if "MUTATED_ENTRY" in os.environ:
    from shared import source, work  # type: ignore[import-not-found]

if "MUTANT" in os.environ:
    import bcrypt
    import starlette.concurrency  # type: ignore[import-not-found]
    import uvicorn.protocols.http.httptools_impl  # type: ignore[import-not-found]

    mutant = MUTANTS.get(os.environ["MUTANT"]) or Mutant(app=RIGHT[os.environ["MUTANT"]])
    if mutant.of == "solr":  # its client needs a library that only some entries have
        from shared import solr
    if mutant.before:
        mutant.before()
    app = mutant.app(load(str(Path(os.environ["MUTATED_ENTRY"]))))
