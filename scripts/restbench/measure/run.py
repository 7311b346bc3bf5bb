"""A run: build, measure job by job, keep what came of it."""

import os
import random
import secrets
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime

from restbench.catalog import Entry
from restbench.errors import EntryError, Interrupted
from restbench.measure.events import Building, Built, Failed, Observer, Planned
from restbench.measure.job import Job, Progress
from restbench.measure.pace import Baseline
from restbench.measure.schedule import jobs
from restbench.measure.visit import Tools
from restbench.results.journal import Journal
from restbench.results.models import CellResult, EntryResult, Failure, Machine, Run
from restbench.targets import Build, Runtime


@dataclass(frozen=True)
class Plan:
    """What a run does. The reference, where there is one, takes part in every job."""

    entries: list[Entry]
    reference: Entry | None
    suites: list[str]
    tools: Tools
    runtime: Runtime
    machine: Machine
    baseline: Baseline
    seed: int = field(default_factory=lambda: secrets.randbits(32))


@dataclass
class Outcome:
    """What came of a run. Results of an interrupted run hold the rounds that were finished."""

    results: list[EntryResult]
    planned_seconds: float
    interrupted: bool = False

    @property
    def failures(self) -> list[tuple[str, CellResult]]:
        return [(r.entry, cell) for r in self.results for cell in r.cells if cell.failure]


def run_plan(plan: Plan, journal: Journal, observe: Observer) -> Outcome:
    """Runs the whole plan. An entry that fails is out; Ctrl-C ends the run with what there is."""
    started = datetime.now(UTC)
    run_id = f"{started:%Y%m%dT%H%M%SZ}-{plan.seed:08x}"
    rng = random.Random(plan.seed)
    builds: dict[str, Build] = {}
    measured: list[Progress] = []
    interrupted, planned = False, 0.0
    try:
        competitors = [Progress(e, cells) for e in plan.entries if (cells := e.cells(plan.suites))]
        reference = _reference(plan)
        groups = [[p for p in competitors if p.entry in group] for group in jobs([p.entry for p in competitors])]
        everyone = competitors + ([reference] if reference else [])
        visits = sum(len(p.cells) for p in competitors) + (len(groups) if reference else 0)
        planned = plan.tools.profile.planned_seconds(visits)
        observe(Planned(_visits_planned(plan, visits), planned))
        builds = _build(plan, everyone, observe)
        for group in groups:
            measured += group
            job = Job(plan.tools, plan.runtime, journal, observe, rng, plan.baseline)
            yardstick = [_again(reference)] if reference else []
            measured += yardstick
            job.run([*group, *yardstick], reference.entry.id if reference else None)
    except (KeyboardInterrupt, Interrupted):
        interrupted = True
    results = [_result(plan, p, builds.get(p.entry.id), run_id, started) for p in measured]
    return Outcome(list({r.entry: r for r in results if r.cells}.values()), planned, interrupted)


def _visits_planned(plan: Plan, cells: int) -> int:
    profile = plan.tools.profile
    return cells * (profile.rounds + (profile.warm_up_seconds > 0))


def _reference(plan: Plan) -> Progress | None:
    """The yardstick's own scenario, whatever suites were asked for."""
    if plan.reference is None or plan.reference in plan.entries:
        return None
    return Progress(plan.reference, plan.reference.cells(list(plan.reference.suites))[:1])


def _again(reference: Progress) -> Progress:
    """The reference for one more job: measured anew, failed if it could not be built."""
    return Progress(reference.entry, reference.cells, failures=dict(reference.failures))


def _build(plan: Plan, everyone: list[Progress], observe: Observer) -> dict[str, Build]:
    """Makes all environments before anything is measured, side by side: nothing else needs the CPUs yet."""

    def build(progress: Progress) -> tuple[str, Build | None]:
        entry = progress.entry
        try:
            if lacking := plan.runtime.lacks(entry):
                raise EntryError(f"{entry.id}: {lacking}")
            observe(Building(entry.id))
            built = plan.runtime.build(entry)
        except EntryError as error:
            failure = Failure(check="build", got=error.message)
            progress.failures.update(dict.fromkeys(progress.cells, failure))
            observe(Failed(entry.id, None, failure, error.detail))
            return entry.id, None
        observe(Built(entry.id, built.seconds, built.cached))
        return entry.id, built

    pool = ThreadPoolExecutor(os.cpu_count())
    try:
        return {name: built for name, built in pool.map(build, everyone) if built}
    finally:
        pool.shutdown(cancel_futures=True)  # Ctrl-C waits for what is being built, and begins nothing more


def _result(plan: Plan, progress: Progress, build: Build | None, run_id: str, started: datetime) -> EntryResult:
    peaks = [r.memory_peak_bytes for rounds in progress.rounds.values() for r in rounds]
    run = Run(
        id=run_id,
        started=started.replace(microsecond=0),
        target="docker" if plan.runtime.name == "docker" else "native",
        profile=plan.tools.profile.name,
        machine=plan.machine,
        version=progress.entry.version(),
        files_hash=progress.entry.files_hash(),
        build_seconds=build.seconds if build and not build.cached else None,
        size_bytes=build.size_bytes if build else None,
        start_seconds=progress.start_seconds,
        memory_start_bytes=progress.memory_start_bytes,
        memory_peak_bytes=max(peaks, default=None),
        memory_after_bytes=progress.memory_after_bytes,
    )
    cells = [
        CellResult(
            run=run_id,
            suite=cell.suite,
            scenario=cell.scenario,
            variant=cell.variant,
            rounds=progress.rounds.get(cell, []),
            failure=progress.failures.get(cell),
        )
        for cell in progress.cells
        if cell in progress.rounds or cell in progress.failures
    ]
    return EntryResult(entry=progress.entry.id, runs={run_id: run}, cells=cells)
