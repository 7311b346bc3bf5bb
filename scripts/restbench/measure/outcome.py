"""The outcome of a run. Puts the parts of each entry together as its result."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain
from math import exp, fsum, log, sqrt
from statistics import fmean, median

from scipy.special import stdtr

from restbench.catalog import USUAL_SETUP, Cell, Entry
from restbench.measure.gate import CONTENTION, THROTTLED
from restbench.measure.progress import Progress
from restbench.measure.tools import Tools
from restbench.results.models import BaselineRounds, CellResult, EntryResult, Machine, Run
from restbench.results.rounds import (
    UNSTEADY,
    column,
    disturbed_throughput,
    latency_histograms,
    refusals,
    round_to,
    solo_columns,
)
from restbench.stats.intervals import LogSample, log_sample
from restbench.system.programs import Others
from restbench.system.quotas import Quota
from restbench.targets import Build
from restbench.targets.facts import Facts


@dataclass(frozen=True)
class BuiltEntry:
    """The build of an entry, and the facts that were found out about it."""

    build: Build
    facts: Facts


@dataclass(frozen=True)
class Invocation:
    """The properties of a run that are the same for all entries."""

    id: str
    started: datetime
    target: str
    profile: str
    machine: Machine


ENOUGH_ROUNDS = 3
"""A cell needs so many rounds that count, or all rounds of a profile that has fewer."""


@dataclass(frozen=True)
class Shortage:
    """Cells that have too few rounds that count, because other programs used the CPUs, or a CPU quota throttled them.

    `lacking` of `cells` cells are such. Of all `rounds`, so many do not count because they were `disturbed` by other
    programs, or `throttled`. `others`: what other programs did during the load. `quota`: the one that there is now.
    """

    lacking: int
    cells: int
    disturbed: int
    rounds: int
    others: Others
    throttled: int = 0
    quota: Quota | None = None


@dataclass
class Outcome:
    """The results of a run. Those of an interrupted run hold the rounds that were finished.

    `parts` is what was measured of each entry in each team and setup, with its duet rounds. `shortage`: what this
    machine kept from being measured; None where all was measured, and in an interrupted run.
    """

    results: list[EntryResult]
    planned_seconds: float
    interrupted: bool = False
    parts: list[Progress] = field(default_factory=list)
    shortage: Shortage | None = None

    @property
    def measured(self) -> bool:
        """Whether a round of any cell was finished."""
        return any(cell.measured for r in self.results for cell in r.cells) or any(part.duets for part in self.parts)

    @property
    def missed(self) -> list[str]:
        """The entries that were not measured because this machine or a server failed."""
        return list(dict.fromkeys(part.entry.id for part in self.parts if part.missed and not part.beside))

    @property
    def failures(self) -> list[tuple[str, CellResult]]:
        return [(r.entry, cell) for r in self.results for cell in r.cells if cell.failure]


def lacking(parts: Iterable[Progress], tools: Tools, others: Others) -> Shortage | None:
    """Returns what this machine kept from being measured. None where each cell has enough rounds, or fails by itself.

    The reference does not count: nothing is compared with it.
    """
    cells = [(part, cell) for part in parts if part.entry.language.manifest.ranked for cell in part.loaded]
    throttled = disturbed = lacking = 0
    for part, cell in cells:
        reasons = [set(each.invalid) for each in part.solo.get(cell, [])]
        by_quota = sum(THROTTLED in each for each in reasons)
        by_others = sum(THROTTLED not in each and bool(CONTENTION & each) for each in reasons)
        throttled, disturbed = throttled + by_quota, disturbed + by_others
        enough = min(ENOUGH_ROUNDS, tools.profile.rounds_of(part.entry.scenario(cell)))
        lacking += len(part.counted(cell)) < enough and by_quota + by_others > 0
    if not lacking:
        return None
    rounds = sum(len(part.solo.get(cell, [])) for part, cell in cells)
    return Shortage(lacking, len(cells), disturbed, rounds, others, throttled, tools.quota())


def entry_result(invocation: Invocation, parts: list[Progress], made: BuiltEntry | None) -> EntryResult:
    """Returns the result of one entry. `parts`: its progress, one for each setup and for each team that it was in."""
    entry = parts[0].entry
    usual = next((part for part in parts if part.setup == USUAL_SETUP), parts[0])
    # a baseline or reference is in several teams: its own part comes first, then those beside others
    ordered = sorted(parts, key=lambda part: part.beside)
    of_cell: dict[Cell, list[Progress]] = {}
    for part in ordered:
        for cell in part.cells:
            if any(cell in known for known in (part.solo, part.duets, part.features, part.failures, part.not_run)):
                of_cell.setdefault(cell, []).append(part)
    cells = [_cell(invocation, same, cell) for cell, same in of_cell.items()]
    return EntryResult(entry=entry.id, runs={invocation.id: _run(invocation, entry, usual, made)}, cells=cells)


def _run(invocation: Invocation, entry: Entry, usual: Progress, made: BuiltEntry | None) -> Run:
    """Returns what is the same for all cells of an entry. Memory and times are those of the app in its usual setup."""
    peaks = [r.memory_bytes for rounds in usual.solo.values() for r in rounds]
    facts = made.facts if made else Facts()
    return Run(
        id=invocation.id,
        started=invocation.started.replace(microsecond=0),
        target="docker" if invocation.target == "docker" else "native",
        profile=invocation.profile,
        machine=invocation.machine,
        version=facts.version or entry.version(invocation.target),
        runtime=facts.runtime,
        runtime_build=facts.runtime_build,
        runtime_settings=usual.runtime_settings,
        server=entry.manifest.server,
        files_hash=entry.files_hash(),
        released=facts.released,
        licence=facts.licence,
        packages=facts.packages,
        code_lines=facts.code_lines,
        build_seconds=made.build.seconds if made else None,
        size_bytes=facts.size_bytes,
        start_seconds=_rounded(usual.start_seconds),
        head_bytes=usual.first_answer.head if usual.first_answer else None,
        dated=usual.first_answer.has_date if usual.first_answer else None,
        idle_cpu_share=_rounded(usual.idle_cpu_share),
        memory_start_bytes=_rounded_bytes(usual.memory_start_bytes),
        memory_peak_bytes=_rounded_bytes(max(peaks, default=None)),
        memory_after_bytes=_rounded_bytes(usual.memory_after_bytes),
        ceiling=usual.ceiling,
    )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round_to(value)


def _rounded_bytes(value: int | None) -> int | None:
    return None if value is None else round(round_to(value))


def _cell(invocation: Invocation, parts: list[Progress], cell: Cell) -> CellResult:
    """Returns the result of a cell that was measured, that failed, or that could not be measured here.

    `parts`: where it was. Its solo rounds of all teams are pooled; everything else is that of the first part.
    """
    part = parts[0]
    failure = part.failures.get(cell)
    solo = [round_ for each in parts if cell not in each.failures or each is part for round_ in each.solo.get(cell, [])]
    partner, baseline = part.partners.get(cell), None if failure else _baseline(part, cell)
    why_not = part.no_partner.get(cell)
    if partner and part.counted(cell) and not (failure or baseline):
        why_not = f"the baseline was not measured: {part.team[partner.entry].why_out(partner)}"
    unsteady = None if failure else _unsteady(part, cell)
    # a cell that has rounds from before the backend was lost counts as measured
    not_run = part.not_run.get(cell) if not (solo or part.duets.get(cell) or failure) else None
    return CellResult(
        run=invocation.id,
        suite=cell.suite,
        scenario=cell.scenario,
        variant=cell.variant,
        contract=part.entry.suites[cell.suite].manifest.contract,
        solo=solo_columns(solo),
        baseline=baseline,
        latency=latency_histograms(part.latency.get(cell, [])),
        refused=refusals(solo),
        disturbed_throughput=disturbed_throughput(solo),
        no_baseline=None if failure or baseline else why_not,
        # this machine could not build, start or load the baseline
        baseline_missed=not (failure or baseline) and partner is not None and part.team[partner.entry].misses(partner),
        features=part.features.get(cell, {}),
        json_library=part.entry.json_library(cell),
        remarks=[] if failure else list(filter(None, [None if unsteady else _changed(part, cell), _lost(part, cell)])),
        unsteady=unsteady,
        failure=failure,
        not_run=not_run,
        slow_build=not_run is not None and part.slow_build,
    )


def _baseline(part: Progress, cell: Cell) -> BaselineRounds | None:
    """Returns the rounds of the cell's partner in the same team. None where none counts."""
    partner, rounds = part.partners.get(cell), part.partner_rounds(cell)
    if partner is None or not rounds:
        return None
    other, starts = part.team[partner.entry], [round_.start for round_ in rounds]
    return BaselineRounds(
        entry=partner.entry,
        variant=partner.variant,
        files_hash=other.entry.files_hash(),
        cpu_us=column(round_.cpu_us for round_ in rounds),
        throughput=round_to(median(round_.throughput for round_ in rounds)),
        start=starts if len(set(starts)) > 1 else None,
        unsteady=_unsteady(other, partner),
    )


def _lost(part: Progress, cell: Cell) -> str | None:
    """Returns in how many rounds of a cell answers were lost; None where in none."""
    lost, rounds = part.lost(cell)
    return f"requests got no answer in {lost} of {rounds} rounds, which do not count" if lost else None


def _unsteady(part: Progress, cell: Cell) -> str | None:
    """Returns why the cost of a cell was not steady: before its rounds, or while they lasted. None where it was.

    Only an app that is compiled while it runs may be cold. Where another one changes, the machine does.
    """
    if part.entry.language.manifest.warm_up is None:
        return None
    seconds = part.unsettled.get(cell)
    # of several starts only those count in which it was steady before its rounds
    if seconds and not any(UNSTEADY in each.invalid for each in part.solo.get(cell, [])):
        return f"{_figure(part, cell)} was not steady after {seconds:.2g} s of warm-up"
    return _changed(part, cell)


def _changed(part: Progress, cell: Cell) -> str | None:
    """Returns by how much the cost of a cell changed during its rounds, in each start of its app; None where not.

    For minutes, everything that runs on a machine may cost half as much again. So the cost counts as changed where it
    did by itself, and as a share of the pace of the other apps, too: what an app shares with them is not its own.
    """
    beside, alone = _drifts(part, cell, _pace(part)), _drifts(part, cell, {})
    changes = [change or 1.0 for change in (*beside, *alone)]
    if not changes or min(changes) <= 1 <= max(changes):
        return None
    change = f"{100 * (fmean(changes[: len(beside)]) - 1):+.0f} %"
    return f"{_figure(part, cell)} changed by {change} from the first to the last rounds, beyond that of other apps"


def _drifts(part: Progress, cell: Cell, pace: Mapping[tuple[int, int], float]) -> list[float | None]:
    """Returns the drift of a cell in each start of its app, as a share of a pace by start and index."""
    by_time = part.entry.scenario(cell).is_judged_by_time

    def of_starts(of: Cell) -> dict[int, list[float]]:
        starts: dict[int, list[float]] = {}
        for each in part.counted(of):
            cost = (each.seconds or 0.0) if by_time else each.cpu_us
            starts.setdefault(each.start, []).append(cost / pace.get((each.start, each.index), 1.0))
        return starts

    alike = [of for of in part.solo if of != cell and part.entry.scenario(of).is_judged_by_time == by_time]
    others = [of_starts(of) for of in alike]
    return [
        drift(figures, [starts[start] for starts in others if start in starts])
        for start, figures in of_starts(cell).items()
    ]


def _figure(part: Progress, cell: Cell) -> str:
    return "the time of its batch" if part.entry.scenario(cell).is_judged_by_time else "its CPU time per request"


def _pace(part: Progress) -> dict[tuple[int, int], float]:
    """Returns how dear each round was on this machine, by its start and index, as a share of what is usual.

    It is the median over the cells that the other apps of the team were loaded in, each as a share of its own median.
    """
    shares: dict[tuple[int, int], list[float]] = {}
    for other in part.team.values():
        for cell in other.solo if other is not part else ():
            rounds = other.counted(cell)
            if usual := median(each.cpu_us for each in rounds) if rounds else 0.0:
                for each in rounds:
                    shares.setdefault((each.start, each.index), []).append(each.cpu_us / usual)
    return {when: share for when, found in shares.items() if (share := median(found))}


FEWEST = 6
"""Rounds that are needed: two in each third."""

LEVEL = 0.02
"""The largest share of unchanged figures that are said to have changed: one in fifty."""

LEAST = 0.05
"""A smaller change than this is not reported, however certain it is."""

PRIOR_DEGREES = 5
"""For how many degrees of freedom the noise of an app's other cells counts.

Two figures in a third leave the noise of a cell two degrees, with which a cost that doubled is hardly ever noticed.
In four runs in Docker, Smyth's estimate was 4.5 to 150 degrees: cells of an app are about as noisy as each other.
"""


def drift(figures: Sequence[float], others: Iterable[Sequence[float]] = ()) -> float | None:
    """Returns the last third of figures ÷ the first third, as means of their logarithms.

    None where the two agree within what their noise allows, and where there are too few figures. A third of equal
    figures says nothing about their noise: they count ticks. `others`: the figures of the app's other cells, whose
    noise is about the same. The test is the moderated t-test on logarithms, because the noise of CPU times is a factor
    (G. K. Smyth, "Linear models and empirical Bayes methods for assessing differential expression in microarray
    experiments", Statistical Applications in Genetics and Molecular Biology 3, 2004).
    """
    thirds = _thirds(figures)
    if thirds is None or not all(third.variance for third in thirds):
        return None
    first, last = thirds
    change = last.mean - first.mean
    if abs(change) < log(1 + LEAST):
        return None
    usual, known = _within(list(filter(None, map(_thirds, others))))
    own, degrees = _within([thirds])
    prior = min(PRIOR_DEGREES, known)
    variance = (prior * usual + degrees * own) / (prior + degrees)
    error = sqrt(variance * (1 / first.n + 1 / last.n))
    return exp(change) if 2 * stdtr(prior + degrees, -abs(change) / error) <= LEVEL else None


def _thirds(figures: Sequence[float]) -> tuple[LogSample, LogSample] | None:
    """Returns the first and the last third of figures. None where there are too few, or where one is not positive."""
    third = len(figures) // 3
    if len(figures) < FEWEST or min(figures) <= 0:
        return None
    return log_sample(figures[:third]), log_sample(figures[-third:])


def _within(thirds: Sequence[tuple[LogSample, LogSample]]) -> tuple[float, int]:
    """Returns the variance within thirds, pooled over several cells, and its degrees of freedom."""
    samples = list(chain(*thirds))
    degrees = sum(sample.n - 1 for sample in samples)
    return fsum((sample.n - 1) * sample.variance for sample in samples) / max(1, degrees), degrees
