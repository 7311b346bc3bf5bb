"""wrk for throughput in a closed loop, oha for latency at a fixed rate."""

from functools import cache

from restbench.loadgen.arguments import threads_for
from restbench.loadgen.interface import Latency, Load, LoadGenerator, LoadResult, RequestWriter
from restbench.loadgen.oha import Oha
from restbench.loadgen.together import run_together
from restbench.loadgen.wrk import Wrk

__all__ = [
    "Latency",
    "Load",
    "LoadGenerator",
    "LoadResult",
    "Oha",
    "RequestWriter",
    "Wrk",
    "request_writers",
    "run_together",
    "threads_for",
]


@cache
def request_writers() -> tuple[RequestWriter, ...]:
    """What writes requests as the load generators of this machine do. Where wrk is missing its requests are known."""
    oha = Oha()
    return (Wrk().write, *(() if oha.missing() else (oha.write,)))
