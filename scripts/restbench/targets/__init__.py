"""Running entries: natively or in Docker, behind one interface."""

from restbench.targets.building import build_pool
from restbench.targets.choose import choose_runtime, remove_orphans
from restbench.targets.interface import Build, Runtime, Settings, Target

__all__ = [
    "Build",
    "Runtime",
    "Settings",
    "Target",
    "build_pool",
    "choose_runtime",
    "remove_orphans",
]
