"""Verifies a running app before load, under load and after load. Yields one verdict per check."""

import random
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from restbench.backends import Backend
from restbench.catalog import Cell, Entry
from restbench.conformance.checks import (
    SLOW_MS,
    CheckResult,
    entry_checks,
    fetches_in_turn,
    fetching,
    outcome,
    verdict,
)
from restbench.conformance.contracts import contract_of
from restbench.conformance.crowd import under_load
from restbench.conformance.http import ByChance, Client, ClosedEarly, Mismatch, NoAnswer
from restbench.errors import EntryError
from restbench.results.models import RuntimeSettings
from restbench.system.cpus import CpuSplit
from restbench.targets import Target
from restbench.targets.runtime_settings import in_words, not_in_production


def before_load(
    base_url: str,
    entry: Entry,
    cells: list[Cell],
    rng: random.Random,
    backend: Backend | None = None,
    source_ms: float = 0.0,
) -> Iterator[CheckResult]:
    """Checks every rule of the entry and its cells. `source_ms`: the milliseconds that a fetch takes."""
    with Client(base_url) as client:
        silent: set[Cell | None] = set()
        for check in entry_checks(entry, cells, rng, backend, source_ms):
            if check.cell in silent or None in silent:
                yield CheckResult(check.name, check.cell, not_run="no answer to an earlier check")
                continue
            result = verdict(check.name, check.cell, partial(check.run, client))
            if isinstance(result.broken, NoAnswer):
                silent.add(check.cell)  # each further request would wait for the whole time-out again
            yield result


def asked_settings(entry: Entry, ask: Callable[[], RuntimeSettings]) -> RuntimeSettings | Mismatch:
    """Returns what `ask` says that the runtime of an app runs with, a Mismatch when it fails again and again."""

    def once() -> RuntimeSettings:
        try:
            return ask()
        except EntryError as error:
            command = shlex.join(entry.language.manifest.runtime_settings.command or [])
            got = f"{error.message} {error.detail}".strip()
            raise ByChance(command, "what the runtime runs with", got) from error

    return outcome(once).value


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
    """Checks that the app asks the data source for each answer, and that each fetch holds one of its connections.

    The app was started with SLOW_SOURCE and one worker.
    """
    asking = []
    with Client(base_url) as client:
        for cell in fetching(entry, cells):
            contract = contract_of(entry, cell, source_ms=SLOW_MS)
            result = verdict("asks-source", cell, partial(contract.right_answer, client, rng))
            if result.kept:
                asking.append(contract)
            yield result
    if not asking:
        return
    # all cells together take a second, and so does each alone: that is only needed to find which of them is wrong
    together = verdict("pool", None, partial(fetches_in_turn, asking, rng, base_url))
    pool = [replace(together, cell=contract.cell) for contract in asking]
    if together.broken:
        alone = [verdict("pool", each.cell, partial(fetches_in_turn, [each], rng, base_url)) for each in asking]
        pool = alone if any(result.broken for result in alone) else pool
    yield from pool


def after_load(target: Target, entry: Entry, cells: list[Cell], rng: random.Random) -> Iterator[CheckResult]:
    """Checks that each cell still answers right, and that the app still runs.

    An app that ends during these checks is not alive. Cells that got no answer for this reason are not blamed.
    """
    reason = target.exit_reason()
    asked = [] if reason else [cell for cell in cells if not entry.scenario(cell).features]
    with Client(target.base_url) as client:
        for cell in asked:
            result = verdict("after-load", cell, partial(contract_of(entry, cell).right_answer, client, rng))
            if isinstance(result.broken, (NoAnswer, ClosedEarly)) and (reason := target.how_it_ended()):
                break
            yield result
    yield CheckResult("alive", None, Mismatch("after load", "the app to run", f"it {reason}") if reason else None)


def check_features(base_url: str, entry: Entry, cell: Cell) -> dict[str, bool]:
    """Returns for each feature check of the cell's scenario whether it is passed.

    All are failed when the app does not answer, or when its answer cannot be read.
    """
    with Client(base_url) as client:
        found = outcome(partial(contract_of(entry, cell).features, client)).value
    return dict.fromkeys(entry.scenario(cell).features, False) if isinstance(found, Mismatch) else found


def verify(
    target: Target,
    entry: Entry,
    cells: list[Cell],
    cpus: CpuSplit,
    seed: int,
    backend: Backend | None = None,
    source_ms: float = 0.0,
) -> Iterator[CheckResult]:
    """Runs all three phases. `source_ms`: the milliseconds that a fetch takes in the app.

    Under load and after it, cells that broke a rule before load are left out.
    """
    rng = random.Random(seed)
    wrong: set[Cell | None] = set()
    for result in before_load(target.base_url, entry, cells, rng, backend, source_ms):
        if not result.kept:
            wrong.add(result.cell)
        yield result
    right = [cell for cell in cells if cell not in wrong]
    yield from under_load(target, entry, right, cpus, rng, backend, source_ms)
    yield from after_load(target, entry, right, rng)
