"""A time under load with what was used in it."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from restbench.cpus import CpuSplit
from restbench.loadgen import Load, LoadResult
from restbench.measure.tools import Tools
from restbench.measure.usage import CpuTimes, PeakMemory, cpu_times
from restbench.targets import Target


@dataclass(frozen=True)
class Window:
    """What the load generator saw, and what both sides used meanwhile."""

    load: LoadResult
    connections: int
    wall_seconds: float
    app_cpu_seconds: float
    app_side: CpuTimes
    load_side: CpuTimes
    backend_side: CpuTimes
    backend_cpu_seconds: float
    harness_cpu_seconds: float
    probe_ms: float
    memory_peak_bytes: int

    def app_idle_share(self, cpus: CpuSplit) -> float:
        return self._idle_share(self.app_side, len(cpus.app))

    def backend_idle_share(self, cpus: CpuSplit) -> float:
        return self._idle_share(self.backend_side, len(cpus.backend))

    def _idle_share(self, side: CpuTimes, count: int) -> float:
        """Of some CPUs while there was load: the load generator's own start and end are nobody's idleness."""
        without_load = max(0.0, self.wall_seconds - self.load.seconds) * count
        return max(0.0, side.idle - without_load) / max(1e-9, self.load.seconds * count)


def observe(tools: Tools, target: Target, load: Load, run: Callable[[Load], LoadResult]) -> Window:
    """Runs the load, and watches."""
    cpus, used = tools.cpus, tools.backend_cpu_seconds
    pace_before = tools.probe(cpus.app)
    with PeakMemory(target) as memory:
        before, own, began = target.resources(), time.process_time(), time.monotonic()
        backend_before = used()
        app_side, load_side, backend_side = map(cpu_times, (cpus.app, cpus.load, cpus.backend))
        result = run(load)
        app_side = cpu_times(cpus.app) - app_side
        load_side = cpu_times(cpus.load) - load_side
        backend_side = cpu_times(cpus.backend) - backend_side
        backend_cpu = max(0.0, used() - backend_before)  # what a program of it that died had used is gone with it
        after, own, wall = target.resources(), time.process_time() - own, time.monotonic() - began
    return Window(
        load=result,
        connections=load.connections,
        wall_seconds=wall,
        app_cpu_seconds=after.cpu_seconds - before.cpu_seconds,
        app_side=app_side,
        load_side=load_side,
        backend_side=backend_side,
        backend_cpu_seconds=backend_cpu,
        harness_cpu_seconds=own,
        # phases change within a round too: of one that began slow and ended fast, neither end says all
        probe_ms=(pace_before + tools.probe(cpus.app)) / 2,
        memory_peak_bytes=max(memory.bytes, after.memory_bytes),
    )
