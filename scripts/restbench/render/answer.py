"""What a run says in a few lines: who is certainly faster than whom, one table, and what was not measured.

The terminal, the summary of a job and report.html print it. All differences of two frameworks are claims of the board.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain, permutations
from math import inf
from statistics import fmean

from restbench.board.models import Board, FeatureTable, Section, SuiteTables
from restbench.board.rows import Row, Table, best_rows
from restbench.catalog.profiles import load_profiles
from restbench.loadgen import OHA
from restbench.measure.outcome import Shortage
from restbench.render.formats import MISSING, figure, optional, sentence
from restbench.render.grid import Column, Grid, Text, make_grid
from restbench.render.labels import ENOUGH_FOR_P99, busiest, limited_by, rate, throttling
from restbench.results.models import RateKind
from restbench.stats.intervals import ratio
from restbench.system.quotas import REMEDY

MOST_FRAMEWORKS = 5
"""The most frameworks that have a column and are named."""

MOST_PAIRS = 3
"""How many pairs the second sentence names."""

SAME = "≈"
"""Marks a ratio of which no difference is certain."""


@dataclass(frozen=True)
class RunAnswer:
    """`command`: what a person may run after it. `grid` has a line for each scenario, and `legend` says how to read it.

    `lacking`: what is not in it, and why.
    """

    sentences: list[str]
    command: str = ""
    grid: Grid | None = None
    legend: str = ""
    lacking: list[str] = field(default_factory=list)


def answer_of(board: Board) -> RunAnswer:
    """The answer of a run, all of which has one setting."""
    if not board.sections:
        return RunAnswer(["Nothing was measured."])
    section = board.sections[0]
    scenarios = list(_scenarios(section))
    rows = {entry: row for each in scenarios for entry, row in each.best.items()}
    order = sorted(rows, key=lambda entry: (*_place(scenarios, entry), rows[entry].title.casefold()))
    titles = {entry: rows[entry].title for entry in order}
    lacking = [*_not_measured(section), *_without_p99(section), *_failed(section)]
    if not order:
        return RunAnswer(["Nothing was measured."], lacking=lacking)
    sentences = [*_claims(scenarios, titles), *filter(None, [section.link_remark])]
    grid = _grid(scenarios, titles)
    return RunAnswer(sentences, grid=grid, legend=_legend(grid, titles), lacking=lacking)


def disturbed_answer(shortage: Shortage, go_on: str) -> RunAnswer:
    """The answer of a run that other programs or a quota disturbed. `go_on`: the command that measures what lacks."""
    what = (
        "Nothing could"
        if shortage.lacking == shortage.cells
        else f"{shortage.lacking} of {shortage.cells} cells could not"
    )
    causes, remedies = [], []
    if shortage.throttled:
        causes.append(f"{throttling(shortage.quota)} in {shortage.throttled} of {shortage.rounds} rounds")
        if shortage.quota or not shortage.disturbed:  # else the quota is gone since
            remedies.append(REMEDY)
    if shortage.disturbed:
        many = f"{shortage.disturbed} of {shortage.rounds} rounds"
        causes.append(f"other programs used the CPUs in {many} ({busiest(shortage.others)})")
        remedies.append("wait until they are done")
    remedy = f"{', '.join(remedies)}, and go on with what is missing:"
    return RunAnswer([f"{what} be measured: {'; '.join(causes)}.", sentence(remedy)], go_on)


class _Loaded:
    """A table of the board, with the best row of each framework that has figures in it, by entry."""

    def __init__(self, title: str, table: Table) -> None:
        self.title = title
        in_chains = [row for chain in table.chains for group in chain.groups for row in group]
        # what a chain compares is the row that stands for its framework, so that both say the same
        self.best = best_rows([*in_chains, *table.rows])
        self._table = table

    @cached_property
    def certain(self) -> frozenset[tuple[str, str]]:
        """The pairs of entries of which the first is certainly more than 10 % faster.

        Those of one language are compared as their chain is, which has no other rows.
        """
        chains = {chain.language: chain.certain for chain in self._table.chains}

        def is_certain(one: Row, other: Row) -> bool:
            known = chains.get(one.language, ()) if one.language == other.language else self._table.certain
            return (one.key, other.key) in known

        pairs = permutations(self.best.items(), 2)
        return frozenset((one, other) for (one, fast), (other, slow) in pairs if is_certain(fast, slow))

    def times(self, one: str, other: str) -> float | None:
        """CPU time per request of `other` ÷ that of `one`. None where they are not compared."""
        fast, slow = (row.estimate if (row := self.best.get(entry)) else None for entry in (one, other))
        return ratio(fast.log - slow.log) if fast and slow and fast.scale == slow.scale else None

    def speed(self, entry: str) -> float | None:
        """The logarithm of the speed as a share of the fastest one that it is compared with."""
        others = [times for each in self.best if (times := self.times(entry, each)) is not None]
        return min(others, default=None)

    def cell(self, entry: str, first: str) -> Text:
        """The figure of a framework, against that of the first one."""
        row, times = self.best.get(entry), self.times(first, entry)
        if row is None:
            return Text(MISSING)
        if times is None or entry == first:
            return Text(f"{rate(row)} /s" if row.throughput else limited_by(row))
        sure = {(entry, first), (first, entry)} & self.certain
        return Text(f"{'' if sure else f'{SAME} '}{figure(times)} ×", bar=times, colour=row.entry.language.colour)

    def cpu(self, entry: str) -> str:
        """The CPU time per request in microseconds."""
        row = self.best.get(entry)
        return optional(figure, row.cpu_us.middle if row and row.cpu_us else None)


class _Checked:
    """The features of a scenario: how many an entry does not have to write, by entry."""

    def __init__(self, table: FeatureTable) -> None:
        self.title = table.title
        self.best = {line.row.entry.id: line.row for line in reversed(table.lines)}
        self._scores = {line.row.entry.id: line.score for line in reversed(table.lines) if line.support}
        self._of = len(table.features)

    def cell(self, entry: str, _first: str) -> Text:
        """The score of a framework, or why it has none."""
        row, score = self.best.get(entry), self._scores.get(entry)
        if score is None:
            return Text(limited_by(row) if row else MISSING)
        return Text(f"{score} of {self._of}")

    def cpu(self, _entry: str) -> str:
        return MISSING


_Scenario = _Loaded | _Checked


def _loaded(scenarios: Iterable[_Scenario]) -> list[_Loaded]:
    return [each for each in scenarios if isinstance(each, _Loaded)]


def _scenarios(section: Section) -> Iterator[_Scenario]:
    """What has a figure. A title that two suites have gets that of its suite."""
    known = Counter(table.title for suite in section.suites for table in suite.tables)
    for suite in section.suites:
        for table in suite.tables:
            if table.measured or any(row.failure or row.refused for row in table.rows):
                yield _Loaded(table.title if known[table.title] == 1 else f"{suite.title}: {table.title}", table)
        yield from (_Checked(table) for table in suite.feature_tables if any(line.support for line in table.lines))


def _place(scenarios: Sequence[_Scenario], entry: str) -> tuple[float, float]:
    """The key of the order of frameworks: how often one is certainly faster, less how often slower, and its speed."""
    loaded = _loaded(scenarios)
    won = sum((one == entry) - (other == entry) for each in loaded for one, other in each.certain)
    speeds = [speed for each in loaded if (speed := each.speed(entry)) is not None]
    return -won, -fmean(speeds) if speeds else inf


@dataclass(frozen=True)
class _Pair:
    """Two frameworks. `won`: how many times as fast the first is, where it is certainly faster. `both`: scenarios."""

    one: str
    other: str
    won: list[float]
    both: int

    def how(self, brief: bool) -> str:
        """In how many scenarios, and by how much: "in 14 of 15 scenarios (2.4 to 4.7 times as fast)"."""
        ends = " to ".join(dict.fromkeys(_times(each) for each in (min(self.won), max(self.won))))
        if brief:
            return f"in {len(self.won)} of {self.both} ({ends})"
        return f"in {len(self.won)} of {_counted(self.both)} ({ends} times as fast)"


def _times(found: float) -> str:
    return f"{found:.1f}" if found < 9.95 else f"{found:,.0f}"


def _claims(scenarios: Sequence[_Scenario], titles: Mapping[str, str]) -> Iterator[str]:
    """Yields two sentences at most: what is certain about the first framework, and what else is.

    `titles`: the frameworks in their order.
    """
    loaded, (first, *_) = _loaded(scenarios), titles
    pairs = [_pair(loaded, one, other) for one, other in permutations(titles, 2)]
    compared = max((pair.both for pair in pairs), default=0)
    if not loaded:
        yield "Features were checked, and nothing was loaded."
    elif len(titles) == 1:
        yield f"{titles[first]} was measured alone: there is nothing to compare it with."
    elif not compared:
        reasons = Counter(row.not_compared for each in loaded for row in each.best.values() if row.not_compared)
        why = max(reasons, key=lambda each: reasons[each], default="no round counts")
        yield f"Nothing is compared, because {why.partition(', because ')[2] or why}."
    elif not any(pair.won for pair in pairs):
        where = f"any of {compared} scenarios" if compared > 1 else "the one scenario"
        yield f"No difference is certain: no framework is certainly more than 10 % faster than another in {where}."
    else:
        named = set(list(titles)[:MOST_FRAMEWORKS])
        yield from _of_pairs([pair for pair in pairs if {pair.one, pair.other} <= named], titles)


def _pair(loaded: Iterable[_Loaded], one: str, other: str) -> _Pair:
    times = {each: found for each in loaded if (found := each.times(one, other)) is not None}
    return _Pair(one, other, [found for each, found in times.items() if (one, other) in each.certain], len(times))


def _of_pairs(pairs: Sequence[_Pair], titles: Mapping[str, str]) -> Iterator[str]:
    first, *_ = titles
    own = [pair for pair in pairs if pair.one == first and pair.won]
    # what contradicts the first sentence comes first
    others = sorted((pair for pair in pairs if pair.one != first and pair.won), key=lambda pair: pair.other != first)
    if own:
        known = {pair.one for pair in others if pair.other == first} | {pair.other for pair in own}
        level = [titles[p.other] for p in pairs if p.one == first and p.both and p.other not in known]
        clauses = "; ".join(f"than {titles[pair.other]} {pair.how(brief=pair is not own[0])}" for pair in own)
        none = f"; no difference from {' or '.join(level)} is certain" if level else ""
        yield f"{titles[first]} is certainly faster {clauses}{none}."
    if others:
        named = [
            f"{titles[pair.one]} than {titles[pair.other]} {pair.how(brief=pair is not others[0])}"
            for pair in others[:MOST_PAIRS]
        ]
        more = "; the report's tables have more" if len(others) > MOST_PAIRS else ""
        yield f"Certainly faster {'too' if own else 'is'}: {'; '.join(named)}{more}."


def _grid(scenarios: Sequence[_Scenario], titles: Mapping[str, str]) -> Grid:
    """A line for each scenario, and a column for each of the first frameworks. Bars are shares of the longest one."""
    first, shown = next(iter(titles)), list(titles)[:MOST_FRAMEWORKS]
    found = [each.times(first, entry) for each in _loaded(scenarios) for entry in shown]
    longest = max((times for times in found if times), default=1.0)
    columns = [
        Column[_Scenario]("scenario", lambda each: each.title, required=True),
        *(
            Column[_Scenario](titles[entry], partial(_cell, entry, first, longest), number=True, required=True)
            for entry in shown
        ),
    ]
    if len(titles) == 1:
        columns.append(Column[_Scenario]("CPU µs per request", lambda each: each.cpu(first), number=True))
    return make_grid(columns, scenarios)


def _cell(entry: str, first: str, longest: float, scenario: _Scenario) -> Text:
    found = scenario.cell(entry, first)
    return replace(found, bar=found.bar / longest) if found.bar else found


def _legend(grid: Grid, titles: Mapping[str, str]) -> str:
    """How to read the cells of the table: what each kind of them is."""
    first, *_ = titles
    texts = [cell.text for line in grid.lines for cell in line.cells[1:]]
    kinds = {
        "/s": "requests per second as measured",
        "×": f"CPU time per request against {titles[first]}",
        SAME: "no difference is certain",
        " of ": "how many of the features the framework makes by itself",
    }
    parts = [f"{mark.strip()}: {what}" for mark, what in kinds.items() if any(mark in text for text in texts)]
    more = len(titles) - MOST_FRAMEWORKS
    return "; ".join([*parts, *([f"the report's tables have {more} more"] if more > 0 else [])])


def _not_measured(section: Section) -> Iterator[str]:
    """Yields a line for each reason why something was not measured. The reason has the remedy."""
    names = defaultdict[str, list[str]](list)
    profile = load_profiles().get(section.setting.profile)
    runs = [row.run for suite in section.suites for row in suite.rows]
    if profile and profile.latency_rounds and not any(run.machine.had(OHA.name) for run in runs):
        names[f"{OHA.name} is missing: {OHA.remedy}"].append("percentiles")
    for what, why in chain.from_iterable(map(_unmeasured, section.suites)):
        names[why].append(what)
    parts = [rows for suite in section.suites for _, rows in _parts(suite) if not _common_reason(rows)]
    alone = Counter((row.title, row.cell.not_run) for rows in parts for row in rows if row.cell.not_run)
    for (title, why), count in alone.items():
        names[why].append(f"{title} in {_counted(count)}")
    yield from (f"Not measured: {', '.join(what)}: {why}" for why, what in names.items())


def _unmeasured(suite: SuiteTables) -> Iterator[tuple[str, str]]:
    """Yields what of a suite was measured of no framework, with the reason: the whole suite, or parts of it."""
    if not suite.measured and (why := _common_reason(suite.rows)):
        yield suite.title, why
        return
    yield from ((title, why) for title, rows in _parts(suite) if (why := _common_reason(rows)))
    for matrix in suite.matrices:
        for why in dict.fromkeys(matrix.not_run.values()):
            count, every = list(matrix.not_run.values()).count(why), len(matrix.not_run) + len(matrix.columns)
            yield f"{matrix.title} under {count} of {every} conditions" if count < every else matrix.title, why


def _common_reason(rows: Iterable[Row]) -> str | None:
    """Why none of these rows was measured. None if one was, or if the reasons differ."""
    reasons = {row.cell.not_run for row in rows}
    return reasons.pop() if len(reasons) == 1 else None


def _without_p99(section: Section) -> Iterator[str]:
    rows = [row for suite in section.suites for table in suite.tables for row in table.rows]
    known = [at.p99 is not None for row in rows if (at := row.latency.get(RateKind.COMMON))]
    if not all(known):
        yield f"Not known: p99 in {known.count(False)} of {len(known)} rows: {ENOUGH_FOR_P99}"


def _failed(section: Section) -> Iterator[str]:
    failed = Counter(row.title for suite in section.suites for row in suite.rows if row.failure)
    if failed:
        yield f"Failed: {', '.join(f'{title} in {_counted(count)}' for title, count in failed.items())}"


def _parts(suite: SuiteTables) -> Iterator[tuple[str, list[Row]]]:
    """Yields what is measured and checked of a suite, with its rows."""
    yield from ((table.title, table.rows) for table in suite.tables)
    yield from ((table.title, [line.row for line in table.lines]) for table in suite.feature_tables)


def _counted(scenarios: int) -> str:
    return f"{scenarios} scenario{'' if scenarios == 1 else 's'}"
