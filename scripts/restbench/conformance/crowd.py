"""Loads an app and reads every answer: it may answer right only when it is idle, or only most of the time.

Each cell is loaded over one connection that becomes old, and over as many connections as it has when it is measured.
"""

import asyncio
import random
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from urllib.parse import urlsplit

from restbench.backends import Backend
from restbench.catalog import USUAL_SETUP, Cell, Entry, Scenario
from restbench.catalog.profiles import USUAL_CONNECTIONS
from restbench.conformance.answers import RightAnswers, right_answers
from restbench.conformance.checks import CheckResult, Outcome, fetching, outcome
from restbench.conformance.contract import Contract, too_few_requests
from restbench.conformance.contracts import contract_of
from restbench.conformance.fetches import fetch_counter
from restbench.conformance.http import Client, Mismatch, NoAnswer
from restbench.conformance.reading import read_answers
from restbench.errors import LoadError, ToolError
from restbench.loadgen import WRK, Load, run_together
from restbench.loadgen.interface import threads_for
from restbench.loadgen.wrk import open_files_for
from restbench.system.cpus import CpuSplit
from restbench.system.limits import open_files, too_few_open_files
from restbench.system.text import telling_line
from restbench.targets import Target


@dataclass(frozen=True)
class Pace:
    """How many seconds load lasts at most: over the old connections of all cells, and over the crowd of each cell.

    `old` is 0 where there are no old connections.
    """

    old: float
    crowd: float


THOROUGH, BRIEF = Pace(10.0, 5.0), Pace(1.5, 0.25)
"""How an app is loaded that is only verified, and one that is measured afterwards, when many more answers are read."""

_CROWDS_ONLY = replace(BRIEF, old=0.0)

CROWD_REQUESTS = 3200
"""How many requests all connections of a crowd send together at most."""

OLD_REQUESTS = 998
"""How many requests an old connection sends at most. With one before and after, it has to be kept for as many.

An app may answer wrongly on a connection that is old, or mix up requests of different cells. A slow app has had fewer
requests when the time is over.
"""

WAITED_SECONDS = 5.0
"""An old connection gets fewer requests where the scenario's waiting alone would take longer than this."""

_FEWEST_CONNECTIONS, _STEP, _IN_TURN_SECONDS = 8, 4, 1.0
"""A slow app gets fewer connections, as it does when it is measured: the number is divided by the step until the app
answers a request of each connection in so many seconds, one after the other. An answer has to come within 5 s, also on
a busy machine.
"""

_PATIENCE_SECONDS = 15.0
"""How long one request over each of many connections may take, to find out whether they are served at all."""

_TIMED = 3
"""How many answers of an idle app are timed, to know how slow it is. The slowest counts."""


@dataclass(frozen=True)
class _Known:
    """A cell that answers right when it is idle, and what its right answers look like."""

    contract: Contract
    right: RightAnswers


def under_load(
    target: Target,
    entry: Entry,
    cells: list[Cell],
    cpus: CpuSplit,
    rng: random.Random,
    backend: Backend | None = None,
    source_ms: float = 0.0,
    pace: Pace = THOROUGH,
    rights: Mapping[Cell, RightAnswers] | None = None,
    without_crowd: Collection[Cell] = (),
) -> Iterator[CheckResult]:
    """Loads all cells at the same time over an old connection each, then one after the other over many connections.

    Cells that are not loaded when they are measured, or only in another setup than the usual one, are left out.
    `backend`: counts the requests of cells that need it. `source_ms`: the milliseconds that a fetch takes.
    `rights`: what right answers look like, where that is known. `without_crowd`: cells that are only loaded over an old
    connection. Raises ToolError when wrk fails again and again.
    """
    cells = [cell for cell in cells if entry.scenario(cell).loaded and entry.scenario(cell).setup == USUAL_SETUP]
    if missing := WRK.unavailable_reason():
        yield from (CheckResult("under-load", cell, not_run=missing) for cell in cells)
        return
    steps: dict[Cell, list[Outcome[_Known] | Outcome[int]]] = {}
    known: dict[Cell, _Known] = {}
    for cell in cells:
        contract, right = contract_of(entry, cell, backend, source_ms), (rights or {}).get(cell)
        learned = outcome(partial(_learn, target, contract, right, rng))
        steps[cell] = [learned]
        if isinstance(learned.value, _Known):
            known[cell] = learned.value
    for cell, old in _on_old_connections(target, known, cpus, pace).items():
        steps[cell].append(old)
    for cell in cells:
        broken = steps[cell][-1].broken
        if not broken and cell not in without_crowd:
            load = _load_of(known[cell].contract, _usual_connections(entry.scenario(cell)), cpus, pace)
            what = f"a load of {load.connections} connections"
            if lacking := too_few_open_files(open_files(), open_files_for(load), what):
                yield CheckResult("under-load", cell, not_run=lacking)
                continue
            counted = backend if entry.needs_backend(cell) else None
            most = [load.connections]
            steps[cell].append(outcome(partial(_crowd, target, known[cell], cpus, rng, counted, pace, most)))
            if broken := steps[cell][-1].broken:
                broken = _explained(broken, target, known[cell].contract, most[-1], rng)
        found = "; ".join(step.note for step in steps[cell] if step.note)
        tries = max(step.tries for step in steps[cell])
        yield CheckResult("under-load", cell, broken, found="" if broken else found, tries=tries)


def waits_under_load(
    target: Target,
    entry: Entry,
    cells: list[Cell],
    cpus: CpuSplit,
    rng: random.Random,
    source_ms: float,
    rights: Mapping[Cell, RightAnswers] | None = None,
) -> Iterator[CheckResult]:
    """Loads the cells that fetch from the data source, and times every answer. `source_ms`: how long a fetch takes.

    `rights`: what right answers look like, where that is known. Raises ToolError when wrk fails again and again.
    """
    for result in under_load(target, entry, fetching(entry, cells), cpus, rng, None, source_ms, _CROWDS_ONLY, rights):
        yield replace(result, check="waits-under-load")


def _learn(target: Target, contract: Contract, right: RightAnswers | None, rng: random.Random) -> _Known:
    """Learns what right answers look like, unless that is known. Raises Mismatch when one is wrong."""
    return _Known(contract, right or right_answers(target.base_url, contract.entry, contract.cell, rng))


def _usual_connections(scenario: Scenario) -> int:
    return scenario.batch.clients if scenario.batch else scenario.connections or USUAL_CONNECTIONS


def _connections(target: Target, contract: Contract, rng: random.Random) -> int:
    """Returns how many connections a crowd has. Raises Mismatch when an answer is wrong, or comes too soon."""
    connections = _usual_connections(contract.scenario)
    if contract.scenario.batch:
        return connections
    with Client(target.base_url) as client:
        seconds = max(contract.right_answer(client, rng).seconds for _ in range(_TIMED)) - contract.soonest_ms / 1e3
    while connections > _FEWEST_CONNECTIONS and connections * seconds > _IN_TURN_SECONDS:
        connections = max(_FEWEST_CONNECTIONS, connections // _STEP)
    return connections


def _on_old_connections(
    target: Target, known: dict[Cell, _Known], cpus: CpuSplit, pace: Pace
) -> dict[Cell, Outcome[int]]:
    """Loads all cells at the same time, each over one connection. A hash takes too long for that."""
    runs: dict[Cell, Callable[[], Outcome[int]]] = {}
    for cell, each in known.items():
        waits = max(each.contract.scenario.waits_ms, each.contract.soonest_ms) / 1e3
        requests = min(OLD_REQUESTS, int(WAITED_SECONDS / waits)) if waits else OLD_REQUESTS
        load = Load(pace.old, 1, 1, _loaded_from(cpus), requests=requests)
        if pace.old and not each.contract.scenario.computes:
            runs[cell] = partial(outcome, partial(_answered_right, target, each, load))
    found: dict[Cell, Outcome[int]] = {}
    for cell, result in zip(runs, run_together(list(runs.values())) if runs else [], strict=True):
        if isinstance(result, (LoadError, ToolError)):
            raise result
        found[cell] = result
    return found


def _crowd(
    target: Target,
    known: _Known,
    cpus: CpuSplit,
    rng: random.Random,
    backend: Backend | None,
    pace: Pace,
    most: list[int],
) -> int:
    """Loads a cell over many connections. Returns how many answers came. Raises Mismatch for the first broken rule.

    `most`: the last is the most connections that the crowd may have. Where answers are late, and the app serves as many
    connections with one request each, another number is added: it is slow, or other programs use the CPUs.
    """
    contract, shape = known.contract, known.contract.shape
    fetches = fetch_counter(target.base_url, contract, len(cpus.app), rng)
    asked = backend.requests() if backend else 0
    connections = min(most[-1], _connections(target, contract, rng))
    try:
        answered = _answered_right(target, known, _load_of(contract, connections, cpus, pace))
    except NoAnswer:
        if _all_are_right(contract, _at_once(target, contract, connections, rng)):
            most.append(max(_FEWEST_CONNECTIONS, connections // _STEP))
        raise
    if fetches and (missing := fetches.too_few(answered)):
        raise missing
    request = f"{answered} × {shape.method} {shape.path}"
    if backend and (missing := too_few_requests(backend, asked, answered, request)):
        raise missing
    return answered


def _load_of(contract: Contract, connections: int, cpus: CpuSplit, pace: Pace) -> Load:
    """Returns the load of a crowd. A hash does not show its request, unless each connection has a thread of its own."""
    batch, threads, requests = contract.scenario.batch, threads_for(connections, len(cpus.load)), CROWD_REQUESTS
    if batch and contract.scenario.computes:
        threads, requests = connections, batch.requests
    return Load(pace.crowd, connections, threads, _loaded_from(cpus), requests=requests)


def _loaded_from(cpus: CpuSplit) -> tuple[int, ...] | None:
    return cpus.load if cpus.confined else None


def _answered_right(target: Target, known: _Known, load: Load) -> int:
    """Loads a cell, and reads every answer. Returns how many there were. Raises Mismatch for the first broken rule."""
    contract = known.contract
    seen = read_answers(target.base_url, contract, known.right, load)
    if refused := seen.errors.get("connect"):
        asked = f"{contract.shape.method} {contract.shape.path} over {load.connections} connections"
        raise NoAnswer(asked, "connections that are open at the same time", f"{refused} that could not be opened")
    return seen.requests


def _explained(broken: Mismatch, target: Target, contract: Contract, connections: int, rng: random.Random) -> Mismatch:
    """Adds what becomes of as many requests at once, and the last line of the app's log.

    A server in front of the app may refuse connections, or answer in its place: what it says is not in the contract.
    Where all of these requests are answered with the right status, there is nothing to add.
    """
    became = _at_once(target, contract, connections, rng)
    if _all_are_right(contract, became):
        return broken
    counts = ", ".join(f"{count} × {what}" for what, count in sorted(became.items()))
    line = telling_line("\n".join(reversed(target.log_tail().splitlines())))
    log = f"; the last line of the app's log is: {line}" if line else ""
    got = f"{broken.got}; of {connections} connections that are opened at once: {counts}{log}"
    return type(broken)(broken.request, broken.expected, got)


def _all_are_right(contract: Contract, became: Counter[str]) -> bool:
    return set(became) == {f"status {contract.scenario.status}"}


_Opened = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def _at_once(target: Target, contract: Contract, connections: int, rng: random.Random) -> Counter[str]:
    """Opens so many connections, and then sends a request over each. Returns what became of them, in words."""
    shape, address, identity = contract.shape, urlsplit(target.base_url), contract.random_id(rng)
    request = WRK.write(shape.method, shape.path_for(identity), address.netloc, shape.headers, shape.body_for(identity))

    async def ask() -> list[str]:
        opened = await asyncio.gather(*(_open(address.hostname or "", address.port or 0) for _ in range(connections)))
        became = await asyncio.gather(*(_answer(each, request) for each in opened))
        for each in opened:
            if not isinstance(each, str):
                each[1].close()
        return became

    # in a thread of its own, as that of the caller may have an event loop that runs
    with ThreadPoolExecutor(1) as pool:
        return Counter(pool.submit(asyncio.run, ask()).result())


async def _open(host: str, port: int) -> _Opened | str:
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            return await asyncio.open_connection(host, port)
    except TimeoutError:
        return f"not opened within {_PATIENCE_SECONDS:g} s"
    except OSError as error:
        return "refused" if isinstance(error, ConnectionRefusedError) else f"not opened ({error.strerror})"


async def _answer(opened: _Opened | str, request: bytes) -> str:
    if isinstance(opened, str):
        return opened
    reader, writer = opened
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            writer.write(request)
            line = await reader.readline()
    except TimeoutError:
        return f"no answer within {_PATIENCE_SECONDS:g} s"
    except (OSError, ValueError):
        return "closed without an answer"
    found = re.match(rb"HTTP/\S+ (\d{3})", line)
    return f"status {found[1].decode()}" if found else "closed without an answer"
