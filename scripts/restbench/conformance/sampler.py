"""Checks answers while the app is under load: an app that is right only when idle is wrong."""

import random
import threading
from types import TracebackType
from typing import Self

from restbench.conformance.contract import Contract
from restbench.conformance.http import Client, Mismatch

INTERVAL_SECONDS = 0.25
"""Four samples a second: a thousandth of the load of even a slow app."""


class Sampler:
    """A thread that asks and checks at intervals, until its context is left. `broken` holds the first mismatch."""

    def __init__(self, base_url: str, contract: Contract, seed: int) -> None:
        self.broken: Mismatch | None = None
        self.samples = 0
        self._base_url = base_url
        self._contract = contract
        self._rng = random.Random(seed)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sampler", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        with Client(self._base_url) as client:
            while not self._stop.wait(INTERVAL_SECONDS) and self.broken is None:
                try:
                    self._contract.ask_and_check(client, self._rng)
                    self.samples += 1
                except Mismatch as broken:
                    self.broken = broken
