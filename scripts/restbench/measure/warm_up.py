"""Warms apps up before the first round: caches fill, and runtimes that compile at run time compile.

Such a runtime is loaded until its cost per request has stopped falling. The cost is CPU time, so an app that waits is
not taken for a cold one. A slow phase of the machine may end the warm-up early. `MOST_LOADS` limits its length.
"""

from collections.abc import Callable
from functools import partial

from restbench.catalog import Cell, Entry
from restbench.measure.blame import blaming_the_app, shape_of
from restbench.measure.tools import Tools
from restbench.measure.visit import run_batch
from restbench.targets import Target

FALLING = 0.95
"""The runtime still gets faster if a load costs less than this share of the cheapest load before it."""
STEADY_LOADS = 3
"""How many loads in a row must bring no gain. It is several because compilers work in the background, in bursts."""
MOST_LOADS = 16


def warm_up(tools: Tools, target: Target, entry: Entry, cell: Cell) -> float:
    """Loads a cell without counting it. Returns the throughput of the last load, in requests per second."""
    once = partial(_batch if entry.scenario(cell).batch else _load, tools, target, entry, cell)
    if not entry.language.manifest.compiles_at_run_time:
        return once()[0]
    return _until_steady(once)


def _until_steady(once: Callable[[], tuple[float, float]]) -> float:
    cheapest, steady, throughput = float("inf"), 0, 0.0
    for _ in range(MOST_LOADS):
        throughput, cost = once()
        steady = 0 if cost < FALLING * cheapest else steady + 1
        cheapest = min(cheapest, cost)
        if steady == STEADY_LOADS:
            break
    return throughput


def _batch(tools: Tools, target: Target, entry: Entry, cell: Cell) -> tuple[float, float]:
    """Returns the requests per second and the CPU seconds per request."""
    window = run_batch(tools, target, entry, cell)
    return window.load.throughput, window.app_cpu_seconds / max(1, window.load.requests)


def _load(tools: Tools, target: Target, entry: Entry, cell: Cell) -> tuple[float, float]:
    """Returns the requests per second and the CPU seconds per request."""
    with blaming_the_app(target, entry):
        before = target.cpu_seconds()
        load = tools.closed_loop(entry.scenario(cell), tools.profile.warm_up_seconds)
        result = tools.throughput.run(target.base_url, shape_of(entry, cell), load)
        return result.throughput, (target.cpu_seconds() - before) / max(1, result.requests)
