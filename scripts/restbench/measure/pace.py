"""How fast do the app's CPUs run just now?

A neighbour on the same physical core, or a host that clocks down, makes every instruction take longer. Nothing inside
a virtual machine tells: it shows as neither steal nor another process, and CPU time per request grows with it (measured
here: from 37 to 64 µs for the same app, in phases of some seconds). So a fixed piece of work is timed on the app's CPUs
before and after each round, in CPU time. Its time over what it takes at its best is the round's pace, by which figures
are scaled; docs/METHODOLOGY.md has what that brings.
"""

import contextlib
import json
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

from restbench.cpus import staying_on
from restbench.errors import ResultsError
from restbench.results.files import write_atomically

_WORK = 60_000
_REPEATS = 5
_CPUS_PROBED = 4
"""With more CPUs the probe would take longer than it is worth; a slow host is slow on all of them."""


def probe(cpus: Sequence[int]) -> float:
    """Milliseconds of CPU time that the fixed work takes on the slowest of those CPUs, which should be idle."""
    return max(_probe_one(cpu) for cpu in list(cpus)[:_CPUS_PROBED])


def _probe_one(cpu: int) -> float:
    with staying_on((cpu,)):
        return statistics.median(_work() for _ in range(_REPEATS))


def _work() -> float:
    began = time.thread_time_ns()
    total = 0
    for number in range(_WORK):
        total += number & 7
    return (time.thread_time_ns() - began) / 1e6


def fast_quarter(probes: Sequence[float]) -> float:
    """What a run's probes take when nothing disturbs them: their lower quartile, as the very fastest is luck."""
    return statistics.quantiles(probes, n=4)[0] if len(probes) > 1 else probes[0]


class Baseline:
    """The best pace that this machine has shown, kept between runs: a run that is disturbed throughout shows too.

    One number per CPU model, in a file that may be removed at any time.
    """

    def __init__(self, file: Path, cpu_model: str) -> None:
        self._file = file
        self._cpu_model = cpu_model

    def with_run(self, probes: Sequence[float]) -> float:
        """The baseline in milliseconds, given this run's probes, which may improve it."""
        known = self._read()
        best = min([fast_quarter(probes), *([known[self._cpu_model]] if self._cpu_model in known else [])])
        with contextlib.suppress(ResultsError):  # it only helps the next run
            write_atomically(self._file, json.dumps(known | {self._cpu_model: best}).encode())
        return best

    def _read(self) -> dict[str, float]:
        try:
            return {str(model): float(best) for model, best in json.loads(self._file.read_bytes()).items()}
        except (OSError, ValueError, AttributeError):
            return {}
