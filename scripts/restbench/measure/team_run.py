"""Measures one team: entries that run side by side with their baselines and the reference.

Their cells are visited in turn, in random order.
"""

import random
from contextlib import nullcontext
from dataclasses import replace
from functools import partial

from restbench.catalog import USUAL_SETUP
from restbench.errors import BackendError, LoadError
from restbench.measure.apps import Apps
from restbench.measure.backend_session import BackendSession
from restbench.measure.blame import failures_of
from restbench.measure.capacities import find_capacities
from restbench.measure.events import Observer
from restbench.measure.progress import Progress
from restbench.measure.schedule import random_order
from restbench.measure.team import Team
from restbench.measure.tools import Tools, app_settings
from restbench.measure.verification import Verification
from restbench.measure.visits import Visits
from restbench.measure.warm_up import WarmUps
from restbench.results.journal import Journal
from restbench.system.cpus import staying_on
from restbench.system.pools import result_of, stoppable_pool
from restbench.targets import Runtime

STARTED_AT_ONCE = 3
"""How many apps are started at the same time, where the time of the start is not measured."""

IDLE_SECONDS = 3.0
"""How long all apps of a team get no requests, to measure the CPU time that they use when idle."""


class TeamRun:
    """A team of entries. An entry that fails is not measured any more; the others go on."""

    def __init__(
        self,
        tools: Tools,
        runtime: Runtime,
        journal: Journal,
        observe: Observer,
        rng: random.Random,
        backend: BackendSession,
        entries: list[Progress],
    ) -> None:
        self._team = Team(tools, entries, observe, backend)
        self._runtime = runtime
        self._journal = journal
        self._rng = rng

    def run(self) -> None:
        """Measures the team and fills in each entry's progress. Rounds stay there when the run is interrupted."""
        cpus = self._team.tools.cpus
        # the harness itself stays off the app's CPUs
        with staying_on(cpus.load) if cpus.pinned else nullcontext(), Apps(self._team.observe) as apps:
            self._measure(apps)

    def _measure(self, apps: Apps) -> None:
        self._find_ceiling()
        self._start_all(apps)
        Verification(self._team, self._runtime).run()
        self._watch_idle()
        self._warm_up()
        Visits(self._team, self._journal, self._rng).run()
        for progress in self._team.entries.values():
            self._finish(progress)

    def _start_all(self, apps: Apps) -> None:
        """Starts apps of the usual setup one after the other, as the time of each start is measured.

        Apps of other setups are started side by side.
        """
        # the order matters: of two copies of an app, the one that was started first cost half a per cent more
        entries = list(self._team.entries.values())
        order = random_order(entries, self._rng) if self._team.tools.starts_in_random_order else entries
        usual = [progress for progress in order if progress.setup == USUAL_SETUP]
        for progress in usual:
            self._start(apps, progress)
        with stoppable_pool(STARTED_AT_ONCE) as pool:
            begun = [pool.submit(self._start, apps, progress) for progress in order if progress not in usual]
            for future in begun:
                result_of(future)

    def _start(self, apps: Apps, progress: Progress) -> None:
        entry = progress.entry
        if not progress.alive:
            return
        with self._team.blaming(progress, "start"):
            settings = app_settings(self._team.tools.cpus, progress.setup, self._team.tools.backend)
            target = self._runtime.target(entry, settings)
            apps.start(entry.id, target)
            ready = self._team.tools.wait_ready(target, entry, progress.alive[0], self._team.tools.rng)
            progress.start_seconds, progress.first_answer = ready.seconds, ready.answer
            progress.memory_start_bytes = target.resources().memory_bytes
            self._team.targets[entry.id] = target

    def _find_ceiling(self) -> None:
        """Measures what the backend gives on its own, before apps are started that could disturb it."""
        needing = [progress for progress in self._team.entries.values() if progress.needs_backend_cells]
        if not needing:
            return
        scenario = needing[0].entry.scenario(needing[0].needs_backend_cells[0])
        try:
            if self._team.backend.unavailable_reason:
                raise BackendError(self._team.backend.unavailable_reason)
            ceiling, _ = self._team.with_backend(True, partial(self._team.backend.ceiling, self._team.tools, scenario))
        except (BackendError, LoadError) as error:
            self._team.leave_out(error.message)
            return
        self._team.tools = replace(self._team.tools, ceiling=ceiling.cached)
        for progress in needing:
            progress.ceiling = ceiling

    def _watch_idle(self) -> None:
        """Measures the share of a CPU that each app uses while it gets no requests.

        All apps are watched at the same time, as none of them has anything to do.
        """
        watched = [p for p in self._team.entries.values() if p.alive and p.setup == USUAL_SETUP]
        if not watched or self._team.tools.verified:
            return
        before: dict[str, float] = {}
        for progress in watched:
            with self._team.blaming(progress, "alive"):
                before[progress.entry.id] = self._team.targets[progress.entry.id].cpu_seconds()
        self._team.tools.sleep(IDLE_SECONDS)
        for progress in watched:
            if progress.entry.id not in before:
                continue  # the app was gone already
            with self._team.blaming(progress, "alive"):
                used = self._team.targets[progress.entry.id].cpu_seconds() - before[progress.entry.id]
                progress.idle_cpu_share = used / IDLE_SECONDS

    def _warm_up(self) -> None:
        warm_ups = WarmUps(self._team)
        while cold := warm_ups.cold():
            for cell in random_order(cold, self._rng):
                progress = self._team.entries[cell.entry]
                if cell in progress.alive:  # else the app died while another of its cells was warmed up
                    with self._team.blaming(progress, "warm-up", cell):
                        warm_ups.load(cell)
            if warm_ups.must_rest():
                self._team.tools.sleep(self._team.tools.profile.warm_up_seconds)
        find_capacities(self._team, self._rng)

    def _finish(self, progress: Progress) -> None:
        if not progress.alive:
            return
        with self._team.blaming(progress, "alive"):
            target = self._team.targets[progress.entry.id]
            progress.memory_after_bytes = target.resources().memory_bytes
            verdicts = self._team.tools.after_load(target, progress.entry, progress.alive, self._team.tools.rng)
            for cell, failure in failures_of(verdicts, progress.alive).items():
                self._team.fail(progress, cell, failure)
