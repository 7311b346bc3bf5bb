"""Measures what a bcrypt hash, the work that a scenario may compute, costs without a framework.

The time that an app takes above this cost is the framework's.
"""

import statistics
import time
from collections.abc import Sequence

import bcrypt

from restbench.system.cpus import staying_on

_REPEATS = 3

HARNESS_BCRYPT = "crate bcrypt"
"""The library that the harness hashes with, as language.toml names it. Python's package bcrypt is built on it."""


def alone(cpus: Sequence[int]) -> float:
    """Returns the milliseconds of CPU time that a hash takes on the first of the CPUs, which should be idle."""
    with staying_on(tuple(cpus[:1])):
        return statistics.median(_hash_milliseconds() for _ in range(_REPEATS))


def _hash_milliseconds() -> float:
    began = time.thread_time_ns()
    bcrypt.hashpw(b"what everybody hashes", bcrypt.gensalt(10))
    return (time.thread_time_ns() - began) / 1e6
