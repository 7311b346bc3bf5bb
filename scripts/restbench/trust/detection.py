"""Tests whether a slowdown of known size is found: an app with an extra loop in a handler is compared with the app."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import geometric_mean

from restbench.compare.models import EntryComparison, Verdict

HANDLER = '        resp.text = "Hello World"\n'
"""The line of Falcon's hello handler. The loop is inserted before it."""

PROBE_ITERATIONS = 200
"""Iterations of the loop in the calibration. They add about 6 % to the cost of a request. A longer loop would tell less
about a short one, as further iterations cost less: 83 add 3 %, 207 6.4 % and 1,000 24 %."""


class Burn:
    """Edits a copy of Falcon: its hello handler first runs an empty loop of `iterations` iterations."""

    def __init__(self, iterations: int) -> None:
        self._iterations = iterations

    def __call__(self, folder: Path) -> None:
        """Inserts the loop into app.py. Raises ValueError when the handler's line is not there exactly once."""
        app = folder / "app.py"
        text = app.read_text()
        if text.count(HANDLER) != 1:
            raise ValueError(f"{app}: expected one line {HANDLER.strip()!r}")
        # range() creates objects only for its larger numbers, so a few iterations would cost less than their share
        loop = f"        for _ in repeat(None, {self._iterations}):\n            pass\n"
        app.write_text("from itertools import repeat\n" + text.replace(HANDLER, loop + HANDLER))


def iterations_for(share: float, probe: Sequence[float]) -> int:
    """Returns how many iterations cost that share of a request's CPU time.

    `share`: 0.05 for 5 %. `probe`: the ratios of duet rounds of the handler with PROBE_ITERATIONS against the handler
    without a loop.

    Up to that number the cost is about linear in the number of iterations. The speed of the core does not matter,
    because the share is of the same request in the same rounds.
    """
    each = (geometric_mean(probe) - 1) / PROBE_ITERATIONS
    return round(share / each)


@dataclass(frozen=True)
class Detection:
    """How often comparisons claimed a difference.

    `share`: the extra CPU time, 0.05 for 5 %, 0 for none. `repeats`: the number of comparisons. `slower`, `faster`: how
    many of them called the app slower or faster. `measured`: the ratio that each comparison found, where 1 is no
    difference.
    """

    share: float
    repeats: int
    slower: int
    faster: int
    measured: list[float]


def detection_of(share: float, comparisons: Sequence[EntryComparison]) -> Detection:
    """Counts what comparisons of an app with the same app and that extra CPU time said about their one cell.

    A comparison that measured nothing counts as a comparison that found no difference.
    """
    cells = [cell for comparison in comparisons for cell in comparison.cells]
    slower = sum(cell.verdict is Verdict.SLOWER for cell in cells)
    faster = sum(cell.verdict is Verdict.FASTER for cell in cells)
    measured = [cell.cost.ratio for cell in cells if cell.cost]
    return Detection(share, len(comparisons), slower, faster, measured)
