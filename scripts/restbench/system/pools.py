"""Pools of threads that Ctrl-C stops, although Ctrl-C reaches the main thread only."""

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import TypeVar

from restbench.system.processes import CANCEL

_LOOK_SECONDS = 0.2

T = TypeVar("T")


@contextmanager
def stoppable_pool(workers: int) -> Iterator[Executor]:
    """A pool of `workers` threads.

    Where an exception ends the block, CANCEL is set in the threads: commands that they run are killed, and other code
    that looks at CANCEL ends. No further task is started.
    """
    cancel = threading.Event()
    # each thread sets CANCEL for itself, because it has its own context
    pool = ThreadPoolExecutor(workers, initializer=CANCEL.set, initargs=(cancel,))
    try:
        yield pool
    except BaseException:
        cancel.set()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def wait_for(futures: Sequence[Future[T]]) -> None:
    """Waits until all futures have ended.

    A signal that comes just before the main thread blocks does not wake it. So the thread blocks for a moment only,
    again and again, and Ctrl-C is never noticed late.
    """
    while wait(futures, timeout=_LOOK_SECONDS).not_done:
        pass


def wait_in_any_case(futures: Sequence[Future[T]]) -> None:
    """Waits until all futures have ended. Ctrl-C meanwhile counts only then, so that nothing is left behind."""
    try:
        wait_for(futures)
    except BaseException:
        wait_for(futures)
        raise


def result_of(future: Future[T]) -> T:
    """Returns the result of a future, or raises its error, when it has ended. Waits as `wait_for` does."""
    wait_for([future])
    return future.result()
