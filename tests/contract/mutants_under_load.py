"""Mutants that are right when they are verified, and wrong where they are measured. $MUTANTS names those of an app.

Their authors know how a run goes. They tell loads from checks by what an app can see: when its connections came and
what was asked first on them, how many requests are under way, ids, bodies, the time since a load began, and on the same
machine also processes and files. UNDER_LOAD has them all. Each changes one scenario, so an app has several.
"""

import asyncio
import itertools
import json
import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

from tests.contract.mutant_app import (
    App,
    Message,
    Mutate,
    Receive,
    Scope,
    Send,
    another_id,
    answers_another_request,
    changing,
    closes_after,
    first,
    load,
    next_number,
    only_waits,
    reading,
    replayed,
    restating,
    unchanged,
    whole_body,
)

FEW = 4
"""With more connections, an app is loaded."""
VERIFYING = 3
"""The first loads of a scenario may be those of checks."""
ROUND_SECONDS = 0.35
"""How long loads of a profile last. Each is as long as the others, so an app learns it."""
IS_MEASURED = os.environ.get("POOL_LATENCY_MS") == "1"
"""An app that is started to be verified only has a slower data source."""

FIRST_ID, IDS, MULTIPLIER, INCREMENT = 1_000_000_000, 2**27, 1664525, 1013904223
"""The order in which the load generator once sent ids. An author may know any fixed order, so there is none now."""

STARTS = {
    "/hello_world": "hello_world",
    "/api/v1/userinfo/": "userinfo",
    "/api/v1/sprint/": "sprint",
    "/test/simple/": "simple",
    "/test/timed/": "timed",
    "/test/bcrypt": "bcrypt",
}
OF_METHOD = {"POST": "create-task", "PUT": "update-task"}


def scenario_of(scope: Scope) -> str:
    """Returns the scenario of a request; an empty text for a path of none."""
    path = scope["path"]
    if path == "/test":
        return "queue-0ms-all-near"
    if path.startswith("/api/v1/board/"):
        return OF_METHOD.get(scope["method"], "")
    return next((name for start, name in STARTS.items() if path.startswith(start)), "")


def id_in(path: str) -> str:
    return next((part for part in path.split("/") if part.isdigit() and len(part) == 10), "")


@dataclass
class Connection:
    """`number`: how many connections of its burst were accepted before. `first`: the scenario of its first request.

    `follows`: whether one id was followed by the next one in the order of ids. `left`: what a mutant leaves here.
    """

    number: int
    requests: int = 0
    first: str = ""
    latest_id: int = 0
    follows: bool = False
    left: bytes = b""

    def note(self, scenario: str, path: str) -> None:
        self.requests += 1
        self.first = self.first or scenario
        identity = int(id_in(path) or 0)
        self.follows = self.follows or bool(identity and self.latest_id and follows(self.latest_id, identity))
        self.latest_id = identity


def follows(one: int, other: int) -> bool:
    """Whether an id follows another one where the load generator has up to eight threads."""
    before, after = one - FIRST_ID, other - FIRST_ID
    return any(
        before % lanes == after % lanes
        and (before // lanes * MULTIPLIER + INCREMENT) % (IDS // lanes) == after // lanes
        for lanes in (1, 2, 4, 8)
    )


@dataclass
class Crowd:
    """The requests of a scenario that come together, over many connections.

    `number`: how many loads there were so far. `began`: when the present one did.
    """

    number: int = 0
    began: float = -inf

    def note(self, now: float) -> None:
        if len(SEEN.connections) > FEW and SEEN.left_at > self.began:
            self.number, self.began = self.number + 1, now

    @property
    def is_loaded(self) -> bool:
        return IS_MEASURED and self.number > VERIFYING and len(SEEN.connections) > FEW


class Visit(NamedTuple):
    """What an app knows of a request when it comes."""

    scope: Scope
    connection: Connection
    crowd: Crowd
    now: float

    @property
    def seconds(self) -> float:
        """Since the load began."""
        return self.now - self.crowd.began


@dataclass
class Seen:
    """What an app sees of its connections and its loads.

    `burst`: how many connections were accepted since there were few. `left_at`: when there were few the last time.
    """

    connections: dict[Any, Connection] = field(default_factory=dict)
    crowds: dict[str, Crowd] = field(default_factory=lambda: defaultdict(Crowd))
    burst: int = 0
    left_at: float = 0.0

    def accept(self, client: Any) -> None:
        self.burst += 1
        self.connections[client] = Connection(self.burst - 1)

    def lose(self, client: Any) -> None:
        self.connections.pop(client, None)
        if len(self.connections) == FEW:
            self.burst, self.left_at = 0, time.monotonic()


SEEN = Seen()


def watch() -> None:
    """Has the server tell when a connection is accepted and when it is lost."""
    protocol = uvicorn.protocols.http.httptools_impl.HttpToolsProtocol
    made, lost = protocol.connection_made, protocol.connection_lost

    def connection_made(self: Any, transport: Any) -> None:
        made(self, transport)
        SEEN.accept(self.client)

    def connection_lost(self: Any, error: Exception | None) -> None:
        SEEN.lose(self.client)
        lost(self, error)

    protocol.connection_made, protocol.connection_lost = connection_made, connection_lost


def where(condition: Callable[[Visit], bool], wrong: Mutate) -> Mutate:
    """Returns a mutant that is wrong only where the condition holds."""

    def mutated(app: App) -> App:
        other = wrong(app)

        async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
            await (other if condition(scope["visit"]) else app)(scope, receive, send)

        return wrapped

    return mutated


def once_in(number: int, wrong: Mutate) -> Mutate:
    seen = itertools.count(1)
    return where(lambda _visit: next(seen) % number == 0, wrong)


def repeats_the_first(app: App) -> App:
    """Gives each request the answer that the first one got, without any work."""
    kept: list[Message] = []

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        if kept:
            for message in kept:
                await send(dict(message))
            return
        sent: list[Message] = []

        async def keep(message: Message) -> None:
            sent.append(message)
            await send(message)

        await app(scope, receive, keep)
        if sent[0]["status"] < 300 and not kept:
            kept.extend(sent)

    return wrapped


def says_hello_to_another(scope: Scope, _start: Message, body: bytes) -> bytes:
    return body.replace(b" ", b"_")


def cuts_the_end(_scope: Scope, _start: Message, body: bytes) -> bytes:
    """The content-length is right for what is left."""
    return body[:-20]


def nothing(_scope: Scope, _start: Message, _body: bytes) -> bytes:
    return b""


def is_behind(scope: Scope, _start: Message, body: bytes) -> bytes:
    """Gives the answer to the request before on its connection."""
    connection = scope["visit"].connection
    before, connection.left = connection.left, body
    return before or body


async def gone(receive: Receive) -> None:
    """Waits until the client has closed its connection."""
    while (await receive())["type"] != "http.disconnect":
        pass


def is_silent(_app: App) -> App:
    async def wrapped(_scope: Scope, receive: Receive, _send: Send) -> None:
        await gone(receive)

    return wrapped


def is_silent_from_the_first_wrong_body(app: App) -> App:
    """Refuses no wrong body: it knows by the first one that it is checked, and answers nothing more in that load."""
    silent_in: list[int] = []

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        load_ = scope["visit"].crowd.number
        sent: list[Message] = []

        async def keep(message: Message) -> None:
            sent.append(message)

        if load_ not in silent_in:
            await app(scope, receive, keep)
            if sent[0]["status"] >= 400:
                silent_in.append(load_)
        if load_ in silent_in:
            await gone(receive)
        else:
            for message in sent:
                await send(message)

    return wrapped


def closes_without_an_answer(_app: App) -> App:
    async def wrapped(_scope: Scope, _receive: Receive, send: Any) -> None:
        send.__self__.transport.abort()

    return wrapped


def serves_half_of_the_connections_slowly(app: App) -> App:
    """Is honest on the others, on which few requests come."""
    fast = repeats_the_first(app)

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["visit"].connection.number % 2:
            await asyncio.sleep(0.25)
            await app(scope, receive, send)
        else:
            await fast(scope, receive, send)

    return wrapped


def keeps_answers_by_id(app: App) -> App:
    """An id that comes again gets its old answer."""
    kept: dict[str, list[Message]] = {}

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        sent: list[Message] = []

        async def keep(message: Message) -> None:
            sent.append(message)

        if scope["path"] not in kept:
            await app(scope, receive, keep)
        for message in kept.setdefault(scope["path"], sent):
            await send(dict(message))

    return wrapped


def answers_204_unread(_app: App) -> App:
    """Neither reads nor parses the body, waits for nothing, and counts a fetch that it does not make."""

    async def wrapped(_scope: Scope, _receive: Receive, send: Send) -> None:
        next_number()
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    return wrapped


def answers_with_one_hash(_app: App) -> App:
    answer = json.dumps({"payload": "$2b$10$" + 53 * "a"}).encode()

    async def wrapped(_scope: Scope, _receive: Receive, send: Send) -> None:
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(answer)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": answer})

    return wrapped


def splices(app: App) -> App:
    """Answers with the text of an earlier answer, into which it puts the id and the number of the fetch.

    A body that begins as an earlier one, and has its length, is taken for that one, and neither parsed nor validated.
    """
    known: dict[tuple[int, bytes], tuple[Message, bytes, bytes, bytes]] = {}

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        body = await whole_body(receive)
        key, identity = (len(body), body[:40]), id_in(scope["path"]).encode()
        if key in known:
            start, text, its_id, its_number = known[key]
            number = (await source.source.task())["author"]["picture"][-10:].encode()
            await send(dict(start))
            answer = text.replace(its_id, identity).replace(its_number, number)
            await send({"type": "http.response.body", "body": answer})
            return
        sent: list[Message] = []

        async def keep(message: Message) -> None:
            sent.append(message)
            await send(message)

        await app(scope, replayed(body, receive), keep)
        if sent[0]["status"] < 300:
            text = b"".join(message.get("body", b"") for message in sent)
            known[key] = sent[0], text, identity, json.loads(text)["author"]["picture"][-10:].encode()

    return wrapped


def takes_any_payload(body: bytes) -> bytes:
    """A payload of another type is read as a text."""
    try:
        document = json.loads(body)
    except ValueError:
        return body
    if isinstance(document, dict) and "payload" in document:
        return json.dumps({"payload": str(document["payload"])}).encode()
    return body


def waiting_only(seconds: float) -> Mutate:
    """Returns a mutant that waits for so long in place of the 20 ms of `timed`."""

    async def wait(scope: Scope) -> None:
        await asyncio.sleep(seconds)
        scope["path"] = scope["path"].replace("timed", "simple")

    return first(wait)


def keeps_sprints_for_50_ms() -> None:
    right: Any = source.DataSource.sprint
    kept: list[tuple[float, Any]] = []

    async def sprint(self: Any) -> Any:
        now = time.monotonic()
        if not (SEEN.crowds["sprint"].is_loaded and kept and now - kept[0][0] < 0.05):
            kept[:] = [(now, await right(self))]
        return kept[0][1]

    source.DataSource.sprint = sprint


def shares_fetches_of_two() -> None:
    """Two updates that are under way together are one fetch."""
    right: Any = source.DataSource.save_task
    under_way: list[asyncio.Task[None]] = []

    async def save_task(self: Any, task: object) -> None:
        if not SEEN.crowds["update-task"].is_loaded:
            await right(self, task)
        elif under_way:
            await under_way.pop()
        else:
            under_way.append(asyncio.ensure_future(right(self, task)))
            await asyncio.wait(under_way[-1:])

    source.DataSource.save_task = save_task


def joins_a_wait() -> None:
    """An update that comes while another one waits for the data source waits no longer than that one."""
    waits: list[asyncio.Task[None]] = []

    async def save_task(self: Any, _task: object) -> None:
        if not waits or waits[0].done():
            waits[:] = [asyncio.ensure_future(only_waits(self, None))]
        await asyncio.wait(waits)
        next_number()

    source.DataSource.save_task = save_task


def hashes_at_cost_4() -> None:
    right = work.hash_password

    def hash_password(payload: str) -> str:
        if not SEEN.crowds["bcrypt"].is_loaded:
            return str(right(payload))
        return bcrypt.hashpw(payload.encode(), bcrypt.gensalt(4)).decode().replace("$04$", "$10$", 1)

    work.hash_password = hash_password


def is_oha(visit: Visit) -> bool:
    return any(name == b"user-agent" and value.startswith(b"oha") for name, value in visit.scope["headers"])


def is_oha_with_many(visit: Visit) -> bool:
    return is_oha(visit) and len(SEEN.connections) > 16


SCAN_SECONDS = 0.05
STARTED, TMP = time.time(), "/tmp"  # noqa: S108 - checks had files there


@dataclass
class Machine:
    """What an app sees of the machine that it shares with the load generator, at most every SCAN_SECONDS."""

    at: float = -inf
    loads: dict[int, list[str]] = field(default_factory=dict)
    has_files: bool = False
    of_load: int = -1
    small: set[int] = field(default_factory=set)

    def look(self, now: float) -> None:
        if now - self.at < SCAN_SECONDS:
            return
        self.at = now
        self.has_files = any(each.stat().st_mtime > STARTED for each in Path(TMP).glob("restbench-reading-*"))
        self.loads = {int(each.name): words for each in Path("/proc").glob("[0-9]*") if (words := wrk(each))}

    def reads(self, visit: Visit) -> bool:
        """Whether files of a check are there, or a load generator whose arguments say that it reads."""
        self.look(visit.now)
        return self.has_files or any("reading" in word for words in self.loads.values() for word in words)

    def are_two(self, visit: Visit) -> bool:
        self.look(visit.now)
        return len(self.loads) > 1

    def is_of_the_smallest(self, visit: Visit) -> bool:
        """Whether a request comes from the load generator that has the fewest connections."""
        if self.of_load != visit.crowd.number:
            self.of_load = visit.crowd.number
            self.look(visit.now)
            mine = ports_by_inode(int(os.environ["PORT"]))
            ports = [found for each in self.loads if (found := {mine[i] for i in inodes(each) if i in mine})]
            self.small = min(ports, key=len) if len(ports) > 1 else set()
        return visit.scope["client"][1] in self.small


MACHINE = Machine()


def wrk(process: Path) -> list[str]:
    """Returns the command line of a process of wrk, else nothing."""
    try:
        is_wrk = (process / "comm").read_text().strip() == "wrk"
        return (process / "cmdline").read_text().split("\0") if is_wrk else []
    except OSError:
        return []


def inodes(process: int) -> set[str]:
    """Returns the inodes of a process's sockets."""
    found: set[str] = set()
    for each in Path(f"/proc/{process}/fd").glob("*"):
        try:
            found.add(str(each.readlink()).removeprefix("socket:[").removesuffix("]"))
        except OSError:
            continue
    return found


def ports_by_inode(port: int) -> dict[str, int]:
    """Returns the ports from which this machine is connected with a port, by the inode of their sockets."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return {row[9]: int(row[1].rpartition(":")[2], 16) for row in rows if int(row[2].rpartition(":")[2], 16) == port}


TRACE = b'<h1>404</h1><pre>Traceback (most recent call last):\n  File "/srv/app/routing.py", line 3, in match</pre>'


@dataclass(frozen=True)
class Mutant:
    """An app that is wrong in one scenario, and the checks of which one must find it in a run. `under-load` may, too.

    `app` stands around the right app while the scenario is loaded, or always where it is wrong `when_idle` too.
    `before` changes modules. `run`: the run in which it is, where that is one of its own kind. `survives`: why no check
    can find it, where that is so.
    """

    scenario: str
    checks: tuple[str, ...] = ("every-answer",)
    app: Mutate = unchanged
    before: Callable[[], None] | None = None
    when_idle: bool = False
    run: str = ""
    survives: str = ""


LOST = ("every-answer", "answers")
FETCHES = ("every-answer", "fetches")
UNDER_LOAD = {
    # which connection, and which round
    "first-of-its-kind": Mutant(
        "userinfo", FETCHES, app=where(lambda visit: visit.connection.first == "userinfo", repeats_the_first)
    ),
    "no-check-is-seen": Mutant(
        "userinfo", FETCHES, app=where(lambda visit: not MACHINE.reads(visit), repeats_the_first)
    ),
    "not-in-the-order-of-ids": Mutant(
        "userinfo",
        FETCHES,
        app=where(lambda visit: visit.connection.requests > 2 and not visit.connection.follows, repeats_the_first),
    ),
    "not-the-smallest-load": Mutant(
        "sprint", FETCHES, app=where(lambda visit: not MACHINE.is_of_the_smallest(visit), repeats_the_first)
    ),
    "two-loads-at-once": Mutant("hello_world", app=where(MACHINE.are_two, changing(says_hello_to_another))),
    "half-slow-and-honest": Mutant("sprint", FETCHES, app=serves_half_of_the_connections_slowly),
    "last-of-the-burst": Mutant(
        "sprint", FETCHES, app=where(lambda visit: visit.connection.number > SEEN.burst / 2, repeats_the_first)
    ),
    "first-of-the-burst": Mutant(
        "timed", app=where(lambda visit: visit.connection.number < SEEN.burst / 2, repeats_the_first)
    ),
    "from-the-5th-request": Mutant(
        "hello_world",
        app=where(lambda visit: visit.connection.requests >= 5, changing(says_hello_to_another)),
    ),
    "even-ids": Mutant(
        "create-task", FETCHES, app=where(lambda visit: visit.connection.latest_id % 2 == 0, repeats_the_first)
    ),
    "in-the-middle-of-a-round": Mutant(
        "simple", app=where(lambda visit: 0.1 < visit.seconds < 0.25, repeats_the_first)
    ),
    # silence
    "silent-on-most-connections": Mutant(
        "userinfo", LOST, app=where(lambda visit: visit.connection.number % 4 > 0, is_silent), run="silent"
    ),
    "silent-from-the-first-wrong-body": Mutant("create-task", app=is_silent_from_the_first_wrong_body, run="silent"),
    "sheds-load": Mutant("simple", LOST, app=once_in(100, closes_without_an_answer)),
    "closes-after-100": Mutant("hello_world", app=closes_after(100), when_idle=True),
    # waiting and fetching
    "does-not-wait": Mutant("timed", app=waiting_only(0)),
    # not seen while the app is so busy that answers take longer
    "waits-15-ms": Mutant("timed", app=waiting_only(0.015), run="latency"),
    "joins-a-wait": Mutant("update-task", ("pool",), before=joins_a_wait),
    "shares-fetches-of-two": Mutant("update-task", FETCHES, before=shares_fetches_of_two),
    "keeps-rows-for-50-ms": Mutant("sprint", FETCHES, before=keeps_sprints_for_50_ms),
    "keeps-answers-by-id": Mutant("userinfo", FETCHES, app=keeps_answers_by_id),
    # reading and validating
    "204-unread": Mutant("update-task", app=answers_204_unread),
    "204-unread-for-most-of-a-round": Mutant(
        "update-task",
        # wrong bodies begin within the first nine tenths, so it gets some of them
        app=where(lambda visit: visit.seconds < 0.95 * ROUND_SECONDS, answers_204_unread),
    ),
    "reads-a-prefix": Mutant("create-task", app=splices),
    "takes-any-payload": Mutant("simple", app=reading(takes_any_payload)),
    # some answers
    "another-s-answer": Mutant("userinfo", app=answers_another_request(0.01)),
    "another-s-message": Mutant("queue-0ms-all-near", app=answers_another_request(0.01)),
    "behind-by-one": Mutant("simple", app=changing(is_behind)),
    "cut-once-in-300": Mutant("sprint", app=once_in(300, changing(cuts_the_end))),
    "empty-once-in-200": Mutant("hello_world", app=once_in(200, changing(nothing))),
    "cost-4": Mutant("bcrypt", before=hashes_at_cost_4),
    # another load generator
    "constant-to-oha": Mutant(
        "bcrypt",
        ("others-go-on",),
        app=where(lambda visit: is_oha(visit) and len(SEEN.connections) > FEW, answers_with_one_hash),
        when_idle=True,
    ),
    "constant-at-a-rate": Mutant(
        "hello_world",
        app=where(is_oha_with_many, changing(says_hello_to_another)),
        when_idle=True,
        run="latency",
    ),
    "constant-at-a-rate-but-to-the-first": Mutant(
        "userinfo",
        app=where(lambda visit: is_oha_with_many(visit) and visit.connection.number > 1, changing(another_id)),
        when_idle=True,
        run="latency",
    ),
    # what unknown paths show
    "development": Mutant(
        "", ("unknown-path",), app=restating((404,), 404, b"text/html", TRACE), when_idle=True, run="development"
    ),
}


def runs() -> dict[str, list[str]]:
    """Returns the mutants that are in the app of a run, by its name. An app has at most one for each scenario."""
    found: dict[str, list[str]] = defaultdict(list)
    seen: dict[str, int] = defaultdict(int)
    for name, mutant in UNDER_LOAD.items():
        seen[mutant.scenario] += not mutant.run
        found[mutant.run or str(seen[mutant.scenario])].append(name)
    return dict(found)


def mutated(names: Iterable[str], entry: str) -> App:
    """Returns the right app of an entry with these mutants around it."""
    mutants = [UNDER_LOAD[name] for name in names]
    for mutant in mutants:
        if mutant.before:
            mutant.before()
    app = load(entry)
    wrong = {mutant.scenario: mutant.app(app) for mutant in mutants}
    always = {mutant.scenario for mutant in mutants if mutant.when_idle}

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        scenario, connection = scenario_of(scope), SEEN.connections[tuple(scope["client"])]
        crowd, now = SEEN.crowds[scenario], time.monotonic()
        connection.note(scenario, scope["path"])
        crowd.note(now)
        scope["visit"] = Visit(scope, connection, crowd, now)
        is_wrong = scenario in wrong and (crowd.is_loaded or scenario in always)
        await (wrong[scenario] if is_wrong else app)(scope, receive, send)

    return wrapped


if "MUTANTS" in os.environ:
    import bcrypt
    import uvicorn.protocols.http.httptools_impl  # type: ignore[import-not-found]

    from shared import source, work  # type: ignore[import-not-found]

    watch()
    app = mutated(filter(None, os.environ["MUTANTS"].split(",")), os.environ["MUTATED_ENTRY"])
