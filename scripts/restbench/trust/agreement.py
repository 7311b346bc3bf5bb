"""Compares the ratio of two entries by duet rounds with their ratio by solo rounds, both measured in one run."""

from dataclasses import dataclass

import numpy as np

from restbench.catalog.profiles import Profile
from restbench.measure.tools import DUET_CONNECTIONS
from restbench.results.models import EntryResult
from restbench.stats.intervals import Interval, ratio_interval

QUIET = 0.25
"""Share of the solo rounds that count as quiet: the rounds in which a request cost the app the least CPU time. A slow
phase of the core makes a request more expensive, and nothing makes it cheaper than it is."""

PROFILE = Profile(
    name="agreement",
    about="many solo rounds and duet rounds, to see whether both give the same ratio",
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
"""Solo rounds have as many connections as duet rounds, because the cost of a request depends on how many requests are
under way."""


@dataclass(frozen=True)
class Agreement:
    """The ratio of an entry's CPU time per request to that of its baseline, for one cell.

    `duets`: the ratio by duet rounds. `solo`: the ratio by quiet solo rounds.
    """

    entry: str
    baseline: str
    cell: tuple[str, str, str | None]
    duets: Interval
    solo: float

    @property
    def difference(self) -> float:
        """How much larger the ratio by duet rounds is than the ratio by quiet solo rounds: 0.05 for 5 %."""
        return self.duets.middle / self.solo - 1


def judge_agreement(entry: EntryResult, baseline: EntryResult) -> list[Agreement]:
    """Returns the ratios of each cell of the entry that has duet rounds and did not fail."""
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
    """Returns the lower quartile of the rounds' CPU times per request, in microseconds."""
    return float(np.quantile(cpu_us, QUIET))
