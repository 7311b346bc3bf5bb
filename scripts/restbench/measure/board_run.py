"""A run for the board: each entry is loaded alone, beside its baseline and the reference, team by team.

In every round each cell of the team is visited once, in a fresh random order. Slow changes of a machine (temperature,
neighbours, caches) then affect all cells alike, not only the cells that are last. The reference's cell is one of them.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from random import Random

from restbench.catalog import USUAL_SETUP, Cell, Entry, Setup
from restbench.catalog.entry import partner_of
from restbench.catalog.profiles import BATCH_SECONDS, Profile
from restbench.measure.backend_session import backend_for
from restbench.measure.basis import Basis
from restbench.measure.contention import Noticing, look
from restbench.measure.duration import BACKEND_SECONDS, planned_seconds, seconds_beside_load, seconds_of_builds
from restbench.measure.events import Observer, Planned, Remarked, Visited
from restbench.measure.outcome import BuiltEntry, Invocation, Outcome, entry_result, lacking
from restbench.measure.plan import Plan, build_all
from restbench.measure.progress import Progress
from restbench.measure.round import latency_round
from restbench.measure.session import IDLE_SECONDS, Session
from restbench.measure.team import Team, in_teams, random_order
from restbench.results.journal import Journal, Unfinished
from restbench.results.models import EntryResult, RateKind
from restbench.results.rounds import UNSTEADY

REPEATED_TOGETHER = 6
"""How many cells are visited again before the list of cells that lack rounds is made anew."""


def run_board(
    plan: Plan,
    journal: Journal,
    observe: Observer,
    taken_up: Unfinished | None = None,
    keep: Callable[[EntryResult], None] = lambda _result: None,
) -> Outcome:
    """Runs the whole plan.

    The reference, where there is one, takes part in every team of apps in the usual setup. So does the baseline of
    each language of the team. All baselines are in the first team.

    An entry that fails is not measured any more; the others go on. Ctrl-C ends the run, and the outcome holds the
    rounds that were finished. Raises ResultsError when the journal cannot be written.

    Before anything else it looks whether other programs use the CPUs, and while rounds are refused for that, which.

    `taken_up`: the unfinished run that this run goes on with. `keep`: is called with the result of each entry as soon
    as the entry is finished.
    """
    invocation, rng = plan.begin(), Random(plan.seed)
    if taken_up:
        invocation = replace(invocation, id=taken_up.asked.run, started=taken_up.asked.started)
    journal.begin(plan.asked(invocation))
    made: dict[str, BuiltEntry] = {}
    measured: list[Progress] = []
    results: dict[str, EntryResult] = {}
    teams: list[list[Progress]] = []
    interrupted, planned, reached, lack = False, 0.0, 0, None
    basis = Basis([*plan.entries, *plan.beside])
    if reason := plan.runtime.freezing_unavailable_reason():
        observe(Remarked(plan.runtime.name, reason))
    try:
        competitors = [progress for entry in plan.entries for progress in _progresses(plan, entry)]
        teams = _teams(plan, competitors)
        if taken_up:
            _take_up(taken_up, teams, observe)
        planned = _planned(plan, teams, observe)
        look(plan.tools, observe)
        observe = Noticing(plan.tools, observe)
        made = build_all(plan, (progress for team in teams for progress in team), observe)
        before = plan.tools.programs()
        make_backend = plan.make_backend if any(progress.needs_backend_cells for progress in competitors) else None
        with backend_for(make_backend, observe) as backend:
            for number, team in enumerate(teams):
                measured += team
                journal.team, reached = number, number + 1
                with basis.guarding(team, journal, observe):
                    for start in range(plan.tools.profile.starts + 1):
                        if not (here := _to_start(plan.tools.profile, team, start)):
                            continue
                        with Session(plan.tools, plan.runtime, here, backend, journal, observe, start) as session:
                            # the order matters: of two copies of an app, the first to be started cost 0.5 % more
                            session.make_ready(random_order(here, rng), rng, is_known=start > 0)
                            _measure_rounds(session.team, rng)
                            session.finish()
                for progress in team:
                    progress.resting.clear()
                later = {progress.entry.id for others in teams[number + 1 :] for progress in others}
                finished = [progress for progress in measured if progress.entry.id not in later | results.keys()]
                for name, result in _results(invocation, finished, made).items():
                    results[name] = result
                    keep(result)
        lack = lacking(measured, plan.tools, plan.tools.programs().since(before))
    except KeyboardInterrupt:
        interrupted = True
        # a run that was taken up may end before it has come to teams that have rounds already
        measured += [progress for team in teams[reached:] for progress in team if progress.solo]
    return Outcome(list(_results(invocation, measured, made).values()), planned, interrupted, measured, lack)


def _measure_rounds(team: Team, rng: Random) -> None:
    """Measures solo rounds, then latency rounds, repeats those of each that do not count, and checks answers.

    A cell has a checked round at a random place of its series, and another one as its last round. In a run that is
    taken up, the rounds that a cell already has are not measured again, except for those that were refused.
    """
    profile = team.tools.profile
    due = {cell: _due(profile, team.entries[cell.entry], cell, team.start) for cell in team.loaded()}
    checked_at = {cell: rng.choice(due[cell] or range(1)) for cell in team.loaded()}
    rounds = max(profile.solo_rounds, profile.batch_rounds)
    for index in range(rounds):
        for cell in random_order(team.loaded(), rng):
            if checked_at[cell] == index:
                team.check(cell)
            if index in due[cell]:
                team.solo(cell, index)
    planned = sum(
        planned_seconds(profile, team.apps[cell].scenario, latency=not team.entries[cell.entry].beside)
        for cell in team.loaded()
    )
    seconds = profile.repeat_share * planned / profile.starts
    left = _repeat(team, seconds, _lacks_solo, lambda cell: team.solo(cell, rounds))
    if team.tools.latency.unavailable_reason() is None:
        for wanted in range(1, profile.latency_rounds + 1):
            for cell in random_order(team.loaded(), rng):
                _latency(team, cell, wanted)
        _repeat(team, left, _lacks_latency, lambda cell: _latency(team, cell, profile.latency_rounds))
    for cell in team.loaded():
        team.expect_answers(cell)
    for cell in random_order(team.loaded(), rng):
        team.check(cell)


def _to_start(profile: Profile, team: list[Progress], start: int) -> list[Progress]:
    """Returns those of a team whose apps are started. In later starts cells rest that have their rounds already.

    After the profile's starts there is one more for cells that were not steady in one of them.
    """
    if start == 0:
        return team
    for progress in team:
        progress.resting = {cell for cell in progress.alive if not _due(profile, progress, cell, start)}
    return [progress for progress in team if progress.loaded]


def _due(profile: Profile, progress: Progress, cell: Cell, start: int) -> range:
    """Returns the numbers of the rounds of a cell that one start still has to measure."""
    scenario, solo = progress.entry.scenario(cell), progress.solo.get(cell, [])
    if not scenario.loaded:
        return range(0)
    wanted, counted = profile.rounds_of(scenario), [seen.start for seen in solo if not seen.invalid]
    has = counted.count(start)
    if start < profile.starts:
        part = profile.part_of(start, wanted)
        return range(part.start + has, part.stop)
    cold = sum(UNSTEADY in seen.invalid and seen.start < start for seen in solo)
    return range(has, min(cold, wanted - len(counted) + has))


def _repeat(team: Team, seconds: float, lacking: Callable[[Team, Cell], int], visit: Callable[[Cell], None]) -> float:
    """Visits cells again that lack rounds, for about so many seconds at most. Returns the seconds that are left."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and (cells := [cell for cell in team.loaded() if lacking(team, cell) > 0]):
        # only a few at a time, those that lack most rounds first: the time may end before each cell had its turn
        for cell in sorted(cells, key=partial(lacking, team), reverse=True)[:REPEATED_TOGETHER]:
            visit(cell)
    return deadline - time.monotonic()


def _lacks_solo(team: Team, cell: Cell) -> int:
    profile, progress = team.tools.profile, team.entries[cell.entry]
    # of a cell that is not steady, each further round would be refused too
    is_cold = profile.starts > 1 and cell in progress.unsettled
    return 0 if is_cold else len(_due(profile, progress, cell, team.start))


def _lacks_latency(team: Team, cell: Cell) -> int:
    return len(list(_rates(team, cell, team.tools.profile.latency_rounds)))


def _rates(team: Team, cell: Cell, wanted: int) -> Iterator[tuple[RateKind, int]]:
    """Yields each rate at which the cell has fewer latency rounds that count than are wanted.

    One rate is that of all apps that sustain it, the other is half of the throughput of each app.
    """
    progress, scenario = team.entries[cell.entry], team.apps[cell].scenario
    throughput = progress.throughput(cell)
    if scenario.batch or progress.beside or throughput is None:
        return
    for kind in RateKind:
        counted = sum(seen.kind == kind and not seen.invalid for seen in progress.latency.get(cell, []))
        rate = team.tools.rate(kind, scenario, throughput)
        if rate and counted < wanted:
            yield kind, rate


def _latency(team: Team, cell: Cell, wanted: int) -> None:
    """Measures a latency round at each rate at which the cell has fewer than are wanted."""
    for kind, rate in _rates(team, cell, wanted):
        for attempt in team.attempts(cell, "under-load"):
            with attempt, team.alone(cell):
                seen = latency_round(team.tools, team.apps[cell], kind, rate, wanted - 1)
            if attempt.done and not attempt.lost:
                team.keep(cell, seen)


def _take_up(taken_up: Unfinished, teams: list[list[Progress]], observe: Observer) -> None:
    """Gives each cell the rounds that it had in the same team of the run that is taken up."""
    for number, team in enumerate(teams):
        for progress in team:
            for cell in progress.cells:
                for seen in taken_up.rounds.get((number, str(cell)), []):
                    progress.keep(cell, seen)
                    observe(Visited(cell, seen))


def _results(invocation: Invocation, parts: list[Progress], made: dict[str, BuiltEntry]) -> dict[str, EntryResult]:
    """Returns the results by entry, without the entries that have no cell to show."""
    by_entry: dict[str, list[Progress]] = {}
    for progress in parts:
        by_entry.setdefault(progress.entry.id, []).append(progress)
    results = {name: entry_result(invocation, same, made.get(name)) for name, same in by_entry.items()}
    return {name: result for name, result in results.items() if result.cells}


def _progresses(plan: Plan, entry: Entry) -> list[Progress]:
    """Returns the progress of the entry: one for each setup that its cells need, with these cells."""
    profile = plan.tools.profile
    cells = [cell for cell in entry.cells(plan.suites) if profile.measures(entry.scenario(cell))]
    not_run: dict[Cell, str] = {}
    for cell in cells:
        scenario = entry.scenario(cell)
        reason = plan.tools.unavailable_reason(scenario)
        reason = reason or (plan.runtime.link_unavailable_reason() if scenario.link_delay_ms else None)
        if reason:
            not_run[cell] = reason
    return [Progress(entry, cells_, setup, dict(not_run)) for setup, cells_ in entry.by_setup(cells).items()]


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
            # a baseline is its own partner, so that its relative cost is 1
            team[baseline.id] = Progress(baseline, cells, beside=True, partners={cell: cell for cell in cells})
    reference = plan.reference
    if members[0].setup == USUAL_SETUP and reference and reference not in plan.entries:
        # its first cell, whatever suites were asked for
        team[reference.id] = Progress(reference, reference.cells(list(reference.suites))[:1], beside=True)
    for progress in team.values():
        progress.team = team
    return list(team.values())


def _find_partners(plan: Plan, progress: Progress) -> None:
    """Notes the partner of each cell, or the reason why it has none."""
    language = progress.entry.language
    baseline = plan.baselines.get(language.name)
    for cell in progress.loaded:
        if baseline and (partner := partner_of(progress.entry, cell, baseline)):
            progress.partners[cell] = partner
        else:
            reason = f"{baseline.title} has no such cell" if baseline else f"{language.manifest.title} has no baseline"
            progress.no_partner[cell] = reason


def _planned(plan: Plan, teams: list[list[Progress]], observe: Observer) -> float:
    """Reports to `observe` how much there is to do. Returns the seconds that it takes, about."""
    profile, everyone = plan.tools.profile, [progress for team in teams for progress in team]
    no_oha = plan.tools.latency.unavailable_reason()
    seconds, rounds = 0.0, 0
    for progress in everyone:
        latency, rule = not progress.beside and no_oha is None, progress.entry.language.manifest.warm_up
        for cell in progress.loaded:
            scenario = progress.entry.scenario(cell)
            once = BATCH_SECONDS if scenario.batch else profile.solo_seconds
            seconds += planned_seconds(profile, scenario, rule, len(progress.loaded), latency)
            seconds -= len(progress.counted(cell)) * once
            rounds += profile.loads_of(scenario, latency)
    cells = profile.starts * sum(len(progress.loaded) for progress in everyone)
    seconds += seconds_beside_load(rounds, cells, profile.starts * len(everyone))
    seconds += IDLE_SECONDS * any(progress.setup == USUAL_SETUP for progress in everyone)
    seconds += BACKEND_SECONDS * any(progress.needs_backend_cells for progress in everyone)
    entries = {progress.entry.id: progress.entry for progress in everyone}
    seconds += seconds_of_builds(entries.values(), plan.runtime, plan.build_seconds)
    observe(Planned(rounds, seconds))
    return seconds
