"""Waits until apps have finished what earlier load left them.

A load generator that dies, or gives up waiting for answers, leaves requests on the way. The app still handles the
requests that it has received. Their CPU time must not count in the next round.
"""

from collections.abc import Sequence

from restbench.measure.tools import Tools
from restbench.targets import Target

STEP_SECONDS = 0.01
BUSY_SHARE = 0.1
"""Share of one CPU. An app that uses less has nothing left to do."""
MOST_STEPS = 25
"""How many steps to wait at most for an app that stays busy: a quarter of a second in all."""


def settle(tools: Tools, targets: Sequence[Target]) -> None:
    """Waits until none of the apps is busy, or for `MOST_STEPS` steps. Raises AppDiedError."""
    before = [target.cpu_seconds() for target in targets]
    for _ in range(MOST_STEPS):
        tools.pause(STEP_SECONDS)
        now = [target.cpu_seconds() for target in targets]
        if all(b - a < BUSY_SHARE * STEP_SECONDS for a, b in zip(before, now, strict=True)):
            return
        before = now
