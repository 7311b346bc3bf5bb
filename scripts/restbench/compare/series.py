"""A series of starts: the same entries are measured several times, each time with fresh processes.

The first start verifies that the apps are right. It has one solo round of each cell, in which answers are sampled.
Later starts run the same code: they only warm up, measure duet rounds, and check again after the load.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from restbench.catalog import Cell, Entry
from restbench.catalog.baselines import has_duets
from restbench.catalog.profiles import CHECKED_ROUNDS, CHECKED_SECONDS
from restbench.compare.evidence import Key
from restbench.errors import Interrupted
from restbench.measure import Plan, run_plan
from restbench.measure.backend_session import backend_for
from restbench.measure.events import Event, Observer, Planned
from restbench.measure.progress import Progress
from restbench.measure.warm_up import expected_seconds
from restbench.results.journal import Journal
from restbench.results.models import EntryResult, Failure
from restbench.results.rounds import Round, refusals
from restbench.targets.facts import Facts

FEWEST_STARTS = 2
"""The fewest starts of a series. Few cells leave time for more, up to the profile's number: more starts tell more than
more rounds of each start.
"""

FEWEST_ROUNDS = 6
"""The fewest duet rounds of each cell in a start, however many cells there are."""

SECONDS = 280.0
"""Planned load of a whole comparison. With everything else, a comparison takes about six minutes. It takes longer for
entries with more cells than two short series have time for, and for runtimes with a long warm-up.
"""

FIRST_SHARE = 0.6
"""The share of SECONDS for the first series. The rest is for the second series."""


@dataclass(frozen=True)
class Shape:
    """How many starts a series has, and how many duet rounds of each cell a start has."""

    starts: int
    rounds: int


@dataclass
class Series:
    """Measures an entry against its partner, start by start.

    `ratios` has, for each cell, the ratios of every start so far.

    `take_turns`: in every other start, the head is the partner's baseline. The result then does not depend on which one
    is started and loaded first. In these starts both have the same cells. Of two copies of Falcon, the one that is
    started first costs 0.4 % more.

    `result` and `partner` are the results of the first start. `failures` has the first failure of each cell of the
    head. `lost` has the reason why a cell has no duet rounds, or no further ones. `refused` has the numbers of duet
    rounds that do not count, by reason.
    """

    head: Entry
    plan: Plan
    journal: Journal
    observe: Observer
    take_turns: bool
    result: EntryResult | None = None
    partner: EntryResult | None = None
    starts: int = 0
    ratios: dict[Key, list[list[float]]] = field(default_factory=dict)
    failures: dict[Key, Failure] = field(default_factory=dict)
    lost: dict[Key, str] = field(default_factory=dict)
    refused: dict[Key, dict[str, int]] = field(default_factory=dict)
    _visits: int = 0
    _seconds: float = 0.0

    def run_first(self) -> None:
        """Runs the first series, of all cells. It has one start where nothing can be compared. Raises Interrupted."""
        shape = self._shape(self._keys(), FIRST_SHARE * SECONDS)
        self._start(shape, 0, None)
        for number in range(1, shape.starts):
            self._start(shape, number, self.open)

    def run_again(self, keys: set[Key]) -> None:
        """Runs another series, of the given cells that can still be measured. Raises Interrupted."""
        shape = self._shape(self.open & keys, SECONDS - self._seconds)
        for number in range(shape.starts):
            self._start(shape, number, self.open & keys)

    @property
    def open(self) -> set[Key]:
        """The cells that had duet rounds, and have not failed or lost their partner."""
        return {key for key in self.ratios if key not in self.failures and key not in self.lost}

    @property
    def baseline(self) -> Entry | None:
        return self.plan.baselines.get(self.head.language.name)

    def _keys(self) -> set[Key]:
        return {
            (cell.suite, cell.scenario, cell.variant)
            for cell in self.head.cells(self.plan.suites)
            if has_duets(self.head.scenario(cell))
        }

    def _shape(self, keys: set[Key], seconds: float) -> Shape:
        """Returns the shape of a series of those cells that takes about `seconds` of load.

        First it gets as many starts as there is time for, then as many rounds, up to those of the profile.
        """
        profile = self.plan.tools.profile
        fewest = max(1, min(FEWEST_ROUNDS, profile.duet_rounds))
        if not keys or self.baseline is None:
            return Shape(1, fewest)
        warm_up = expected_seconds(self.head.language.manifest.warm_up, profile.warm_up_seconds, len(keys))
        unmeasured = len(keys) * (2 * warm_up + CHECKED_ROUNDS * CHECKED_SECONDS)
        round_of_all = len(keys) * profile.duet_seconds
        starts = int(seconds / (unmeasured + fewest * round_of_all))
        starts = max(FEWEST_STARTS, profile.starts, min(profile.most_starts, starts))
        rounds = int((seconds / starts - unmeasured) / round_of_all)
        return Shape(starts, max(fewest, min(profile.duet_rounds, rounds)))

    def _start(self, shape: Shape, number: int, keys: set[Key] | None) -> None:
        """Runs one start of those cells. With None it verifies all cells and then measures them."""
        if keys is not None and not keys:
            return
        turned = self.take_turns and self.starts % 2 == 1
        outcome = run_plan(self._plan_of(shape, keys, turned), self.journal, self._telling(shape, number))
        if outcome.interrupted:
            raise Interrupted
        self._seconds += outcome.planned_seconds
        results = {result.entry: result for result in outcome.results}
        head, partner = results.get(self.head.id), results.get(self.baseline.id) if self.baseline else None
        if keys is None:
            self.result, self.partner = head, partner
        for cell in head.cells if head else []:
            if cell.failure:
                self.failures.setdefault(cell.key, cell.failure)
        first = partner if turned else head
        for key in (keys or set()) - {cell.key for cell in (first.cells if first else [])}:
            self.lost.setdefault(key, "a later start measured nothing of it")
        for part in outcome.parts:
            if first and part.entry.id == first.entry:
                self._keep(part, turned)
        for starts in self.ratios.values():
            starts.extend([] for _ in range(self.starts + 1 - len(starts)))
        self.starts += 1

    def _plan_of(self, shape: Shape, keys: set[Key] | None, turned: bool) -> Plan:
        """Returns the plan of one start. `turned`: the head is its partner's baseline."""
        plan, first = self.plan, keys is None
        if turned:
            assert self.baseline, "only two entries can take turns"
            plan = replace(plan, entries=[self.baseline], baselines={self.baseline.language.name: self.head})
        rounds = {"solo_rounds": int(first), "duet_rounds": shape.rounds, "latency_rounds": 0, "batch_rounds": 0}
        profile = plan.tools.profile.model_copy(update=rounds)
        return replace(
            plan,
            # the order of starting changes with the roles, so it must not be random
            tools=replace(plan.tools, profile=profile, verified=not first, starts_in_random_order=False),
            # the facts about the entries are the same in each start, so the first start collects them
            collect=plan.collect if first else lambda _entry: Facts(),
            seed=plan.seed + self.starts,
            wanted=_only(keys),
        )

    def _keep(self, part: Progress, turned: bool) -> None:
        """Keeps the ratios of one start, and the reasons why cells have none.

        `part` is what was measured of the head, or of its partner where `turned`.
        """
        for cell in part.cells:
            key, duets = (cell.suite, cell.scenario, cell.variant), part.duets.get(cell, [])
            failure = part.failures.get(cell)
            reason = failure if turned else None if failure else part.no_partner.get(cell)
            if reason := reason or part.not_run.get(cell):
                self.lost.setdefault(key, str(reason))
            for why, count in refusals(duets).items():
                known = self.refused.setdefault(key, {})
                known[why] = known.get(why, 0) + count
            if ratios := [duet.ratio for duet in duets if not duet.invalid]:
                starts = self.ratios.setdefault(key, [[] for _ in range(self.starts)])
                starts.append([1 / ratio for ratio in ratios] if turned else ratios)

    def _telling(self, shape: Shape, number: int) -> Observer:
        """Returns an observer that announces a whole series at its first start, in place of each start.

        The announced visits include those of an earlier series.
        """

        def observe(event: Event) -> None:
            if not isinstance(event, Planned):
                self.observe(event)
            elif number == 0:
                self._visits += shape.starts * event.visits
                self.observe(Planned(self._visits, shape.starts * event.seconds))

        return observe


@contextmanager
def series_of(
    head: Entry, plan: Plan, journal: Journal, observe: Observer, take_turns: bool = False
) -> Iterator[Series]:
    """A series. Its backend, where it needs one, runs until the context ends, because its start takes many seconds."""
    needed = any(head.needs_backend(cell) for cell in head.cells(plan.suites))
    with backend_for(plan.make_backend if needed else None, observe) as backend:
        yield Series(head, replace(plan, backend=backend), journal, observe, take_turns)


class Unwritten(Journal):
    """A journal that keeps nothing."""

    def __init__(self) -> None:
        super().__init__(Path(os.devnull))

    def append(self, cell: Cell, result: Round) -> None:
        pass


def _only(keys: set[Key] | None) -> Callable[[Entry, Cell], bool]:
    if keys is None:
        return lambda _entry, _cell: True
    return lambda _entry, cell: (cell.suite, cell.scenario, cell.variant) in keys
