"""The rows and tables of the board. A row is one cell with its figures, or with the reason why it has none."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from restbench.catalog import Entry
from restbench.results.figures import AtRate
from restbench.results.models import CellResult, Limit, RateKind, Run
from restbench.stats.estimates import Estimate
from restbench.stats.intervals import Interval

RowKey = tuple[str, str | None]
"""An entry and its variant. Each row of a table has a different place."""

Certain = frozenset[tuple[RowKey, RowKey]]
"""Pairs of rows of which the first is certainly more than 10 % faster than the second."""


@dataclass(frozen=True)
class Row:
    """A cell with its figures. If it has none, `failure`, `refused` or the cell's `not_run` says why.

    - `throughput`: requests per second, as measured in solo rounds.
    - `relative_cost`: its CPU time per request ÷ that of its baseline, over up to eight runs. The estimate is of it.
    - `share`: its speed as a share of the first row's. Bounds are those of the comparison with that row. None where
      nothing links the languages of the table.
    - `estimate`: its speed with all errors. `not_compared`: why it is in no comparison of the table. A row that is not
      steady, or that nothing links to other languages, has an estimate all the same.
    - `group`: the number of its group. None too in a table of which not all rows can be compared with each other.
    - `behind`: it is certainly more than 10 % slower than the first row of its group, in which a slower row holds it.
    - `linked_rate`: requests per second of a baseline in the run that measured all baselines. None in other rows.
    - `seconds`: the time of a whole batch. None for a scenario that is no batch.
    - `overhead`: milliseconds per request above the waiting or computing that the scenario asks for.
    - `cpu_us`: CPU time per request in microseconds.
    - `refused`: which rounds do not count. `disturbed`: requests per second in these where none counts.
    - `remarks`: what a reader has to know about the figures.
    - `stale`: why a newer run has no figures.
    """

    entry: Entry
    run: Run
    cell: CellResult
    limit: Limit | None = None
    throughput: Interval | None = None
    relative_cost: Interval | None = None
    share: Interval | None = None
    estimate: Estimate | None = None
    not_compared: str | None = None
    group: int | None = None
    behind: bool = False
    linked_rate: float | None = None
    seconds: Interval | None = None
    overhead: Interval | None = None
    cpu_us: Interval | None = None
    latency: Mapping[RateKind, AtRate] = field(default_factory=dict)
    memory_bytes: int | None = None
    refused: str | None = None
    disturbed: float | None = None
    remarks: tuple[str, ...] = ()
    failure: str | None = None
    stale: str | None = None

    @property
    def label(self) -> str:
        """The name of the row in charts and sentences, with its variant."""
        return " · ".join(filter(None, [self.title, self.cell.variant, "stale" if self.stale else ""]))

    @property
    def name(self) -> str:
        """The name without the variant, where no other variant of the framework is meant."""
        return " · ".join(filter(None, [self.title, "stale" if self.stale else ""]))

    @property
    def title(self) -> str:
        return self.entry.title

    @property
    def language(self) -> str:
        return self.entry.language.manifest.title

    @property
    def key(self) -> RowKey:
        return self.entry.id, self.cell.variant

    @property
    def measured(self) -> datetime:
        return self.run.started

    @property
    def hosted(self) -> bool:
        """Whether a hosted runner measured it, which is another machine each time."""
        return self.run.machine.hosted

    @property
    def is_baseline(self) -> bool:
        """Whether it is the row that others are compared with."""
        baseline = None if self.failure or self.cell.not_run else self.cell.baseline
        return baseline is not None and baseline.is_of(*self.key)

    @property
    def compared(self) -> bool:
        return self.estimate is not None and self.not_compared is None

    @property
    def unsteady(self) -> str | None:
        """Why its cost, or that of its baseline, is not steady. None where both are."""
        base = self.cell.baseline
        return self.cell.unsteady or (f"of its baseline {base.unsteady}" if base and base.unsteady else None)


def newest_contract(rows: Iterable[Row]) -> int:
    """The newest contract that a row of a scenario kept. Rows that kept an earlier one did other work."""
    return max((row.cell.contract for row in rows), default=1)


@dataclass(frozen=True)
class Chain:
    """The frameworks of a language in groups, the fastest first. Each has the best of its rows.

    Its rows have the groups of the chain. `not_compared`: frameworks that have figures, but no row that is compared.
    `certain`: what is certain about its rows where only they are compared.
    """

    language: str
    groups: list[list[Row]]
    not_compared: list[Row]
    certain: Certain = frozenset()


@dataclass(frozen=True)
class Table:
    """The table of a scenario: measured rows, the fastest first, then rows without figures. `chains`: by language.

    If the rows are variants, a scenario has two tables: one without a schema, and one with a schema. Each table has a
    different `name`. `schema` says which of them it is, and is None otherwise. `linked`: all rows that are compared can
    be compared with each other; else rows are in the order of their throughputs. `certain`: what is certain about rows.
    """

    name: str
    title: str
    request: str
    rows: list[Row]
    schema: bool | None = None
    chains: list[Chain] = field(default_factory=list)
    linked: bool = True
    certain: Certain = frozenset()

    @property
    def measured(self) -> list[Row]:
        return [row for row in self.rows if row.throughput]

    @property
    def compared(self) -> list[Row]:
        return [row for row in self.rows if row.compared]

    @property
    def unmeasured(self) -> bool:
        """Whether this machine could not measure any of the rows."""
        return all(row.cell.not_run for row in self.rows)


def best_rows(rows: Iterable[Row]) -> dict[str, Row]:
    """Returns the first row of each entry. Of rows in the order of a table it is the entry's best one."""
    found: dict[str, Row] = {}
    for row in rows:
        found.setdefault(row.entry.id, row)
    return found
