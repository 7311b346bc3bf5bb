"""A pool of threads that Ctrl-C stops, although Ctrl-C reaches the main thread only."""

import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager

from restbench.system.processes import CANCEL


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
