"""wrk and oha as they really are: what they send, which is what was verified, and what they count."""

import asyncio
import itertools
import os
import random
import re
import resource
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from statistics import median
from types import SimpleNamespace
from typing import Any, TypeVar

import psutil
import pytest

from restbench.catalog.profiles import find_profile
from restbench.conformance import Client
from restbench.errors import AppDiedError, ToolError
from restbench.loadgen import (
    OHA,
    WRK,
    AnswerForm,
    Load,
    LoadResult,
    Reading,
    Window,
    run_together,
    sharing,
    threads_for,
)
from restbench.loadgen.interface import LOADED_IDS, RequestShape
from restbench.loadgen.oha import Oha
from restbench.loadgen.wrk import DRAIN_SECONDS, OPENED_AT_ONCE, Wrk
from restbench.measure import round as round_
from restbench.measure.round import Counters
from restbench.measure.tools import Tools
from restbench.system.cpus import this_machine
from tests.unit.raw_server import accepting

pytestmark = pytest.mark.slow

wrk_is_here = pytest.mark.needs("wrk")
oha_is_here = pytest.mark.needs("oha")
SHAPE = RequestShape("GET", "/users/{id}")
REPEAT_EVERY = 32
ANSWER = b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok"


@dataclass
class Server:
    """Answers after `delay` seconds, and never from the request on that `silent_from` counts. Where there are `delays`,
    each connection has one of its own, in the order of their first requests. Where there is a barrier, the first
    request waits there."""

    delay: float = 0.0
    barrier: threading.Barrier | None = None
    delays: tuple[float, ...] = ()
    silent_from: float = float("inf")
    url: str = ""
    connections: int = 0
    open_at_first_request: int = 0
    ended_by_error: int = 0
    paths: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        mine, delay = 0, self.delay
        while request := await _request(reader):
            mine += 1
            self.open_at_first_request = self.open_at_first_request or self.open()
            if mine == 1:  # wrk opens one connection more, to see whether it can, and sends nothing
                delay = self.delays[self.connections] if self.delays else self.delay
                self.connections += 1
            self.paths.append(request.split()[1].decode())
            self.times.append(time.monotonic())
            if len(self.paths) >= self.silent_from:
                continue
            if self.barrier and len(self.paths) == 1:
                await asyncio.to_thread(self.barrier.wait, 30)
            if delay:
                await asyncio.sleep(delay)
            writer.write(ANSWER)
        self.ended_by_error += reader.exception() is not None
        writer.close()

    def open(self) -> int:
        """Connections that the kernel has opened to it, accepted or still in its backlog (/proc/net/tcp, proc(5))."""
        mine, established = f":{int(self.url.rpartition(':')[2]):04X}", "01"
        rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        return sum(local.endswith(mine) and state == established for _, local, _, state, *_ in rows)


async def _request(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        return b""


S = TypeVar("S", bound=Server)


@contextmanager
def running(server: S) -> Iterator[S]:
    """The server in a thread of its own."""
    loop, listening, ended = asyncio.new_event_loop(), threading.Event(), asyncio.Event()

    async def serve() -> None:
        sockets = (await asyncio.start_server(server.serve, "127.0.0.1", 0, backlog=1024)).sockets
        server.url = "http://{}:{}".format(*sockets[0].getsockname())
        listening.set()
        await ended.wait()

    def run() -> None:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:  # which also ends what connections wait for
            runner.run(serve())

    thread = threading.Thread(target=run)
    thread.start()
    try:
        assert listening.wait(30)
        yield server
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join()


@wrk_is_here
@pytest.mark.parametrize("cpus", [1, 2, 3, 4, 64])
def test_wrk_opens_all_connections_on_any_number_of_cpus_and_counts_what_was_answered(cpus: int) -> None:
    with running(Server(delay=0.005)) as server:
        result = Wrk().run(server.url, SHAPE, Load(0.4, 3, threads_for(3, cpus), None))
    assert result.connections == server.connections == 3
    assert result.errors == {}
    assert result.requests == result.sent == len(server.paths), "a request that was sent is not counted"
    most = len(server.paths) // REPEAT_EVERY
    assert len(server.paths) - len(set(server.paths)) <= most, "more ids are repeated than one in 32"
    in_flight = result.throughput * result.mean_ms / 1e3
    assert in_flight > 0.75 * 3, "rate × latency is less than what was open (Little's law)"


@wrk_is_here
@pytest.mark.parametrize("seconds", [0.3, 0.55, 1, 1.3])
def test_a_load_of_wrk_lasts_as_long_as_asked_from_the_first_request_on(seconds: float) -> None:
    """As the server saw it too, whose first and last request may be late on a busy machine. It is tried a few times."""
    seen = []
    for _ in range(5):
        with running(Server(delay=0.005)) as server:
            result = Wrk().run(server.url, SHAPE, Load(seconds, 64, 2, None))
        assert seconds <= result.seconds < seconds + DRAIN_SECONDS, "ended by wrk's own duration"
        seen.append((result.seconds, server.times[-1] - server.times[0]))
        if 0.4 < seen[-1][1] / seen[-1][0] < 1.25:
            return
    pytest.fail(f"seconds by wrk and by the server: {seen}")


@wrk_is_here
def test_no_request_is_sent_before_the_connections_of_all_threads_are_open() -> None:
    """An app that already answers accepts more slowly than connections come, and TCP drops those beyond its backlog.

    It is tried a few times, as others may keep the server from running while connections wait for it.
    """
    seen = []
    for _ in range(5):
        with running(Server(delay=0.05)) as server:
            result = Wrk().run(server.url, SHAPE, Load(0.3, 512, 1, None))
        assert server.connections == 512
        assert result.errors == {}
        seen.append(server.open_at_first_request)
        if seen[-1] >= 512 - OPENED_AT_ONCE:
            return
    pytest.fail(f"open connections at the first request, of 512: {seen}")


@wrk_is_here
def test_requests_under_way_at_the_end_are_answered_and_counted_in_all_threads() -> None:
    """Each thread has one connection. The last thread ends first, and wrk's end would stop the others within 100 ms."""
    with running(Server(delays=(0.9, 0.7, 0.5, 0.05))) as server:
        result = Wrk().run(server.url, SHAPE, Load(0.3, 4, 4, None))
    assert result.requests == len(server.paths)


@wrk_is_here
def test_time_without_answers_is_time_under_load() -> None:
    """Else a server that answers nine requests at once and then hangs had the throughput of its best moment.

    The load is as long as it takes to send ten requests, as others may keep the server from running.
    """
    for seconds in (0.4, 2, 10):
        with running(Server(silent_from=10)) as server:
            result = Wrk().run(server.url, SHAPE, Load(seconds, 4, 2, None))
        if len(server.paths) >= 10:
            break
    assert result.requests == 9
    assert result.seconds > seconds
    assert result.errors["unanswered"] == len(server.paths) - 9


@dataclass
class Seen(Window):
    """What had happened at a server when the window began and when it ended: open connections, and requests."""

    server: Server
    moments: list[tuple[int, int]] = field(default_factory=list)

    def begin(self) -> None:
        self.moments.append((self.server.open(), len(self.server.paths)))

    def end(self) -> None:
        self.moments.append((self.server.open(), len(self.server.paths)))


@wrk_is_here
@pytest.mark.parametrize("connections", [8, 64, 512])
def test_a_window_begins_when_all_connections_are_open_and_ends_before_one_is_closed(connections: int) -> None:
    """It is tried a few times, as TCP drops connections where others keep the server from running."""
    pinned = (min(os.sched_getaffinity(0)),)
    seen = []
    for _ in range(5):
        with running(Server(delay=0.005)) as server:
            window = Seen(server)
            result = Wrk().run(server.url, SHAPE, Load(0.3, connections, 1, pinned), window)
        seen.append(window.moments)
        (_, sent_before), (_, sent) = window.moments
        assert (sent_before, sent) == (0, result.requests)
        if seen[-1] == [(connections, 0), (connections, result.requests)]:
            return
    pytest.fail(f"open connections and requests at the begin and at the end: {seen}")


def kept_ports(port: int) -> int:
    """How many closed connections to a port keep a port of this machine: TIME_WAIT, which /proc/net/tcp calls 06."""
    lines = Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]
    states = [line.split()[2:4] for line in lines]
    return sum(state == "06" and int(remote.rpartition(":")[2], 16) == port for remote, state in states)


@wrk_is_here
def test_connections_of_a_load_keep_no_ports_and_are_no_errors_to_the_app() -> None:
    """Ports that are kept for a minute are soon most of all, and it takes a second then to open 512 connections.

    An app may keep what it knows of a connection that ended by an error until a timeout ends.
    """
    with running(Server()) as server:
        WRK.run(server.url, SHAPE, Load(0.1, connections=256, threads=1, cpus=None))
        # wrk opens one connection more, to see whether it can, and an app may be sooner than the reset
        assert kept_ports(int(server.url.rpartition(":")[2])) < 16
        deadline = time.monotonic() + 30
        while server.open() and time.monotonic() < deadline:
            time.sleep(0.01)
    assert (server.connections, server.ended_by_error) == (256, 0)


class Accepting(Server):
    """Burns 2 ms of CPU time for each connection that it accepts, and 0.3 ms for each request."""

    thread = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.thread = threading.get_ident()
        burn(0.002)
        while await _request(reader):
            burn(0.0003)
            writer.write(ANSWER)
        writer.close()

    def cpu_seconds(self) -> float:
        return time.clock_gettime(time.pthread_getcpuclockid(self.thread))


def burn(seconds: float) -> None:
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


@wrk_is_here
def test_what_connections_cost_is_no_part_of_a_request_s_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Opened within the window, 512 connections would cost more than all requests: 1 s.

    It is tried a few times, as an app that others keep from running seems to have nothing left to do.
    """
    monkeypatch.setattr(round_, "MOST_STEPS", 1000)
    tools, seen = Tools(find_profile("quick"), this_machine(), WRK, OHA, random.Random(0)), []
    for _ in range(5):
        cost = {}
        for connections in (64, 512):
            with running(Accepting()) as server:
                target: Any = SimpleNamespace(cpu_seconds=server.cpu_seconds, throttled_periods=lambda: 0)
                counters = Counters(tools, [target])
                result = Wrk().run(server.url, SHAPE, Load(0.4, connections, 1, None), counters)
            cost[connections] = counters.used.apps[0] / result.requests
        seen.append(cost[512] / cost[64])
        if 0.8 < seen[-1] < 1.25:
            return
    pytest.fail(f"CPU time per request over 512 connections ÷ over 64: {seen}")


@wrk_is_here
@pytest.mark.parametrize("moment", ["begin", "end"])
def test_an_error_at_the_edge_of_a_window_ends_the_load(moment: str) -> None:
    """As when the app is found dead."""
    with running(Server()) as server:
        window = Seen(server)

        def die() -> None:
            raise AppDiedError("the app exited with code 3")

        setattr(window, moment, die)
        with pytest.raises(AppDiedError, match="exited with code 3"):
            Wrk().run(server.url, SHAPE, Load(0.3, 64, 1, None), window)
    assert (server.paths == []) is (moment == "begin")
    assert loads_that_run() == []


def loads_that_run() -> list[psutil.Process]:
    return [child for child in psutil.Process().children(recursive=True) if child.name() == "wrk"]


@wrk_is_here
@pytest.mark.parametrize("moment", ["begin", "end"])
def test_a_wrk_that_dies_within_a_window_has_no_figures(moment: str) -> None:
    with running(Server()) as server:
        window = Seen(server)

        def kill() -> None:
            for load in loads_that_run():
                load.kill()

        setattr(window, moment, kill)
        with pytest.raises(ToolError, match="wrk was ended by signal 9"):
            Wrk().run(server.url, SHAPE, Load(0.3, 64, 1, None), window)


class Closing(Server):
    """Closes each connection when it has answered once."""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if request := await _request(reader):
            self.paths.append(request.split()[1].decode())
            writer.write(ANSWER)
        writer.close()


class Refusing(Server):
    """Closes each connection at once."""

    async def serve(self, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()


@wrk_is_here
@pytest.mark.parametrize(
    "server", [Server(silent_from=1), Closing(), Refusing()], ids=["silent", "closing", "refusing"]
)
def test_a_window_begins_and_ends_once_whatever_the_app_does(server: Server) -> None:
    with running(server):
        window = Seen(server)
        result = Wrk().run(server.url, SHAPE, Load(0.3, 128, 1, None), window)
    assert len(window.moments) == 2
    assert window.moments[0][1] == 0
    assert result.errors


@wrk_is_here
def test_a_window_begins_and_ends_once_where_no_connection_is_opened() -> None:
    """The only place of the backlog is taken by the connection with which wrk looks whether it can connect."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(0)
        server = Server(url="http://{}:{}".format(*listening.getsockname()))
        window = Seen(server)
        result = Wrk().run(server.url, SHAPE, Load(0.3, 8, 1, None), window)
    assert len(window.moments) == 2
    assert (result.requests, result.cpu_seconds) == (0, 0)


@dataclass
class Both(Window):
    windows: list[Seen]

    def begin(self) -> None:
        for window in self.windows:
            window.begin()

    def end(self) -> None:
        for window in self.windows:
            window.end()


@wrk_is_here
def test_a_window_of_two_loads_begins_before_either_and_ends_after_both() -> None:
    with running(Server(delay=0.005)) as one, running(Server(delay=0.2)) as other:
        both = Both([Seen(one), Seen(other)])
        runs = [partial(Wrk().run, each.url, SHAPE, Load(0.3, 64, 1, None)) for each in (one, other)]
        results = run_together(sharing(both, runs))
    for window, result in zip(both.windows, results, strict=True):
        assert isinstance(result, LoadResult)
        assert [requests for _, requests in window.moments] == [0, result.requests]


@wrk_is_here
def test_two_loads_are_sent_at_the_same_time() -> None:
    """Each server answers its first request when both have one. A second load that waited for the first would find a
    broken barrier."""
    barrier = threading.Barrier(2)
    with running(Server(delay=0.005, barrier=barrier)) as one, running(Server(delay=0.005, barrier=barrier)) as other:
        load = Load(0.5, 8, 1, None)
        results = run_together([partial(Wrk().run, server.url, SHAPE, load) for server in (one, other)])
    assert all(isinstance(result, LoadResult) for result in results)
    assert not barrier.broken


def numbered(path: str, number: int) -> bytes:
    return b'{"id": %s, "row": "%d"}' % (path.rpartition("/")[2].encode(), number)


@dataclass
class NumberedServer(Server):
    """Answers with the id of the request and the number of the answer. `wrong`: some answers are another one's."""

    wrong: Callable[[int], bool] = lambda _count: False
    by_connection: list[list[str]] = field(default_factory=list)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        mine: list[str] = []
        self.by_connection.append(mine)
        while request := await _request(reader):
            path = request.split()[1].decode()
            self.paths.append(path)
            mine.append(path)
            number = 2_000_000_000 + len(self.paths)
            body = numbered("/users/1999999999" if self.wrong(len(self.paths)) else path, number)
            head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)
            writer.write(head + body)
        writer.close()


@contextmanager
def usual_limit_of_open_files() -> Iterator[None]:
    """The soft limit that a login on Debian or Ubuntu has, also for the processes that are started meanwhile."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


NUMBERED = AnswerForm(200, "application/json", numbered("/users/1000000000", 3_000_000_000), (7,), (27,))


@wrk_is_here
@pytest.mark.parametrize(("connections", "threads"), [(1, 1), (33, 1), (33, 33), (512, 1), (512, 512)])
def test_every_answer_is_held_against_its_own_request(connections: int, threads: int) -> None:
    load = Load(20, connections, threads, None, requests=5 * connections)
    with running(NumberedServer()) as server, usual_limit_of_open_files():
        read = Wrk().read(server.url, SHAPE, load, Reading((NUMBERED,), have_ids=True))
    assert read.odd == []
    assert read.load.requests == read.load.sent == len(server.paths) == 5 * connections
    assert sorted(read.numbers) == [2_000_000_001 + i for i in range(5 * connections)]


@wrk_is_here
@pytest.mark.parametrize("threads", [1, 4])
def test_an_answer_to_another_request_is_read_with_what_is_known_of_its_own(threads: int) -> None:
    """A thread of one connection knows to which request it came, and others that no request with its id waits."""
    load = Load(20, 4, threads, None, requests=100)
    with running(NumberedServer(wrong=lambda count: count % 10 == 0)) as server:
        read = Wrk().read(server.url, SHAPE, load, Reading((NUMBERED,), have_ids=True))
    assert (len(read.numbers), len(read.odd)) == (90, 10)
    for odd in read.odd:
        assert odd.is_known == (threads == 4)
        assert f"/users/{odd.id}" in server.paths if odd.is_known else odd.id is None
        assert (odd.status, odd.content_type, odd.to_wrong) == (200, "application/json", False)
        assert b'"id": 1999999999' in odd.body
        assert odd.count <= 100


@wrk_is_here
def test_the_number_of_an_answer_that_has_to_be_parsed_is_only_in_it() -> None:
    """Else it would count twice: an app may change an answer in a legal way that leaves its length as it is."""
    form = replace(NUMBERED, body=NUMBERED.body.replace(b'"row"', b'"raw"'))
    with running(NumberedServer()) as server:
        read = Wrk().read(server.url, SHAPE, Load(20, 4, 1, None, requests=20), Reading((form,), have_ids=True))
    assert (len(read.odd), read.numbers) == (20, [])
    assert {f"/users/{odd.id}" for odd in read.odd} == set(server.paths)


@wrk_is_here
def test_without_a_form_every_answer_is_odd() -> None:
    with running(NumberedServer()) as server:
        read = Wrk().read(server.url, SHAPE, Load(20, 4, 1, None, requests=20), Reading())
    assert {odd.body for odd in read.odd} == {numbered(p, 2_000_000_001 + i) for i, p in enumerate(server.paths)}
    assert read.numbers == []


@wrk_is_here
def test_answers_without_a_form_are_kept_up_to_a_number_of_bytes() -> None:
    with running(NumberedServer()) as server:
        read = Wrk().read(server.url, SHAPE, Load(20, 4, 1, None, requests=100), Reading(most_bytes=1000))
    assert 0 < len(read.odd) < 100
    assert read.load.requests == 100


@wrk_is_here
@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("has_ids", [False, True])
def test_an_answer_that_comes_sooner_than_it_may_is_told(threads: int, has_ids: bool) -> None:
    shape, reading = SHAPE if has_ids else RequestShape("GET", "/users"), Reading(soonest_ms=60)
    with running(Server(delay=0.03)) as server:
        soon = Wrk().read(server.url, shape, Load(20, 4, threads, None, requests=40), reading)
    with running(Server(delay=0.07)) as server:
        late = Wrk().read(server.url, shape, Load(20, 4, threads, None, requests=40), reading)
    assert soon.soonest_ms is None or soon.soonest_ms >= 30
    assert late.soonest_ms is None


class Refuser(Server):
    """Refuses bodies that have no right end, unless it `accepts` them."""

    accepts = False

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await _request(reader):
            length = next(line for line in head.splitlines() if line.lower().startswith(b"content-length"))
            body = await reader.readexactly(int(length.split()[1]))
            self.paths.append(body.decode())
            status = b"200 OK" if body.endswith(b"}") or self.accepts else b"400 Bad Request"
            writer.write(b"HTTP/1.1 %s\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok" % status)
        writer.close()


@wrk_is_here
@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("has_ids", [False, True])
@pytest.mark.parametrize("accepts", [False, True])
def test_a_load_that_is_read_may_have_wrong_bodies_from_a_moment_on(threads: int, has_ids: bool, accepts: bool) -> None:
    right, wrong = b'{"a": "{id}"}', b'{"a": "{id}"]'
    shape = RequestShape("POST", "/users/{id}" if has_ids else "/users", {}, (right if has_ids else b'{"a": "1"}',))
    form, bad_body = AnswerForm(200, "text/plain", b"ok"), wrong if has_ids else b'{"a": "1"]'
    reading = Reading((form,), wrong=(bad_body,), mixed=20, after=0.5)
    refuser = Refuser()
    refuser.accepts = accepts
    with running(refuser) as server:
        read = Wrk().read(server.url, shape, Load(20, 4, threads, None, requests=100), reading)
    bad = [body for body in server.paths if body.endswith("]")]
    assert all(body.endswith("}") for body in server.paths[:12])
    assert all(body.endswith("}") for body in server.paths[-7:])
    assert read.load.requests == len(server.paths) == 100
    assert len(bad) == read.wrong > 0
    assert read.refused == (0 if accepts else len(bad))
    assert not read.odd or accepts


@wrk_is_here
def test_a_body_carries_the_id_of_its_path_and_now_and_then_one_comes_again() -> None:
    shape = RequestShape("POST", "/users/{id}", {"content-type": "application/json"}, (b'{"summary": "{id}"}',))
    seen: list[bytes] = []

    class Recorder(Server):
        async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            while head := await _request(reader):
                seen.append(head.split()[1] + b" " + await reader.readexactly(len(b'{"summary": "1000000000"}')))
                writer.write(ANSWER)
            writer.close()

    with running(Recorder()) as server:
        result = Wrk().run(server.url, shape, Load(20, 1, 1, None, requests=200))
    assert result.requests == len(seen) == 200
    for request in seen:
        path, _, body = request.partition(b" ")
        assert body == b'{"summary": "%s"}' % path.removeprefix(b"/users/")
    again = [i for i, request in enumerate(seen, start=1) if request in seen[: i - 1]]
    assert again == list(range(REPEAT_EVERY, 201, REPEAT_EVERY))


@wrk_is_here
def test_each_id_has_the_body_that_is_its_remainder() -> None:
    shape = RequestShape("POST", "/users/{id}", {}, (b'{"a": "{id}"}', b'{"b": "{id}"}', b'{"c": "{id}"}'))
    with running(Refuser()) as server:
        Wrk().run(server.url, shape, Load(20, 4, 2, None, requests=300))
    for body in server.paths:
        identity = int(body.split('"')[3])
        assert body.encode() == shape.body_for(identity)
    assert {body[2] for body in server.paths} == set("abc")


@wrk_is_here
def test_a_paced_load_leaves_time_between_requests_and_ends_on_time() -> None:
    with running(Server()) as server:
        result = Wrk().run(server.url, SHAPE, Load(0.5, 2, 2, None, rate=40))
    assert 4 <= result.requests <= 40
    assert result.errors == {}


@wrk_is_here
def test_a_paced_load_does_not_send_again_and_again_at_its_end() -> None:
    """Each connection sends its first request, and would send the next one seconds later."""
    with running(Server()) as server:
        sent = [Wrk().run(server.url, SHAPE, Load(0.05, 2, 2, None, rate=1)).requests for _ in range(5)]
    assert median(sent) == 2


@oha_is_here
def test_oha_keeps_a_low_rate_and_times_requests_from_when_they_were_due() -> None:
    """One connection at 10 requests a second, each of which takes 200 ms: the queue grows."""
    with running(Server(delay=0.2)) as server:
        result = Oha().run(server.url, SHAPE, Load(1, 1, 1, None, rate=10))
    assert max(result.milliseconds) > 1e3 * 0.2 * 2
    assert len(result.milliseconds) == result.requests
    with running(Server()) as server:
        result = Oha().run(server.url, SHAPE, Load(1, 4, 1, None, rate=10))
    assert result.requests == len(server.paths) == pytest.approx(10, abs=2)
    assert 0.4 < server.times[-1] - server.times[0] < 1.8


@oha_is_here
def test_a_load_of_oha_may_be_shorter_than_a_second() -> None:
    """It is tried a few times, as others may keep oha or the server from running."""
    seen = []
    for _ in range(5):
        with running(Server()) as server:
            result = Oha().run(server.url, SHAPE, Load(0.3, 4, 2, None, rate=100))
        seen.append((result.requests, result.errors))
        if 20 <= result.requests <= 40 and not result.errors:
            return
    pytest.fail(f"requests and errors: {seen}")


SHAPES = [
    RequestShape("GET", "/hello"),
    RequestShape("GET", "/users/{id}"),
    RequestShape("POST", "/users/{id}/tasks", {"content-type": "application/json"}, (b'{"a": "\xc3\xa9 {id}"}',)),
]


@contextmanager
def recorder() -> Iterator[tuple[str, list[bytes]]]:
    """A server's URL, and what each read of it brought. Every request fits into one."""
    seen: list[bytes] = []

    def serve(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            while received := connection.recv(65_536):
                seen.append(received)
                connection.sendall(ANSWER)

    with accepting(serve) as address:
        yield address, seen


def _without_digits(request: bytes) -> bytes:
    return re.sub(rb"1[0-9]{9}", b"ID", request)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    "generator",
    [pytest.param(Wrk(), marks=wrk_is_here), pytest.param(Oha(), marks=oha_is_here)],
    ids=["wrk", "oha"],
)
def test_proofs_send_what_load_generators_send(generator: Wrk | Oha, shape: RequestShape) -> None:
    load = Load(0.5, 1, 1, None, rate=40 if generator.name == "oha" else None)
    with recorder() as (url, seen):
        result = generator.run(url, shape, load)
        loaded = list(seen)
        seen.clear()
        Wrk().read(url, shape, replace(load, rate=None, requests=20), Reading(), write=generator.write)
        assert len(seen) == 20
        assert {_without_digits(request) for request in seen} == {_without_digits(request) for request in loaded}
        seen.clear()
        path = loaded[0].split()[1].decode()
        body = loaded[0].partition(b"\r\n\r\n")[2] or None
        with Client(url, writers=[generator.write]) as client:
            answer = client.ask(shape.method, path, raw=body)
    assert seen == [loaded[0]]
    size = answer.size if generator.name == "wrk" else len(answer.body)
    assert result.received == size * result.requests
    if shape.has_id:
        ids = [int(request.split()[1].split(b"/")[2]) for request in loaded]
        assert all(number in LOADED_IDS for number in ids)
        assert len(ids) - len(set(ids)) <= len(ids) // 32, "one request in 32 asks for an id again"
        steps = {b - a for a, b in itertools.pairwise(ids)}
        assert len(steps) > len(ids) / 2, "ids that rise by the same step tell an app that it is loaded"
