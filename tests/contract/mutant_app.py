"""Mutants: apps of the entries starlette and fastapi that are wrong in one way. $MUTANT names the mutant.

Each mutant is an ASGI application around the right app. `none` changes nothing: it shows that the wrapping itself
breaks no check.
"""

import asyncio
import itertools
import json
import os
import sys
import time
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
}
"""Mutant → a function that changes its modules before the app is loaded."""

MUTANTS: dict[str, Callable[[App], App]] = {
    "none": lambda app: app,
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
    "keeps-the-answer": keeps_the_answer,
    "hides-100-too": on_json(hides_100_too),
    "forgets-children": on_json(forgets_children),
    "fills-in-nulls": on_json(fills_in_nulls),
    "reads-text-as-1": reads_text_as_1,
}


def load(entry: str) -> App:
    """Returns the app in an entry's folder."""
    sys.path.insert(0, entry)
    import app as right  # type: ignore[import-not-found]

    return right.app  # type: ignore[no-any-return]


if "MUTANT" in os.environ:
    import bcrypt
    import starlette.concurrency  # type: ignore[import-not-found]

    from shared import source, work  # type: ignore[import-not-found]

    BEFORE.get(os.environ["MUTANT"], lambda: None)()
    app = MUTANTS[os.environ["MUTANT"]](load(str(Path(os.environ["MUTATED_ENTRY"]))))
