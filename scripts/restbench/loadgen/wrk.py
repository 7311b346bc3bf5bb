"""wrk: a closed loop for a time or for a number of requests, which gives throughput."""

import contextlib
import json
import math
import os
import random
import signal
import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, ValidationError

from restbench.errors import LoadError, ToolError
from restbench.loadgen.interface import (
    LOADED_IDS,
    METHODS_WITH_BODY,
    UNWATCHED,
    Load,
    LoadGenerator,
    LoadResult,
    RequestShape,
    RequestWriter,
    Window,
    checked,
    tool_error,
)
from restbench.loadgen.reading import Read, Reading, lua, parse_answers
from restbench.system.limits import is_shortage, says_shortage
from restbench.system.processes import run_measured
from restbench.system.text import telling_line

STARTED, OPENED, ANSWERED = b"s", b"o", b"a"
"""What scenario.lua writes to its socket: the first once, the others in each thread."""
OPENING_SECONDS = 2
"""How long the first request waits for threads that have no connection. wrk needs about 0.1 s for 512 connections."""
SCRIPT = Path(__file__).resolve().parents[2] / "wrk" / "scenario.lua"
DRAIN_SECONDS = 4
"""How long wrk waits for the requests that are under way at the end."""
GRACE_SECONDS = 30.0
"""How much longer than its own --duration wrk may take to start, to connect and to report."""
OPENED_AT_ONCE = 64
"""The most connections that one thread opens at once. The shortest backlog of servers is larger: 100."""
OPENING_MICROSECONDS, CONNECTION_MICROSECONDS = 5000, 25
"""How long scenario.lua waits after so many connections, and about how long each takes."""
_KEYS = 3
"""How many keys scatter ids: with fewer, ids of one thread are alike in some of their bits."""
MOST_THREADS = 512
"""The most threads of a load that tells others how many requests each has sent."""
_OWN_FILES = 10
"""How many files wrk has open beside those of its connections, rounded up."""
_CONNECT_SECONDS = 1.0
_REFUSED = "unable to connect to"
"""How wrk says at its start that it cannot connect."""
_REPORT = "restbench "


class _WrkReport(BaseModel):
    """The line that scenario.lua prints at the end.

    `cpu`: CPU seconds of wrk from the first request to the last answer. `mean`: the mean latency in microseconds.
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    sent: int
    requests: int
    received: int
    seconds: float
    cpu: float
    mean: float
    connect: int
    read: int
    write: int
    status: int
    timeout: int


class Wrk(LoadGenerator):
    """wrk with scenario.lua, which gives each request a new id and reports errors."""

    name = "wrk"
    remedy = "install it with: apt-get install wrk"
    oldest = "4.0.0"

    def write(self, method: str, path: str, host: str, headers: Mapping[str, str], content: bytes | None) -> bytes:
        """Returns a request, byte for byte as wrk sends it."""
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", "Connection: keep-alive"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        if content or method in METHODS_WITH_BODY:
            lines.append(f"Content-Length: {len(content or b'')}")
        return "\r\n".join([*lines, "", ""]).encode() + (content or b"")

    def run(self, base_url: str, shape: RequestShape, load: Load, window: Window = UNWATCHED) -> LoadResult:
        with _memory() as asked_for:
            return self._run(base_url, shape, load, window, asked_for, {})

    def read(
        self,
        base_url: str,
        shape: RequestShape,
        load: Load,
        reading: Reading,
        window: Window = UNWATCHED,
        write: RequestWriter | None = None,
    ) -> Read:
        """Sends load as `run` does, and reads every answer. `write`: writes the requests, those of wrk by default.

        Raises LoadError and ToolError, as `run` does.
        """
        with _memory() as asked_for, _memory() as answers, _memory() as bodies, _memory() as how:
            wrong = [self._request(base_url, replace(shape, bodies=(body,)), 0, write) for body in reading.wrong]
            os.write(how, f"return {lua(reading.table(answers, bodies, wrong))}".encode())
            began = time.time()
            files = [answers, bodies, how]
            result = self._run(base_url, shape, load, window, asked_for, {"reading": how}, files, write)
            return parse_answers(answers, result, began)

    def _request(self, base_url: str, shape: RequestShape, which: int, write: RequestWriter | None) -> bytes:
        """Returns the bytes of a request with one of the bodies and the first id."""
        first = LOADED_IDS.start
        body = shape.bodies[which].replace(b"{id}", str(first).encode()) if shape.bodies else None
        host = urlsplit(base_url).netloc
        return (write or self.write)(shape.method, shape.path_for(first), host, shape.headers, body)

    def _run(
        self,
        base_url: str,
        shape: RequestShape,
        load: Load,
        window: Window,
        asked_for: int,
        table: dict[str, Any],
        files: Sequence[int] = (),
        write: RequestWriter | None = None,
    ) -> LoadResult:
        """`asked_for`: the number of an open file for what scenario.lua gets. `table`: what it gets beside the usual.

        No argument shows whether answers are read, and there is no file that an app could look for.
        """
        threads = threads_of(load)
        longest = OPENING_SECONDS + math.ceil(load.seconds) + DRAIN_SECONDS
        argv = [*load.through, "wrk", f"--threads={threads}", f"--connections={load.connections}"]
        argv += [f"--duration={longest}s", "--timeout=5s", f"--script={SCRIPT}", base_url, "--", str(asked_for)]
        ours, its = socket.socketpair()
        with ours, its:
            table = {
                "requests": [self._request(base_url, shape, i, write) for i in range(max(1, len(shape.bodies)))],
                "first": LOADED_IDS.start,
                "ids": len(LOADED_IDS),
                "keys": [random.randrange(1, 2**26, 2) for _ in range(_KEYS)],
                "seed": random.randrange(2**31),
                "threads": threads,
                "connections": load.connections // threads,
                "seconds": load.seconds,
                "batch": load.requests,
                "opened": _openings(load) if load.beside else None,
                "counts": load.counts,
                "beside": load.beside,
                "pace": 1e3 * load.connections / load.rate if load.rate else None,
                "socket": its.fileno(),
                **table,
            }
            os.write(asked_for, f"return {lua(table)}".encode())
            watch = _Watch(ours, threads, window)
            try:
                ran = run_measured(
                    argv,
                    cpus=load.cpus,
                    timeout=longest + GRACE_SECONDS,
                    files=[its.fileno(), asked_for, *files, *([] if load.counts is None else [load.counts])],
                    attend=watch.attend,
                )
            except (TimeoutError, OSError) as error:
                raise ToolError(f"wrk failed: {error}") from error
        lines = [line.removeprefix(_REPORT) for line in ran.stdout.splitlines() if line.startswith(_REPORT)]
        said = telling_line(ran.stderr)
        if said.startswith(_REFUSED) and not says_shortage(said):
            raise LoadError(f"wrk is {said}")
        if ran.returncode != 0:
            raise tool_error(self.name, ran)
        watch.finish()
        result = parse_report("".join(lines), load.connections)
        if "connect" in result.errors:
            _refuse_shortage(base_url)
        return checked(result)


@contextlib.contextmanager
def shared_counts() -> Iterator[int]:
    """Yields the number of an open file, by which loads that are sent together know how far the others are."""
    with _memory() as file:
        os.ftruncate(file, 4 * MOST_THREADS)
        yield file


@contextlib.contextmanager
def _memory() -> Iterator[int]:
    """Yields the number of an open file in memory, which has no name that another program could find."""
    file = os.memfd_create("restbench")
    try:
        yield file
    finally:
        os.close(file)


class _Watch:
    """Tells a window when wrk has started, when its threads have their connections, and when the last answer has come.

    `harness`: the end of the socket that is not wrk's.
    """

    def __init__(self, harness: socket.socket, threads: int, window: Window) -> None:
        self._harness, self._threads, self._window = harness, threads, window
        self._latest = math.inf
        self._opened = self._answered = 0
        self._has_started = self._has_begun = self._has_ended = False

    def attend(self, wrk: int, seconds: float) -> None:
        """Waits so long, or until wrk says something, and lets wrk go on. Raises what the window raises.

        `wrk`: its process ID.
        """
        said = b""
        self._harness.settimeout(seconds)
        with contextlib.suppress(TimeoutError):
            said = self._harness.recv(self._threads)
        if STARTED in said:
            self._start()
            self._harness.send(bytes(1))
        self._opened += said.count(OPENED)
        self._answered += said.count(ANSWERED)
        if not self._has_begun and (self._opened >= self._threads or time.monotonic() > self._latest):
            self._begin()
            self._harness.send(bytes(self._threads))
        if self._answered >= self._threads:
            if not self._has_ended:
                self._end()
            # again and again, as after a short load wrk may not be asleep yet, and would sleep in spite of the first
            os.kill(wrk, signal.SIGINT)

    def finish(self) -> None:
        """wrk has ended. Answers may have been missing, so that it never said that the last one had come."""
        if not self._has_started:
            self._start()
        if not self._has_begun:
            self._begin()
        if not self._has_ended:
            self._end()

    def _start(self) -> None:
        self._has_started = True
        self._window.open()
        self._latest = time.monotonic() + OPENING_SECONDS

    def _begin(self) -> None:
        self._has_begun = True
        self._window.begin()

    def _end(self) -> None:
        self._has_ended = True
        self._window.end()


def _openings(load: Load) -> list[int]:
    """Returns when each connection is opened, in microseconds: at random times while those beside it are opened."""
    groups, in_last = divmod(load.beside, OPENED_AT_ONCE)
    latest = groups * OPENING_MICROSECONDS + max(1, in_last) * CONNECTION_MICROSECONDS
    return sorted(random.randrange(latest) for _ in range(load.connections))


def open_files_for(load: Load) -> int:
    """Returns how many files wrk opens at most: one for each connection, and three more for each thread."""
    return load.connections + 3 * threads_of(load) + _OWN_FILES


def _refuse_shortage(base_url: str) -> None:
    """Raises ToolError where this machine is out of something that another connection needs.

    wrk counts connections that could not be opened, and does not tell why.
    """
    address = urlsplit(base_url)
    try:
        socket.create_connection((address.hostname, address.port), _CONNECT_SECONDS).close()
    except OSError as error:
        if is_shortage(error):
            raise ToolError(f"wrk could not open all connections: {error.strerror}") from error


def threads_of(load: Load) -> int:
    """Returns the fewest threads that share the connections evenly and open at most OPENED_AT_ONCE each.

    There are at least as many as the load asks for.
    """
    fewest = max(load.threads, math.ceil(load.connections / OPENED_AT_ONCE))
    return next(threads for threads in range(fewest, load.connections + 1) if load.connections % threads == 0)


def parse_report(line: str, connections: int) -> LoadResult:
    """Turns the report of scenario.lua into a result. Raises ToolError when fields or their types differ."""
    try:
        report = _WrkReport.model_validate(json.loads(line))
    except (ValueError, ValidationError) as error:
        raise ToolError("wrk's report is not as scenario.lua writes it", str(error)) from error
    kinds = {
        "connect": report.connect,
        "read": report.read,
        "write": report.write,
        "status above 399": report.status,
        "timeout": report.timeout,
        # a request is lost with its connection, which wrk counts as an error of reading or writing
        "unanswered": max(0, report.sent - report.requests - report.read - report.write),
    }
    return LoadResult(
        requests=report.requests,
        seconds=report.seconds,
        mean_ms=report.mean / 1e3,
        errors={kind: count for kind, count in kinds.items() if count},
        cpu_seconds=report.cpu,
        connections=connections,
        received=report.received,
        sent=report.sent,
    )
