"""Verifies a running app: before load, under load, after load. Gives one verdict per check as it goes."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from restbench.backends import Backend
from restbench.catalog import USUAL_SETUP, Cell, Entry, Scenario
from restbench.conformance.checks import Check, after_load_check, entry_checks, first_broken
from restbench.conformance.contracts import contract_of
from restbench.conformance.http import Client, Mismatch, NoAnswer
from restbench.conformance.kept import kept_answers
from restbench.conformance.sampler import Sampler
from restbench.conformance.sizes import sizes_of
from restbench.conformance.source import source_checks
from restbench.errors import LoadError
from restbench.loadgen import Load, LoadGenerator
from restbench.targets import Target

_BATCH_BURST_SECONDS = 3
"""What is measured as a batch may be slow: one second may bring no answer on a machine that has other things to do."""

_PATIENT_SECONDS = 5
"""The same of an app that answers a few dozen times a second: no answer in one second is asked for again."""


@dataclass(frozen=True)
class Verdict:
    """What became of a check: kept (`broken` is None), broken, or not run for the reason given."""

    check: str
    cell: Cell | None
    broken: Mismatch | None = None
    not_run: str | None = None

    @property
    def kept(self) -> bool:
        return self.broken is None and self.not_run is None


def before_load(
    base_url: str, entry: Entry, cells: list[Cell], rng: random.Random, backend: Backend | None = None
) -> Iterator[Verdict]:
    """Every rule of the entry and its cells."""
    with Client(base_url) as client:
        silent: set[Cell | None] = set()
        for check in entry_checks(entry, cells, rng, backend):
            if check.cell in silent or None in silent:
                yield Verdict(check.name, check.cell, not_run="no answer to an earlier check")
                continue
            broken = first_broken(check, client)
            if isinstance(broken, NoAnswer):
                silent.add(check.cell)  # each further question would take the whole time-out again
            yield Verdict(check.name, check.cell, broken)


def with_slow_source(base_url: str, entry: Entry, cells: list[Cell], rng: random.Random) -> Iterator[Verdict]:
    """Whether each answer asks the data source, of an app that was started with SLOW_SOURCE."""
    with Client(base_url) as client:
        for check in source_checks(entry, cells, rng):
            yield Verdict(check.name, check.cell, first_broken(check, client))


def under_load(
    target: Target, entry: Entry, cell: Cell, wrk: LoadGenerator, load: Load, seed: int, backend: Backend | None = None
) -> Verdict:
    """A burst of load, with answers sampled, and errors, bytes and requests at the backend counted."""
    if missing := wrk.missing():
        return Verdict("under-load", cell, not_run=missing)
    try:
        _burst(target, entry, cell, wrk, load, seed, backend)
    except Mismatch as broken:
        return Verdict("under-load", cell, broken)
    return Verdict("under-load", cell)


def _burst(
    target: Target, entry: Entry, cell: Cell, wrk: LoadGenerator, load: Load, seed: int, backend: Backend | None
) -> None:
    """Raises Mismatch for the first thing that is wrong."""
    contract = contract_of(entry, cell)
    shape, load = contract.shape, _fitting(load, contract.scenario)
    sizes = sizes_of(target.base_url, entry, cell, random.Random(seed))
    asked = backend.requests() if backend else 0
    try:
        with Sampler(target.base_url, contract, seed) as sampler:
            result = wrk.run(target.base_url, shape, load)
            if result.requests == 0 and not result.errors:  # silent, or slow on a machine that is busy with more
                load = replace(load, seconds=_PATIENT_SECONDS)
                result = wrk.run(target.base_url, shape, load)
    except LoadError as error:
        said = f"{error.message} {error.detail}".strip()
        raise NoAnswer(f"{shape.method} {shape.path}", "answers", said) from error
    if sampler.broken:
        raise sampler.broken
    request = f"{result.requests} × {shape.method} {shape.path}"
    if result.errors:
        seen = ", ".join(f"{count} {kind}" for kind, count in result.errors.items())
        raise Mismatch(request, "no errors", f"errors: {seen}")
    if result.requests == 0:
        raise Mismatch(f"{shape.method} {shape.path} for {load.seconds} s", "answers", "none")
    kept = kept_answers(backend, asked, result.requests, request) if backend else None
    if misfit := sizes.misfit(result, shape) or kept:
        raise misfit


def _fitting(load: Load, scenario: Scenario) -> Load:
    """With no more connections than the scenario has, and as long as a batch may take."""
    if at_most := scenario.connections:
        load = replace(load, connections=min(load.connections, at_most))
    if batch := scenario.batch:
        load = replace(load, connections=batch.clients, seconds=_BATCH_BURST_SECONDS)
    return load


def after_load(target: Target, entry: Entry, cells: list[Cell], rng: random.Random) -> Iterator[Verdict]:
    """The app still runs, and each cell still answers right."""
    reason = target.exit_reason()
    died = Mismatch("after load", "the app to run", f"it {reason}") if reason else None
    yield Verdict("alive", None, died)
    if died:
        return
    with Client(target.base_url) as client:
        for cell in (cell for cell in cells if not entry.scenario(cell).graded):
            check: Check = after_load_check(entry, cell, rng)
            yield Verdict(check.name, cell, first_broken(check, client))


def marks_of(base_url: str, entry: Entry, cell: Cell) -> dict[str, bool]:
    """Which of its scenario's marks a cell has; none where the app does not answer."""
    with Client(base_url) as client:
        try:
            return contract_of(entry, cell).marks(client)
        except Mismatch:
            return dict.fromkeys(entry.scenario(cell).graded, False)


def verify(
    target: Target,
    entry: Entry,
    cells: list[Cell],
    wrk: LoadGenerator,
    load: Load,
    seed: int,
    backend: Backend | None = None,
) -> Iterator[Verdict]:
    """All three phases. Cells that broke a rule before load are not loaded, nor are those of an unusual setup."""
    rng = random.Random(seed)
    wrong: set[Cell | None] = set()
    for verdict in before_load(target.base_url, entry, cells, rng, backend):
        if not verdict.kept:
            wrong.add(verdict.cell)
        yield verdict
    for cell in cells:
        scenario = entry.scenario(cell)
        if cell not in wrong and scenario.loaded and scenario.setup == USUAL_SETUP:
            beside = backend if entry.needs_backend(cell) else None
            yield under_load(target, entry, cell, wrk, load, rng.randrange(2**32), beside)
    yield from after_load(target, entry, [c for c in cells if c not in wrong], rng)
