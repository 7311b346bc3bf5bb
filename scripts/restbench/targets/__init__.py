"""Runs entries natively or in Docker, behind one interface."""

from restbench.targets.choose import choose_runtime, remove_orphans
from restbench.targets.interface import BUILDS_AT_A_TIME, Build, Runtime, Settings, Target

__all__ = [
    "BUILDS_AT_A_TIME",
    "Build",
    "Runtime",
    "Settings",
    "Target",
    "choose_runtime",
    "remove_orphans",
]
