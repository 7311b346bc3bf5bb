"""wrk: closed loop, throughput and latency under saturation."""

import json
import math
import random
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from restbench.errors import LoadError
from restbench.loadgen.interface import METHODS_WITH_BODY, Latency, Load, LoadGenerator, LoadResult
from restbench.loadgen.request_shapes import LOADED_IDS, RequestShape
from restbench.system.processes import find_program, run_measured

SCRIPT = Path(__file__).resolve().parents[2] / "wrk" / "scenario.lua"
DRAIN_SECONDS = 4
"""How long the requests that are under way at the end may take until they are answered."""
GRACE_SECONDS = 30.0
"""How long wrk may take beyond its own --duration, with its start, connections and report."""
OPENED_AT_ONCE = 64
"""Connections that one thread opens in one go: less than the shortest backlog that servers have, which is 100."""
_REPORT = "restbench "


class _Report(BaseModel):
    """The line that scenario.lua prints at the end. Latencies in microseconds."""

    model_config = ConfigDict(extra="forbid", strict=True)

    requests: int
    received: int
    seconds: float
    mean: float
    p50: int
    p75: int
    p90: int
    p99: int
    p999: int
    max: int
    connect: int
    read: int
    write: int
    status: int
    timeout: int


class Wrk(LoadGenerator):
    """wrk with the Lua that gives each request a fresh id and reports errors."""

    name = "wrk"

    def missing(self) -> str | None:
        return None if find_program("wrk") else "wrk is missing: install it with: apt-get install wrk"

    def version(self) -> str | None:
        if self.missing():
            return None
        said = run_measured(["wrk", "--version"], cpus=None, timeout=10)  # exits with 1, having said it
        match = re.search(r"wrk (?:debian/)?(\S+)", said.stdout + said.stderr)
        return match[1] if match else None

    def write(self, method: str, path: str, host: str, headers: Mapping[str, str], content: bytes | None) -> bytes:
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", "Connection: keep-alive"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        if content or method in METHODS_WITH_BODY:
            lines.append(f"Content-Length: {len(content or b'')}")
        return "\r\n".join([*lines, "", ""]).encode() + (content or b"")

    def run(self, base_url: str, shape: RequestShape, load: Load) -> LoadResult:
        with tempfile.NamedTemporaryFile(suffix=".body") as body:
            body.write(shape.body or b"")
            body.flush()
            return self._run(base_url, shape, load, body.name)

    def _run(self, base_url: str, shape: RequestShape, load: Load, body: str) -> LoadResult:
        headers = [word for pair in shape.headers.items() for word in pair]
        longest = math.ceil(load.seconds) + DRAIN_SECONDS
        threads = threads_of(load)
        argv = [
            "wrk",
            f"--threads={threads}",
            f"--connections={load.connections}",
            f"--duration={longest}s",
        ]
        argv += [
            "--timeout=5s",
            f"--script={SCRIPT}",
            base_url,
            "--",
            shape.method,
            shape.path,
            body,
            str(LOADED_IDS.start),
            str(len(LOADED_IDS)),
            str(random.randrange(len(LOADED_IDS))),
            str(threads),
            str(load.connections // threads),
            str(load.seconds),
            *headers,
        ]
        try:
            ran = run_measured(argv, cpus=load.cpus, timeout=longest + GRACE_SECONDS)
        except (TimeoutError, OSError) as error:
            raise LoadError(f"wrk failed: {error}") from error
        lines = [line.removeprefix(_REPORT) for line in ran.stdout.splitlines() if line.startswith(_REPORT)]
        if ran.returncode != 0 or len(lines) != 1:
            raise LoadError(f"wrk failed with code {ran.returncode}", ran.stderr or ran.stdout)
        return parse_report(lines[0], ran.cpu_seconds, load.connections)


def threads_of(load: Load) -> int:
    """The fewest threads, not fewer than the load's, that share the connections evenly and open no more than
    OPENED_AT_ONCE each."""
    fewest = max(load.threads, math.ceil(load.connections / OPENED_AT_ONCE))
    return next(threads for threads in range(fewest, load.connections + 1) if load.connections % threads == 0)


def parse_report(line: str, cpu_seconds: float, connections: int) -> LoadResult:
    """The report of scenario.lua as a result. Raises LoadError for one that says anything else."""
    try:
        report = _Report.model_validate(json.loads(line))
    except (ValueError, ValidationError) as error:
        raise LoadError("wrk reported what scenario.lua does not say", str(error)) from error
    kinds = {kind: getattr(report, kind) for kind in ("connect", "read", "write", "status", "timeout")}
    return LoadResult(
        requests=report.requests,
        seconds=report.seconds,
        latency=Latency(
            mean=report.mean / 1e3,
            p50=report.p50 / 1e3,
            p75=report.p75 / 1e3,
            p90=report.p90 / 1e3,
            p99=report.p99 / 1e3,
            p999=report.p999 / 1e3,
            max=report.max / 1e3,
        ),
        errors={kind: count for kind, count in kinds.items() if count},
        cpu_seconds=cpu_seconds,
        connections=connections,
        received=report.received,
    )
