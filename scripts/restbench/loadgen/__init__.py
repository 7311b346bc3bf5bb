"""The load generators: one for throughput in a closed loop, one for latency at a fixed rate and for batches.

Only this module chooses them. Another load generator needs a module in this folder, and a line below.
"""

from functools import cache

from restbench.loadgen.arguments import threads_for
from restbench.loadgen.interface import Latency, Load, LoadGenerator, LoadResult, RequestWriter
from restbench.loadgen.oha import Oha
from restbench.loadgen.together import run_together
from restbench.loadgen.wrk import Wrk

__all__ = [
    "CLOSED_LOOP",
    "LOAD_GENERATORS",
    "OPEN_LOOP",
    "Latency",
    "Load",
    "LoadGenerator",
    "LoadResult",
    "RequestWriter",
    "request_writers",
    "run_together",
    "threads_for",
]

CLOSED_LOOP: LoadGenerator = Wrk()
"""Nothing can be measured without it."""

OPEN_LOOP: LoadGenerator = Oha()
"""Without it, latency at a fixed rate and batches are not measured."""

LOAD_GENERATORS = (CLOSED_LOOP, OPEN_LOOP)


@cache
def request_writers() -> tuple[RequestWriter, ...]:
    """Returns the functions that write requests as the load generators of this machine do.

    The function of the closed loop is always one of them.
    """
    return (CLOSED_LOOP.write, *(() if OPEN_LOOP.unavailable_reason() else (OPEN_LOOP.write,)))
