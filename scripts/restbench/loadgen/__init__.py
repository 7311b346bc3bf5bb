"""wrk for throughput in a closed loop, oha for latency at a fixed rate."""

from restbench.loadgen.arguments import threads_for
from restbench.loadgen.interface import Latency, Load, LoadGenerator, LoadResult
from restbench.loadgen.oha import Oha
from restbench.loadgen.together import run_together
from restbench.loadgen.wrk import Wrk

__all__ = ["Latency", "Load", "LoadGenerator", "LoadResult", "Oha", "Wrk", "run_together", "threads_for"]
