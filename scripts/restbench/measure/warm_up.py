"""Warms apps up before the first round: caches fill, and runtimes that compile at run time compile.

The cells of a team are loaded in turn, again and again, each until its CPU time per request is steady. They take turns
because cells share code. A runtime compiles that code for what it has done so far, and anew when another cell comes.
The CPU time is compared, and not the throughput: an app that waits is not cold.

A language says in `language.toml` how long its runtime takes at least. Tiered compilers need that: .NET runs code
unchanged for seconds, then makes it dearer by counting calls, and only then cheaper, so a cost that is steady in an
early phase is no sign. The phases go by the clock, not by requests, as the compiler works in the background. Until that
time is over, all apps rest for the length of a load after each turn of their cells.

A cell that is not steady in several times its window is measured all the same, and what is measured claims nothing.
"""

from dataclasses import dataclass, field
from random import Random
from statistics import median

from restbench.catalog import Cell
from restbench.catalog.manifests import WarmUp
from restbench.measure.events import Visited
from restbench.measure.round import LoadedCell, WrongUnderLoadError, load_alone, wrong_answers
from restbench.measure.team import Team, random_order
from restbench.measure.tools import CAPACITY_SECONDS, Tools, is_enough

STEADY = 0.05
"""By how much the cheapest load of either half of the window may be dearer than the median load of the other half.

It is the cheapest because the noise of a machine makes a load dearer, and never cheaper. It is not compared with the
cheapest of the other half: on a noisy machine, those of two halves differ by more than this even if the app is warm.
"""

ALTERNATING = 1.5
"""A cost is not steady while half of the loads of the window cost more than this many times the cheapest.

Noise makes some loads dearer by 1.6 times, and in cells that use much memory by 2.5 times, but seldom half of them.
"""

MOST_WINDOWS = 3
"""How many windows of load a cell gets at most, beside its part of the seconds that the runtime takes at least.

Of fifteen cells of ASP.NET Core, fourteen were steady in three windows on a noisy machine, most of them in the first.
"""


CERTAIN = 2.0
"""A cell that did so many times better in its warm-up than it had to gets the scenario's connections."""

PROBES = 3
"""How many loads another cell gets at most. The best one counts: noise slows an app, and never makes it faster."""

SLOWED = 1.6
"""By how much noise may have slowed the best load so far."""


@dataclass(frozen=True)
class Warmed:
    """One load of a warm-up: its length, the cost of a request, and the requests per second.

    The cost is in CPU seconds. Where a batch is judged by its time, it is in seconds: what the runtime of a waiting app
    does beside would look like a cost that changes.
    """

    seconds: float
    cost: float
    throughput: float


@dataclass
class Warmth:
    """The warm-up of one cell. `rule`: that of its language."""

    rule: WarmUp | None
    loads: list[Warmed] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        return sum(load.seconds for load in self.loads)

    def is_steady(self) -> bool:
        """Whether the cost of the last loads is steady. Without a rule one load is enough."""
        if self.rule is None:
            return bool(self.loads)
        halves: list[list[float]] = [[]]
        seconds = 0.0
        for load in reversed(self.loads):
            halves[-1].append(load.cost)
            seconds += load.seconds
            if seconds >= self.rule.window / 2:
                halves.append([])
                seconds = 0.0
            if len(halves) > 2:
                late, early = halves[:2]
                no_dearer = min(early) <= (1 + STEADY) * median(late) and min(late) <= (1 + STEADY) * median(early)
                return no_dearer and median(late + early) <= ALTERNATING * min(late + early)
        return False


def warm_up(team: Team, rng: Random) -> None:
    """Loads all cells until they are warm, and then finds the capacities of those that may be slow."""
    warm_ups = _WarmUps(team)
    while cold := warm_ups.cold():
        for cell in random_order(cold, rng):
            for attempt in team.attempts(cell, "warm-up"):
                with attempt:
                    warm_ups.load(cell)
        if warm_ups.must_rest():
            team.tools.sleep(team.tools.profile.warm_up_seconds)
    find_capacities(team, rng)


def find_capacities(team: Team, rng: Random) -> None:
    """Loads each cell that may be too slow for its scenario's connections, and notes its capacity.

    The load of a warm-up has another length in each profile, and falls into one phase of the machine. The number of
    connections must depend on neither, because copies of one app have to get the same number in every run. So the
    warm-up's load does not count for these cells. An app with a thread for each connection leaves most of them waiting,
    and the load lasts until they have given up: so a longer load shows more requests per second.
    """
    connections = team.tools.connections
    slow = [
        app
        for app in map(team.apps.__getitem__, team.loaded())
        if not (app.scenario.batch or is_enough(app.capacity / CERTAIN, connections(app.scenario)))
    ]
    best = {app.cell: 0.0 for app in slow}
    for _ in range(PROBES):
        # those that were not loaded yet, and those that would get more connections if nothing had slowed them
        doubtful = [
            app
            for app in slow
            if not (so_far := best[app.cell])
            or connections(app.scenario, so_far) < connections(app.scenario, SLOWED * so_far)
        ]
        for app in random_order(doubtful, rng):
            for attempt in team.attempts(app.cell, "warm-up"):
                with attempt, team.alone(app.cell):
                    best[app.cell] = max(best[app.cell], load_once(team.tools, app, CAPACITY_SECONDS).throughput)
            app.capacity = best[app.cell]


class _WarmUps:
    """The warm-ups of the cells of a team."""

    def __init__(self, team: Team) -> None:
        self._team = team
        self._cells = {cell: Warmth(team.entries[cell.entry].entry.language.manifest.warm_up) for cell in team.loaded()}
        self._begun: dict[str, float] = {}
        self._done: set[Cell] = set()

    def cold(self) -> list[Cell]:
        """Returns the cells that have to be loaded again. Reports each of the others once."""
        here = [cell for cell in self._team.loaded() if cell not in self._done]
        for cell in filter(self._is_done, here):
            self._done.add(cell)
            unsettled = self._team.entries[cell.entry].unsettled
            unsettled.pop(cell, None)
            if not self._is_warm(cell):
                unsettled[cell] = self._cells[cell].seconds
            self._team.observe(Visited(cell, None))
        return [cell for cell in here if cell not in self._done]

    def must_rest(self) -> bool:
        """Whether an app has not had the time that its runtime takes at least, and has a cell that is cold."""
        cold = (cell for cell in self._team.loaded() if not self._is_done(cell))
        return not all(map(self._is_old_enough, cold))

    def load(self, cell: Cell) -> None:
        """Loads a cell once. Raises EntryError and LoadError where it fails."""
        tools, app = self._team.tools, self._team.apps[cell]
        self._begun.setdefault(cell.entry, tools.clock())
        warmed = load_once(tools, app, tools.profile.warm_up_seconds)
        self._cells[cell].loads.append(warmed)
        app.capacity = warmed.throughput

    def _is_done(self, cell: Cell) -> bool:
        warmth, cells = self._cells[cell], sum(other.entry == cell.entry for other in self._cells)
        most = min(self._team.tools.profile.longest_warm_up_seconds, longest_seconds(warmth.rule, cells))
        return (bool(warmth.loads) and warmth.seconds >= most) or self._is_warm(cell)

    def _is_warm(self, cell: Cell) -> bool:
        return self._is_old_enough(cell) and self._cells[cell].is_steady()

    def _is_old_enough(self, cell: Cell) -> bool:
        """Whether the app's first load was as long ago as its runtime takes at least."""
        rule, now = self._cells[cell].rule, self._team.tools.clock()
        return now - self._begun.get(cell.entry, now) >= (rule.at_least if rule else 0.0)


def longest_seconds(rule: WarmUp | None, cells: int) -> float:
    """Returns how many seconds of load a cell gets at most until it is steady, in an app with that many cells."""
    return rule.at_least / cells + MOST_WINDOWS * rule.window if rule else 0.0


def load_once(tools: Tools, app: LoadedCell, seconds: float) -> Warmed:
    """Loads a cell once, for so many seconds, or with one batch.

    Raises AppDiedError, LoadError, ToolError, and WrongUnderLoadError where a request of a batch got no right answer.
    """
    load, used = load_alone(tools, app, seconds)
    if app.scenario.batch and (failure := wrong_answers(load, app)):
        raise WrongUnderLoadError(failure)
    # an app that answers nothing may have had no time at all
    lasted = load.seconds if app.scenario.batch else max(load.seconds, seconds)
    cost = lasted if app.scenario.is_judged_by_time else used.apps[0]
    return Warmed(lasted, cost / max(1, load.requests), load.throughput)
