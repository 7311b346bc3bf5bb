"""wrk: a closed loop, which gives throughput."""

import json
import math
import random
import socket
import tempfile
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, ValidationError

from restbench.errors import LoadError, ToolError
from restbench.loadgen.interface import (
    LOADED_IDS,
    METHODS_WITH_BODY,
    Load,
    LoadGenerator,
    LoadResult,
    RequestShape,
    checked,
    tool_error,
)
from restbench.loadgen.reading import Read, Reading
from restbench.system.limits import is_shortage, says_shortage
from restbench.system.processes import run_measured
from restbench.system.text import telling_line

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
    """The line that scenario.lua prints at the end. `mean` is the mean latency in microseconds."""

    model_config = ConfigDict(extra="forbid", strict=True)

    sent: int
    requests: int
    received: int
    seconds: float
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

    def run(self, base_url: str, shape: RequestShape, load: Load) -> LoadResult:
        return self._run(base_url, shape, load, threads_of(load), "")

    def read(self, base_url: str, shape: RequestShape, load: Load, reading: Reading) -> Read:
        """Sends load, and reads every answer. Each connection has a thread of its own, so that it is known which
        request an answer belongs to.

        The load ends when each connection has sent the requests of `reading`, and after `load.seconds` at the latest.
        Raises LoadError and ToolError, as `run` does.
        """
        with reading.files(load.connections) as files:
            result = self._run(base_url, shape, load, load.connections, str(files.arguments))
            return files.read(result)

    def _run(self, base_url: str, shape: RequestShape, load: Load, threads: int, reading: str) -> LoadResult:
        headers = [word for pair in shape.headers.items() for word in pair]
        longest = math.ceil(load.seconds) + DRAIN_SECONDS
        argv = ["wrk", f"--threads={threads}", f"--connections={load.connections}", f"--duration={longest}s"]
        with tempfile.NamedTemporaryFile(suffix=".body") as body:
            body.write(shape.body or b"")
            body.flush()
            argv += ["--timeout=5s", f"--script={SCRIPT}", base_url, "--", shape.method, shape.path, body.name]
            ids = (LOADED_IDS.start, len(LOADED_IDS), random.randrange(len(LOADED_IDS)))
            argv += map(str, [*ids, threads, load.connections // threads, load.seconds])
            argv += [reading, *headers]
            try:
                ran = run_measured(argv, cpus=load.cpus, timeout=longest + GRACE_SECONDS)
            except (TimeoutError, OSError) as error:
                raise ToolError(f"wrk failed: {error}") from error
        lines = [line.removeprefix(_REPORT) for line in ran.stdout.splitlines() if line.startswith(_REPORT)]
        said = telling_line(ran.stderr)
        if said.startswith(_REFUSED) and not says_shortage(said):
            raise LoadError(f"wrk is {said}")
        if ran.returncode != 0:
            raise tool_error(self.name, ran)
        result = parse_report("".join(lines), ran.cpu_seconds, load.connections)
        if "connect" in result.errors:
            _refuse_shortage(base_url)
        return checked(result)


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


def parse_report(line: str, cpu_seconds: float, connections: int) -> LoadResult:
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
        cpu_seconds=cpu_seconds,
        connections=connections,
        received=report.received,
        sent=report.sent,
    )
