"""What came of a run: an entry's parts, put together as its result."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from restbench.catalog import USUAL_SETUP, Entry
from restbench.facts import Facts
from restbench.measure.progress import Progress
from restbench.results.models import CellResult, EntryResult, Machine, Run
from restbench.targets import Build


@dataclass(frozen=True)
class Made:
    """An entry that was built, and what is known of it since."""

    build: Build
    facts: Facts


@dataclass(frozen=True)
class Invocation:
    """What all entries of a run have in common."""

    id: str
    started: datetime
    target: str
    profile: str
    machine: Machine


@dataclass
class Outcome:
    """What came of a run. Results of an interrupted run hold the rounds that were finished."""

    results: list[EntryResult]
    planned_seconds: float
    interrupted: bool = False

    @property
    def failures(self) -> list[tuple[str, CellResult]]:
        return [(r.entry, cell) for r in self.results for cell in r.cells if cell.failure]


def entry_result(invocation: Invocation, parts: list[Progress], made: Made | None) -> EntryResult:
    """The result of one entry. `parts`: one for each way it was started in, and for each job of the reference."""
    entry = parts[0].entry
    usual = next((part for part in parts if part.setup == USUAL_SETUP), parts[0])
    return EntryResult(
        entry=entry.id,
        runs={invocation.id: _run(invocation, entry, usual, made)},
        cells=list({cell.key: cell for part in parts for cell in _cells(invocation.id, part)}.values()),
    )


def _run(invocation: Invocation, entry: Entry, usual: Progress, made: Made | None) -> Run:
    """What is the same for all cells; memory and times are those of the app as it is usually started."""
    peaks = [r.memory_peak_bytes for rounds in usual.rounds.values() for r in rounds]
    facts = made.facts if made else Facts()
    return Run(
        id=invocation.id,
        started=invocation.started.replace(microsecond=0),
        target="docker" if invocation.target == "docker" else "native",
        profile=invocation.profile,
        machine=invocation.machine,
        version=entry.version(),
        files_hash=entry.files_hash(),
        released=facts.released,
        licence=facts.licence,
        packages=facts.packages,
        code_lines=facts.code_lines,
        build_seconds=made.build.seconds if made else None,
        size_bytes=made.build.size_bytes if made else None,
        start_seconds=usual.start_seconds,
        idle_cpu_share=usual.idle_cpu_share,
        memory_start_bytes=usual.memory_start_bytes,
        memory_peak_bytes=max(peaks, default=None),
        memory_after_bytes=usual.memory_after_bytes,
        ceiling=usual.ceiling,
    )


def _cells(run_id: str, part: Progress) -> Iterable[CellResult]:
    """What was measured, what failed, and what could not be measured here."""
    for cell in part.cells:
        if any(cell in known for known in (part.rounds, part.marks, part.failures, part.not_run)):
            rounds, failure = part.rounds.get(cell, []), part.failures.get(cell)
            yield CellResult(
                run=run_id,
                suite=cell.suite,
                scenario=cell.scenario,
                variant=cell.variant,
                rounds=rounds,
                marks=part.marks.get(cell, {}),
                failure=failure,
                # what was measured before the machine lost what it needs stays measured
                not_run=part.not_run.get(cell) if not (rounds or failure) else None,
            )
