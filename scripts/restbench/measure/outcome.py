"""The outcome of a run. Puts the parts of each entry together as its result."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from restbench.catalog import USUAL_SETUP, Cell, Entry
from restbench.measure.progress import Progress
from restbench.results.models import CellResult, EntryResult, Machine, Run
from restbench.results.rounds import duet_columns, latency_columns, refusals, round_to, solo_columns
from restbench.stats.drift import FEWEST, drift
from restbench.targets import Build
from restbench.targets.facts import Facts


@dataclass(frozen=True)
class Made:
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


@dataclass
class Outcome:
    """The results of a run. Those of an interrupted run hold the rounds that were finished."""

    results: list[EntryResult]
    planned_seconds: float
    interrupted: bool = False

    @property
    def measured(self) -> bool:
        """Whether a round of any cell was finished."""
        return any(cell.measured or cell.duets or cell.refused_duets for r in self.results for cell in r.cells)

    @property
    def failures(self) -> list[tuple[str, CellResult]]:
        return [(r.entry, cell) for r in self.results for cell in r.cells if cell.failure]


def entry_result(invocation: Invocation, parts: list[Progress], made: Made | None) -> EntryResult:
    """Returns the result of one entry. `parts`: its progress, one for each setup and for each group that it was in."""
    entry = parts[0].entry
    usual = next((part for part in parts if part.setup == USUAL_SETUP), parts[0])
    # a baseline or reference is in several groups: the first part is the one in which all of its cells were measured
    cells = {cell.key: cell for part in reversed(parts) for cell in _cells(invocation, part)}
    return EntryResult(
        entry=entry.id, runs={invocation.id: _run(invocation, entry, usual, made)}, cells=list(cells.values())
    )


def _run(invocation: Invocation, entry: Entry, usual: Progress, made: Made | None) -> Run:
    """Returns what is the same for all cells of an entry. Memory and times are those of the app in its usual setup."""
    peaks = [r.memory_bytes for rounds in usual.solo.values() for r in rounds]
    facts = made.facts if made else Facts()
    return Run(
        id=invocation.id,
        started=invocation.started.replace(microsecond=0),
        target="docker" if invocation.target == "docker" else "native",
        profile=invocation.profile,
        machine=invocation.machine,
        version=entry.version(invocation.target),
        runtime=facts.runtime,
        runtime_build=facts.runtime_build,
        server=entry.manifest.server,
        files_hash=entry.files_hash(),
        released=facts.released,
        licence=facts.licence,
        packages=facts.packages,
        code_lines=facts.code_lines,
        build_seconds=made.build.seconds if made else None,
        size_bytes=made.build.size_bytes if made else None,
        start_seconds=_rounded(usual.start_seconds),
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


def _cells(invocation: Invocation, part: Progress) -> Iterable[CellResult]:
    """Returns the cells that were measured, that failed, or that could not be measured here."""
    for cell in part.cells:
        if any(cell in known for known in (part.solo, part.duets, part.features, part.failures, part.not_run)):
            yield _cell(invocation, part, cell)


def _cell(invocation: Invocation, part: Progress, cell: Cell) -> CellResult:
    solo, duets, failure = part.solo.get(cell, []), part.duets.get(cell, []), part.failures.get(cell)
    partner = part.partners.get(cell)
    columns = None
    if partner and duets:
        known = part.baseline_throughput.get(cell)
        columns = duet_columns(duets, partner.entry, partner.variant, known)
    return CellResult(
        run=invocation.id,
        suite=cell.suite,
        scenario=cell.scenario,
        variant=cell.variant,
        solo=solo_columns(solo),
        duets=columns,
        latency=latency_columns(part.latency.get(cell, [])),
        refused=refusals(solo),
        refused_duets=refusals(duets),
        no_duets=part.no_duets.get(cell) if not failure else None,
        features=part.features.get(cell, {}),
        json_library=part.entry.json_library(cell),
        remarks=[] if failure else list(_remarks(part, cell)),
        failure=failure,
        # a cell that has rounds from before the backend was lost counts as measured
        not_run=part.not_run.get(cell) if not (solo or duets or failure) else None,
    )


def _remarks(part: Progress, cell: Cell) -> Iterable[str]:
    """Yields a remark where the runtime was not warm before the rounds, and where the cost changed during them.

    The relative costs of duet rounds are tested, where there are enough of them: the machine changes both sides alike.
    """
    if seconds := part.unsettled.get(cell):
        yield f"its CPU time per request was not steady after {seconds:.2g} s of warm-up"
    ratios = [round_.cpu_us / round_.baseline_cpu_us for round_ in part.duets.get(cell, []) if not round_.invalid]
    what, costs = "relative cost", ratios
    if len(ratios) < FEWEST:
        what, costs = "CPU time per request", [r.cpu_us for r in part.solo.get(cell, []) if not r.invalid]
    if change := drift(costs):
        yield f"its {what} changed by {100 * (change - 1):+.0f} % from the first to the last rounds"
