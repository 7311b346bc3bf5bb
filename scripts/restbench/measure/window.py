"""A time under load with what was used in it."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from restbench.cpus import CpuSplit
from restbench.loadgen import LoadResult
from restbench.measure.tools import Tools
from restbench.measure.usage import CpuTimes, PeakMemory, cpu_times
from restbench.targets import Target


@dataclass(frozen=True)
class Window:
    """What the load generator saw, and what both sides used meanwhile."""

    load: LoadResult
    wall_seconds: float
    app_cpu_seconds: float
    app_side: CpuTimes
    load_side: CpuTimes
    harness_cpu_seconds: float
    probe_ms: float
    memory_peak_bytes: int

    def app_idle_share(self, cpus: CpuSplit) -> float:
        """Of the app's CPUs while there was load: the load generator's own start and end are nobody's idleness."""
        without_load = max(0.0, self.wall_seconds - self.load.seconds) * len(cpus.app)
        idle = max(0.0, self.app_side.idle - without_load)
        return idle / max(1e-9, self.load.seconds * len(cpus.app))


def observe(tools: Tools, target: Target, run: Callable[[], LoadResult]) -> Window:
    """Runs the load, and watches."""
    pace_before = tools.probe(tools.cpus.app)
    with PeakMemory(target) as memory:
        before, own, began = target.resources(), time.process_time(), time.monotonic()
        app_side, load_side = cpu_times(tools.cpus.app), cpu_times(tools.cpus.load)
        load = run()
        app_side, load_side = cpu_times(tools.cpus.app) - app_side, cpu_times(tools.cpus.load) - load_side
        after, own, wall = target.resources(), time.process_time() - own, time.monotonic() - began
    return Window(
        load=load,
        wall_seconds=wall,
        app_cpu_seconds=after.cpu_seconds - before.cpu_seconds,
        app_side=app_side,
        load_side=load_side,
        harness_cpu_seconds=own,
        probe_ms=max(pace_before, tools.probe(tools.cpus.app)),
        memory_peak_bytes=max(memory.bytes, after.memory_bytes),
    )
