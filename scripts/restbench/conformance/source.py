"""Does an app ask the emulated data source for each answer? Started beside a slow one, its answers take as long."""

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
"""What the app is told of a slow source (docs/CONTRACT.md)."""

_TIMER_SLACK = 0.95
"""Timers may end that much too early."""


def fetching(entry: Entry, cells: list[Cell]) -> list[Cell]:
    """The cells whose requests ask the source."""
    return [cell for cell in cells if entry.scenario(cell).source_fetches]


def source_checks(entry: Entry, cells: list[Cell], rng: random.Random) -> Iterator[Check]:
    """A check for each cell that asks the source, of an app that was started beside a slow one."""
    for cell in fetching(entry, cells):
        yield Check("asks-source", cell, partial(_takes_as_long, entry, cell, rng))


def _takes_as_long(entry: Entry, cell: Cell, rng: random.Random, client: Client) -> None:
    """Raises Mismatch for an answer that came sooner than the source could have given it."""
    contract, shortest = contract_of(entry, cell), entry.scenario(cell).source_fetches * SLOW_MS
    body = contract.random_body(rng)
    began = time.monotonic()
    answer = contract.ask(client, contract.random_id(rng), body)
    took = (time.monotonic() - began) * 1e3
    if took < _TIMER_SLACK * shortest:
        wanted = f"an answer after {shortest} ms, which the data source takes"
        raise answer.fail(wanted, f"one after {took:.0f} ms: the source is not asked")
