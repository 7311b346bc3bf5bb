"""A run: build, measure job by job, keep what came of it."""

import random
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from restbench.backends import Backend
from restbench.catalog import USUAL_SETUP, Cell, Entry, Setup
from restbench.errors import EntryError, Interrupted
from restbench.facts import Facts
from restbench.measure.beside import beside_apps
from restbench.measure.events import Building, Built, Failed, Observer, Planned, Remarked
from restbench.measure.job import Job
from restbench.measure.outcome import Invocation, Made, Outcome, entry_result
from restbench.measure.pace import Baseline
from restbench.measure.progress import Progress
from restbench.measure.schedule import jobs
from restbench.measure.tools import Tools
from restbench.results.journal import Journal
from restbench.results.models import Failure, Machine
from restbench.targets import BUILDS_AT_A_TIME, Runtime


@dataclass(frozen=True)
class Plan:
    """What a run does. The reference, where there is one, takes part in every job of apps that are started as usual.

    `collect` finds out the facts of an entry that was built; `link_trouble` says why no link delay can be emulated;
    `make_backend` makes what a suite needs beside the apps, where one of the run does.
    """

    entries: list[Entry]
    reference: Entry | None
    suites: list[str]
    tools: Tools
    runtime: Runtime
    machine: Machine
    baseline: Baseline
    collect: Callable[[Entry], Facts]
    link_trouble: Callable[[], str | None]
    make_backend: Callable[[], Backend]
    seed: int = field(default_factory=lambda: secrets.randbits(32))


def run_plan(plan: Plan, journal: Journal, observe: Observer) -> Outcome:
    """Runs the whole plan. An entry that fails is out; Ctrl-C ends the run with what there is."""
    started = datetime.now(UTC)
    run_id = f"{started:%Y%m%dT%H%M%SZ}-{plan.seed:08x}"
    invocation = Invocation(run_id, started, plan.runtime.name, plan.tools.profile.name, plan.machine)
    rng = random.Random(plan.seed)
    made: dict[str, Made] = {}
    measured: list[Progress] = []
    interrupted, planned = False, 0.0
    try:
        competitors = [p for entry in plan.entries for p in _progresses(plan, entry)]
        reference = _reference(plan)
        groups = list(_groups(competitors))
        usual = sum(group[0].setup == USUAL_SETUP for group in groups)
        everyone = competitors + ([reference] if reference else [])
        planned = _planned(plan, competitors, reference, usual, observe)
        made = _build(plan, everyone, observe)
        with beside_apps(plan.make_backend if any(p.beside_backend for p in competitors) else None, observe) as beside:
            tools = replace(plan.tools, backend=beside.backend)
            for group in groups:
                measured += group
                job = Job(tools, plan.runtime, journal, observe, rng, plan.baseline, beside)
                yardstick = [_again(reference)] if reference and group[0].setup == USUAL_SETUP else []
                measured += yardstick
                job.run([*group, *yardstick], reference.entry.id if reference else None)
    except (KeyboardInterrupt, Interrupted):
        interrupted = True
    by_entry: dict[str, list[Progress]] = {}
    for progress in measured:
        by_entry.setdefault(progress.entry.id, []).append(progress)
    results = [entry_result(invocation, parts, made.get(name)) for name, parts in by_entry.items()]
    return Outcome([result for result in results if result.cells], planned, interrupted)


def _progresses(plan: Plan, entry: Entry) -> list[Progress]:
    """The entry's cells by how it has to be started for them."""
    cells = [cell for cell in entry.cells(plan.suites) if plan.tools.profile.measures(entry.scenario(cell))]
    groups = entry.by_setup(cells).items()
    return [Progress(entry, cells, setup, _not_run(plan, entry, cells)) for setup, cells in groups]


def _not_run(plan: Plan, entry: Entry, cells: list[Cell]) -> dict[Cell, str]:
    """What this machine lacks for some cells."""
    reasons: dict[Cell, str] = {}
    for cell in cells:
        scenario = entry.scenario(cell)
        if scenario.batch and (lacking := plan.tools.latency.missing()):
            reasons[cell] = lacking
        elif scenario.link_delay_ms and (trouble := plan.link_trouble()):
            reasons[cell] = trouble
    return reasons


def _groups(competitors: list[Progress]) -> list[list[Progress]]:
    """What is measured side by side: apps that are started alike."""
    by_setup: dict[Setup, list[Progress]] = {}
    for progress in competitors:
        by_setup.setdefault(progress.setup, []).append(progress)
    return [group for alike in by_setup.values() for group in jobs(alike)]


def _planned(
    plan: Plan, competitors: list[Progress], reference: Progress | None, jobs_with_it: int, observe: Observer
) -> float:
    """Tells how much there is to do. Returns the seconds of load and warm-up."""
    parts = competitors + [reference] * jobs_with_it if reference else competitors
    scenarios = [p.entry.scenario(cell) for p in parts for cell in p.loaded]
    seconds = sum(plan.tools.profile.planned_seconds(scenario) for scenario in scenarios)
    observe(Planned(sum(plan.tools.profile.planned_visits(scenario) for scenario in scenarios), seconds))
    return seconds


def _reference(plan: Plan) -> Progress | None:
    """The yardstick's own scenario, whatever suites were asked for."""
    if plan.reference is None or plan.reference in plan.entries:
        return None
    return Progress(plan.reference, plan.reference.cells(list(plan.reference.suites))[:1])


def _again(reference: Progress) -> Progress:
    """The reference for one more job: measured anew, failed if it could not be built."""
    return Progress(reference.entry, reference.cells, failures=dict(reference.failures))


def _build(plan: Plan, everyone: list[Progress], observe: Observer) -> dict[str, Made]:
    """Makes all environments before anything is measured, side by side: nothing else needs the CPUs yet."""
    parts: dict[str, list[Progress]] = {}
    for progress in everyone:
        parts.setdefault(progress.entry.id, []).append(progress)

    def build(same: list[Progress]) -> tuple[str, Made | None]:
        entry = same[0].entry
        try:
            if lacking := plan.runtime.lacks(entry):
                raise EntryError(f"{entry.id}: {lacking}")
            observe(Building(entry.id))
            built = plan.runtime.build(entry)
        except EntryError as error:
            failure = Failure(check="build", got=error.message)
            for progress in same:
                progress.failures.update(dict.fromkeys(progress.cells, failure))
            observe(Failed(entry.id, None, failure, error.detail))
            return entry.id, None
        observe(Built(entry.id, built.seconds, built.cached))
        facts = plan.collect(entry)
        for trouble in facts.trouble:
            observe(Remarked(entry.id, trouble))
        return entry.id, Made(built, facts)

    pool = ThreadPoolExecutor(BUILDS_AT_A_TIME)
    try:
        return {name: made for name, made in pool.map(build, parts.values()) if made}
    finally:
        pool.shutdown(cancel_futures=True)  # Ctrl-C waits for what is being built, and begins nothing more
