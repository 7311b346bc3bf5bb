"""Do duet rounds give the ratio that solo rounds give? Of two entries, both ways in one run."""

from dataclasses import dataclass

import numpy as np

from restbench.catalog.profiles import Profile
from restbench.measure.tools import DUET_CONNECTIONS
from restbench.results.models import EntryResult
from restbench.stats.intervals import Interval, ratio_interval

QUIET = 0.25
"""Share of solo rounds that are taken for quiet: those in which a request cost the app least CPU time. Nothing makes a
request cheaper than it is, while a slow phase of the core makes it dearer."""

PROFILE = Profile(
    name="agreement",
    about="many solo rounds beside duet rounds, to see whether both give the same ratio",
    warm_up_seconds=1,
    solo_rounds=96,
    solo_seconds=0.5,
    duet_rounds=24,
    duet_seconds=0.5,
    latency_rounds=0,
    batch_rounds=0,
    repeat_share=0.1,
    connections=DUET_CONNECTIONS,
)
"""With as many connections alone as in duet rounds: what a request costs depends on how many are under way."""


@dataclass(frozen=True)
class Agreement:
    """The ratio of CPU time per request of an entry over its baseline's, both ways."""

    entry: str
    baseline: str
    cell: tuple[str, str, str | None]
    duets: Interval
    solo: float

    @property
    def difference(self) -> float:
        """By how much the duets' ratio is above that of the quiet solo rounds, as a share."""
        return self.duets.middle / self.solo - 1


def judge_agreement(entry: EntryResult, baseline: EntryResult) -> list[Agreement]:
    """Each cell of the entry that has duet rounds."""
    partners = {cell.key: cell for cell in baseline.cells}
    found = []
    for cell in entry.cells:
        if cell.failure or not cell.duets or not cell.duets.count:
            continue
        partner = partners[cell.suite, cell.scenario, cell.duets.baseline_variant]
        solo = _quiet(cell.solo.cpu_us) / _quiet(partner.solo.cpu_us)
        found.append(Agreement(entry.entry, baseline.entry, cell.key, ratio_interval(cell.duets.relative_costs), solo))
    return found


def _quiet(cpu_us: list[float]) -> float:
    """The lower quartile."""
    return float(np.quantile(cpu_us, QUIET))
