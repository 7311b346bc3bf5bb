"""wrk: a closed loop, which gives throughput."""

import contextlib
import json
import math
import os
import random
import signal
import socket
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
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
    Window,
    checked,
    tool_error,
)
from restbench.loadgen.reading import Read, Reading
from restbench.system.limits import is_shortage, says_shortage
from restbench.system.processes import run_measured
from restbench.system.text import telling_line

OPENED, ANSWERED = b"o", b"a"
"""What each thread of scenario.lua writes to its socket."""
OPENING_SECONDS = 2
"""How long the first request waits for threads that have no connection. wrk needs about 0.1 s for 512 connections."""
SCRIPT = Path(__file__).resolve().parents[2] / "wrk" / "scenario.lua"
DRAIN_SECONDS = 4
"""How long wrk waits for the requests that are under way at the end."""
GRACE_SECONDS = 30.0
"""How much longer than its own --duration wrk may take to start, to connect and to report."""
OPENED_AT_ONCE = 64
"""The most connections that one thread opens at once. The shortest backlog of servers is larger: 100."""
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
        return self._run(base_url, shape, load, threads_of(load), window)

    def read(self, base_url: str, shape: RequestShape, load: Load, reading: Reading) -> Read:
        """Sends load, and reads every answer. Each connection has a thread of its own, so that it is known which
        request an answer belongs to.

        The load ends when each connection has sent the requests of `reading`, and after `load.seconds` at the latest.
        Raises LoadError and ToolError, as `run` does.
        """
        with reading.files(load.connections) as files:
            result = self._run(base_url, shape, load, load.connections, reading=str(files.arguments))
            return files.read(result)

    def _run(
        self,
        base_url: str,
        shape: RequestShape,
        load: Load,
        threads: int,
        window: Window = UNWATCHED,
        reading: str = "",
    ) -> LoadResult:
        headers = [word for pair in shape.headers.items() for word in pair]
        longest = OPENING_SECONDS + math.ceil(load.seconds) + DRAIN_SECONDS
        argv = ["wrk", f"--threads={threads}", f"--connections={load.connections}", f"--duration={longest}s"]
        ours, its = socket.socketpair()
        with ours, its, tempfile.NamedTemporaryFile(suffix=".body") as body:
            body.write(shape.body or b"")
            body.flush()
            argv += ["--timeout=5s", f"--script={SCRIPT}", base_url, "--", shape.method, shape.path, body.name]
            ids = (LOADED_IDS.start, len(LOADED_IDS), random.randrange(len(LOADED_IDS)))
            argv += map(str, [*ids, threads, load.connections // threads, load.seconds, its.fileno()])
            argv += [reading, *headers]
            watch = _Watch(ours, threads, window)
            try:
                ran = run_measured(
                    argv, cpus=load.cpus, timeout=longest + GRACE_SECONDS, files=[its.fileno()], attend=watch.attend
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


class _Watch:
    """Tells a window when the threads of wrk have their connections, and when the last answer has come.

    `harness`: the end of the socket that is not wrk's.
    """

    def __init__(self, harness: socket.socket, threads: int, window: Window) -> None:
        self._harness, self._threads, self._window = harness, threads, window
        self._latest = time.monotonic() + OPENING_SECONDS
        self._opened = self._answered = 0
        self._has_begun = self._has_ended = False

    def attend(self, wrk: int, seconds: float) -> None:
        """Waits so long, or until wrk says something, and lets wrk go on. Raises what the window raises.

        `wrk`: its process ID.
        """
        said = b""
        self._harness.settimeout(seconds)
        with contextlib.suppress(TimeoutError):
            said = self._harness.recv(self._threads)
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
        if not self._has_begun:
            self._begin()
        if not self._has_ended:
            self._end()

    def _begin(self) -> None:
        self._has_begun = True
        self._window.begin()

    def _end(self) -> None:
        self._has_ended = True
        self._window.end()


def open_files_to_read(connections: int) -> int:
    """Returns how many files wrk opens to read answers: for each connection a thread has three.

    This is the most that any load over so many connections needs.
    """
    return 3 * connections + _OWN_FILES


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
