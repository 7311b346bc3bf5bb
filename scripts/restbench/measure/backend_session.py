"""The backend in the course of a run: how fast it is on its own, and what is done when it is lost."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TypeVar

from restbench.backends import Backend
from restbench.catalog import Scenario
from restbench.errors import BackendError, EntryError, LoadError
from restbench.loadgen.request_shapes import RequestShape
from restbench.measure.events import Building, Observer, Remarked
from restbench.measure.tools import Tools
from restbench.results.models import Ceiling

T = TypeVar("T")


class BackendSession:
    """What runs beside the apps of a run. `gone` says why it does not, or no longer; None while it does."""

    def __init__(self, backend: Backend | None, gone: str | None, observe: Observer) -> None:
        self.backend = backend
        self.gone = gone
        self._observe = observe

    def ceiling(self, tools: Tools, scenario: Scenario) -> Ceiling:
        """What the backend gives on its own to as many clients as the scenario has. Raises BackendError, LoadError."""
        assert self.backend, "there is no backend to measure"
        rates = {url: self._rate(tools, scenario, url) for url in (self.backend.source, self.backend.front)}
        ceiling = Ceiling(
            backend=self.backend.name,
            versions=self.backend.versions(),
            cached=rates[self.backend.front],
            uncached=rates[self.backend.source],
            start_seconds=self.backend.start_seconds,
            memory_bytes=self.backend.resources().memory_bytes,
        )
        times = ceiling.cached / max(1e-9, ceiling.uncached)
        text = (
            f"{ceiling.cached:,.0f} requests/s through the cache, {times:.0f} × the {ceiling.uncached:,.0f} without it"
        )
        self._observe(Remarked(self.backend.name, f"ceiling: {text}"))
        return ceiling

    def _rate(self, tools: Tools, scenario: Scenario, url: str) -> float:
        assert self.backend, "there is no backend to measure"
        load = tools.closed_loop(scenario, tools.profile.solo_seconds)
        result = tools.throughput.run(url, RequestShape("GET", self.backend.query), load)
        if result.errors or not result.requests:
            raise BackendError(f"the backend on its own gave {result.requests} answers, and errors: {result.errors}")
        return result.throughput

    def minding(self, needed: bool, ask: Callable[[], T]) -> tuple[T, str | None]:
        """What `ask` gives, and what became of the backend meanwhile, None where nothing did.

        What goes wrong when the backend is lost says nothing about the app: it is asked again, once. Raises
        BackendError where the backend cannot be had any more.
        """
        if not needed:
            return ask(), None
        try:
            return ask(), self.lost()
        except (EntryError, LoadError, BackendError):
            if self.lost() is None:
                raise
        if self.gone:
            raise BackendError(self.gone)
        return ask(), self.lost()

    def lost(self) -> str | None:
        """None while the backend works. Else what became of it; it is started again, or `gone` where that fails."""
        trouble = self.backend.trouble() if self.backend else None
        if self.backend is None or trouble is None:
            return None
        self._observe(Remarked(self.backend.name, f"{trouble} in the middle of the run: it is started again"))
        try:
            self.backend.revive()
        except BackendError as error:
            self.gone = f"{trouble}, and could not be started again: {error.message}"
            self._observe(Remarked(self.backend.name, self.gone))
        return trouble


@contextmanager
def backend_for(make: Callable[[], Backend] | None, observe: Observer) -> Iterator[BackendSession]:
    """The backend for as long as the context lasts; without one where none is needed, or where it cannot be had."""
    if make is None:
        yield BackendSession(None, None, observe)
        return
    observe(Building("the backend"))
    with ExitStack() as running:
        try:
            backend = running.enter_context(make())
        except BackendError as error:
            observe(Remarked("backend", f"{error.message}; what needs it is not run"))
            yield BackendSession(None, error.message, observe)
            return
        memory = backend.resources().memory_bytes / 1e6
        text = f"up, filled and warm after {backend.start_seconds:.1f} s, {memory:,.0f} MB resident"
        observe(Remarked(backend.name, f"{backend.versions()}: {text}"))
        yield BackendSession(backend, None, observe)
