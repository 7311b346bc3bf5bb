"""The profiles of profiles.toml."""

import tomllib
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from restbench.catalog import Scenario
from restbench.catalog.consistency import did_you_mean
from restbench.errors import UsageError

FILE = Path(__file__).with_name("profiles.toml")
DEFAULT = "quick"

BATCH_SECONDS = 1.0
"""What batches are made to take about; only used to say beforehand how long a run will take."""


class Profile(BaseModel):
    """How long and how hard a run measures."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    about: str
    rounds: int = Field(ge=1)
    warm_up_seconds: int = Field(
        ge=0, description="once per cell; its throughput sets the fixed rate; 0: no fixed rate"
    )
    load_seconds: int = Field(ge=1, description="of wrk in each round; it takes whole seconds only")
    fixed_rate_seconds: float = Field(ge=0, description="of oha in each round; 0: not measured")
    fixed_rate_share: float = Field(0.5, gt=0, lt=1, description="of the capacity seen in warm-up")
    repeat_share: float = Field(0.1, ge=0, description="of the planned time, for repeating rounds that do not count")
    connections: int = Field(64, ge=1)
    threads: int | None = Field(None, description="of wrk; by default one per CPU of the load generator")
    pin: bool = True
    batches: bool = Field(True, description="whether what is measured as a batch is measured at all")

    @property
    def fixed_rate(self) -> bool:
        return self.fixed_rate_seconds > 0 and self.warm_up_seconds > 0

    def measures(self, scenario: Scenario) -> bool:
        """Whether the scenario takes part in a run of this profile."""
        return self.batches or scenario.batch is None

    def planned_seconds(self, scenario: Scenario | None = None) -> float:
        """Load and warm-up time of a cell; of a batch, which takes the time it takes, about that."""
        if scenario and not scenario.loaded:
            return 0.0
        if scenario and scenario.batch:
            return self.rounds * BATCH_SECONDS
        return self.warm_up_seconds + self.rounds * (self.load_seconds + self.fixed_rate_seconds)

    def planned_visits(self, scenario: Scenario) -> int:
        """How often a cell is visited, warm-up included."""
        if not scenario.loaded:
            return 0
        return self.rounds + (self.warm_up_seconds > 0 and not scenario.batch)


def load_profiles() -> dict[str, Profile]:
    tables = tomllib.loads(FILE.read_text())
    return {name: Profile(name=name, **table) for name, table in tables.items()}


def find_profile(name: str) -> Profile:
    """The profile of that name. Raises UsageError."""
    profiles = load_profiles()
    if name not in profiles:
        raise UsageError(f"no profile is called {name}{did_you_mean(name, profiles)}")
    return profiles[name]
