"""Handles Ctrl-C and SIGTERM."""

import os
import time
from types import FrameType

from restbench.errors import Interrupted
from restbench.system.processes import kill_own

SAME_INTERRUPTION_SECONDS = 0.5
"""A signal this soon after the first one is taken for the same Ctrl-C. The terminal sends Ctrl-C to restbench, and some
programs that start restbench pass it on once more.
"""


class Interruption:
    """A handler of SIGINT and SIGTERM.

    The first signal raises Interrupted, so that every context manager can clean up. A second signal comes from a person
    who does not want to wait for that. It kills the processes that were started, and ends the harness at once.
    """

    def __init__(self) -> None:
        self._first: float | None = None

    def __call__(self, _number: int, _frame: FrameType | None) -> None:
        now = time.monotonic()
        if self._first is None:
            self._first = now
            raise Interrupted
        if now - self._first > SAME_INTERRUPTION_SECONDS:
            kill_own()
            os.write(2, b"ended at once: containers that were started are removed by the next run\n")
            os._exit(Interrupted.exit_code)
