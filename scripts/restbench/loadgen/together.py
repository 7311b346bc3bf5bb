"""Runs several load generators at the same time."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from restbench.errors import LoadError
from restbench.system.pools import wait_for
from restbench.system.processes import CANCEL

T = TypeVar("T")


def run_together(runs: Sequence[Callable[[], T]]) -> list[T | LoadError]:
    """Starts all runs at once and waits for all of them.

    Returns their results in order. A run that failed gives its LoadError in place of a result.

    Ctrl-C and SIGTERM reach the main thread only. Their exception is raised here after the load generators of all
    runs have been killed. Any other error of a run is raised here after all runs have ended.
    """
    cancel = threading.Event()

    def run_until_cancelled(run: Callable[[], T]) -> T:
        CANCEL.set(cancel)  # for this thread alone, as each thread has a context of its own
        return run()

    with ThreadPoolExecutor(max_workers=len(runs)) as pool:
        try:
            futures: list[Future[T]] = [pool.submit(run_until_cancelled, run) for run in runs]
            wait_for(futures)
        finally:
            cancel.set()
    return list(map(_outcome, futures))


def _outcome(future: Future[T]) -> T | LoadError:
    try:
        return future.result()
    except LoadError as error:
        return error
