"""The profiles of profiles.toml."""

import tomllib
from math import inf
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from restbench.catalog import Scenario
from restbench.errors import UsageError
from restbench.system.text import did_you_mean

FILE = Path(__file__).with_name("profiles.toml")
DEFAULT = "quick"
PUBLISHED = "full"
"""The only profile whose figures the service publishes."""

BATCH_SECONDS = 0.8
"""Seconds that a batch takes, roughly. Used only where the time of a run is planned."""

CHECKED_ROUNDS = 2
"""In how many rounds of a cell every answer is read: one at a random place of its series, and the last."""

CHECKED_SECONDS = 0.5
"""Seconds that a checked round takes, roughly. Used only where the time of a run is planned."""


USUAL_CONNECTIONS = 64
"""Connections under load of a scenario that has no number of its own."""


class Profile(BaseModel):
    """How long and how hard a run measures."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    about: str
    warm_up_seconds: float = Field(gt=0, description="seconds of each load before the first round")
    longest_warm_up_seconds: float = Field(
        inf,
        gt=0,
        description="the most seconds of load before the first round, also for a cell that is not steady then",
    )
    solo_rounds: int = Field(ge=1, description="rounds in which the app is loaded alone")
    solo_seconds: float = Field(gt=0, description="seconds of load in each solo round")
    duet_rounds: int = Field(
        ge=0, description="rounds of a comparison, in which two versions of an entry are loaded at the same time"
    )
    duet_seconds: float = Field(
        0.5, gt=0, description="seconds of load in each duet round; for slow apps up to four times as many"
    )
    latency_rounds: int = Field(ge=0, description="rounds at each fixed rate; 0: latency is not measured")
    latency_seconds: float = Field(0.5, gt=0, description="the most seconds of load in each of these rounds")
    batch_rounds: int = Field(ge=0, description="rounds of a scenario with a batch; 0: it is not measured")
    starts: int = Field(
        1, ge=1, description="how many times a run for the board starts each app, with a part of the rounds"
    )
    most_starts: int = Field(4, ge=1, description="how many times, at most, a comparison of few cells starts them")
    repeat_share: float = Field(0.1, ge=0, description="share of the planned time to repeat rounds that do not count")
    connections: int = Field(USUAL_CONNECTIONS, ge=1)
    only_tables: bool = Field(False, description="measures only cells that have a row in a table of figures")

    def measures(self, scenario: Scenario) -> bool:
        """Whether the scenario takes part in a run of this profile."""
        if self.only_tables and (scenario.column or not scenario.loaded):
            return False
        return self.batch_rounds > 0 or scenario.batch is None

    def part_of(self, start: int, rounds: int) -> range:
        """Which of so many rounds of a cell belong to a start. Starts are counted from 0."""
        return range(start * rounds // self.starts, (start + 1) * rounds // self.starts)

    def rounds_of(self, scenario: Scenario) -> int:
        """How many solo rounds a cell of that scenario gets."""
        return self.batch_rounds if scenario.batch else self.solo_rounds

    def loads_of(self, scenario: Scenario, latency: bool = True) -> int:
        """How many loads a cell of that scenario gets: warm-ups, solo and checked rounds, and those for latencies."""
        if not scenario.loaded:
            return 0
        latencies = 2 * self.latency_rounds if latency and not scenario.batch else 0
        return self.rounds_of(scenario) + self.starts * (1 + CHECKED_ROUNDS) + latencies


def load_profiles() -> dict[str, Profile]:
    tables = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {name: Profile(name=name, **table) for name, table in tables.items()}


def find_profile(name: str) -> Profile:
    """The profile of that name. Raises UsageError when there is none."""
    profiles = load_profiles()
    if name not in profiles:
        raise UsageError(f"no profile is called {name}{did_you_mean(name, profiles)}")
    return profiles[name]
