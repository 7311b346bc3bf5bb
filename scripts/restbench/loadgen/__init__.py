"""The load generators: wrk for throughput in a closed loop and for batches, oha for latency at a fixed rate.

Neither can do the work of the other.
"""

from functools import cache

from restbench.loadgen.interface import (
    Load,
    LoadGenerator,
    LoadResult,
    RequestWriter,
    Window,
    as_one,
    run_together,
    sharing,
    threads_for,
)
from restbench.loadgen.oha import Oha
from restbench.loadgen.reading import AnswerForm, OddAnswer, Read, Reading
from restbench.loadgen.wrk import Wrk, shared_counts

__all__ = [
    "OHA",
    "WRK",
    "AnswerForm",
    "Load",
    "LoadGenerator",
    "LoadResult",
    "OddAnswer",
    "Read",
    "Reading",
    "RequestWriter",
    "Window",
    "as_one",
    "request_writers",
    "run_together",
    "shared_counts",
    "sharing",
    "threads_for",
]

WRK = Wrk()
"""Nothing can be measured without it."""

OHA = Oha()
"""Without it, latency at a fixed rate is not measured."""


@cache
def request_writers() -> tuple[RequestWriter, ...]:
    """Returns the functions that write requests as wrk does and, if it is on this machine, as oha does."""
    return (WRK.write, *(() if OHA.unavailable_reason() else (OHA.write,)))
