"""Checks that an app asks the emulated data source for each answer.

The app is started with a slow data source. Each answer has to take at least as long as its fetches.
"""

import random
import time
from collections.abc import Iterator, Mapping
from functools import partial

from restbench.catalog import Cell, Entry
from restbench.conformance.checks import Check
from restbench.conformance.contracts import contract_of
from restbench.conformance.http import Client

SLOW_MS = 100
SLOW_SOURCE: Mapping[str, str] = {"POOL_LATENCY_MS": str(SLOW_MS)}
"""Variables that give the app a slow data source (docs/CONTRACT.md)."""

_TIMER_SLACK = 0.95
"""Share of the expected time that an answer has to take, as timers may end too early."""


def fetching(entry: Entry, cells: list[Cell]) -> list[Cell]:
    """Returns the cells whose requests ask the data source."""
    return [cell for cell in cells if entry.scenario(cell).source_fetches]


def source_checks(entry: Entry, cells: list[Cell], rng: random.Random) -> Iterator[Check]:
    """Yields a check for each cell that asks the data source. The app was started with SLOW_SOURCE."""
    for cell in fetching(entry, cells):
        yield Check("asks-source", cell, partial(_takes_as_long, entry, cell, rng))


def _takes_as_long(entry: Entry, cell: Cell, rng: random.Random, client: Client) -> None:
    """Raises Mismatch when an answer comes before the data source can have given its rows."""
    contract, shortest = contract_of(entry, cell), entry.scenario(cell).source_fetches * SLOW_MS
    body = contract.random_body(rng)
    began = time.monotonic()
    answer = contract.ask(client, contract.random_id(rng), body)
    took = (time.monotonic() - began) * 1e3
    if took < _TIMER_SLACK * shortest:
        wanted = f"an answer after {shortest} ms, which the data source takes"
        raise answer.fail(wanted, f"one after {took:.0f} ms: the source is not asked")
