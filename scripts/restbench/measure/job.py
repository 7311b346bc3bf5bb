"""One job: some entries and the reference, all running, visited round by round in random order."""

import random
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field

from restbench.catalog import USUAL_SETUP, Cell, Entry, Setup
from restbench.cpus import staying_on
from restbench.errors import AppDiedError, EntryError, LoadError
from restbench.measure.events import Failed, Observer, Proving, Visited
from restbench.measure.gate import is_slow
from restbench.measure.pace import Baseline
from restbench.measure.schedule import round_order
from restbench.measure.tools import Tools, contract_variables
from restbench.measure.visit import WrongUnderLoadError, visit, warm_up
from restbench.results.journal import Journal
from restbench.results.models import Failure, Round
from restbench.targets import Runtime, Settings, Target

REPEATED_TOGETHER = 6
"""How many cells are visited again before it is looked anew which are short of rounds that count."""

IDLE_SECONDS = 3.0
"""How long all apps of a job are left alone, to see what they use when nobody asks. The kernel counts in 10 ms."""


@dataclass
class Progress:
    """How far one entry, started in one way, has come. `failures` are its cells that are out, `not_run` those that
    this machine cannot measure."""

    entry: Entry
    cells: list[Cell]
    setup: Setup = USUAL_SETUP
    not_run: dict[Cell, str] = field(default_factory=dict)
    rounds: dict[Cell, list[Round]] = field(default_factory=dict)
    failures: dict[Cell, Failure] = field(default_factory=dict)
    start_seconds: float | None = None
    idle_cpu_share: float | None = None
    memory_start_bytes: int | None = None
    memory_after_bytes: int | None = None

    @property
    def alive(self) -> list[Cell]:
        """The cells that are right as far as is known."""
        return [cell for cell in self.cells if cell not in self.failures and cell not in self.not_run]

    @property
    def loaded(self) -> list[Cell]:
        """Those of them that are measured."""
        return [cell for cell in self.alive if self.entry.scenario(cell).loaded]


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
    ) -> None:
        self._tools = tools
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
                _attach_reference(entries, self._entries[reference])

    def _measure(self, running: ExitStack) -> None:
        for progress in self._entries.values():
            self._start(running, progress)
        self._watch_idle()
        rates = self._warm_up()
        rounds = self._tools.profile.rounds
        for index in range(rounds):
            self._round(index, self._all_loaded(), rates)
        self._judge_pace()
        self._repeat(rounds, rates)
        for progress in self._entries.values():
            self._finish(progress)

    def _start(self, running: ExitStack, progress: Progress) -> None:
        entry = progress.entry
        if not progress.alive:
            return
        with self._blaming(progress, "start"):
            settings = Settings(self._tools.cpus.app, self._tools.cpus.pinned, contract_variables(), progress.setup)
            target = running.enter_context(self._runtime.target(entry, settings))
            progress.start_seconds = self._tools.prover.wait_ready(target, entry, progress.alive[0])
            progress.memory_start_bytes = target.resources().memory_bytes
            self._observe(Proving(entry.id))
            self._targets[entry.id] = target
            for cell, failure in self._tools.prover.before(target, entry, progress.alive).items():
                self._fail(progress, cell, failure)

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
        """A first load of every cell. Returns the fixed rate of each, where the profile has one and oha is there."""
        rates: dict[Cell, float] = {}
        profile = self._tools.profile
        if profile.warm_up_seconds == 0:
            return rates
        for cell in round_order(self._all_loaded(), self._rng):
            progress = self._entries[cell.entry]
            # the app died while another of its cells was warmed up; and a batch begins with conformance's own
            if cell in progress.failures or progress.entry.scenario(cell).batch:
                continue
            with self._blaming(progress, "warm-up", cell):
                capacity = warm_up(self._tools, self._targets[cell.entry], progress.entry, cell)
                if profile.fixed_rate and self._tools.latency.missing() is None:
                    rates[cell] = _two_digits(capacity * profile.fixed_rate_share)
                self._observe(Visited(cell, None))
        return rates

    def _round(self, index: int, cells: list[Cell], rates: dict[Cell, float]) -> None:
        for cell in round_order(cells, self._rng):
            progress = self._entries[cell.entry]
            if cell in progress.failures:
                continue  # the app died earlier in this round
            with self._blaming(progress, "under-load", cell):
                target = self._targets[cell.entry]
                result = self._paced(cell, visit(self._tools, target, progress.entry, cell, index, rates.get(cell)))
                self._journal.append(cell, result)
                progress.rounds.setdefault(cell, []).append(result)
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

    def _repeat(self, index: int, rates: dict[Cell, float]) -> None:
        """Visits again the cells of which most rounds do not count, for as long as the profile allows."""
        profile = self._tools.profile
        planned = sum(profile.planned_seconds(self._entries[c.entry].entry.scenario(c)) for c in self._all_loaded())
        deadline = time.monotonic() + profile.repeat_share * planned
        while time.monotonic() < deadline and (cells := [c for c in self._all_loaded() if self._short_of_rounds(c)]):
            # few at a time, the worst off first: the time may be over before all have had their turn
            self._round(index, sorted(cells, key=self._counting)[:REPEATED_TOGETHER], rates)
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
        except (EntryError, LoadError) as error:
            self._fail(progress, cell, Failure(check=check, got=error.message), error.detail)

    def _fail(self, progress: Progress, cell: Cell | None, failure: Failure, detail: str = "") -> None:
        for each in [cell] if cell else progress.alive:
            progress.failures[each] = failure
        self._observe(Failed(progress.entry.id, cell, failure, detail))


def _attach_reference(entries: list[Progress], reference: Progress) -> None:
    """Puts the reference's throughput of the same round beside each round, where that counts."""
    by_round = {r.index: r.paced_throughput for rounds in reference.rounds.values() for r in rounds if not r.invalid}
    for progress in entries:
        for cell, rounds in progress.rounds.items():
            progress.rounds[cell] = [
                r.model_copy(update={"reference_throughput": by_round.get(r.index)}) for r in rounds
            ]


def _two_digits(rate: float) -> float:
    """A rate with two significant digits, at least 1: 3127.4 → 3100."""
    return max(1.0, float(f"{rate:.2g}"))
