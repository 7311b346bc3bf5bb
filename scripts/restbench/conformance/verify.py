"""Verifies a running app before load, under load and after load. Yields one verdict per check."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from restbench.backends import Backend
from restbench.catalog import USUAL_SETUP, Cell, Entry
from restbench.conformance.answers import RightAnswers, right_answers
from restbench.conformance.checks import asks_source, entry_checks, fetching, first_broken, outcome
from restbench.conformance.contract import Contract, too_few_requests
from restbench.conformance.contracts import contract_of
from restbench.conformance.http import Client, ClosedEarly, Mismatch, NoAnswer
from restbench.conformance.reading import read_answers
from restbench.errors import ToolError
from restbench.loadgen import WRK, Load, run_together
from restbench.targets import Target
from restbench.targets.runtime_settings import in_words, not_in_production

CONNECTIONS, REQUESTS, SECONDS = 32, 100, 5.0
"""Each cell is loaded over so many connections, with so many requests on each, for so many seconds at most."""

OLD_REQUESTS, OLD_SECONDS = 998, 10.0
"""All cells of an entry are loaded at the same time, each over one connection with so many requests.

With a probe before and after, there are as many as a connection has to be kept for.

An app may answer wrongly on a connection that is old, or mix up requests of different cells. A slow app has had fewer
requests when the time is over.
"""

WAITED_SECONDS = 5.0
"""A connection gets fewer requests where the scenario's waiting alone would take longer than this."""


@dataclass(frozen=True)
class CheckResult:
    """The result of a check.

    `broken` says how the app broke the rule, and `not_run` why the check was not run. Both are None for a kept rule.
    `found` is what the check found, where that is worth a line.
    """

    check: str
    cell: Cell | None
    broken: Mismatch | None = None
    not_run: str | None = None
    found: str = ""

    @property
    def kept(self) -> bool:
        return self.broken is None and self.not_run is None


def before_load(
    base_url: str, entry: Entry, cells: list[Cell], rng: random.Random, backend: Backend | None = None
) -> Iterator[CheckResult]:
    """Checks every rule of the entry and its cells."""
    with Client(base_url) as client:
        silent: set[Cell | None] = set()
        for check in entry_checks(entry, cells, rng, backend):
            if check.cell in silent or None in silent:
                yield CheckResult(check.name, check.cell, not_run="no answer to an earlier check")
                continue
            broken = first_broken(check.run, client)
            if isinstance(broken, NoAnswer):
                silent.add(check.cell)  # each further request would wait for the whole time-out again
            yield CheckResult(check.name, check.cell, broken)


def in_production(entry: Entry, settings: Mapping[str, str]) -> CheckResult:
    """Checks that the runtime of an app runs with the settings of production."""
    wanted = not_in_production(entry, settings)
    if not wanted:
        return CheckResult("production", None, found=in_words(settings))
    manifest = f"{entry.language.name}/language.toml"
    expected = "; ".join(f"{name} {' or '.join(texts)}" for name, texts in wanted.items())
    got = "; ".join(f"{name} {settings.get(name, 'not set')}" for name in wanted)
    return CheckResult(
        "production", None, Mismatch("what the runtime runs with", f"{expected}, as {manifest} has for production", got)
    )


def with_slow_source(base_url: str, entry: Entry, cells: list[Cell], rng: random.Random) -> Iterator[CheckResult]:
    """Checks that the app asks the data source for each answer. The app was started with SLOW_SOURCE."""
    with Client(base_url) as client:
        for cell in fetching(entry, cells):
            run = partial(asks_source, contract_of(entry, cell), rng)
            yield CheckResult("asks-source", cell, first_broken(run, client))


def under_load(
    target: Target,
    entry: Entry,
    cells: list[Cell],
    cpus: tuple[int, ...] | None,
    rng: random.Random,
    backend: Backend | None = None,
) -> Iterator[CheckResult]:
    """Loads all cells at the same time over an old connection each, then one after the other over many connections.

    Reads every answer, and counts the requests at the backend. `cpus`: the CPUs of the load generator, None for all.
    Raises ToolError when wrk fails again and again.
    """
    if missing := WRK.unavailable_reason():
        yield from (CheckResult("under-load", cell, not_run=missing) for cell in cells)
        return
    learned: dict[Cell, RightAnswers | Mismatch] = {
        cell: outcome(partial(right_answers, target.base_url, entry, cell, rng)) for cell in cells
    }
    rights = {cell: right for cell, right in learned.items() if isinstance(right, RightAnswers)}
    old = [cell for cell in rights if not entry.scenario(cell).computes]
    runs = []
    for cell in old:
        waits = entry.scenario(cell).waits_ms / 1e3
        requests = min(OLD_REQUESTS, int(WAITED_SECONDS / waits)) if waits else OLD_REQUESTS
        load = Load(OLD_SECONDS, 1, 1, cpus, requests=requests)
        runs.append(partial(outcome, partial(_answered_right, target, contract_of(entry, cell), rights[cell], load)))
    results = run_together(runs) if runs else []
    for result in results:
        if isinstance(result, ToolError):
            raise result
    seen = dict(zip(old, results, strict=True))
    for cell in cells:
        broken = learned[cell] if cell not in rights else seen.get(cell)
        if not isinstance(broken, Mismatch):
            counted = backend if entry.needs_backend(cell) else None
            broken = outcome(partial(_crowd, target, contract_of(entry, cell), rights[cell], cpus, counted))
        yield CheckResult("under-load", cell, broken if isinstance(broken, Mismatch) else None)


def _crowd(
    target: Target, contract: Contract, right: RightAnswers, cpus: tuple[int, ...] | None, backend: Backend | None
) -> None:
    """Loads a cell over many connections. Raises Mismatch for the first broken rule."""
    scenario, shape = contract.scenario, contract.shape
    connections = min(CONNECTIONS, scenario.connections or CONNECTIONS)
    requests = connections * REQUESTS
    if scenario.batch:
        connections, requests = scenario.batch.clients, scenario.batch.requests
    asked = backend.requests() if backend else 0
    answered = _answered_right(target, contract, right, Load(SECONDS, connections, 1, cpus, requests=requests))
    request = f"{answered} × {shape.method} {shape.path}"
    if backend and (missing := too_few_requests(backend, asked, answered, request)):
        raise missing


def _answered_right(target: Target, contract: Contract, right: RightAnswers, load: Load) -> int:
    """Loads a cell, and reads every answer. Returns how many there were. Raises Mismatch for the first broken rule."""
    return read_answers(target.base_url, contract, right, load).requests


def after_load(target: Target, entry: Entry, cells: list[Cell], rng: random.Random) -> Iterator[CheckResult]:
    """Checks that each cell still answers right, and that the app still runs.

    An app that ends during these checks is not alive. Cells that got no answer for this reason are not blamed.
    """
    reason = target.exit_reason()
    asked = [] if reason else [cell for cell in cells if not entry.scenario(cell).features]
    with Client(target.base_url) as client:
        for cell in asked:
            broken = first_broken(partial(contract_of(entry, cell).right_answer, rng=rng), client)
            if isinstance(broken, (NoAnswer, ClosedEarly)) and (reason := target.how_it_ended()):
                break
            yield CheckResult("after-load", cell, broken)
    yield CheckResult("alive", None, Mismatch("after load", "the app to run", f"it {reason}") if reason else None)


def check_features(base_url: str, entry: Entry, cell: Cell) -> dict[str, bool]:
    """Returns for each feature check of the cell's scenario whether it is passed.

    All are failed when the app does not answer, or when its answer cannot be read.
    """
    with Client(base_url) as client:
        try:
            return contract_of(entry, cell).features(client)
        except Mismatch:
            return dict.fromkeys(entry.scenario(cell).features, False)


def verify(
    target: Target,
    entry: Entry,
    cells: list[Cell],
    cpus: tuple[int, ...] | None,
    seed: int,
    backend: Backend | None = None,
) -> Iterator[CheckResult]:
    """Runs all three phases. `cpus`: the CPUs of the load generator, None for all.

    A cell is loaded when it kept its rules before load, its scenario is measured, and its setup is the usual one.
    After load, cells that broke a rule before load are left out.
    """
    rng = random.Random(seed)
    wrong: set[Cell | None] = set()
    for verdict in before_load(target.base_url, entry, cells, rng, backend):
        if not verdict.kept:
            wrong.add(verdict.cell)
        yield verdict
    loaded = [
        c for c in cells if c not in wrong and entry.scenario(c).loaded and entry.scenario(c).setup == USUAL_SETUP
    ]
    yield from under_load(target, entry, loaded, cpus, rng, backend)
    yield from after_load(target, entry, [c for c in cells if c not in wrong], rng)
