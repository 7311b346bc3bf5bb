"""Waits until apps have finished what earlier load left them.

A load generator that ends drops its connections with requests on the way. An app still handles those it has received,
and their CPU time must not count in the next round.
"""

from collections.abc import Sequence

from restbench.measure.tools import Tools
from restbench.targets import Target

STEP_SECONDS = 0.01
BUSY_SHARE = 0.1
"""Of one CPU. An app that uses less has nothing left to do."""
MOST_STEPS = 25
"""An app that is never quiet is not waited for longer than a quarter of a second."""


def settle(tools: Tools, targets: Sequence[Target]) -> None:
    """Returns when none of the apps is busy. Raises AppDiedError."""
    before = [target.cpu_seconds() for target in targets]
    for _ in range(MOST_STEPS):
        tools.pause(STEP_SECONDS)
        now = [target.cpu_seconds() for target in targets]
        if all(b - a < BUSY_SHARE * STEP_SECONDS for a, b in zip(before, now, strict=True)):
            return
        before = now
