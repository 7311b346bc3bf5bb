"""Checks answers while the app is under load: an app that is right only when idle is wrong."""

import random
from types import TracebackType

from restbench.conformance.contract import Contract
from restbench.conformance.http import TIMEOUT_SECONDS, Client, Mismatch
from restbench.loadgen import Wrk
from restbench.system.periodic import Periodic

INTERVAL_SECONDS = 0.25
"""Four samples a second: a thousandth of the load of even a slow app."""

COMPUTED_SECONDS = 30.0
"""How long an answer may take that is computed, under load: it waits for the CPU until those before it have had it."""


class Sampler(Periodic):
    """Asks and checks at intervals, until its context is left. `broken` holds the first mismatch."""

    def __init__(self, base_url: str, contract: Contract, seed: int) -> None:
        super().__init__("sampler", INTERVAL_SECONDS)
        self.broken: Mismatch | None = None
        self.samples = 0
        patience = COMPUTED_SECONDS if contract.scenario.computes else TIMEOUT_SECONDS
        self._client = Client(base_url, patience, [Wrk().write])  # it asks while wrk does
        self._contract = contract
        self._rng = random.Random(seed)

    def tick(self) -> bool:
        try:
            self._contract.ask_and_check(self._client, self._rng)
        except Mismatch as broken:
            self.broken = broken
            return False
        self.samples += 1
        return True

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            super().__exit__(kind, error, trace)
        finally:
            self._client.__exit__(kind, error, trace)
