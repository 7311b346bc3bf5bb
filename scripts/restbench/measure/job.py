"""One job: some entries and the reference, all running, visited round by round in random order."""

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
from restbench.measure.beside import Beside
from restbench.measure.events import Failed, Observer, Proving, Visited
from restbench.measure.gate import is_slow
from restbench.measure.pace import Baseline
from restbench.measure.progress import Progress, attach_reference
from restbench.measure.tools import Tools, app_settings
from restbench.measure.visit import WrongUnderLoadError, visit, warm_up
from restbench.results.journal import Journal
from restbench.results.models import Failure, Round
from restbench.targets import Runtime, Target

T = TypeVar("T")

REPEATED_TOGETHER = 6
"""How many cells are visited again before it is looked anew which are short of rounds that count."""

IDLE_SECONDS = 3.0
"""How long all apps of a job are left alone, to see what they use when nobody asks. The kernel counts in 10 ms."""


class Job:
    """Runs to its end whatever single entries do: one that fails is out, and the others go on."""

    def __init__(
        self,
        tools: Tools,
        runtime: Runtime,
        journal: Journal,
        observe: Observer,
        rng: random.Random,
        baseline: Baseline,
        beside: Beside,
    ) -> None:
        self._tools = tools
        self._beside = beside
        self._runtime = runtime
        self._journal = journal
        self._observe = observe
        self._rng = rng
        self._baseline = baseline
        self._baseline_ms: float | None = None
        self._targets: dict[str, Target] = {}
        self._entries: dict[str, Progress] = {}

    def run(self, entries: list[Progress], reference: str | None) -> None:
        """Fills in each entry's progress. What was measured stays there when this is interrupted."""
        self._entries = {progress.entry.id: progress for progress in entries}
        cpus = self._tools.cpus
        try:
            # the harness itself stays off the app's CPUs
            with staying_on(cpus.load) if cpus.pinned else nullcontext(), ExitStack() as running:
                self._measure(running)
        finally:
            self._judge_pace()
            if reference in self._entries:
                attach_reference(entries, self._entries[reference])

    def _measure(self, running: ExitStack) -> None:
        self._find_ceiling()
        for progress in self._entries.values():
            self._start(running, progress)
        self._watch_idle()
        capacities = self._warm_up()
        rounds = self._tools.profile.rounds
        for index in range(rounds):
            self._round(index, self._all_loaded(), capacities)
        self._judge_pace()
        self._repeat(rounds, capacities)
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
            self._observe(Proving(entry.id))
            self._targets[entry.id] = target
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
            if self._beside.gone:
                raise BackendError(self._beside.gone)
            ceiling, _ = self._minding_backend(True, partial(self._beside.ceiling, self._tools, scenario))
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
        """As `Beside.minding`; what needs a backend that is gone for good is left out."""
        result, lost = self._beside.minding(needed, ask)
        if self._beside.gone:
            self._leave_out(self._beside.gone)
        return result, lost

    def _leave_out(self, reason: str) -> None:
        for progress in self._entries.values():
            progress.leave_out(reason)

    def _watch_idle(self) -> None:
        """What each app uses of a CPU when nobody asks it anything: all at a time, as none is to do anything."""
        watched = [p for p in self._entries.values() if p.alive and p.setup == USUAL_SETUP]
        if not watched:
            return
        before: dict[str, float] = {}
        for progress in watched:
            with self._blaming(progress, "alive"):
                before[progress.entry.id] = self._targets[progress.entry.id].resources().cpu_seconds
        self._tools.sleep(IDLE_SECONDS)
        for progress in watched:
            if progress.entry.id not in before:
                continue  # the app was gone already
            with self._blaming(progress, "alive"):
                used = self._targets[progress.entry.id].resources().cpu_seconds - before[progress.entry.id]
                progress.idle_cpu_share = used / IDLE_SECONDS

    def _warm_up(self) -> dict[Cell, float]:
        """A first load of every cell, where the profile has one. Returns what each gave, in requests per second."""
        capacities: dict[Cell, float] = {}
        if self._tools.profile.warm_up_seconds == 0:
            return capacities
        for cell in self._tools.order(self._all_loaded(), self._rng):
            progress = self._entries[cell.entry]
            # the app died while another of its cells was warmed up; and a batch begins with conformance's own
            if cell not in progress.alive or progress.entry.scenario(cell).batch:
                continue
            with self._blaming(progress, "warm-up", cell):
                ask = partial(warm_up, self._tools, self._targets[cell.entry], progress.entry, cell)
                capacities[cell], _ = self._minding_backend(progress.entry.needs_backend(cell), ask)
                self._observe(Visited(cell, None))
        return capacities

    def _round(self, index: int, cells: list[Cell], capacities: dict[Cell, float]) -> None:
        for cell in self._tools.order(cells, self._rng):
            progress = self._entries[cell.entry]
            if cell not in progress.alive:
                continue  # the app died, or the backend was lost, earlier in this round
            with self._blaming(progress, "under-load", cell):
                target = self._targets[cell.entry]
                ask = partial(visit, self._tools, target, progress.entry, cell, index, capacities.get(cell))
                seen, lost = self._minding_backend(progress.entry.needs_backend(cell), ask)
                result = self._paced(cell, seen if lost is None else _invalid(seen, lost))
                # first, as Ctrl-C may come while the disk is waited for: what the journal has, the results have
                progress.rounds.setdefault(cell, []).append(result)
                self._journal.append(cell, result)
                self._observe(Visited(cell, result))

    def _all_loaded(self) -> list[Cell]:
        return [cell for progress in self._entries.values() for cell in progress.loaded]

    def _judge_pace(self) -> None:
        """Marks rounds whose CPUs were slow: what slow means is known once the run has shown its best. Done once."""
        probes = [r.probe_ms for p in self._entries.values() for rounds in p.rounds.values() for r in rounds]
        if self._baseline_ms is not None or not probes or not self._tools.profile.pin:
            return
        self._baseline_ms = self._baseline.with_run(probes)
        for progress in self._entries.values():
            for cell, rounds in progress.rounds.items():
                progress.rounds[cell] = [self._paced(cell, r) for r in rounds]

    def _paced(self, cell: Cell, result: Round) -> Round:
        """The round with its pace. What computes something is compared with that work alone, which the probe does not
        stand for: where an interpreter takes twice as long, bcrypt takes some per cent longer."""
        if self._baseline_ms is None or self._entries[cell.entry].entry.scenario(cell).computes:
            return result
        pace = result.probe_ms / self._baseline_ms
        return result.model_copy(update={"pace": pace, "slow": is_slow(pace, result.limit)})

    def _repeat(self, index: int, capacities: dict[Cell, float]) -> None:
        """Visits again the cells of which most rounds do not count, for as long as the profile allows."""
        profile = self._tools.profile
        planned = sum(profile.planned_seconds(self._entries[c.entry].entry.scenario(c)) for c in self._all_loaded())
        deadline = time.monotonic() + profile.repeat_share * planned
        while time.monotonic() < deadline and (cells := [c for c in self._all_loaded() if self._short_of_rounds(c)]):
            # few at a time, the worst off first: the time may be over before all have had their turn
            self._round(index, sorted(cells, key=self._counting)[:REPEATED_TOGETHER], capacities)
            index += 1

    def _counting(self, cell: Cell) -> int:
        """How many rounds of a cell count."""
        return sum(not (r.invalid or r.slow) for r in self._entries[cell.entry].rounds.get(cell, []))

    def _short_of_rounds(self, cell: Cell) -> bool:
        return 2 * self._counting(cell) <= self._tools.profile.rounds

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


def _invalid(result: Round, reason: str) -> Round:
    return result.model_copy(update={"invalid": [reason, *result.invalid]})
