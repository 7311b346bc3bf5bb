"""The board as data: sections, tables, rows, in the order they are shown."""

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import Enum

from restbench.results.models import Ceiling, FixedRate, Latencies, Limit, Machine
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

    `rank` is None for what is not ranked: failed, limited by something other than the app, or the reference. `stale`
    says why a newer run has no figure of it.
    `ratio` is the throughput over the reference's of the same round. Latencies and the overhead, which is above what
    the contract asks for, in milliseconds. `seconds` is what a whole batch took; None for what is no batch.
    """

    entry: str
    title: str
    language: str
    homepage: str
    version: str | None
    unmaintained: bool
    reference: bool
    variant: str | None
    measured: datetime
    rank: int | None = None
    throughput: Estimate | None = None
    ratio: Estimate | None = None
    seconds: Estimate | None = None
    overhead: Estimate | None = None
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
    not_run: str | None = None
    stale: str | None = None

    @property
    def label(self) -> str:
        """How charts name the row."""
        return " · ".join(filter(None, [self.title, self.variant, "stale" if self.stale else ""]))


@dataclass(frozen=True)
class Table:
    """One scenario: ranked rows by throughput, then what is not ranked, then what failed.

    Where the suite has variants, a scenario has two: without a schema, and with one. `name` tells tables apart.
    """

    name: str
    title: str
    request: str
    rows: list[Row]

    @property
    def measured(self) -> list[Row]:
        return [row for row in self.rows if row.throughput is not None]


@dataclass(frozen=True)
class Total:
    """How long an entry took for a batch under one condition; `mark` is "best", "worst" or None."""

    seconds: Estimate | None
    limit: Limit | None
    mark: str | None
    failure: str | None
    not_run: str | None


@dataclass(frozen=True)
class Line:
    """An entry's totals, one for each column of the matrix; None where the entry has no such cell.

    `row` is one of the entry's cells, for its title and version.
    """

    row: Row
    totals: list[Total | None]


@dataclass(frozen=True)
class Matrix:
    """One task under several conditions. `not_run` has the conditions that this machine could not make, with why."""

    title: str
    request: str
    columns: list[str]
    lines: list[Line]
    not_run: dict[str, str]


class Grade(Enum):
    """How an entry has a mark: as its framework makes it of annotated code, by the entry's own hand, or not at all."""

    FRAMEWORK = "✓"
    BY_HAND = "by hand"
    MISSING = "–"


@dataclass(frozen=True)
class GradesLine:
    """An entry's grades in the order of the marks, none where it could not be asked. `score` counts the framework's."""

    row: Row
    grades: list[Grade]
    score: int


@dataclass(frozen=True)
class Grades:
    """A scenario with marks in place of figures."""

    name: str
    title: str
    request: str
    marks: list[str]
    lines: list[GradesLine]


@dataclass(frozen=True)
class SuiteTables:
    """The tables of a suite. `ceilings`: what its backend gave on its own in each job, where it has one."""

    name: str
    title: str
    about: str
    tables: list[Table]
    matrices: list[Matrix]
    grades: list[Grades]
    ceilings: list[Ceiling]


@dataclass(frozen=True)
class FactsRow:
    """What is true of an entry whatever the scenario. Sizes in bytes, times in seconds."""

    entry: str
    title: str
    language: str
    homepage: str
    documentation: str
    source: str
    version: str | None
    interface: str
    server: str | None
    openapi: bool
    unmaintained: bool
    released: date | None
    licence: str | None
    packages: int | None
    code_lines: int | None
    build_seconds: float | None
    start_seconds: float | None
    idle_cpu_share: float | None
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
    """All sections: those of most entries first, then the newest. `missed`: of entries that were never measured, what
    became of the run that was to."""

    sections: list[Section]
    missed: dict[str, str] = field(default_factory=dict)
