"""Measures what the work of a scenario, such as a bcrypt hash, costs without a framework.

The time that an app takes above this cost is the framework's.
"""

import statistics
import time
from collections.abc import Callable, Sequence

import bcrypt

from restbench.system.cpus import staying_on

_REPEATS = 3

HARNESS_BCRYPT = "crate bcrypt"
"""The library that the harness hashes with, as language.toml names it. Python's package bcrypt is built on it."""

WORK: dict[str, Callable[[], object]] = {
    "bcrypt": lambda: bcrypt.hashpw(b"what everybody hashes", bcrypt.gensalt(10)),
}
"""The work of scenarios, by the name that suite.toml gives it in `computes`."""


def alone(work: str, cpus: Sequence[int]) -> float:
    """Returns the milliseconds of CPU time that the work takes on the first of the CPUs, which should be idle."""
    with staying_on(tuple(cpus[:1])):
        return statistics.median(_timed(WORK[work]) for _ in range(_REPEATS))


def _timed(do: Callable[[], object]) -> float:
    began = time.thread_time_ns()
    do()
    return (time.thread_time_ns() - began) / 1e6
