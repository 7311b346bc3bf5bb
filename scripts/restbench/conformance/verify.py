"""Verifies a running app before load, under load and after load. Yields one verdict per check."""

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
from restbench.loadgen import WRK, Load
from restbench.targets import Target

_BATCH_BURST_SECONDS = 1.5
"""How long a batch scenario is loaded. Its answers may be slow: on a busy machine, one second may bring none."""

_PATIENT_SECONDS = 5
"""How long an app is loaded again after it gave no answer.

An app that answers a few dozen times a second may give none in one second.
"""


@dataclass(frozen=True)
class Verdict:
    """The result of a check.

    `broken` says how the app broke the rule, and `not_run` why the check was not run. Both are None for a kept rule.
    """

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
    """Checks every rule of the entry and its cells."""
    with Client(base_url) as client:
        silent: set[Cell | None] = set()
        for check in entry_checks(entry, cells, rng, backend):
            if check.cell in silent or None in silent:
                yield Verdict(check.name, check.cell, not_run="no answer to an earlier check")
                continue
            broken = first_broken(check, client)
            if isinstance(broken, NoAnswer):
                silent.add(check.cell)  # each further request would wait for the whole time-out again
            yield Verdict(check.name, check.cell, broken)


def with_slow_source(base_url: str, entry: Entry, cells: list[Cell], rng: random.Random) -> Iterator[Verdict]:
    """Checks that the app asks the data source for each answer. The app was started with SLOW_SOURCE."""
    with Client(base_url) as client:
        for check in source_checks(entry, cells, rng):
            yield Verdict(check.name, check.cell, first_broken(check, client))


def under_load(
    target: Target, entry: Entry, cell: Cell, load: Load, seed: int, backend: Backend | None = None
) -> Verdict:
    """Sends a burst of load. Checks samples of the answers, and counts errors, bytes and backend requests."""
    if missing := WRK.unavailable_reason():
        return Verdict("under-load", cell, not_run=missing)
    try:
        _burst(target, entry, cell, load, seed, backend)
    except Mismatch as broken:
        return Verdict("under-load", cell, broken)
    return Verdict("under-load", cell)


def _burst(target: Target, entry: Entry, cell: Cell, load: Load, seed: int, backend: Backend | None) -> None:
    """Sends the burst. Raises Mismatch for the first broken rule."""
    contract = contract_of(entry, cell)
    shape, load = contract.shape, _fitting(load, contract.scenario)
    sizes = sizes_of(target.base_url, entry, cell, random.Random(seed))
    asked = backend.requests() if backend else 0
    try:
        with Sampler(target.base_url, contract, seed) as sampler:
            result = WRK.run(target.base_url, shape, load)
            if result.requests == 0 and not result.errors:  # the app is silent, or slow on a busy machine
                load = replace(load, seconds=_PATIENT_SECONDS)
                result = WRK.run(target.base_url, shape, load)
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
    """Returns the load with at most the connections of the scenario. A batch gets its own clients and duration."""
    if at_most := scenario.connections:
        load = replace(load, connections=min(load.connections, at_most))
    if batch := scenario.batch:
        load = replace(load, connections=batch.clients, seconds=_BATCH_BURST_SECONDS)
    return load


def after_load(target: Target, entry: Entry, cells: list[Cell], rng: random.Random) -> Iterator[Verdict]:
    """Checks that each cell still answers right, and that the app still runs.

    An app that ends during these checks is not alive. Cells that got no answer for this reason are not blamed.
    """
    reason = target.exit_reason()
    for verdict in _answered(target.base_url, entry, cells, rng) if not reason else ():
        if isinstance(verdict.broken, NoAnswer) and (reason := target.how_it_ended()):
            break
        yield verdict
    yield Verdict("alive", None, Mismatch("after load", "the app to run", f"it {reason}") if reason else None)


def _answered(base_url: str, entry: Entry, cells: list[Cell], rng: random.Random) -> Iterator[Verdict]:
    with Client(base_url) as client:
        for cell in (cell for cell in cells if not entry.scenario(cell).features):
            check: Check = after_load_check(entry, cell, rng)
            yield Verdict(check.name, cell, first_broken(check, client))


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
    target: Target, entry: Entry, cells: list[Cell], load: Load, seed: int, backend: Backend | None = None
) -> Iterator[Verdict]:
    """Runs all three phases.

    A cell is loaded when it kept its rules before load, its scenario is measured, and its setup is the usual one.
    After load, cells that broke a rule before load are left out.
    """
    rng = random.Random(seed)
    wrong: set[Cell | None] = set()
    for verdict in before_load(target.base_url, entry, cells, rng, backend):
        if not verdict.kept:
            wrong.add(verdict.cell)
        yield verdict
    for cell in cells:
        scenario = entry.scenario(cell)
        if cell not in wrong and scenario.loaded and scenario.setup == USUAL_SETUP:
            counted = backend if entry.needs_backend(cell) else None
            yield under_load(target, entry, cell, load, rng.randrange(2**32), counted)
    yield from after_load(target, entry, [c for c in cells if c not in wrong], rng)
