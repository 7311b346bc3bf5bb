"""A task that a thread repeats while other work goes on."""

import threading
from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self


class Periodic(ABC):
    """A thread that calls `tick` at intervals until its context ends or `tick` returns False.

    An exception in `tick` ends the thread. It is raised again when the context ends, unless the context ends by another
    exception.
    """

    def __init__(self, name: str, interval_seconds: float) -> None:
        self._interval = interval_seconds
        self._stop = threading.Event()
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    @abstractmethod
    def tick(self) -> bool:
        """Does the task once. Returns False when there is nothing more to do."""

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
        except Exception as error:  # it is raised in the thread that leaves the context
            self._error = error
