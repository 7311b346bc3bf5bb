"""Checks answers while the app is under load, because an app may answer right only when it is idle."""

import random
from types import TracebackType

from restbench.conformance.contract import Contract
from restbench.conformance.http import TIMEOUT_SECONDS, Client, Mismatch
from restbench.loadgen import WRK
from restbench.system.periodic import Periodic

INTERVAL_SECONDS = 0.25
"""Four samples a second are a thousandth of the load, even for a slow app."""

COMPUTED_SECONDS = 30.0
"""How long a computed answer may take under load, where it waits until earlier answers have been computed."""


class Sampler(Periodic):
    """Asks for an answer and checks it, at intervals, until the context is left or a check fails.

    `broken` holds the first mismatch.
    """

    def __init__(self, base_url: str, contract: Contract, seed: int) -> None:
        super().__init__("sampler", INTERVAL_SECONDS)
        self.broken: Mismatch | None = None
        self.samples = 0
        patience = COMPUTED_SECONDS if contract.scenario.computes else TIMEOUT_SECONDS
        self._client = Client(base_url, patience, [WRK.write])  # the closed loop runs at the same time
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
