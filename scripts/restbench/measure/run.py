"""A run: builds the entries, measures them group by group, and keeps the results."""

import random
import secrets
import traceback
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from restbench.backends import Backend
from restbench.catalog import USUAL_SETUP, Cell, Entry, Setup
from restbench.catalog.baselines import has_duets, partner_of
from restbench.catalog.profiles import CHECKED_ROUNDS
from restbench.errors import EntryError
from restbench.measure.backend_session import BackendSession, backend_for
from restbench.measure.blame import unforeseen
from restbench.measure.events import Building, Built, Failed, Observer, Planned, Remarked, Visited
from restbench.measure.group import Group
from restbench.measure.outcome import Invocation, Made, Outcome, entry_result
from restbench.measure.progress import Progress
from restbench.measure.schedule import in_groups
from restbench.measure.tools import Tools
from restbench.measure.warm_up import expected_seconds
from restbench.results.journal import Journal, RunLine, Unfinished
from restbench.results.models import EntryResult, Failure, Machine, RateKind
from restbench.system.pools import result_of, stoppable_pool
from restbench.targets import BUILDS_AT_A_TIME, Runtime
from restbench.targets.facts import Facts


@dataclass(frozen=True)
class Plan:
    """What a run does.

    The reference, where there is one, takes part in every group of apps in the usual setup. So does the baseline of
    each language of the group. `baselines` has them by language.

    `collect`: finds out the facts of an entry that was built. `make_backend`: makes the backend, where a suite of the
    run needs one. `backend`: a backend that runs already, and that goes on after the run. `partner`: returns the
    baseline's cell that a cell is measured against. `wanted`: whether a cell is measured at all.

    `taken_up`: the unfinished run that this run goes on with. `keep`: is called with the result of each entry as soon
    as the entry is finished, before the run ends.
    """

    entries: list[Entry]
    reference: Entry | None
    baselines: dict[str, Entry]
    suites: list[str]
    tools: Tools
    runtime: Runtime
    machine: Machine
    collect: Callable[[Entry], Facts]
    make_backend: Callable[[], Backend]
    seed: int = field(default_factory=lambda: secrets.randbits(32))
    backend: BackendSession | None = None
    partner: Callable[[Entry, Cell, Entry], Cell | None] = partner_of
    wanted: Callable[[Entry, Cell], bool] = lambda _entry, _cell: True
    taken_up: Unfinished | None = None
    keep: Callable[[EntryResult], None] = lambda _result: None


def run_plan(plan: Plan, journal: Journal, observe: Observer) -> Outcome:
    """Runs the whole plan.

    An entry that fails is not measured any more; the others go on. Ctrl-C ends the run, and the outcome holds the
    rounds that were finished. Raises ResultsError when the journal cannot be written.
    """
    asked = plan.taken_up.asked if plan.taken_up else _asked(plan)
    invocation = Invocation(asked.run, asked.started, plan.runtime.name, plan.tools.profile.name, plan.machine)
    journal.begin(asked)
    rng = random.Random(plan.seed)
    made: dict[str, Made] = {}
    measured: list[Progress] = []
    kept: dict[str, EntryResult] = {}
    interrupted, planned = False, 0.0
    try:
        competitors = [p for entry in plan.entries for p in _progresses(plan, entry)]
        groups = list(_groups(competitors))
        teams = [[*group, *_company(plan, group)] for group in groups]
        planned = _planned(plan, teams, observe)
        _take_up(plan.taken_up, teams, observe)
        made = _build(plan, [p for team in teams for p in team], observe)
        make_backend = plan.make_backend if any(p.needs_backend_cells for p in competitors) else None
        opened = nullcontext(plan.backend) if plan.backend else backend_for(make_backend, observe)
        with opened as backend:
            tools = replace(plan.tools, backend=backend.backend)
            for number, team in enumerate(teams):
                measured += team
                journal.group = number
                Group(tools, plan.runtime, journal, observe, rng, backend, team).run()
                later = {progress.entry.id for others in teams[number + 1 :] for progress in others}
                finished = [p for p in measured if p.entry.id not in later | kept.keys()]
                kept |= _results(invocation, finished, made)
                for name in {progress.entry.id for progress in finished} & kept.keys():
                    plan.keep(kept[name])
    except KeyboardInterrupt:
        interrupted = True
    return Outcome(list(_results(invocation, measured, made).values()), planned, interrupted)


def _asked(plan: Plan) -> RunLine:
    """Returns the first line of the journal for a run that begins now."""
    started = datetime.now(UTC)
    return RunLine(
        run=f"{started:%Y%m%dT%H%M%SZ}-{plan.seed:08x}",
        started=started,
        seed=plan.seed,
        profile=plan.tools.profile.name,
        target=plan.runtime.name,
        suites=plan.suites,
        entries={entry.id: entry.files_hash() for entry in plan.entries},
        machine=plan.machine,
    )


def _take_up(taken_up: Unfinished | None, teams: list[list[Progress]], observe: Observer) -> None:
    """Gives each cell the rounds that it had in the same group of the run that is taken up."""
    for number, team in enumerate(teams if taken_up else []):
        for progress in team:
            for cell in progress.cells:
                for seen in taken_up.rounds.get((number, str(cell)), []) if taken_up else []:
                    progress.keep(cell, seen)
                    observe(Visited(cell, seen))


def _results(invocation: Invocation, parts: list[Progress], made: dict[str, Made]) -> dict[str, EntryResult]:
    """Returns the results by entry, without the entries that have no cell to show."""
    by_entry: dict[str, list[Progress]] = {}
    for progress in parts:
        by_entry.setdefault(progress.entry.id, []).append(progress)
    results = {name: entry_result(invocation, same, made.get(name)) for name, same in by_entry.items()}
    return {name: result for name, result in results.items() if result.cells}


def _progresses(plan: Plan, entry: Entry) -> list[Progress]:
    """Returns the progress of the entry: one for each setup that its cells need, with these cells."""
    profile = plan.tools.profile
    cells = [c for c in entry.cells(plan.suites) if profile.measures(entry.scenario(c)) and plan.wanted(entry, c)]
    groups = entry.by_setup(cells).items()
    return [Progress(entry, cells, setup, _not_run(plan, entry, cells)) for setup, cells in groups]


def _not_run(plan: Plan, entry: Entry, cells: list[Cell]) -> dict[Cell, str]:
    """Returns the cells that cannot be measured on this machine, with their unavailable reasons."""
    reasons: dict[Cell, str] = {}
    for cell in cells:
        scenario = entry.scenario(cell)
        reason = plan.tools.latency.unavailable_reason() if scenario.batch else None
        reason = reason or (plan.runtime.link_unavailable_reason() if scenario.link_delay_ms else None)
        if reason:
            reasons[cell] = reason
    return reasons


def _groups(competitors: list[Progress]) -> list[list[Progress]]:
    """Splits the competitors into groups. All entries of a group have the same setup."""
    by_setup: dict[Setup, list[Progress]] = {}
    for progress in competitors:
        by_setup.setdefault(progress.setup, []).append(progress)
    return [group for alike in by_setup.values() for group in in_groups(alike)]


def _company(plan: Plan, group: list[Progress]) -> list[Progress]:
    """Returns the entries that run side by side with a group of competitors, and notes each competitor's partners.

    They are the baselines that are not competitors of the group themselves, and the reference.
    """
    if group[0].setup != USUAL_SETUP:
        return []
    company: dict[str, Progress] = {}
    present = {progress.entry.id: progress for progress in group}
    for progress in group:
        for cell, partner in _partners(plan, progress).items():
            baseline = plan.baselines[progress.entry.language.name]
            if baseline.id not in present:
                added = company.setdefault(baseline.id, Progress(baseline, []))
                if partner not in added.cells:
                    added.cells.append(partner)
            progress.partners[cell] = partner
    reference = _reference(plan)
    return [*company.values(), *([reference] if reference else [])]


def _partners(plan: Plan, progress: Progress) -> dict[Cell, Cell]:
    """Returns the partner of each cell that has one.

    For the other cells the reason is noted, except for the baseline's own cells and in a profile without duet rounds.
    """
    baseline = plan.baselines.get(progress.entry.language.name)
    measured = [cell for cell in progress.loaded if has_duets(progress.entry.scenario(cell))]
    if plan.tools.profile.duet_rounds == 0 or (baseline and baseline.id == progress.entry.id):
        return {}
    if baseline is None:
        language = progress.entry.language.manifest
        if progress.entry.name != language.baseline:
            progress.give_up_duets(measured, f"{language.title} has no baseline")
        return {}
    found = {cell: partner for cell in measured if (partner := plan.partner(progress.entry, cell, baseline))}
    progress.give_up_duets([cell for cell in measured if cell not in found], f"{baseline.title} has no such cell")
    return found


def _planned(plan: Plan, teams: list[list[Progress]], observe: Observer) -> float:
    """Reports to `observe` how much there is to do. Returns the planned seconds of load, warm-up included."""
    profile = plan.tools.profile
    seconds, rounds = 0.0, 0
    for progress in (progress for team in teams for progress in team):
        for cell in progress.loaded:
            scenario, duets = progress.entry.scenario(cell), progress.partner(cell) is not None
            seconds += profile.planned_seconds(scenario, duets)
            if profile.warm_up_seconds and not scenario.batch:
                rule, cells = progress.entry.language.manifest.warm_up, len(progress.loaded)
                seconds += expected_seconds(rule, profile.warm_up_seconds, cells) - profile.warm_up_seconds
            rounds += (profile.warm_up_seconds > 0) + profile.rounds_of(scenario) + profile.duet_rounds * duets
            rounds += CHECKED_ROUNDS
            if scenario.batch is None and plan.tools.latency.unavailable_reason() is None:
                rounds += len(RateKind) * profile.latency_rounds
    observe(Planned(rounds, seconds))
    return seconds


def _reference(plan: Plan) -> Progress | None:
    """Returns the progress of the reference: its first cell, whatever suites were asked for.

    None where there is no reference, or where it is a competitor itself.
    """
    if plan.reference is None or plan.reference in plan.entries:
        return None
    return Progress(plan.reference, plan.reference.cells(list(plan.reference.suites))[:1])


def _build(plan: Plan, everyone: list[Progress], observe: Observer) -> dict[str, Made]:
    """Builds all entries before anything is measured. Returns those that were built, by entry.

    They are built side by side, because nothing else needs the CPUs yet.
    """
    parts: dict[str, list[Progress]] = {}
    for progress in everyone:
        parts.setdefault(progress.entry.id, []).append(progress)

    def build(same: list[Progress]) -> tuple[str, Made | None]:
        entry = same[0].entry
        try:
            if lacking := plan.runtime.unavailable_reason(entry):
                raise EntryError(f"{entry.id}: {lacking}")
            observe(Building(entry.id))
            built = plan.runtime.build(entry)
            observe(Built(entry.id, built.seconds, built.cached))
            facts = plan.collect(entry)
        except EntryError as error:
            failure, detail = Failure(check="build", got=error.message), error.detail
        except Exception as error:  # a fault in one entry must not end the run of the others
            failure, detail = unforeseen(error), traceback.format_exc()
        else:
            for remark in facts.remarks:
                observe(Remarked(entry.id, remark))
            return entry.id, Made(built, facts)
        for progress in same:
            progress.failures.update(dict.fromkeys(progress.cells, failure))
        observe(Failed(entry.id, None, failure, detail))
        return entry.id, None

    with stoppable_pool(BUILDS_AT_A_TIME) as pool:
        begun = [pool.submit(build, same) for same in parts.values()]
        return {name: made for name, made in map(result_of, begun) if made}
