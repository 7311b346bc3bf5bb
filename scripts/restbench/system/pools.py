"""Threads that Ctrl-C stops, although it reaches the main thread alone."""

import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager

from restbench.system.processes import CANCEL


@contextmanager
def stoppable_pool(workers: int) -> Iterator[Executor]:
    """That many threads. Where the block is left by an exception, commands that run in them are killed, and what looks
    at CANCEL ends; nothing more is begun."""
    cancel = threading.Event()
    # each thread has a context of its own
    pool = ThreadPoolExecutor(workers, initializer=CANCEL.set, initargs=(cancel,))
    try:
        yield pool
    except BaseException:
        cancel.set()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
