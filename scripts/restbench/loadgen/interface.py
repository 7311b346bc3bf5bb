"""What wrk and oha have in common. Only this folder knows the output of the programs."""

import re
import threading
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from math import isfinite
from statistics import median
from typing import TypeVar

from packaging.version import InvalidVersion, Version

from restbench.catalog import Cell, Scenario, Suite
from restbench.errors import LoadError, ToolError
from restbench.system.pools import stoppable_pool, wait_for
from restbench.system.processes import Finished, find_program
from restbench.system.text import telling_line
from restbench.system.versions import MISSING, Unusable, ask

LONGEST_WAIT_SECONDS = 60.0
"""How long loads that share a window wait for each other at most. Each ends much earlier by itself."""

ID_LIMIT = 2**31
"""Ids are non-negative 32-bit integers (docs/CONTRACT.md)."""

LOADED_IDS = range(1_000_000_000, 1_000_000_000 + 2**27)
"""The ids that load generators send. All have the same number of digits.

The random ids of checks are of the same range, so that no app can tell a check from load.
"""


_ID = "{id}"


@dataclass(frozen=True)
class RequestShape:
    """A request without its id: the path and the bodies hold {id} in its place, or have no id.

    `bodies`: empty for requests without a body. Where there are several, each id has one of them.
    """

    method: str
    path: str
    headers: dict[str, str] = field(default_factory=dict)
    bodies: tuple[bytes, ...] = ()

    def path_for(self, identity: int | str) -> str:
        return self.path.replace(_ID, str(identity))

    def body_for(self, identity: int) -> bytes | None:
        if not self.bodies:
            return None
        return self.bodies[identity % len(self.bodies)].replace(_ID.encode(), str(identity).encode())

    @property
    def has_id(self) -> bool:
        """Whether the path has an id."""
        return _ID in self.path

    @property
    def body_has_id(self) -> bool:
        return any(_ID.encode() in body for body in self.bodies)


def request_shape(suite: Suite, scenario: Scenario, cell: Cell) -> RequestShape:
    """Returns the request of a cell, with the bodies that are sent under load."""
    bodies = suite.bodies(scenario)
    headers = {"content-type": "application/json"} if bodies else {}
    return RequestShape(scenario.method, scenario.path.replace("{variant}", cell.variant or ""), headers, bodies)


T = TypeVar("T")


@dataclass(frozen=True)
class Load:
    """How hard and how long an app is loaded.

    `seconds`: how long requests are sent. It may be a fraction. Requests that are under way then are waited for.
    `threads`: they have to share the connections evenly. `threads_for` returns how many can.
    `cpus`: the CPUs of the load generator, None for all.
    `rate`: requests per second. None: a closed loop, with as many requests as the connections carry. oha keeps a rate
    also where answers are late; wrk's connections then fall behind.
    `requests`: the size of a batch, which has to be answered within `seconds`.
    `through`: arguments put before the command, such as those that run it in another network namespace.
    `beside`: how many connections another load opens at the same time. Those of this one are opened among them, and
    send about as often. `counts`: the number of an open file, in which the other load tells how often that is.
    """

    seconds: float
    connections: int
    threads: int
    cpus: tuple[int, ...] | None
    rate: float | None = None
    requests: int | None = None
    through: tuple[str, ...] = ()
    beside: int = 0
    counts: int | None = None

    def __post_init__(self) -> None:
        """Raises ValueError when wrk would open fewer connections than asked for."""
        if self.connections % self.threads:
            raise ValueError(f"{self.threads} threads cannot share {self.connections} connections evenly")


def threads_for(connections: int, cpus: int, at_most: int | None = None) -> int:
    """Returns the most threads that share the connections evenly, up to one per CPU and up to `at_most`.

    wrk opens connections // threads in each thread, so any other number would open fewer connections than asked for.
    """
    most = min(connections, cpus, at_most or cpus)
    return next(threads for threads in range(most, 0, -1) if connections % threads == 0)


@dataclass(frozen=True)
class LoadResult:
    """The result of one run of a load generator.

    `requests`: how many requests were answered. `sent`: how many were sent, which oha does not tell.
    `seconds`: for wrk from the first request to the last answer, without the opening of connections. For oha the
    whole run.
    `mean_ms`: the mean of the milliseconds until an answer was complete, from when the request was sent, or at a fixed
    rate from when it was due. `milliseconds`: those of each answer; only of a load at a fixed rate.
    `errors`: how many there were of each kind. A kind without errors is left out.
    `cpu_seconds`: CPU time of the load generator. For wrk from the first request to the last answer, for oha of the
    whole run.
    `connections`: how many the load asked for.
    `received`: bytes of all answers. Status lines and headers are included only if `counts_heads`.
    """

    requests: int
    seconds: float
    mean_ms: float
    errors: dict[str, int]
    cpu_seconds: float
    connections: int
    received: int = 0
    counts_heads: bool = True
    sent: int | None = None
    milliseconds: Sequence[float] = ()

    @property
    def unasked(self) -> int:
        """How many more answers came than requests were sent."""
        return 0 if self.sent is None else max(0, self.requests - self.sent)

    @property
    def throughput(self) -> float:
        """Requests per second. 0 where there was no time."""
        return self.requests / self.seconds if self.seconds else 0.0

    @property
    def is_impossible(self) -> bool:
        """Whether the report of the load generator could not be true."""
        return IMPOSSIBLE in self.errors


def as_one(loads: Sequence[LoadResult]) -> LoadResult:
    """Returns the result of loads that were sent at the same time to the same app."""
    requests, sent = sum(load.requests for load in loads), [load.sent for load in loads if load.sent is not None]
    errors: Counter[str] = Counter()
    for load in loads:
        errors.update(load.errors)
    return LoadResult(
        requests=requests,
        seconds=max(load.seconds for load in loads),
        mean_ms=sum(load.requests * load.mean_ms for load in loads) / max(1, requests),
        errors=dict(errors),
        cpu_seconds=sum(load.cpu_seconds for load in loads),
        connections=sum(load.connections for load in loads),
        received=sum(load.received for load in loads),
        sent=sum(sent) if len(sent) == len(loads) else None,
    )


IMPOSSIBLE = "a report that cannot be true"
"""The error of a load whose report contradicts itself. Its round is refused, and says nothing about the app."""


def checked(result: LoadResult) -> LoadResult:
    """Returns the result. Where it cannot be true, returns one without answers that has the error IMPOSSIBLE.

    Such are negative counts, no time for answers that came, and times that are no numbers or are 0 for most answers.
    """
    counts = (result.requests, result.received, result.sent or 0, *result.errors.values())
    times = (result.seconds, result.mean_ms, result.cpu_seconds, *result.milliseconds)
    possible = all(each >= 0 for each in counts) and all(isfinite(each) and each >= 0 for each in times)
    if possible and result.requests:
        possible = min(result.seconds, result.mean_ms) > 0
    if possible and result.milliseconds:
        possible = median(result.milliseconds) > 0 and len(result.milliseconds) <= result.requests
    if possible:
        return result
    seconds = result.seconds if isfinite(result.seconds) and result.seconds > 0 else 1.0
    return LoadResult(
        requests=0,
        seconds=seconds,
        mean_ms=0.0,
        errors={IMPOSSIBLE: 1},
        cpu_seconds=max(0.0, result.cpu_seconds) if isfinite(result.cpu_seconds) else 0.0,
        connections=result.connections,
        counts_heads=result.counts_heads,
    )


METHODS_WITH_BODY = ("POST", "PUT", "PATCH")
"""A request with one of these methods and without a body has the content-length 0 (RFC 9110, 8.6)."""

RequestWriter = Callable[[str, str, str, Mapping[str, str], bytes | None], bytes]
"""Turns method, path, host with port, headers and body into a request as a load generator sends it."""


class Window:
    """The time in which an app has requests. A load generator tells it when that begins and ends.

    Each is called once before `run` returns a result, in the thread that called `run`. An error that they raise ends
    the load at once, and `run` raises it. The load generator waits until they return.
    """

    def open(self) -> None:
        """The load generator has started, and has no connection yet."""

    def begin(self) -> None:
        """All connections are open, and no request was sent."""

    def end(self) -> None:
        """The last answer has come, and all connections are open."""


UNWATCHED = Window()
"""Nothing happens when the load begins and ends."""


class LoadGenerator(ABC):
    """A program that sends one request shape again and again, with a new id each time.

    `remedy`: how to get it, in the imperative. `oldest`: the oldest version whose reports are read.
    """

    name: str
    remedy: str
    oldest: str

    def unavailable_reason(self) -> str | None:
        """Returns None when the program is on this machine and runs, else a sentence that says how to get it."""
        found = self.unusable()
        return str(found) if found else None

    def unusable(self) -> Unusable | None:
        """Returns None when the program is on this machine and runs, else why not."""
        program = find_program(self.name)
        if program is None:
            return Unusable(self.name, MISSING, self.remedy)
        asked = ask(program, "--version")
        version = self._version_in(asked.output)
        if asked.trouble or version is None:
            why = asked.trouble or telling_line(asked.output) or "it prints no version"
            return Unusable(self.name, f"out of order ({program}: {why})", f"remove it, and {self.remedy}")
        if _number(version) < Version(self.oldest):
            needed = f"restbench reads reports of {self.oldest} or newer"
            return Unusable(self.name, f"{version} ({program}), and {needed}", self.remedy)
        return None

    def version(self) -> str | None:
        """Returns the program's version. None when the program is missing or cannot run."""
        program = None if self.unusable() else find_program(self.name)
        return (self._version_in(ask(program, "--version").output) or None) if program else None

    def _version_in(self, output: str) -> str | None:
        """Returns the version that the program prints, empty where it does not know its own; None for other output."""
        match = re.search(rf"^{self.name} +(?:debian/)?([^\s\[]*)", output)
        return match[1] if match else None

    @abstractmethod
    def write(self, method: str, path: str, host: str, headers: Mapping[str, str], content: bytes | None) -> bytes:
        """Returns a request, byte for byte as the program sends it. `host`: with the port."""

    @abstractmethod
    def run(self, base_url: str, shape: RequestShape, load: Load, window: Window = UNWATCHED) -> LoadResult:
        """Sends load and waits for its end. Raises LoadError when the app answers nothing, and ToolError when the
        program fails, or its report cannot be read. Raises what `window` raises.
        """


def _number(version: str) -> Version:
    """Returns a version without what a distribution adds. One that is no number, such as a commit, is the newest."""
    try:
        return Version(re.split(r"[-+]", version)[0] if "." in version else "9999")
    except InvalidVersion:
        return Version("9999")


def tool_error(name: str, ran: Finished) -> ToolError:
    """Returns the error of a load generator that did not end in order."""
    how = f"was ended by signal {-ran.returncode}" if ran.returncode < 0 else f"failed with code {ran.returncode}"
    said = ran.stderr or ran.stdout
    return ToolError(": ".join(filter(None, [f"{name} {how}", telling_line(said)])), said)


class OtherLoadError(ToolError):
    """A load was given up because one that was sent at the same time has failed."""


class _Shared(Window):
    """A window of several loads, which wait for each other. `at_once`: how many there are."""

    def __init__(self, window: Window, at_once: int) -> None:
        steps = iter((window.open, window.begin, window.end))
        self._barrier = threading.Barrier(at_once, lambda: next(steps)(), LONGEST_WAIT_SECONDS)

    def open(self) -> None:
        self._wait()

    def begin(self) -> None:
        self._wait()

    def end(self) -> None:
        self._wait()

    def _wait(self) -> None:
        try:
            self._barrier.wait()
        except threading.BrokenBarrierError as error:
            raise OtherLoadError("the load that was sent at the same time has failed") from error

    def run(self, run: Callable[[Window], T]) -> T:
        try:
            return run(self)
        except BaseException:
            self._barrier.abort()
            raise


def sharing(window: Window, runs: Sequence[Callable[[Window], T]]) -> list[Callable[[], T]]:
    """Returns the runs for `run_together`, with one window for all loads.

    It opens when all have started, begins when the connections of all are open, and ends when all have had their last
    answer. Where one fails, the others end too, with a ToolError.
    """
    shared = _Shared(window, len(runs))
    return [partial(shared.run, run) for run in runs]


def run_together(runs: Sequence[Callable[[], T]]) -> list[T | LoadError | ToolError]:
    """Starts all runs at once and waits for all of them.

    Returns their results in order. A run that failed gives its LoadError or ToolError in place of a result.

    Ctrl-C and SIGTERM reach the main thread only. Their exception is raised here after the load generators of all
    runs have been killed. Any other error of a run is raised here after all runs have ended.
    """
    with stoppable_pool(len(runs)) as pool:
        futures: list[Future[T]] = [pool.submit(run) for run in runs]
        wait_for(futures)
    errors = [future.exception() for future in futures]
    return [
        error if isinstance(error, (LoadError, ToolError)) else future.result()
        for future, error in zip(futures, errors, strict=True)
    ]
