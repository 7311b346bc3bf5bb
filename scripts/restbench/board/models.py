"""The data model of the board: sections, tables and matrices, in the order in which they are shown."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

from restbench.board.rows import Row, Table
from restbench.catalog import Entry
from restbench.catalog.profiles import PUBLISHED
from restbench.results.models import Ceiling, Limit, Machine, Run
from restbench.stats.intervals import Interval


@dataclass(frozen=True, order=True)
class Setting:
    """How and where figures were measured. Figures of different settings never share a table."""

    target: str
    profile: str
    machine_class: str

    @property
    def is_services(self) -> bool:
        """Whether the service on GitHub measured so."""
        return (self.target, self.profile) == ("docker", PUBLISHED) and self.machine_class.startswith("github-hosted-")


@dataclass(frozen=True)
class Total:
    """How long an entry took for a batch under one condition. `mark` is "best", "worst" or None."""

    seconds: Interval | None
    limit: Limit | None
    mark: str | None
    failure: str | None
    not_run: str | None


@dataclass(frozen=True)
class MatrixLine:
    """The totals of an entry, one for each column of the matrix. A total is None if the entry has no such cell.

    `row` is the row of one of the entry's cells. It gives the title and version.
    """

    row: Row
    totals: list[Total | None]


@dataclass(frozen=True)
class Matrix:
    """One task under several conditions. `not_run` maps conditions that no entry was run under to the reason."""

    title: str
    request: str
    columns: list[str]
    lines: list[MatrixLine]
    not_run: dict[str, str]


class Support(Enum):
    """Who provides a feature: the framework from annotated code, a library from it, the entry by hand, or nobody."""

    FRAMEWORK = "✓"
    LIBRARY = "library"
    BY_HAND = "by hand"
    MISSING = "–"


@dataclass(frozen=True)
class FeatureLine:
    """The features of an entry in the order of the columns. `support` is empty if they were not checked.

    `score` is the number of features that the framework or `library` provides. `library` is one of another project.
    """

    row: Row
    support: list[Support]
    score: int
    library: str | None


@dataclass(frozen=True)
class FeatureTable:
    """A scenario with feature checks in place of figures."""

    name: str
    title: str
    request: str
    features: list[str]
    lines: list[FeatureLine]


@dataclass(frozen=True)
class SuiteTables:
    """The tables of a suite. `ceilings` has the ceiling of its backend in each group. It is empty without a backend."""

    name: str
    title: str
    about: str
    tables: list[Table]
    matrices: list[Matrix]
    feature_tables: list[FeatureTable]
    ceilings: list[Ceiling]

    @property
    def further_rows(self) -> list[Row]:
        """The rows of what belongs to no scenario's table: matrices and feature checks."""
        of_matrices = [line.row for matrix in self.matrices for line in matrix.lines]
        return [*of_matrices, *(line.row for table in self.feature_tables for line in table.lines)]

    @property
    def measured(self) -> bool:
        """Whether this machine could measure anything of the suite."""
        return any(not table.unmeasured for table in self.tables) or any(
            not row.cell.not_run for row in self.further_rows
        )

    @property
    def rows(self) -> list[Row]:
        return [*(row for table in self.tables for row in table.rows), *self.further_rows]


@dataclass(frozen=True)
class FactsRow:
    """The facts of an entry that do not depend on the scenario, as the run has them that measured most of its cells."""

    entry: Entry
    run: Run

    @property
    def language(self) -> str:
        return self.entry.language.manifest.title

    @property
    def server(self) -> str:
        return self.entry.manifest.server or "its own"


@dataclass(frozen=True)
class Reference:
    """How many requests per second the load generator can drive, measured with nginx and static answers.

    `at_least` is true if the load generator was not the limit: it can then drive more than the figure. `failure` says
    why there is no figure.
    """

    title: str
    throughput: Interval | None
    at_least: bool
    failure: str | None


@dataclass(frozen=True)
class Section:
    """All results of one setting.

    `rounds` is the largest number that a cell had, with refused rounds. `link_remark` says which languages are not
    compared with others.
    """

    setting: Setting
    first: datetime
    last: datetime
    machines: list[Machine]
    suites: list[SuiteTables]
    facts: list[FactsRow]
    latency_remark: str | None
    rounds: int
    link_remark: str | None = None
    reference: Reference | None = None


@dataclass(frozen=True)
class Board:
    """The whole board. What the service measured comes first, else the section with most entries, of which those in
    Docker count twice; of equal ones, the newest.

    `missed` maps entries that were never measured to what happened to the run that should have measured them.
    """

    sections: list[Section]
    missed: dict[str, str] = field(default_factory=dict)
