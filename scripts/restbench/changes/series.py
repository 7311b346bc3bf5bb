"""A series of starts: the same entries are measured several times, each time with fresh processes.

The first start verifies that the apps are right. It has one solo round of each cell, in which answers are sampled.
Later starts run the same code: they only warm up, measure duet rounds, and check again after the load.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from restbench.catalog import USUAL_SETUP, Cell, CellKey, Entry
from restbench.catalog.entry import has_duets
from restbench.catalog.profiles import CHECKED_ROUNDS, CHECKED_SECONDS
from restbench.errors import Interrupted
from restbench.measure import Plan
from restbench.measure.backend_session import BackendSession, backend_for
from restbench.measure.basis import Basis
from restbench.measure.duration import seconds_beside_load, warm_up_seconds
from restbench.measure.events import Observer, Planned
from restbench.measure.outcome import entry_result
from restbench.measure.plan import build_all
from restbench.measure.progress import Progress
from restbench.measure.round import BaselineLostError, duet_round
from restbench.measure.session import Session
from restbench.measure.team import Team, random_order, refused
from restbench.results.journal import Journal
from restbench.results.models import EntryResult, Failure
from restbench.results.rounds import Round, refusals

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
    """Measures an entry against its base, start by start.

    `ratios` has, for each cell, the ratios of every start so far.

    In every other start, the base comes first. The result then does not depend on which one is started and loaded
    first. In these starts both have the same cells. Of two copies of Falcon, the one that is started first costs 0.4 %
    more.

    `result` and `before` are what the first start tells of the head and of the base. `failures` has the first failure
    of each cell of the head. `lost` has the reason why a cell has no duet rounds, or no further ones. `refused` has the
    numbers of duet rounds that do not count, by reason.
    """

    head: Entry
    base: Entry
    plan: Plan
    backend: BackendSession
    journal: Journal
    observe: Observer
    result: EntryResult | None = None
    before: EntryResult | None = None
    starts: int = 0
    ratios: dict[CellKey, list[list[float]]] = field(default_factory=dict)
    failures: dict[CellKey, Failure] = field(default_factory=dict)
    lost: dict[CellKey, str] = field(default_factory=dict)
    refused: dict[CellKey, dict[str, int]] = field(default_factory=dict)
    _visits: int = 0
    _seconds: float = 0.0

    def __post_init__(self) -> None:
        self._basis = Basis([self.head, self.base])

    def run_first(self) -> None:
        """Runs the first series, of all cells. It has one start where nothing can be compared."""
        cells = [
            cell
            for cell in self.head.cells(self.plan.suites)
            if self.head.scenario(cell).setup == USUAL_SETUP and not self.head.scenario(cell).batch
        ]
        # the base's cell of the same scenario and variant: another variant would not be the same work
        known = set(self.base.cells(self.plan.suites))
        beside = {cell: replace(cell, entry=self.base.id) for cell in cells if has_duets(self.head.scenario(cell))}
        pairs = {cell: same for cell, same in beside.items() if same in known}
        unavailable = self.plan.tools.unavailable_reason
        not_run = {cell: why for cell in cells if (why := unavailable(self.head.scenario(cell)))}
        head = Progress(self.head, cells, not_run=not_run)
        base = Progress(self.base, [same for cell, same in pairs.items() if cell not in not_run], beside=True)
        invocation, language = self.plan.begin(), self.head.language.name
        compared = replace(self.plan, entries=[self.head], reference=None, baselines={language: self.base})
        self.journal.begin(compared.asked(invocation))
        made = build_all(self.plan, (head, base), self.observe)
        shape = self._shape(len(pairs), FIRST_SHARE * SECONDS)
        self._announce(shape, len(pairs))
        self._start(shape.rounds, head, base, is_first=True)
        self.result, self.before = (
            entry_result(invocation, [part], made.get(part.entry.id)) if part.cells else None for part in (head, base)
        )
        self._go_on(shape, shape.starts - 1, set(self.ratios))

    def run_again(self, keys: set[CellKey]) -> None:
        """Runs another series, of the given cells that can still be measured."""
        shape = self._shape(len(self.open & keys), SECONDS - self._seconds)
        self._announce(shape, len(self.open & keys))
        self._go_on(shape, shape.starts, keys)

    @property
    def open(self) -> set[CellKey]:
        """The cells that had duet rounds, and have not failed or lost their base."""
        return {key for key in self.ratios if key not in self.failures and key not in self.lost}

    def _go_on(self, shape: Shape, starts: int, keys: set[CellKey]) -> None:
        """Runs further starts of those cells that are still open."""
        for _ in range(starts):
            if here := self.open & keys:
                head, base = (
                    Progress(entry, [cell for cell in entry.cells(self.plan.suites) if cell.key in here])
                    for entry in (self.head, self.base)
                )
                self._start(shape.rounds, head, base)

    def _shape(self, cells: int, seconds: float) -> Shape:
        """Returns the shape of a series of so many cells that takes about `seconds` of load.

        First it gets as many starts as there is time for, then as many rounds, up to those of the profile.
        """
        profile = self.plan.tools.profile
        fewest = max(1, min(FEWEST_ROUNDS, profile.duet_rounds))
        if not cells:
            return Shape(1, fewest)
        unmeasured = cells * (2 * self._warm_up(cells) + CHECKED_ROUNDS * CHECKED_SECONDS)
        round_of_all = cells * profile.duet_seconds
        starts = int(seconds / (unmeasured + fewest * round_of_all))
        starts = max(FEWEST_STARTS, min(profile.most_starts, starts))
        rounds = int((seconds / starts - unmeasured) / round_of_all)
        return Shape(starts, max(fewest, min(profile.duet_rounds, rounds)))

    def _warm_up(self, cells: int) -> float:
        """Returns about how many seconds the warm-up of one of so many cells takes."""
        return warm_up_seconds(self.head.language.manifest.warm_up, self.plan.tools.profile.warm_up_seconds, cells)

    def _announce(self, shape: Shape, cells: int) -> None:
        """Tells how many visits there are, those of an earlier series included, and how many seconds they take."""
        profile = self.plan.tools.profile
        visits = cells * (2 * (1 + CHECKED_ROUNDS) + shape.rounds)
        seconds = cells * (2 * self._warm_up(cells) + 2 * CHECKED_ROUNDS * CHECKED_SECONDS)
        seconds += cells * shape.rounds * profile.duet_seconds
        self._visits += shape.starts * visits + (0 if self.starts else 2 * cells)  # the first start has solo rounds
        self._seconds += shape.starts * seconds
        beside = seconds_beside_load(visits, 0 if self.starts else 2 * cells, apps=2)
        self.observe(Planned(self._visits, shape.starts * (seconds + beside)))

    def _start(self, rounds: int, head: Progress, base: Progress, *, is_first: bool = False) -> None:
        """Runs one start of both, and notes the ratios of their cells, or the reasons why there are none.

        `is_first`: they are verified, and each cell has a solo round.
        """
        turned = self.starts % 2 == 1
        sides = [side for side in ((base, head) if turned else (head, base)) if side.cells]
        rng = Random(self.plan.seed + self.starts)
        with (
            self._basis.guarding(sides, self.journal, self.observe),
            Session(self.plan.tools, self.plan.runtime, sides, self.backend, self.journal, self.observe) as session,
        ):
            # the order of starting changes with the roles, so it must not be random
            session.make_ready(sides, rng, is_known=not is_first)
            _measure_duets(session.team, sides, rounds, rng, is_first=is_first)
            session.finish()
        self.failures = {cell.key: failure for cell, failure in head.failures.items()} | self.failures
        for reasons in (head.not_run, base.failures, base.not_run):
            self.lost = {cell.key: str(reason) for cell, reason in reasons.items()} | self.lost
        for cell, duets in sides[0].duets.items():
            refused = self.refused.setdefault(cell.key, {})
            for why, count in refusals(duets).items():
                refused[why] = refused.get(why, 0) + count
            if ratios := [each.ratio for each in duets if not each.invalid]:
                starts = self.ratios.setdefault(cell.key, [[] for _ in range(self.starts)])
                starts.append([1 / ratio for ratio in ratios] if turned else ratios)
        for starts in self.ratios.values():
            starts.extend([] for _ in range(self.starts + 1 - len(starts)))
        self.starts += 1


def _measure_duets(team: Team, sides: list[Progress], rounds: int, rng: Random, *, is_first: bool) -> None:
    """Measures the duet rounds of one start, repeats those that do not count, and checks answers.

    A cell of either side has a checked round at a random place, and another one as its last round.
    """
    first, others = sides[0], {cell.key: cell for side in sides[1:] for cell in side.loaded}
    partners = {cell: others[cell.key] for cell in first.loaded if cell.key in others}
    checked_at = {cell: rng.randrange(rounds) for cell in team.loaded()}
    for index in range(rounds):
        for cell in random_order(team.loaded(), rng):
            if checked_at[cell] == index:
                team.check(cell)
            if is_first and index == 0:
                team.solo(cell, index)
            if cell in partners:
                _duet(team, cell, partners[cell], index)
    profile = team.tools.profile

    def lacking(cell: Cell) -> int:
        return rounds - sum(not each.invalid for each in first.duets.get(cell, []))

    deadline = time.monotonic() + profile.repeat_share * rounds * profile.duet_seconds * len(partners)
    while time.monotonic() < deadline:
        alive = set(team.loaded())
        cells = [cell for cell, partner in partners.items() if {cell, partner} <= alive and lacking(cell) > 0]
        if not cells:
            break
        cell = max(cells, key=lacking)
        _duet(team, cell, partners[cell], rounds)
    for cell in random_order(team.loaded(), rng):
        team.check(cell)


def _duet(team: Team, cell: Cell, partner: Cell, index: int) -> None:
    """Measures a duet round of a cell, where its partner is measured, too."""
    other = team.entries[partner.entry]
    if partner not in other.alive:
        return
    for attempt in team.attempts(cell, "under-load"):
        seen = None
        with attempt:
            try:
                seen = duet_round(team.tools, team.apps[cell], team.apps[partner], index)
            except BaselineLostError as error:
                gone = team.targets[partner.entry].exit_reason() is not None
                failure = Failure(check="alive" if gone else "under-load", got=error.message)
                team.fail(other, None if gone else partner, failure, error.detail)
        if seen:
            team.keep(cell, refused(seen, attempt.lost))


@contextmanager
def series_of(head: Entry, base: Entry, plan: Plan, journal: Journal, observe: Observer) -> Iterator[Series]:
    """A series. Its backend, where it needs one, runs until the context ends, because its start takes many seconds.

    Raises Interrupted for Ctrl-C, because an unfinished series says nothing.
    """
    needed = any(head.needs_backend(cell) for cell in head.cells(plan.suites))
    try:
        with backend_for(plan.make_backend if needed else None, observe) as backend:
            yield Series(head, base, plan, backend, journal, observe)
    except KeyboardInterrupt as error:
        raise Interrupted from error


class Unwritten(Journal):
    """A journal that keeps nothing."""

    def __init__(self) -> None:
        super().__init__(Path(os.devnull))

    def append(self, cell: Cell, result: Round) -> None:
        pass
