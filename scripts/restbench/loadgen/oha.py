"""oha: an open loop at a fixed rate.

At a fixed rate, a slow answer does not hide the requests that should have followed it. With --latency-correction, a
request is timed from when it was due, not from when it could be sent (Gil Tene's "coordinated omission").
"""

import contextlib
import random
import sqlite3
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

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
from restbench.system.limits import says_shortage
from restbench.system.processes import run_measured

_ID = "(10[0-9]{8}|11[0-2][0-9]{7}|113[0-3][0-9]{6})"
"""A regular expression of ids: it matches almost all of LOADED_IDS, and no others."""
_BODIES = 1000
"""How many different bodies are sent."""
_DEADLINE = "aborted due to deadline"
"""The error that oha counts for a request that was under way at the end. It is not the app's fault."""


class _Part(BaseModel):
    # oha's JSON has many more fields. Those that are read must be there, and have the right type
    model_config = ConfigDict(extra="ignore", strict=True)


class _Summary(_Part):
    total: float
    average: float
    received: int = Field(alias="totalData")


class _Ended(_Part):
    """How requests ended. oha's `successRate` is not read, as it counts answers with an error status too."""

    statuses: dict[str, int] = Field(alias="statusCodeDistribution")
    errors: dict[str, int] = Field(alias="errorDistribution")


class _OhaReport(_Ended):
    """oha's JSON. Times are in seconds."""

    summary: _Summary


class Oha(LoadGenerator):
    """oha at a fixed rate. Each request has a random id if the path has an id."""

    name = "oha"
    remedy = "run make tools"
    oldest = "1.9.0"

    def write(self, method: str, path: str, host: str, headers: Mapping[str, str], content: bytes | None) -> bytes:
        """Returns a request, byte for byte as oha sends it."""
        lines = [f"{method} {path} HTTP/1.1", "accept: */*", f"user-agent: oha/{self.version()}"]
        lines += [f"{name.lower()}: {value}" for name, value in headers.items()]
        lines.append(f"host: {host}")
        if content is not None or method in METHODS_WITH_BODY:
            lines.append(f"content-length: {len(content or b'')}")
        return "\r\n".join([*lines, "", ""]).encode() + (content or b"")

    def run(self, base_url: str, shape: RequestShape, load: Load, window: Window = UNWATCHED) -> LoadResult:
        """As LoadGenerator.run. oha does not say when its connections are open, or when the last answer has come. So
        the window begins before oha is started, and ends after it has ended.
        """
        with tempfile.TemporaryDirectory() as folder:
            body, answered = Path(folder, "body"), Path(folder, "answered.db")
            body.write_bytes(b"".join(_bodies(shape)))
            argv = self._argv(base_url, shape, load, body, answered)
            window.open()
            window.begin()
            try:
                ran = run_measured(argv, cpus=load.cpus, timeout=load.seconds + 30)
            except (TimeoutError, OSError) as error:
                raise ToolError(f"oha failed: {error}") from error
            window.end()
            if ran.returncode != 0:
                raise tool_error(self.name, ran)
            found = parse_report(ran.stdout, ran.cpu_seconds, load.connections)
            return checked(replace(found, milliseconds=_milliseconds(answered)))

    def _argv(self, base_url: str, shape: RequestShape, load: Load, body: Path, answered: Path) -> list[str]:
        assert load.rate is not None, "wrk does what has no rate"
        # without compression, as with wrk: an app that compresses its answers does other work
        argv = ["oha", "--no-tui", "--output-format=json", "--disable-compression"]
        argv += [f"--worker-threads={load.threads}", "-t", "5s", "-w"]
        argv += ["-c", str(load.connections), "-m", shape.method]
        argv += ["-z", f"{load.seconds * 1000:.0f}ms", "-q", f"{load.rate:g}", "--latency-correction"]
        argv += ["--db-url", str(answered)]
        for name, value in shape.headers.items():
            argv += ["-H", f"{name}: {value}"]
        if shape.bodies:
            argv += ["-Z" if shape.body_has_id else "-D", str(body)]
        if shape.has_id:
            return [*argv, "--rand-regex-url", base_url + shape.path_for(_ID)]
        return [*argv, base_url + shape.path]


def _bodies(shape: RequestShape) -> Iterable[bytes]:
    """Returns the contents of the file of bodies. Where a body has an id, each line is a body with another one.

    oha takes a random line for each request. The id in the path is another one.
    """
    if not shape.body_has_id:
        return shape.bodies[:1]
    return [(shape.body_for(identity) or b"") + b"\n" for identity in random.sample(LOADED_IDS, _BODIES)]


def _milliseconds(answered: Path) -> list[float]:
    """Reads the latency of each answer with a good status. Raises ToolError if oha wrote the file in another form."""
    try:
        with contextlib.closing(sqlite3.connect(answered)) as database:
            return [1e3 * seconds for (seconds,) in database.execute("SELECT duration FROM oha WHERE status < 400")]
    except sqlite3.Error as error:
        raise ToolError(
            "oha's file of answers lacks what restbench reads: is it another version?", str(error)
        ) from error


def parse_report(text: str, cpu_seconds: float, connections: int) -> LoadResult:
    """Turns oha's JSON into a result.

    Raises LoadError when no request was answered. Raises ToolError when the report lacks a field that is read, and when
    this machine was out of files, ports or memory.
    """
    try:
        report = _OhaReport.model_validate_json(text)
    except ValidationError as error:
        with contextlib.suppress(ValidationError):  # oha reports no times where no request was answered
            ended = _Ended.model_validate_json(text)
            _refuse_shortage(ended.errors)
            if not ended.statuses:
                raise LoadError(f"no request was answered: {_listed(ended.errors) or 'none was sent'}") from error
        raise ToolError("oha's report lacks what restbench reads: is it another version?", str(error)) from error
    _refuse_shortage(report.errors)
    answered = sum(report.statuses.values())
    errors = {f"status {code}": n for code, n in report.statuses.items() if not code.startswith("2")}
    errors |= {kind: n for kind, n in report.errors.items() if kind != _DEADLINE}
    return LoadResult(
        requests=answered,
        seconds=report.summary.total,
        mean_ms=report.summary.average * 1e3,
        errors=errors,
        cpu_seconds=cpu_seconds,
        connections=connections,
        received=report.summary.received,
        counts_heads=False,
    )


def _refuse_shortage(errors: Mapping[str, int]) -> None:
    """Raises ToolError where oha could not connect because this machine is out of something."""
    if short := {kind: count for kind, count in errors.items() if says_shortage(kind)}:
        raise ToolError(f"oha could not open all connections: {_listed(short)}")


def _listed(errors: Mapping[str, int]) -> str:
    return ", ".join(f"{count} × {kind}" for kind, count in sorted(errors.items()))
