"""What happens in a made history: versions that change costs, machines, gaps and a broken entry."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from math import exp
from random import Random

START = datetime(2026, 1, 4, 4, 0, tzinfo=UTC)
BUMPS_A_YEAR = 3.0
"""New versions of an entry in a year. Most of them change no cost."""

CHANGING = 0.25
"""The share of versions that change costs."""

GAP = range(45, 49)
"""Weeks without a run."""

HARNESS_WEEK = 130
"""From this week on, another harness measures."""

MACHINE_WEEK, MACHINE = 200, 0.8
"""From this week on, runners have another CPU, with which a request costs so much of what it did."""

BROKEN, BROKEN_WEEK = 11, 250
"""The number of an entry that fails from that week on."""


@dataclass(frozen=True)
class Bump:
    """A new version of an entry in a week. `effect` is the logarithm of the ratio of costs, after over before."""

    entry: int
    week: int
    before: str
    after: str
    effect: float


@dataclass
class World:
    """A made history of so many entries and weeks. The same numbers always give the same history."""

    entries: int
    weeks: int
    bumps_a_year: float = BUMPS_A_YEAR
    base: list[float] = field(default_factory=list)
    bumps: list[Bump] = field(default_factory=list)

    def __post_init__(self) -> None:
        rng = Random(1)
        self.base = [100.0 * rng.lognormvariate(0, 0.8) for _ in range(self.entries)]
        for entry in range(self.entries):
            # Each entry has random numbers of its own, so that a longer history begins with the shorter one.
            self.bumps += self._bumps_of(entry, Random(rng.getrandbits(64)))

    def _bumps_of(self, entry: int, rng: Random) -> list[Bump]:
        found: list[Bump] = []
        minor = 0
        for week in range(2, self.weeks):
            if rng.random() < self.bumps_a_year / 52:
                effect = rng.gauss(0, 0.07) if rng.random() < CHANGING else 0.0
                found.append(Bump(entry, week, f"1.{minor}.0", f"1.{minor + 1}.0", effect))
                minor += 1
        return found

    def day(self, week: int) -> datetime:
        return START + timedelta(weeks=week)

    def version(self, entry: int, week: int) -> str:
        done = [bump for bump in self.bumps if bump.entry == entry and bump.week <= week]
        return done[-1].after if done else "1.0.0"

    def cost(self, entry: int, week: int) -> float:
        """CPU µs of a request of Hello World, without noise."""
        effect = sum(bump.effect for bump in self.bumps if bump.entry == entry and bump.week <= week)
        machine = MACHINE if week >= MACHINE_WEEK else 1.0
        return self.base[entry] * exp(effect) * machine

    def is_broken(self, entry: int, week: int) -> bool:
        return entry == BROKEN and week >= BROKEN_WEEK

    def weeks_with_runs(self) -> Sequence[int]:
        return [week for week in range(self.weeks) if week not in GAP]
