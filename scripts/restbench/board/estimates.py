"""Estimates how fast each row of a table is, from CPU times per request that were measured alone.

The estimate of a row is the link of its language − the logarithm of its relative cost. The relative cost is the row's
CPU time per request ÷ that of the baseline, both measured in one job. The link is the baseline's CPU time per request
in the run that measured all baselines together.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import fsum, inf

from restbench.board.links import Link, Links, baseline_cell
from restbench.board.rows import Row, newest_contract
from restbench.catalog import Cell
from restbench.results.figures import cost_over_runs
from restbench.results.models import BaselineRounds, EarlierCost, Limit
from restbench.stats.estimates import Estimate, Part, Spread, moderated, usual_variance
from restbench.stats.intervals import quiet_sample

PROCESS, COMPILED_PROCESS = 0.02, 0.05
"""How much two starts of one program differ: the standard deviation of the logarithm of its CPU time per request. The
second is for languages whose programs are compiled while they run."""

OTHER_MACHINE, HOSTED_LINK = 0.06, 0.05
"""How much a relative cost differs from one machine to another, in the same way, and a link of two languages from one
hosted runner to another. Runners have several CPU models. Measured on machines of AMD and Intel: 6 to 7 % and 5 %."""

OTHER_RUN = 0.02
"""How much a relative cost differs between two runs on a machine of one's own. Machines of one's own may be of one
class and have different CPU models: these are other machines."""

REASONS = {
    Limit.SOURCE: "the emulated data source was its limit",
    Limit.BACKEND: "the backend was its limit",
    Limit.WAITING: "the waiting that the scenario asks for was its limit",
    Limit.HANDLERS: "it handled too few requests at a time, and its CPUs were idle meanwhile",
    Limit.NOISE: "something else than the app, such as another process, was its limit",
}
"""Why CPU time does not say how fast a row is. With other limits, an app used its CPUs or could use more of them."""

WAITS = "not compared, because the baseline has changed since: the row waits for its next run"
OUTDATED = "not compared, because the contract of its suite has changed since: the row waits for its next run"


class UnknownError(Exception):
    """A row cannot be estimated. The text says why."""


def estimates_of(rows: Sequence[Row], links: Links) -> list[Estimate | str]:
    """Returns the estimate of each row of a table, or the reason why it has none. All rows have a throughput.

    Without a link, the rows of a language are relative to the baseline in its newest job. They are not compared with
    rows of other languages.
    """
    contract = newest_contract(rows)
    measured = [(row, row.cell.baseline) for row in rows if row.cell.baseline and row.cell.contract == contract]
    samples = [quiet_sample(row.cell.solo.cpu_us) for row, _ in measured if row.cell.solo.cpu_us]
    samples += [base.cost for _, base in measured if base.cpu_us]
    usual = usual_variance(samples)
    newest = {
        baseline_cell(row, base): Link(base, row.run, row.cell.contract, scale=baseline_cell(row, base))
        for row, base in sorted(measured, key=lambda each: each[0].run.started)
    }
    return [_estimate(row, links, newest, usual) if row.cell.contract == contract else OUTDATED for row in rows]


def _estimate(row: Row, links: Links, newest: Mapping[Cell, Link], usual: float) -> Estimate | str:
    if row.limit in REASONS or row.limit is None:
        return f"placed by its measured throughput, because {REASONS[row.limit or Limit.NOISE]}"
    if not row.run.machine.pinned:
        return "not compared, because app and load generator shared one CPU"
    if row.cell.baseline is None or not row.cell.baseline.cpu_us:
        return f"not compared, because {row.cell.no_baseline or 'its result has no rounds of a baseline'}"
    place = baseline_cell(row, row.cell.baseline)
    link = links.cells.get(place)
    if link is None or link.contract != row.cell.contract:
        link = newest[place]
    try:
        return _RowEstimate(row, row.cell.baseline, link, links, usual).estimate()
    except UnknownError as reason:
        return str(reason)


@dataclass
class _RowEstimate:
    """Collects the parts of a row's error. `usual`: the mean variance of a round's logarithm in the table."""

    row: Row
    baseline: BaselineRounds
    link: Link
    links: Links
    usual: float
    parts: dict[Hashable, Part] = field(default_factory=dict)

    def estimate(self) -> Estimate:
        """Raises UnknownError if the baseline has changed, and nothing says by how much."""
        cost, own = self._relative_cost()
        speed = self._gained() - self._link() - cost
        return Estimate(speed, own, self.parts, self.link.scale)

    def _relative_cost(self) -> tuple[float, Spread]:
        """Returns the logarithm of the relative cost, over this run and earlier ones, and the spread of its rounds."""
        row, found = self.row, cost_over_runs(self.row.cell)
        if row.is_baseline:
            return 0.0, Spread(0.0, inf, inf)
        assert found, "a row that is estimated has rounds, and so has its baseline"
        spread, runs = moderated(found.one, self.usual), found.runs
        self._add(("between runs", row.run.id, row.key), Part(self._between_runs() / runs))
        self._add(("earlier", row.run.id, row.key), Part(found.earlier / runs**2))
        self._add(_key(self.baseline), self._rounds(self.baseline, times=1 / runs))
        return found.log, replace(spread, rounds=spread.rounds * runs**2)

    def _link(self) -> float:
        """Returns the logarithm of the cost of the row's baseline in the links, over this run and earlier ones."""
        link, earlier = self.link, self.link.earlier
        own, runs, part = link.rounds.cost, 1 + len(earlier), self._rounds(link.rounds, times=-1.0)
        machines = HOSTED_LINK**2 if self.row.hosted else 0.0
        process = self._process / len(link.rounds.starts)
        variance = (part.variance + _variance(earlier) + process * len(earlier)) / runs**2 + machines / runs
        self._add(_key(link.rounds), replace(part, variance=variance))
        return link.level + fsum([own.mean - link.level, *(each.log_cost for each in earlier)]) / runs

    def _gained(self) -> float:
        """Returns the logarithm of the cost that the baseline gained between the row's run and that of the link."""
        row, before = self.row, self.baseline
        if before.files_hash == self.link.rounds.files_hash:
            return 0.0
        first, last = sorted((row.run.started, self.link.run.started))
        found = self.links.gains.get((baseline_cell(row, before), row.run.target), [])
        known = [gain for gain in found if first <= gain.at <= last]
        if not known:
            raise UnknownError(WAITS)
        self._add(("change", before.entry, before.files_hash), Part(_variance(known)))
        gained = fsum(gain.log_cost for gain in known)
        return gained if row.run.started <= self.link.run.started else -gained

    @property
    def _process(self) -> float:
        return float((COMPILED_PROCESS if self.row.entry.language.manifest.compiles_at_run_time else PROCESS) ** 2)

    def _between_runs(self) -> float:
        """Returns the variance of a relative cost between two runs, beside that of the rounds."""
        models = {run.machine.cpu_model for run in (self.row.run, self.link.run)}
        is_elsewhere = not self.row.hosted and len(models) > 1
        if self.links.between_runs is not None and not is_elsewhere:
            return self.links.between_runs
        if self.row.run.id == self.links.run:
            return self._process
        return self._process + float((OTHER_MACHINE if self.row.hosted or is_elsewhere else OTHER_RUN) ** 2)

    def _rounds(self, rounds: BaselineRounds, times: float) -> Part:
        """Returns the part of the error that the rounds and the processes of a baseline bring."""
        spread = moderated(rounds.cost, self.usual)
        return Part(spread.variance / spread.rounds + self._process / len(rounds.starts), spread.degrees, times)

    def _add(self, key: Hashable, part: Part) -> None:
        """Adds a part. One that is added twice counts as often as both times together."""
        before = self.parts.get(key)
        self.parts[key] = replace(part, times=part.times + before.times) if before else part


def _variance(costs: Sequence[EarlierCost]) -> float:
    return fsum(cost.variance for cost in costs)


def _key(rounds: BaselineRounds) -> Hashable:
    """Returns what tells the rounds of a baseline apart from all others. Rows of one job have the same rounds."""
    return rounds.entry, rounds.variant, tuple(rounds.cpu_us)
