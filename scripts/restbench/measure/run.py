"""A run: builds the entries, measures them team by team, and keeps the results."""

import random
import secrets
import traceback
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from restbench.backends import Backend
from restbench.catalog import USUAL_SETUP, Cell, Entry, Setup
from restbench.catalog.baselines import partner_of
from restbench.catalog.profiles import CHECKED_ROUNDS
from restbench.errors import EntryError, MachineError, SlowBuildError
from restbench.measure.backend_session import BackendSession, backend_for
from restbench.measure.blame import unforeseen
from restbench.measure.events import Building, Built, Failed, Missing, Observer, Planned, Remarked, Visited
from restbench.measure.outcome import Invocation, Made, Outcome, entry_result
from restbench.measure.progress import Progress
from restbench.measure.schedule import in_teams
from restbench.measure.team_run import TeamRun
from restbench.measure.tools import Tools
from restbench.measure.warm_up import expected_seconds
from restbench.results.journal import Journal, RunLine, Unfinished
from restbench.results.models import EntryResult, Failure, Machine, RateKind
from restbench.system.pools import result_of, stoppable_pool
from restbench.targets import BUILDS_AT_A_TIME, Runtime
from restbench.targets.building import room_for
from restbench.targets.facts import Facts


@dataclass(frozen=True)
class Plan:
    """What a run does.

    The reference, where there is one, takes part in every team of apps in the usual setup. So does the baseline of
    each language of the team. `baselines` has them by language. All of them are in the first team.

    `collect`: finds out the facts of an entry that was built. `make_backend`: makes the backend, where a suite of the
    run needs one. `backend`: a backend that runs already, and that goes on after the run. `partner`: returns the
    baseline's cell that a cell is compared with. `wanted`: whether a cell is measured at all.

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
    teams: list[list[Progress]] = []
    interrupted, planned, reached = False, 0.0, 0
    try:
        competitors = [p for entry in plan.entries for p in _progresses(plan, entry)]
        teams = _teams(plan, competitors)
        planned = _planned(plan, teams, observe)
        _take_up(plan.taken_up, teams, observe)
        made = _build(plan, [p for team in teams for p in team], observe)
        make_backend = plan.make_backend if any(p.needs_backend_cells for p in competitors) else None
        opened = nullcontext(plan.backend) if plan.backend else backend_for(make_backend, observe)
        with opened as backend:
            tools = replace(plan.tools, backend=backend.backend)
            for number, team in enumerate(teams):
                measured += team
                journal.team, reached = number, number + 1
                TeamRun(tools, plan.runtime, journal, observe, rng, backend, team).run()
                later = {progress.entry.id for others in teams[number + 1 :] for progress in others}
                finished = [p for p in measured if p.entry.id not in later | kept.keys()]
                kept |= _results(invocation, finished, made)
                for name in {progress.entry.id for progress in finished} & kept.keys():
                    plan.keep(kept[name])
    except KeyboardInterrupt:
        interrupted = True
        # a run that was taken up may end before it has come to teams that have rounds already
        measured += [progress for team in teams[reached:] for progress in team if progress.solo or progress.duets]
    return Outcome(list(_results(invocation, measured, made).values()), planned, interrupted, measured)


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
        entries=hashes_of(plan.entries),
        beside=hashes_of(beside(plan)),
        machine=plan.machine,
    )


def beside(plan: Plan) -> list[Entry]:
    """Returns the baselines and the reference, which are measured for the sake of others."""
    return [*plan.baselines.values(), *([plan.reference] if plan.reference else [])]


def hashes_of(entries: Iterable[Entry]) -> dict[str, str]:
    """Returns a hash of each entry's files."""
    return {entry.id: entry.files_hash() for entry in entries}


def _take_up(taken_up: Unfinished | None, teams: list[list[Progress]], observe: Observer) -> None:
    """Gives each cell the rounds that it had in the same team of the run that is taken up."""
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
    by_setup = entry.by_setup(cells).items()
    return [Progress(entry, cells, setup, _not_run(plan, entry, cells)) for setup, cells in by_setup]


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


def _teams(plan: Plan, competitors: list[Progress]) -> list[list[Progress]]:
    """Splits the competitors into teams, each with those that run beside it. All entries of a team have one setup.

    Beside a team run the baselines of its languages, and the reference. Beside the first team run the baselines of
    all languages, so that languages can be compared.
    """
    usual = [progress for progress in competitors if progress.setup == USUAL_SETUP]
    for progress in usual:
        _find_partners(plan, progress)
    baselines = {entry.id: entry for entry in plan.baselines.values()}
    by_setup: dict[Setup, list[Progress]] = {}
    for progress in sorted(competitors, key=lambda progress: progress.entry.id not in baselines):
        by_setup.setdefault(progress.setup, []).append(progress)
    teams = []
    for setup, alike in by_setup.items():
        for number, members in enumerate(in_teams(alike)):
            compared = usual if setup == USUAL_SETUP and number == 0 else members
            teams.append(_team(plan, members, list(dict.fromkeys(p for c in compared for p in c.partners.values()))))
    return teams


def _team(plan: Plan, members: list[Progress], partners: list[Cell]) -> list[Progress]:
    """Returns a team of competitors with those that run beside them. `partners`: the cells that are compared with."""
    team = {progress.entry.id: progress for progress in members}
    for baseline in plan.baselines.values():
        cells = [cell for cell in partners if cell.entry == baseline.id]
        if baseline.id not in team and cells:
            # a baseline is its own partner, so that its relative cost is 1; in a comparison it is the other version
            own = {} if plan.tools.profile.duet_rounds else {cell: cell for cell in cells}
            team[baseline.id] = Progress(baseline, cells, beside=True, partners=own)
    if members[0].setup == USUAL_SETUP and (reference := _reference(plan)):
        team[reference.entry.id] = reference
    for progress in team.values():
        progress.team = team
    return list(team.values())


def _find_partners(plan: Plan, progress: Progress) -> None:
    """Notes the partner of each cell, or the reason why it has none."""
    language = progress.entry.language
    baseline = plan.baselines.get(language.name)
    for cell in progress.loaded:
        if baseline and (partner := plan.partner(progress.entry, cell, baseline)):
            progress.partners[cell] = partner
        else:
            reason = f"{baseline.title} has no such cell" if baseline else f"{language.manifest.title} has no baseline"
            progress.give_up_duets([cell], reason)


def _planned(plan: Plan, teams: list[list[Progress]], observe: Observer) -> float:
    """Reports to `observe` how much there is to do. Returns the planned seconds of load, warm-up included."""
    profile = plan.tools.profile
    seconds, rounds = 0.0, 0
    for progress in (progress for team in teams for progress in team):
        for cell in progress.loaded:
            scenario, duets = progress.entry.scenario(cell), progress.partner(cell) is not None
            seconds += profile.planned_seconds(scenario, duets)
            if not scenario.batch:
                rule, cells = progress.entry.language.manifest.warm_up, len(progress.loaded)
                seconds += expected_seconds(rule, profile.warm_up_seconds, cells) - profile.warm_up_seconds
            rounds += 1 + profile.rounds_of(scenario) + profile.duet_rounds * duets + CHECKED_ROUNDS
            if not (scenario.batch or progress.beside) and plan.tools.latency.unavailable_reason() is None:
                rounds += len(RateKind) * profile.latency_rounds
    observe(Planned(rounds, seconds))
    return seconds


def _reference(plan: Plan) -> Progress | None:
    """Returns the progress of the reference: its first cell, whatever suites were asked for.

    None where there is no reference, or where it is a competitor itself.
    """
    if plan.reference is None or plan.reference in plan.entries:
        return None
    return Progress(plan.reference, plan.reference.cells(list(plan.reference.suites))[:1], beside=True)


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
            return entry.id, _make(plan, entry, observe)
        except MachineError as error:
            for progress in same:
                progress.miss(error.message, slow_build=isinstance(error, SlowBuildError))
            observe(Missing(entry.id, error.message))
            return entry.id, None
        except EntryError as error:
            failure, detail = Failure(check="build", got=error.message), error.detail
        except Exception as error:  # a fault in one entry must not end the run of the others
            failure, detail = unforeseen(error), traceback.format_exc()
        for progress in same:
            progress.failures.update(dict.fromkeys(progress.cells, failure))
        observe(Failed(entry.id, None, failure, detail))
        return entry.id, None

    with stoppable_pool(BUILDS_AT_A_TIME) as pool:
        begun = [pool.submit(build, same) for same in parts.values()]
        return {name: made for name, made in map(result_of, begun) if made}


def _make(plan: Plan, entry: Entry, observe: Observer) -> Made:
    """Builds an entry, and finds out its facts. Raises EntryError."""
    if lacking := plan.runtime.unavailable_reason(entry):
        raise EntryError(f"{entry.id}: {lacking}")
    observe(Building(entry.id))
    with room_for(entry):
        built = plan.runtime.build(entry)
        observe(Built(entry.id, built.seconds, built.cached))
        facts = plan.collect(entry)
    for remark in facts.remarks:
        observe(Remarked(entry.id, remark))
    return Made(built, facts)
