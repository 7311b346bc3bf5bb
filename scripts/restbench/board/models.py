"""The board as data: sections, tables, rows, in the order they are shown."""

from dataclasses import dataclass
from datetime import datetime

from restbench.results.models import FixedRate, Latencies, Limit, Machine
from restbench.stats import Estimate


@dataclass(frozen=True, order=True)
class Setting:
    """Figures that differ in any of these never share a table."""

    target: str
    profile: str
    machine_class: str


@dataclass(frozen=True)
class Row:
    """One cell. Either `failure` says why there is no number, or the figures are there.

    `rank` is None for what is not ranked: failed, limited by something other than the app, or the reference.
    `ratio` is the throughput over the reference's of the same round. Latencies in milliseconds.
    """

    entry: str
    title: str
    homepage: str
    version: str | None
    unmaintained: bool
    reference: bool
    variant: str | None
    measured: datetime
    rank: int | None = None
    throughput: Estimate | None = None
    ratio: Estimate | None = None
    percent_of_best: float | None = None
    times_slowest: float | None = None
    fixed_rate: FixedRate | None = None
    saturated: Latencies | None = None
    cpu_us: Estimate | None = None
    memory_bytes: int | None = None
    limit: Limit | None = None
    rounds_counted: int = 0
    rounds: int = 0
    remark: str | None = None
    failure: str | None = None

    @property
    def label(self) -> str:
        """How charts name the row."""
        return f"{self.title} · {self.variant}" if self.variant else self.title


@dataclass(frozen=True)
class Table:
    """One scenario: ranked rows by throughput, then what is not ranked, then what failed."""

    scenario: str
    title: str
    request: str
    rows: list[Row]

    @property
    def measured(self) -> list[Row]:
        return [row for row in self.rows if row.throughput is not None]


@dataclass(frozen=True)
class SuiteTables:
    """The tables of a suite."""

    name: str
    title: str
    about: str
    tables: list[Table]


@dataclass(frozen=True)
class FactsRow:
    """What is true of an entry whatever the scenario. Sizes in bytes, times in seconds."""

    entry: str
    title: str
    homepage: str
    source: str
    version: str | None
    interface: str
    server: str | None
    start_seconds: float | None
    memory_start_bytes: int | None
    memory_peak_bytes: int | None
    memory_after_bytes: int | None
    size_bytes: int | None


@dataclass(frozen=True)
class Section:
    """Everything that was measured in one setting."""

    setting: Setting
    first: datetime
    last: datetime
    machines: list[Machine]
    suites: list[SuiteTables]
    facts: list[FactsRow]
    latency_remark: str | None
    rounds: int


@dataclass(frozen=True)
class Board:
    """All sections, the newest first."""

    sections: list[Section]
