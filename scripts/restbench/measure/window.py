"""Runs a load, and records the CPU time and the memory that are used meanwhile."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from restbench.loadgen import Load, LoadResult
from restbench.measure.settle import settle
from restbench.measure.tools import Tools
from restbench.measure.usage import CpuTimes, PeakMemory
from restbench.system.cpus import CpuSplit
from restbench.targets import Target


@dataclass(frozen=True)
class Window:
    """The result of the load generator, and what app, load generator, backend and harness used meanwhile.

    `app_side`, `load_side` and `backend_side` are the times of the CPUs of each side.
    """

    load: LoadResult
    connections: int
    wall_seconds: float
    app_cpu_seconds: float
    app_side: CpuTimes
    load_side: CpuTimes
    backend_side: CpuTimes
    backend_cpu_seconds: float
    harness_cpu_seconds: float
    memory_peak_bytes: int

    def app_idle_share(self, cpus: CpuSplit) -> float:
        return idle_share(self.app_side, self.wall_seconds, self.load.seconds, len(cpus.app))

    def backend_idle_share(self, cpus: CpuSplit) -> float:
        return idle_share(self.backend_side, self.wall_seconds, self.load.seconds, len(cpus.backend))


def idle_share(side: CpuTimes, wall_seconds: float, load_seconds: float, count: int) -> float:
    """Returns the idle share, from 0 to 1, of `count` CPUs while there was load.

    CPUs are idle while the load generator itself starts and ends. That time is subtracted.
    """
    without_load = max(0.0, wall_seconds - load_seconds) * count
    return max(0.0, side.idle - without_load) / max(1e-9, load_seconds * count)


def taken_by_others(side: CpuTimes, ours: float, capacity: float) -> float:
    """Returns the share of some CPUs' time that was neither ours, nor idle, nor in interrupts.

    `ours`: CPU seconds of our own processes. `capacity`: the CPU seconds that there were.
    """
    return max(0.0, 1 - (ours + side.idle + side.interrupts) / capacity)


def observe(tools: Tools, target: Target, load: Load, run: Callable[[Load], LoadResult]) -> Window:
    """Waits until the app is not busy, runs the load, and returns what was used. Raises AppDiedError."""
    cpus, used = tools.cpus, tools.backend_cpu_seconds
    settle(tools, [target])
    with PeakMemory(target) as memory:
        # The CPU time of a backend in containers is read with docker inspect, a command for each of its programs. Each
        # takes some 13 ms, which in a short round would look as if others had used the CPUs.
        backend_before = used()
        before, own, began = target.cpu_seconds(), time.process_time(), tools.clock()
        app_side, load_side, backend_side = map(tools.cpu_times, (cpus.app, cpus.load, cpus.backend))
        result = run(load)
        app_side = tools.cpu_times(cpus.app) - app_side
        load_side = tools.cpu_times(cpus.load) - load_side
        backend_side = tools.cpu_times(cpus.backend) - backend_side
        own, wall = time.process_time() - own, tools.clock() - began
        app_cpu = target.cpu_seconds() - before
        # the difference is negative if a program of the backend died, as its CPU time is no longer counted
        backend_cpu = max(0.0, used() - backend_before)
    return Window(
        load=result,
        connections=load.connections,
        wall_seconds=wall,
        app_cpu_seconds=app_cpu,
        app_side=app_side,
        load_side=load_side,
        backend_side=backend_side,
        backend_cpu_seconds=backend_cpu,
        harness_cpu_seconds=own,
        memory_peak_bytes=max(memory.bytes, target.resources().memory_bytes),
    )
