"""The running apps of a team: it starts, verifies, warms up and stops them, and knows nothing of what is measured."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from random import Random
from types import TracebackType
from typing import Self

from restbench.catalog import USUAL_SETUP
from restbench.errors import BackendError, LoadError, ToolError
from restbench.measure.backend_session import BackendSession
from restbench.measure.events import Observer, Remarked
from restbench.measure.progress import Progress
from restbench.measure.team import Attempt, Team, failures_of
from restbench.measure.tools import Tools, app_settings
from restbench.measure.verification import verify_all
from restbench.measure.warm_up import warm_up
from restbench.results.journal import Journal
from restbench.system.cpus import staying_on
from restbench.system.pools import result_of, stoppable_pool, wait_in_any_case
from restbench.targets import Runtime, Target

STARTED_AT_ONCE = 3
"""How many apps are started at the same time, where the time of the start is not measured."""

IDLE_SECONDS = 3.0
"""How long all apps of a team get no requests, to measure the CPU time that they use when idle."""


class Session:
    """The running apps of a team, as a context manager that stops all of them when it is left.

    They are stopped at the same time, because each may take seconds. One that cannot be stopped is reported, and costs
    no other anything: the rounds of a team are finished by then. Meanwhile the harness stays off the app's CPUs.

    An entry that fails is not measured any more; the others go on.
    """

    def __init__(
        self,
        tools: Tools,
        runtime: Runtime,
        entries: list[Progress],
        backend: BackendSession,
        journal: Journal,
        observe: Observer,
        start: int = 0,
    ) -> None:
        self.team = Team(tools, entries, backend, journal, observe, start)
        self._runtime = runtime
        self._running: dict[str, Target] = {}
        self._on_cpus = ExitStack()

    def __enter__(self) -> Self:
        cpus = self.team.tools.cpus
        if cpus.pinned:
            self._on_cpus.enter_context(staying_on(cpus.load))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._on_cpus, ThreadPoolExecutor(max(1, len(self._running))) as pool:
            stopped = {
                entry: pool.submit(target.__exit__, kind, error, trace)
                for entry, target in reversed(self._running.items())
            }
            wait_in_any_case(list(stopped.values()))
        for entry, done in stopped.items():
            if trouble := done.exception():
                self.team.observe(Remarked(entry, f"its app could not be stopped in order: {trouble}"))

    def make_ready(self, order: list[Progress], rng: Random, *, is_known: bool = False) -> None:
        """Starts all apps, in that order, verifies them, watches them idle, and warms them up.

        `is_known`: an earlier start has verified the same apps and watched them idle.
        """
        self._find_ceiling()
        self._start_all(order)
        verify_all(self.team, self._runtime, is_known=is_known)
        if not is_known:
            self._watch_idle()
        warm_up(self.team, rng)

    def finish(self) -> None:
        """Reads the memory of all apps after the rounds, and checks them once more."""
        tools = self.team.tools
        for progress in self.team.entries.values():
            if progress.alive:
                with Attempt(self.team, progress, "alive"):
                    target = self.team.targets[progress.entry.id]
                    progress.memory_after_bytes = target.resources().memory_bytes
                    verdicts = tools.after_load(target, progress.entry, progress.alive, tools.rng)
                    self.team.take_out(progress, failures_of(verdicts, progress.alive))

    def start(self, entry: str, target: Target) -> None:
        """Starts the app of an entry. Raises the same errors as entering the target."""
        self._running[entry] = target  # before it starts, as Ctrl-C may come at any moment
        try:
            target.__enter__()
        except Exception:
            del self._running[entry]
            raise

    def _start_all(self, order: list[Progress]) -> None:
        """Starts apps of the usual setup one after the other, as the time of each start is measured.

        Apps of other setups are started side by side.
        """
        for progress in order:
            if progress.setup == USUAL_SETUP:
                self._start_one(progress)
        with stoppable_pool(STARTED_AT_ONCE) as pool:
            begun = [pool.submit(self._start_one, progress) for progress in order if progress.setup != USUAL_SETUP]
            for future in begun:
                result_of(future)

    def _start_one(self, progress: Progress) -> None:
        entry, tools = progress.entry, self.team.tools
        if not progress.alive:
            return
        with Attempt(self.team, progress, "start"):
            target = self._runtime.target(entry, app_settings(tools.cpus, progress.setup, tools.backend))
            self.start(entry.id, target)
            ready = tools.wait_ready(target, entry, progress.alive[0], tools.rng)
            progress.start_seconds, progress.first_answer = ready.seconds, ready.answer
            progress.memory_start_bytes = target.resources().memory_bytes
            self.team.targets[entry.id] = target

    def _find_ceiling(self) -> None:
        """Measures what the backend gives on its own, before apps are started that could disturb it."""
        team = self.team
        needing = [progress for progress in team.entries.values() if progress.needs_backend_cells]
        if not needing:
            return
        scenario = needing[0].entry.scenario(needing[0].needs_backend_cells[0])
        try:
            ceiling = team.backend.ceiling(team.tools, scenario)
        except (BackendError, LoadError, ToolError) as error:
            team.leave_out(team.backend.unavailable_reason or error.message)
            for progress in needing:
                progress.missed = progress.missed or isinstance(error, ToolError)
            return
        team.tools = replace(team.tools, ceiling=ceiling.cached)
        for progress in needing:
            progress.ceiling = ceiling

    def _watch_idle(self) -> None:
        """Measures the share of a CPU that each app uses while it gets no requests.

        All apps are watched at the same time, as none of them has anything to do.
        """
        team = self.team
        watched = [progress for progress in team.entries.values() if progress.alive and progress.setup == USUAL_SETUP]
        before: dict[str, float] = {}
        for progress in watched:
            with Attempt(team, progress, "alive"):
                before[progress.entry.id] = team.targets[progress.entry.id].cpu_seconds()
        if watched:
            team.tools.sleep(IDLE_SECONDS)
        for progress in watched:
            if progress.entry.id in before:  # else the app was gone already
                with Attempt(team, progress, "alive"):
                    used = team.targets[progress.entry.id].cpu_seconds() - before[progress.entry.id]
                    progress.idle_cpu_share = used / IDLE_SECONDS
