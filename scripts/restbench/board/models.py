"""The board as data: sections, tables and matrices, in the order they are shown."""

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import Enum

from restbench.board.rows import Row, Table
from restbench.results.models import Ceiling, Limit, Machine
from restbench.stats.intervals import Interval


@dataclass(frozen=True, order=True)
class Setting:
    """Figures that differ in any of these never share a table."""

    target: str
    profile: str
    machine_class: str


@dataclass(frozen=True)
class Total:
    """How long an entry took for a batch under one condition; `mark` is "best", "worst" or None."""

    seconds: Interval | None
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
    """The tables of a suite. `ceilings`: what its backend gave on its own in each group, where it has one."""

    name: str
    title: str
    about: str
    tables: list[Table]
    matrices: list[Matrix]
    grades: list[Grades]
    ceilings: list[Ceiling]


@dataclass(frozen=True)
class FactsRow:
    """What is true of an entry whatever the scenario. Sizes in bytes, times in seconds.

    `runtime` is what runs or compiled the entry, `runtime_build` how that was built.
    """

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
    runtime: str | None = None
    runtime_build: str | None = None
    released: date | None = None
    licence: str | None = None
    packages: int | None = None
    code_lines: int | None = None
    build_seconds: float | None = None
    start_seconds: float | None = None
    idle_cpu_share: float | None = None
    memory_start_bytes: int | None = None
    memory_peak_bytes: int | None = None
    memory_after_bytes: int | None = None
    size_bytes: int | None = None


@dataclass(frozen=True)
class Reference:
    """How many requests per second the load generator can drive: what nginx with static answers gave.

    `at_least`: the load generator was not the limit. `failure` says why there is no figure.
    """

    title: str
    throughput: Interval | None
    at_least: bool
    failure: str | None


@dataclass(frozen=True)
class Agreement:
    """How far derived speeds are from measured throughputs, as shares: 0.05 is 5 %. `worst_row` names that row."""

    rows: int
    median: float
    worst: float
    worst_row: str


@dataclass(frozen=True)
class Section:
    """Everything that was measured in one setting. `solo_rounds`, `duet_rounds`: the most that a cell had."""

    setting: Setting
    first: datetime
    last: datetime
    machines: list[Machine]
    suites: list[SuiteTables]
    facts: list[FactsRow]
    latency_remark: str | None
    solo_rounds: int
    duet_rounds: int
    reference: Reference | None = None
    agreement: Agreement | None = None


@dataclass(frozen=True)
class Board:
    """All sections: those of most entries first, then the newest. `missed`: of entries that were never measured, what
    became of the run that was to."""

    sections: list[Section]
    missed: dict[str, str] = field(default_factory=dict)
