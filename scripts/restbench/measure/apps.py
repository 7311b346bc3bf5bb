"""The apps of a team as processes or containers: all of them are stopped at the same time."""

from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Self

from restbench.targets import Target


class Apps:
    """A context manager that stops all started apps when it is left.

    They are stopped at the same time, because each may take seconds.
    """

    def __init__(self) -> None:
        self._running: list[Target] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with ThreadPoolExecutor(max(1, len(self._running))) as pool:
            stopped = [pool.submit(target.__exit__, kind, error, trace) for target in reversed(self._running)]
        for done in stopped:
            done.result()

    def start(self, target: Target) -> None:
        """Starts an app. Raises the same errors as entering the target."""
        target.__enter__()
        self._running.append(target)
