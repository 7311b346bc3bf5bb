"""The apps of a team as processes or containers: all of them are stopped at the same time."""

from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Self

from restbench.measure.events import Observer, Remarked
from restbench.system.pools import wait_for
from restbench.targets import Target


class Apps:
    """A context manager that stops all started apps when it is left.

    They are stopped at the same time, because each may take seconds. One that cannot be stopped is told, and costs no
    other anything: the rounds of a team are finished by then.
    """

    def __init__(self, observe: Observer) -> None:
        self._observe = observe
        self._running: dict[str, Target] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with ThreadPoolExecutor(max(1, len(self._running))) as pool:
            stopped = {
                entry: pool.submit(target.__exit__, kind, error, trace)
                for entry, target in reversed(self._running.items())
            }
            _wait_in_any_case(list(stopped.values()))
        for entry, done in stopped.items():
            if trouble := done.exception():
                self._observe(Remarked(entry, f"its app could not be stopped in order: {trouble}"))

    def start(self, entry: str, target: Target) -> None:
        """Starts the app of an entry. Raises the same errors as entering the target."""
        self._running[entry] = target  # before it starts, as Ctrl-C may come at any moment
        try:
            target.__enter__()
        except Exception:
            del self._running[entry]
            raise


def _wait_in_any_case(stopping: list[Future[None]]) -> None:
    """Waits until all have ended. Ctrl-C meanwhile counts only then, so that nothing is left behind."""
    try:
        wait_for(stopping)
    except BaseException:
        wait_for(stopping)
        raise
