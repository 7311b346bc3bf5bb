"""What Ctrl-C does."""

import os
import time
from types import FrameType

from restbench.errors import Interrupted
from restbench.system.processes import kill_own

SAME_INTERRUPTION_SECONDS = 0.5
"""Some programs that start others pass a Ctrl-C on which these have had from the terminal too."""


class Interruption:
    """A handler of SIGINT and SIGTERM.

    The first Ctrl-C unwinds through every context manager. A second one, of a person who will not wait for that, kills
    what was started and ends at once.
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
