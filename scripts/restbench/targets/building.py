"""Several builds at a time, which Ctrl-C stops."""

import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager

from restbench.processes import CANCEL
from restbench.targets.interface import BUILDS_AT_A_TIME


@contextmanager
def build_pool() -> Iterator[Executor]:
    """Threads to build in. Where the block is left by an exception, such as that of Ctrl-C, which reaches the main
    thread alone, the commands that run in them are killed and no more are begun."""
    cancel = threading.Event()
    # each thread has a context of its own
    pool = ThreadPoolExecutor(BUILDS_AT_A_TIME, initializer=CANCEL.set, initargs=(cancel,))
    try:
        yield pool
    except BaseException:
        cancel.set()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
