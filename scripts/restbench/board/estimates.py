"""Estimates how fast each row of a table is, from CPU times per request that were measured alone.

The estimate of a row is the link of its language − the logarithm of its relative cost. The relative cost is the row's
CPU time per request ÷ that of the baseline, both measured in one job. The link is the baseline's CPU time per request
in the run that measured all baselines together.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import fsum, inf
from statistics import fmean
from typing import NamedTuple

from restbench.board.links import Key, Links
from restbench.board.rows import Row
from restbench.results.models import BaselineRounds, Limit
from restbench.stats.estimates import Estimate, Part, Spread, moderated
from restbench.stats.logarithms import LogSample, log_sample

PROCESS = 0.02
COMPILED_PROCESS = 0.05
"""How much two starts of one program differ: the standard deviation of the logarithm of its CPU time per request. The
second is for languages whose programs are compiled while they run."""


@dataclass(frozen=True)
class Machines:
    """How much machines differ, as standard deviations of logarithms.

    `row`: a relative cost, from one machine to another. `link`: a link of two languages.
    """

    row: float
    link: float


HOSTED = Machines(row=0.06, link=0.05)
"""Hosted runners have several CPU models. Measured on machines of AMD and Intel: 6 to 7 % and 5 %."""

LOCAL = Machines(row=0.02, link=0.0)
"""One machine on different days."""

LIMITS = (Limit.APP, Limit.LOAD_GENERATOR)
"""Where an app used its CPUs, or could have used more of them, CPU time says how fast it is."""


LINKED = "linked"
"""The scale of estimates that can be compared with those of other languages."""

LIMITED = {
    Limit.SOURCE: "the emulated data source was its limit",
    Limit.BACKEND: "the backend was its limit",
    Limit.WAITING: "the waiting that the scenario asks for was its limit",
    Limit.HANDLERS: "it handled too few requests at a time, and its CPUs were idle meanwhile",
    Limit.NOISE: "something else than the app, such as another process, was its limit",
}
"""Why CPU time does not say how fast a row is."""

WAITS = "not compared, because the baseline has changed since: the row waits for its next run"


class UnknownError(Exception):
    """A row cannot be estimated. The text says why."""


def estimates_of(rows: Sequence[Row], links: Links) -> list[Estimate | str]:
    """Returns the estimate of each row of a table, or the reason why it has none. All rows have a throughput."""
    samples = [log_sample(costs) for row in rows for costs in (row.solo.cpu_us, _costs(row)) if costs]
    usual = fmean([s.variance for s in samples if s.n > 1] or [0.0])
    table = _Table(links, usual, {row.language: _alone(row.language, rows) for row in rows})
    found: list[Estimate | str] = []
    for row in rows:
        try:
            found.append(table.estimate(row))
        except UnknownError as reason:
            found.append(str(reason))
    return found


def _costs(row: Row) -> list[float]:
    return row.baseline.cpu_us if row.baseline else []


class _Unlinked(NamedTuple):
    """What stands for the link of a language that has none: the mean cost of its baseline, and the baseline's files."""

    log_cost: float
    files_hash: str


def _alone(language: str, rows: Iterable[Row]) -> _Unlinked | None:
    """The rows may be of several jobs. The newest job says which version of the baseline counts."""
    own = sorted((row for row in rows if row.language == language and _costs(row)), key=lambda row: row.run.started)
    jobs = {_key(row.baseline): row.baseline for row in own if row.baseline}
    if not jobs:
        return None
    return _Unlinked(fmean(log_sample(each.cpu_us).mean for each in jobs.values()), list(jobs.values())[-1].files_hash)


@dataclass(frozen=True)
class _Table:
    """What the estimates of a table have in common. `usual`: the mean variance of a round's logarithm."""

    links: Links
    usual: float
    unlinked: dict[str, _Unlinked | None]

    def estimate(self, row: Row) -> Estimate:
        """Raises UnknownError."""
        if row.limit not in LIMITS:
            raise UnknownError(f"placed by its measured throughput, because {LIMITED[row.limit or Limit.NOISE]}")
        if not row.run.machine.pinned:
            raise UnknownError("not compared, because app and load generator shared one CPU")
        if row.baseline is None or not row.baseline.cpu_us:
            raise UnknownError(f"not compared, because {row.no_baseline or 'it was measured by an earlier method'}")
        place = (row.baseline.entry, row.suite, row.scenario, row.baseline.variant)
        link = self.links.cells.get(place)
        base = log_sample(row.baseline.cpu_us)
        parts = _Parts()
        cost, own = self._relative_cost(row, row.baseline, base, parts)
        if link is None:
            return Estimate(-self._alone(row) - cost, own, parts.found, scale=row.language)
        gained = self._gained(row, row.baseline, link, parts)
        return Estimate(gained - self._link(row, link, place, parts) - cost, own, parts.found, scale=LINKED)

    def _link(self, row: Row, link: BaselineRounds, place: Key, parts: "_Parts") -> float:
        """Returns the logarithm of the cost of a row's baseline in the links, over this run and earlier ones."""
        sample, earlier = log_sample(link.cpu_us), self.links.earlier.get(place, ())
        runs = 1 + len(earlier)
        part = self._rounds(sample, _process(row) + _machines(row).link ** 2, times=-1.0)
        if earlier:
            variance = (
                part.variance + fsum(e.variance + _process(row) + _machines(row).link ** 2 for e in earlier)
            ) / runs**2
            part = replace(part, variance=variance)
        parts.add(_key(link), part)
        return self.links.level + fsum([sample.mean - self.links.level, *(each.log_cost for each in earlier)]) / runs

    def _relative_cost(
        self, row: Row, baseline: BaselineRounds, base: LogSample, parts: "_Parts"
    ) -> tuple[float, Spread]:
        """Returns the logarithm of the relative cost, over this run and earlier ones, and the spread of its rounds."""
        if row.is_baseline:
            return 0.0, Spread(0.0, inf, inf)
        sample, weeks = log_sample(row.solo.cpu_us), 1 + len(row.earlier)
        own = moderated(sample, self.usual)
        luck = _process(row) + (_machines(row).row ** 2 if row.run.id != self.links.run else 0.0)
        if self.links.between_runs is not None:
            luck = self.links.between_runs
        parts.add(("luck", row.run.id, row.place), Part(luck / weeks))
        parts.add(_key(baseline), self._rounds(base, _process(row), times=1 / weeks))
        if row.earlier:
            variance = fsum(each.variance for each in row.earlier) / weeks**2
            parts.add(("earlier", row.run.id, row.place), Part(variance))
        costs = [sample.mean - base.mean, *(each.log_cost for each in row.earlier)]
        return fsum(costs) / weeks, replace(own, rounds=own.rounds * weeks**2)

    def _rounds(self, sample: LogSample, more: float, times: float) -> Part:
        """Returns the part of an error that the rounds of a baseline bring. `more`: variance beside the rounds."""
        spread = moderated(sample, self.usual)
        return Part(spread.variance / spread.rounds + more, spread.degrees, times)

    def _alone(self, row: Row) -> float:
        """Returns what stands for the link of a row's language. Raises UnknownError if its baseline has changed."""
        unlinked = self.unlinked[row.language]
        assert row.baseline and unlinked, "a row with a baseline has what stands for a link"
        if row.baseline.files_hash != unlinked.files_hash:
            raise UnknownError(WAITS)
        return unlinked.log_cost

    def _gained(self, row: Row, before: BaselineRounds, after: BaselineRounds, parts: "_Parts") -> float:
        """Returns the logarithm of the cost that the baseline gained between the row's run and the links.

        It comes from the baseline's change records. Raises UnknownError if it changed and there is none.
        """
        assert self.links.started, "links have a time"
        if before.files_hash == after.files_hash:
            return 0.0
        first, last = sorted((row.run.started, self.links.started))
        cell = before.entry, row.run.target, row.suite, row.scenario, before.variant
        known = [
            gain
            for gain in self.links.gains
            if (gain.entry, gain.target, gain.suite, gain.scenario, gain.variant) == cell and first <= gain.at <= last
        ]
        if not known:
            raise UnknownError(WAITS)
        parts.add(("change", before.entry, before.files_hash), Part(fsum(gain.variance for gain in known)))
        gained = fsum(gain.log_ratio for gain in known)
        return gained if row.run.started <= self.links.started else -gained


class _Parts:
    """The parts of an error. A part that is added twice counts as often as both times together."""

    def __init__(self) -> None:
        self.found: dict[Hashable, Part] = {}

    def add(self, key: Hashable, part: Part) -> None:
        before = self.found.get(key)
        self.found[key] = replace(part, times=part.times + before.times) if before else part


def _process(row: Row) -> float:
    return float((COMPILED_PROCESS if row.compiles else PROCESS) ** 2)


def _machines(row: Row) -> Machines:
    return HOSTED if row.run.machine.machine_class.startswith("github-hosted") else LOCAL


def _key(rounds: BaselineRounds) -> Hashable:
    """Returns what tells the rounds of a baseline apart from all others. Rows of one job have the same rounds."""
    return rounds.entry, rounds.variant, tuple(rounds.cpu_us)
