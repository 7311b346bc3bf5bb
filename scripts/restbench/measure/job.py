"""One job: entries of a run with their baselines and the reference, all running, visited in turn in random order."""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from typing import TypeVar

from restbench.catalog import USUAL_SETUP, Cell
from restbench.cpus import staying_on
from restbench.errors import AppDiedError, BackendError, EntryError, LoadError
from restbench.measure.backend_session import BackendSession
from restbench.measure.blame import WrongUnderLoadError
from restbench.measure.duet import BaselineLostError, Side, duet_round
from restbench.measure.events import Failed, Observer, Proving, Remarked, Visited
from restbench.measure.progress import Progress
from restbench.measure.tools import Tools, app_settings
from restbench.measure.visit import latency_round, solo_round
from restbench.measure.warm_up import warm_up
from restbench.results.journal import Journal
from restbench.results.models import Failure, RateKind
from restbench.results.rounds import Round
from restbench.targets import Runtime, Target

T = TypeVar("T")

REPEATED_TOGETHER = 6
"""How many cells are visited again before it is looked anew which are short of rounds that count."""

IDLE_SECONDS = 3.0
"""How long all apps of a job are left alone, to see what they use when nobody asks."""


class Job:
    """Runs to its end whatever single entries do: one that fails is out, and the others go on."""

    def __init__(
        self,
        tools: Tools,
        runtime: Runtime,
        journal: Journal,
        observe: Observer,
        rng: random.Random,
        backend: BackendSession,
    ) -> None:
        self._tools = tools
        self._backend = backend
        self._runtime = runtime
        self._journal = journal
        self._observe = observe
        self._rng = rng
        self._targets: dict[str, Target] = {}
        self._entries: dict[str, Progress] = {}
        self._capacities: dict[Cell, float] = {}

    def run(self, entries: list[Progress]) -> None:
        """Fills in each entry's progress. What was measured stays there when this is interrupted."""
        self._entries = {progress.entry.id: progress for progress in entries}
        cpus = self._tools.cpus
        try:
            # the harness itself stays off the app's CPUs
            with staying_on(cpus.load) if cpus.pinned else nullcontext(), ExitStack() as running:
                self._measure(running)
        finally:
            self._note_baselines()

    def _measure(self, running: ExitStack) -> None:
        self._find_ceiling()
        for progress in self._entries.values():
            self._start(running, progress)
        self._watch_idle()
        self._warm_up()
        profile = self._tools.profile
        for index in range(max(profile.solo_rounds, profile.batch_rounds, profile.duet_rounds)):
            self._round(index)
        self._repeat()
        self._measure_latency()
        for progress in self._entries.values():
            self._finish(progress)

    def _start(self, running: ExitStack, progress: Progress) -> None:
        entry = progress.entry
        if not progress.alive:
            return
        with self._blaming(progress, "start"):
            settings = app_settings(self._tools.cpus, progress.setup, self._tools.backend)
            target = running.enter_context(self._runtime.target(entry, settings))
            progress.start_seconds = self._tools.prover.wait_ready(target, entry, progress.alive[0])
            progress.memory_start_bytes = target.resources().memory_bytes
            self._targets[entry.id] = target
            if self._tools.proven:
                return
            self._observe(Proving(entry.id))
            for cell, failure in self._prove(progress, target).items():
                self._fail(progress, cell, failure)
            for cell in progress.cells:
                if entry.scenario(cell).graded and cell not in progress.not_run:
                    progress.marks[cell] = self._tools.prover.marks(target, entry, cell)

    def _find_ceiling(self) -> None:
        """What the backend gives on its own, before there are apps to disturb it."""
        needing = [progress for progress in self._entries.values() if progress.beside_backend]
        if not needing:
            return
        scenario = needing[0].entry.scenario(needing[0].beside_backend[0])
        try:
            if self._backend.gone:
                raise BackendError(self._backend.gone)
            ceiling, _ = self._minding_backend(True, partial(self._backend.ceiling, self._tools, scenario))
        except (BackendError, LoadError) as error:
            self._leave_out(error.message)
            return
        self._tools = replace(self._tools, ceiling=ceiling.cached)
        for progress in needing:
            progress.ceiling = ceiling

    def _prove(self, progress: Progress, target: Target) -> dict[Cell, Failure]:
        """Which cells are wrong. An app is asked again where the backend was lost meanwhile."""
        ask = partial(self._tools.prover.before, target, progress.entry, progress.alive, self._tools.backend)
        needs = bool(progress.beside_backend)
        failures, lost = self._minding_backend(needs, ask)
        return failures if lost is None else self._minding_backend(needs, ask)[0]

    def _minding_backend(self, needed: bool, ask: Callable[[], T]) -> tuple[T, str | None]:
        """As `BackendSession.minding`; what needs a backend that is gone for good is left out."""
        result, lost = self._backend.minding(needed, ask)
        if self._backend.gone:
            self._leave_out(self._backend.gone)
        return result, lost

    def _leave_out(self, reason: str) -> None:
        for progress in self._entries.values():
            progress.leave_out(reason)

    def _watch_idle(self) -> None:
        """What each app uses of a CPU when nobody asks it anything: all at a time, as none is to do anything."""
        watched = [p for p in self._entries.values() if p.alive and p.setup == USUAL_SETUP]
        if not watched or self._tools.proven:
            return
        before: dict[str, float] = {}
        for progress in watched:
            with self._blaming(progress, "alive"):
                before[progress.entry.id] = self._targets[progress.entry.id].cpu_seconds()
        self._tools.sleep(IDLE_SECONDS)
        for progress in watched:
            if progress.entry.id not in before:
                continue  # the app was gone already
            with self._blaming(progress, "alive"):
                used = self._targets[progress.entry.id].cpu_seconds() - before[progress.entry.id]
                progress.idle_cpu_share = used / IDLE_SECONDS

    def _warm_up(self) -> None:
        """A first load of every cell, where the profile has one."""
        if self._tools.profile.warm_up_seconds == 0:
            return
        for cell in self._tools.order(self._all_loaded(), self._rng):
            progress = self._entries[cell.entry]
            if cell not in progress.alive:
                continue  # the app died while another of its cells was warmed up
            with self._blaming(progress, "warm-up", cell):
                ask = partial(warm_up, self._tools, self._targets[cell.entry], progress.entry, cell)
                self._capacities[cell], _ = self._minding_backend(progress.entry.needs_backend(cell), ask)
                self._observe(Visited(cell, None))

    def _round(self, index: int) -> None:
        """One visit to each cell that has rounds left."""
        profile = self._tools.profile
        for cell in self._tools.order(self._all_loaded(), self._rng):
            progress = self._entries[cell.entry]
            if index < profile.rounds_of(progress.entry.scenario(cell)):
                self._solo(cell, index)
            if index < profile.duet_rounds:
                self._duet(cell, index)

    def _solo(self, cell: Cell, index: int) -> None:
        progress = self._entries[cell.entry]
        if cell not in progress.alive:
            return  # the app died, or the backend was lost, earlier in this round
        with self._blaming(progress, "under-load", cell):
            target, capacity = self._targets[cell.entry], self._capacities.get(cell)
            ask = partial(solo_round, self._tools, target, progress.entry, cell, index, capacity)
            seen, lost = self._minding_backend(progress.entry.needs_backend(cell), ask)
            if lost:
                seen = seen.model_copy(update={"invalid": [lost, *seen.invalid]})
            self._keep(cell, progress.solo.setdefault(cell, []), seen)

    def _duet(self, cell: Cell, index: int) -> None:
        progress = self._entries[cell.entry]
        partner = progress.partner(cell)
        if partner is None or cell not in progress.alive:
            return
        baseline = self._entries[partner.entry]
        if partner not in baseline.alive:
            progress.give_up_duets([cell], f"the baseline {partner} is out: {_why_out(baseline, partner)}")
            return
        with self._blaming(progress, "under-load", cell):
            ask = partial(duet_round, self._tools, self._side(cell), self._side(partner), index)
            try:
                seen, lost = self._minding_backend(progress.entry.needs_backend(cell), ask)
            except BaselineLostError as error:
                self._lose_baseline(baseline, partner, error)
                return
            if lost:
                seen = seen.model_copy(update={"invalid": [lost, *seen.invalid]})
            self._keep(cell, progress.duets.setdefault(cell, []), seen)

    def _keep(self, cell: Cell, rounds: list[T], seen: T) -> None:
        # first, as Ctrl-C may come while the disk is waited for: what the journal has, the results have
        rounds.append(seen)
        assert isinstance(seen, Round)
        self._journal.append(cell, seen)
        self._observe(Visited(cell, seen))

    def _side(self, cell: Cell) -> Side:
        progress = self._entries[cell.entry]
        capacity = self._capacities.get(cell) or progress.throughput(cell) or 1.0
        return Side(self._targets[cell.entry], progress.entry, cell, capacity)

    def _lose_baseline(self, baseline: Progress, partner: Cell, error: BaselineLostError) -> None:
        """The baseline is out, wholly where its app is gone, and its language goes on without duet rounds."""
        gone = self._targets[partner.entry].exit_reason() is not None
        failure = Failure(check="alive" if gone else "under-load", got=error.message)
        self._fail(baseline, None if gone else partner, failure, error.detail)
        for progress in self._entries.values():
            cells = [c for c, p in progress.partners.items() if p == partner or (gone and p.entry == partner.entry)]
            progress.give_up_duets(cells, error.message)
        self._observe(Remarked(partner.entry, f"{error.message}: its language has no more duet rounds of that"))

    def _all_loaded(self) -> list[Cell]:
        return [cell for progress in self._entries.values() for cell in progress.loaded]

    def _repeat(self) -> None:
        """Visits again the cells of which rounds do not count, for as long as the profile allows."""
        profile, index = self._tools.profile, max(self._tools.profile.solo_rounds, self._tools.profile.duet_rounds)
        planned = sum(
            profile.planned_seconds(p.entry.scenario(cell), p.partner(cell) is not None)
            for p in self._entries.values()
            for cell in p.loaded
        )
        deadline = time.monotonic() + profile.repeat_share * planned
        while time.monotonic() < deadline and (cells := [c for c in self._all_loaded() if self._lacking(c)]):
            # few at a time, the worst off first: the time may be over before all have had their turn
            for cell in sorted(cells, key=self._lacking, reverse=True)[:REPEATED_TOGETHER]:
                solo, duets = self._missing(cell)
                if solo:
                    self._solo(cell, index)
                if duets:
                    self._duet(cell, index)
            index += 1

    def _missing(self, cell: Cell) -> tuple[int, int]:
        """How many solo and duet rounds that count the cell lacks."""
        progress, profile = self._entries[cell.entry], self._tools.profile
        solo = profile.rounds_of(progress.entry.scenario(cell)) - progress.counted_solo(cell)
        duets = profile.duet_rounds - progress.counted_duets(cell) if progress.partner(cell) else 0
        return max(0, solo), max(0, duets)

    def _lacking(self, cell: Cell) -> int:
        return sum(self._missing(cell))

    def _measure_latency(self) -> None:
        """At one rate for all apps that sustain it, and at half of what the app's own solo rounds gave."""
        if self._tools.latency.missing() is not None:
            return
        for index in range(self._tools.profile.latency_rounds):
            for cell in self._tools.order(self._all_loaded(), self._rng):
                for kind in RateKind:
                    self._latency(cell, kind, index)

    def _latency(self, cell: Cell, kind: RateKind, index: int) -> None:
        progress = self._entries[cell.entry]
        scenario, throughput = progress.entry.scenario(cell), progress.throughput(cell)
        if scenario.batch or cell not in progress.alive or throughput is None:
            return
        rate = self._tools.rate(kind, scenario, throughput)
        if rate is None:
            return
        with self._blaming(progress, "under-load", cell):
            ask = partial(
                latency_round, self._tools, self._targets[cell.entry], progress.entry, cell, kind, rate, index
            )
            seen, lost = self._minding_backend(progress.entry.needs_backend(cell), ask)
            if lost is None:
                self._keep(cell, progress.latency.setdefault(cell, []), seen)

    def _note_baselines(self) -> None:
        """Beside each cell's duet rounds, the throughput of its partner in the same job."""
        for progress in self._entries.values():
            for cell, partner in progress.partners.items():
                throughput = (
                    self._entries[partner.entry].throughput(partner) if partner.entry in self._entries else None
                )
                if throughput is not None:
                    progress.baseline_throughput[cell] = throughput

    def _finish(self, progress: Progress) -> None:
        if not progress.alive:
            return
        with self._blaming(progress, "alive"):
            target = self._targets[progress.entry.id]
            progress.memory_after_bytes = target.resources().memory_bytes
            for cell, failure in self._tools.prover.after(target, progress.entry, progress.alive).items():
                self._fail(progress, cell, failure)

    @contextmanager
    def _blaming(self, progress: Progress, check: str, cell: Cell | None = None) -> Iterator[None]:
        """Takes the cell out when something goes wrong in the block; the whole entry when its app is gone."""
        try:
            yield
        except WrongUnderLoadError as error:
            self._fail(progress, cell, error.failure)
        except AppDiedError as error:
            self._fail(progress, None, Failure(check="alive", got=error.message), error.detail)
        except BackendError as error:
            self._leave_out(error.message)
        except (EntryError, LoadError) as error:
            self._fail(progress, cell, Failure(check=check, got=error.message), error.detail)

    def _fail(self, progress: Progress, cell: Cell | None, failure: Failure, detail: str = "") -> None:
        for each in [cell] if cell else progress.alive:
            progress.failures[each] = failure
        self._observe(Failed(progress.entry.id, cell, failure, detail))


def _why_out(progress: Progress, cell: Cell) -> str:
    """Why a cell is measured no more."""
    failure = progress.failures.get(cell)
    return str(failure) if failure else progress.not_run.get(cell, "it was not measured")
