"""A row of the board: one cell with its figures, or with why it has none."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from restbench.results.figures import AtRate
from restbench.results.models import DuetRounds, Limit, RateKind, SoloRounds
from restbench.stats.intervals import Interval
from restbench.stats.rank_ranges import RankRange, leads

Place = tuple[str, str | None]
"""An entry and its variant: what tells the rows of a table apart."""


@dataclass(frozen=True)
class Row:
    """One cell. Either `failure` or `not_run` says why there is no figure, or the figures are there.

    `throughput` is as measured in solo rounds, in requests per second. `relative_cost` is that of the duet rounds; the
    `baseline` of other rows has none, as it is 1 by definition. `speed` is the baseline's throughput ÷ relative cost
    where the row is `derived`, else the throughput. `speed_at_least`: the CPUs were not the limit of the throughput
    that the speed comes from, so it may be higher. `measured_against` names the baseline's cell where a reader could
    take another for it.

    The ranks are None in a row that is not ranked. `seconds` is what a whole batch took; None for what is no batch.
    `overhead` is milliseconds above what the contract asks for. `refused` tells which rounds do not count, `no_duets`
    why there are no duet rounds, `stale` why a newer run has no figure.
    """

    entry: str
    title: str
    language: str
    homepage: str
    version: str | None
    unmaintained: bool
    variant: str | None
    measured: datetime
    solo: SoloRounds = field(default_factory=SoloRounds)
    duets: DuetRounds | None = None
    limit: Limit | None = None
    throughput: Interval | None = None
    relative_cost: Interval | None = None
    baseline: bool = False
    derived: bool = False
    speed: Interval | None = None
    speed_at_least: bool = False
    measured_against: str | None = None
    rank_first: int | None = None
    rank_last: int | None = None
    percent_of_best: float | None = None
    times_slowest: float | None = None
    seconds: Interval | None = None
    overhead: Interval | None = None
    cpu_us: Interval | None = None
    latency: Mapping[RateKind, AtRate] = field(default_factory=dict)
    memory_bytes: int | None = None
    refused: str | None = None
    no_duets: str | None = None
    failure: str | None = None
    not_run: str | None = None
    stale: str | None = None

    @property
    def label(self) -> str:
        """How charts name the row."""
        return " · ".join(filter(None, [self.title, self.variant, "stale" if self.stale else ""]))

    @property
    def place(self) -> Place:
        return self.entry, self.variant

    @property
    def partner(self) -> Place | None:
        """The baseline's row that the relative cost is to; None where there is no relative cost."""
        if self.relative_cost is None or self.duets is None:
            return None
        return self.duets.baseline, self.duets.baseline_variant

    @property
    def ranked(self) -> bool:
        return self.rank_first is not None

    @property
    def could_do_more(self) -> bool:
        """Whether something other than the app was the limit, so that the throughput is a lower bound."""
        return self.limit is not None and self.limit != Limit.APP


@dataclass(frozen=True)
class Table:
    """One scenario: ranked rows by speed, then measured rows that are not ranked, then rows without figures.

    Where the suite has variants, a scenario has two: without a schema, and with one. `name` tells tables apart.
    """

    name: str
    title: str
    request: str
    rows: list[Row]

    @property
    def measured(self) -> list[Row]:
        return [row for row in self.rows if row.speed is not None]

    @property
    def ranked(self) -> list[Row]:
        return [row for row in self.rows if row.ranked]

    @property
    def sharing_lead(self) -> list[Row]:
        """The rows that may be the fastest."""
        return [row for row in self.rows if row.rank_first == 1]

    @property
    def leader(self) -> Row | None:
        """The row that no other row may equal; None where there is none, or nobody to compare with.

        A row with figures that is not ranked may be as fast as any other.
        """
        rows = self.ranked
        others = [row for row in self.rows if not row.ranked and (row.speed or row.relative_cost)]
        if len(rows) < 2 or others:
            return None
        found = leads([RankRange(row.rank_first or 0, row.rank_last or 0) for row in rows])
        return None if found is None else rows[found]
