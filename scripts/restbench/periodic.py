"""Something that is done every now and then, beside what goes on."""

import threading
from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self


class Periodic(ABC):
    """A thread that calls `tick` at intervals for as long as its context lasts, or until `tick` says it is done."""

    def __init__(self, name: str, interval_seconds: float) -> None:
        self._interval = interval_seconds
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    @abstractmethod
    def tick(self) -> bool:
        """Does it once. False: there is nothing more to do."""

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(self._interval) and self.tick():
            pass
