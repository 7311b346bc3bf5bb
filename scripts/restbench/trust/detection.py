"""Is a slowdown of a known size found: an app whose handler burns some CPU time is compared with itself without it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from restbench.compare.models import EntryComparison, Verdict
from restbench.results.models import DuetRounds
from restbench.stats.intervals import ratio_interval

HANDLER = '        resp.text = "Hello World"\n'
"""The line of Falcon's hello handler before which the burning goes."""

PROBE_ITERATIONS = 1000
"""Iterations in the calibration. They add about a quarter to the cost of a request: far more than noise, and little
enough that the rest of a request costs what it did."""


class Burn:
    """Edits a copy of Falcon so that its hello handler runs an empty loop of that many iterations first."""

    def __init__(self, iterations: int) -> None:
        self._iterations = iterations

    def __call__(self, folder: Path) -> None:
        """Raises ValueError where the handler does not read as it should."""
        app = folder / "app.py"
        text = app.read_text()
        if text.count(HANDLER) != 1:
            raise ValueError(f"{app}: expected one line {HANDLER.strip()!r}")
        # range() would make objects of its larger numbers only, so that few iterations would cost less than their share
        loop = f"        for _ in repeat(None, {self._iterations}):\n            pass\n"
        app.write_text("from itertools import repeat\n" + text.replace(HANDLER, loop + HANDLER))


def iterations_for(share: float, probe: DuetRounds) -> int:
    """How many iterations cost that share of a request.

    `probe`: duet rounds of the handler with PROBE_ITERATIONS against itself with none. Cost is linear in iterations,
    and the share is of the same request in the same rounds, so the core's speed does not matter.
    """
    each = (ratio_interval(probe.relative_costs).middle - 1) / PROBE_ITERATIONS
    return round(share / each)


@dataclass(frozen=True)
class Detection:
    """How often a difference was claimed. `share`: the extra CPU time, 0.05 for 5 %; 0 for none. `measured`: the ratio
    that each repeat found, 1 being no difference."""

    share: float
    repeats: int
    slower: int
    faster: int
    measured: list[float]


def detection_of(share: float, comparisons: Sequence[EntryComparison]) -> Detection:
    """What comparisons of an app with itself and that extra CPU time said of their one cell.

    A comparison that measured nothing counts as one that found nothing.
    """
    cells = [cell for comparison in comparisons for cell in comparison.cells]
    slower = sum(cell.verdict is Verdict.SLOWER for cell in cells)
    faster = sum(cell.verdict is Verdict.FASTER for cell in cells)
    measured = [cell.cost.ratio for cell in cells if cell.cost]
    return Detection(share, len(comparisons), slower, faster, measured)
