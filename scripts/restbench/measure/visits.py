"""Measures the rounds of a team. Every cell is visited in turn, in a fresh random order each time."""

import random
import time
from collections.abc import Callable
from functools import partial

from restbench.catalog import Cell
from restbench.measure.duet import BaselineLostError, duet_round
from restbench.measure.events import Visited
from restbench.measure.schedule import random_order
from restbench.measure.team import Team
from restbench.measure.visit import checked_round, latency_round, solo_round
from restbench.results.journal import Journal
from restbench.results.models import Failure, RateKind
from restbench.results.rounds import DuetRound, Round, SoloRound

REPEATED_TOGETHER = 6
"""How many cells are visited again before the list of cells that lack rounds is made anew."""


class Visits:
    """Measures solo and duet rounds, repeats rounds that do not count, measures latency rounds, and checks answers.

    A cell has a checked round at a random place of its series, and another one as its last round.

    Rounds are kept in each entry's progress and in the journal. In a run that is taken up, the rounds that a cell
    already has are not measured again.
    """

    def __init__(self, team: Team, journal: Journal, rng: random.Random) -> None:
        self._team = team
        self._journal = journal
        self._rng = rng

    def run(self) -> None:
        """Measures all rounds of the team."""
        profile = self._team.tools.profile
        rounds = max(profile.solo_rounds, profile.batch_rounds, profile.duet_rounds)
        checked_at = {cell: self._rng.randrange(self._rounds_of(cell)) for cell in self._team.all_loaded()}
        for index in range(rounds):
            self._round(index, checked_at)
        self._repeat()
        self._measure_latency()
        for cell in random_order(self._team.all_loaded(), self._rng):
            self._check(cell)

    def _rounds_of(self, cell: Cell) -> int:
        """Returns how many visits a cell gets."""
        profile, progress = self._team.tools.profile, self._team.entries[cell.entry]
        duets = profile.duet_rounds if progress.partner(cell) else 0
        return max(profile.rounds_of(progress.entry.scenario(cell)), duets, 1)

    def _round(self, index: int, checked_at: dict[Cell, int]) -> None:
        """One visit to each cell that has rounds left. `checked_at`: the visit in which a cell's answers are read."""
        profile = self._team.tools.profile
        for cell in random_order(self._team.all_loaded(), self._rng):
            progress = self._team.entries[cell.entry]
            if checked_at.get(cell) == index:
                self._check(cell)
            if len(progress.solo.get(cell, [])) <= index < profile.rounds_of(progress.entry.scenario(cell)):
                self._solo(cell, index)
            if len(progress.duets.get(cell, [])) <= index < profile.duet_rounds:
                self._duet(cell, index)

    def _solo(self, cell: Cell, index: int) -> None:
        progress = self._team.entries[cell.entry]
        if cell not in progress.alive:
            return  # the app died, or the backend was lost, earlier in this round
        with self._team.blaming(progress, "under-load", cell):
            self._measure(cell, partial(solo_round, self._team.tools, self._team.app_of(cell), index))

    def _duet(self, cell: Cell, index: int) -> None:
        progress = self._team.entries[cell.entry]
        partner = progress.partner(cell)
        if partner is None or cell not in progress.alive:
            return
        baseline = self._team.entries[partner.entry]
        if partner not in baseline.alive:
            progress.give_up_duets([cell], f"{partner} is not measured: {baseline.why_out(partner)}")
            return
        with self._team.blaming(progress, "under-load", cell):
            try:
                app, other = self._team.app_of(cell), self._team.app_of(partner)
                self._measure(cell, partial(duet_round, self._team.tools, app, other, index))
            except BaselineLostError as error:
                gone = self._team.targets[partner.entry].exit_reason() is not None
                failure = Failure(check="alive" if gone else "under-load", got=error.message)
                self._team.fail(baseline, None if gone else partner, failure, error.detail)

    def _measure(self, cell: Cell, ask: Callable[[], SoloRound | DuetRound]) -> None:
        """Keeps the round that `ask` makes. It is refused if the backend was lost meanwhile."""
        seen, lost = self._team.with_backend(self._team.entries[cell.entry].entry.needs_backend(cell), ask)
        self._keep(cell, seen.model_copy(update={"invalid": [lost, *seen.invalid]}) if lost else seen)

    def _check(self, cell: Cell) -> None:
        """Reads every answer in a round of the app alone."""
        progress = self._team.entries[cell.entry]
        if cell not in progress.alive:
            return
        with self._team.blaming(progress, "under-load", cell):
            app = self._team.app_of(cell)
            ask = partial(checked_round, self._team.tools, app, progress.throughput(cell) or app.capacity)
            self._team.with_backend(progress.entry.needs_backend(cell), ask)
            self._team.observe(Visited(cell, None, "checked"))

    def _keep(self, cell: Cell, seen: Round) -> None:
        # in the progress first: the journal waits for the disk, and Ctrl-C may come then. Results must have each round
        # that the journal has.
        self._team.entries[cell.entry].keep(cell, seen)
        self._journal.append(cell, seen)
        self._team.observe(Visited(cell, seen))

    def _repeat(self) -> None:
        """Visits cells again that have rounds which do not count, for as long as the profile allows."""
        profile = self._team.tools.profile
        index = max(profile.solo_rounds, profile.batch_rounds, profile.duet_rounds)
        planned = sum(
            profile.planned_seconds(p.entry.scenario(cell), p.partner(cell) is not None)
            for p in self._team.entries.values()
            for cell in p.loaded
        )
        deadline = time.monotonic() + profile.repeat_share * planned
        while time.monotonic() < deadline and (cells := [c for c in self._team.all_loaded() if self._lacking(c)]):
            # only a few at a time, those that lack most rounds first: the time may end before each cell had its turn
            for cell in sorted(cells, key=self._lacking, reverse=True)[:REPEATED_TOGETHER]:
                solo, duets = self._missing(cell)
                if solo:
                    self._solo(cell, index)
                if duets:
                    self._duet(cell, index)
            index += 1

    def _missing(self, cell: Cell) -> tuple[int, int]:
        """Returns how many more solo and duet rounds the cell needs, counting only rounds that are not refused."""
        progress, profile = self._team.entries[cell.entry], self._team.tools.profile
        solo = profile.rounds_of(progress.entry.scenario(cell)) - len(progress.counted(cell))
        duets = profile.duet_rounds - progress.counted_duets(cell) if progress.partner(cell) else 0
        return max(0, solo), max(0, duets)

    def _lacking(self, cell: Cell) -> int:
        return sum(self._missing(cell))

    def _measure_latency(self) -> None:
        """Measures latency at one rate for all apps that sustain it, and at half of the throughput of each app."""
        if self._team.tools.latency.unavailable_reason() is not None:
            return
        for index in range(self._team.tools.profile.latency_rounds):
            for cell in random_order(self._team.all_loaded(), self._rng):
                for kind in RateKind:
                    self._latency(cell, kind, index)

    def _latency(self, cell: Cell, kind: RateKind, index: int) -> None:
        progress = self._team.entries[cell.entry]
        scenario, throughput = progress.entry.scenario(cell), progress.throughput(cell)
        if scenario.batch or progress.beside or cell not in progress.alive or throughput is None:
            return
        if sum(seen.kind == kind for seen in progress.latency.get(cell, [])) > index:
            return
        rate = self._team.tools.rate(kind, scenario, throughput)
        if rate is None:
            return
        with self._team.blaming(progress, "under-load", cell):
            ask = partial(latency_round, self._team.tools, self._team.app_of(cell), kind, rate, index)
            seen, lost = self._team.with_backend(progress.entry.needs_backend(cell), ask)
            if lost is None:
                self._keep(cell, seen)
