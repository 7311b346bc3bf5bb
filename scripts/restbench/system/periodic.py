"""Something that is done every now and then, beside what goes on."""

import threading
from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self


class Periodic(ABC):
    """A thread that calls `tick` at intervals for as long as its context lasts, or until `tick` says it is done.

    What `tick` raises is raised when the context is left, unless something else is raised there already.
    """

    def __init__(self, name: str, interval_seconds: float) -> None:
        self._interval = interval_seconds
        self._stop = threading.Event()
        self._error: Exception | None = None
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
        if self._error and kind is None:
            raise self._error

    def _run(self) -> None:
        try:
            while not self._stop.wait(self._interval) and self.tick():
                pass
        except Exception as error:  # for the thread whose context this is
            self._error = error
