"""The backend in the course of a run. Its speed on its own is measured, and it is started again when it dies."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from restbench.backends import Backend
from restbench.catalog import Scenario
from restbench.errors import BackendError, LoadError, ToolError
from restbench.loadgen.interface import RequestShape
from restbench.measure.events import Building, Observer, Remarked
from restbench.measure.tools import Tools
from restbench.results.models import Ceiling
from restbench.results.rounds import round_to


class BackendSession:
    """The backend of a run, if it needs one. `unavailable_reason`: why it does not run, or not any more; else None."""

    def __init__(self, backend: Backend | None, unavailable_reason: str | None, observe: Observer) -> None:
        self.backend = backend
        self.unavailable_reason = unavailable_reason
        self._observe = observe

    def ceiling(self, tools: Tools, scenario: Scenario) -> Ceiling:
        """Measures the backend without an app, with as many clients as the scenario has.

        It is measured again if it was lost meanwhile, or if the load generator failed. Raises BackendError when it
        gives errors or no answers, or when it does not run any more, LoadError, and ToolError.
        """
        try:
            return self._ceiling(tools, scenario)
        except (BackendError, LoadError, ToolError) as error:
            if self.restart_if_lost() is None and not isinstance(error, ToolError):
                raise
        return self._ceiling(tools, scenario)

    def _ceiling(self, tools: Tools, scenario: Scenario) -> Ceiling:
        backend = self.backend
        if backend is None or self.unavailable_reason:
            raise BackendError(self.unavailable_reason or "there is no backend to measure")
        load, rates, throttled = tools.closed_loop(scenario, tools.profile.solo_seconds), {}, tools.throttled([])
        for url in (backend.source, backend.front):
            result = tools.throughput.run(url, RequestShape("GET", backend.query), load)
            if result.errors or not result.requests:
                raise BackendError(
                    f"the backend on its own gave {result.requests} answers, and errors: {result.errors}"
                )
            rates[url] = result.throughput
        if tools.throttled([]) > throttled:
            raise BackendError("a CPU quota throttled this machine while the backend was measured on its own")
        ceiling = Ceiling(
            backend=backend.name,
            versions=backend.versions(),
            cached=round_to(rates[backend.front]),
            uncached=round_to(rates[backend.source]),
            start_seconds=round_to(backend.start_seconds),
            memory_bytes=round(round_to(backend.resources().memory_bytes)),
        )
        times = ceiling.cached / max(1e-9, ceiling.uncached)
        text = (
            f"{ceiling.cached:,.0f} requests/s through the cache, {times:.0f} × the {ceiling.uncached:,.0f} without it"
        )
        self._observe(Remarked(backend.name, f"ceiling: {text}"))
        return ceiling

    def restart_if_lost(self) -> str | None:
        """Starts the backend again if it has ended. Returns the reason why it had ended, or None if it had not.

        If it cannot be started again, `unavailable_reason` says so from then on.
        """
        ended = self.backend.unavailable_reason() if self.backend else None
        if self.backend is None or ended is None:
            return None
        self._observe(Remarked(self.backend.name, f"{ended} in the middle of the run: it is started again"))
        try:
            self.backend.revive()
        except BackendError as error:
            self.unavailable_reason = f"{ended}, and could not be started again: {error.message}"
            self._observe(Remarked(self.backend.name, self.unavailable_reason))
        return ended


@contextmanager
def backend_for(make: Callable[[], Backend] | None, observe: Observer) -> Iterator[BackendSession]:
    """Runs the backend for as long as the context lasts.

    The session has no backend where none is needed (`make` is None), or where it cannot be started.
    """
    if make is None:
        yield BackendSession(None, None, observe)
        return
    observe(Building("the backend"))
    with ExitStack() as running:
        try:
            backend = running.enter_context(make())
        except BackendError as error:
            observe(Remarked("backend", f"{error.message}; cells that need the backend are not run"))
            yield BackendSession(None, error.message, observe)
            return
        memory = backend.resources().memory_bytes / 1e6
        text = f"up, filled and warm after {backend.start_seconds:.1f} s, {memory:,.0f} MB resident"
        observe(Remarked(backend.name, f"{backend.versions()}: {text}"))
        yield BackendSession(backend, None, observe)
