"""Apache Solr with an HTTP cache in front of it, as processes or as containers."""

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx

from restbench.backends import documents, programs
from restbench.backends.client import client
from restbench.backends.interface import Service
from restbench.errors import BackendError
from restbench.system.resource_use import Resources

SOLR = "solr"
"""The name of this backend in suite.toml."""

START_SECONDS = 180.0
"""How many seconds each program may take until its first answer."""

_COUNTED_SECONDS = 0.1
"""Seconds to wait before the cache's counter is read.

The cache counts a connection's requests when the connection has been idle for 50 ms (its `timeout_linger`).
"""


class Outage(StrEnum):
    """How a backend is out of order, as an app sees it."""

    ERROR = "answers with an error"
    SILENCE = "does not answer"
    GONE = "cannot be reached"


@dataclass(frozen=True)
class Access:
    """How apps reach a backend: by variables that they are started with and, in Docker, by a network."""

    variables: Mapping[str, str]
    network: str | None = None


class Backend:
    """Solr and a cache as a context manager. Apps send their requests to the cache.

    Entering starts and fills both, and waits until the cache answers right. Raises BackendError when that fails.
    Leaving stops both.

    `work`: the cache's working folder, by which its tools find it. `clean_up` is called after both are stopped.
    `start_seconds`: from the start to the first right answer through the cache.
    """

    name = SOLR

    def __init__(
        self,
        solr: Service,
        cache: Service,
        work: str,
        access: Access,
        fixtures: Path,
        clean_up: Callable[[], None],
    ) -> None:
        self.access = access
        self.start_seconds = 0.0
        self._solr = solr
        self._cache = cache
        self._work = work
        self._documents = documents.read_documents(fixtures)
        self._clean_up = clean_up

    def __enter__(self) -> Self:
        began = time.monotonic()
        try:
            self._solr.start()
            self._cache.start()
            self._fill_or_revive()
        except BaseException:
            self._stop()
            raise
        self.start_seconds = time.monotonic() - began
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def _stop(self) -> None:
        # Ctrl-C while one of them is stopped must not keep the others from being stopped
        with ExitStack() as each:
            each.callback(self._clean_up)
            each.callback(self._solr.stop)
            each.callback(self._cache.stop)

    def _fill_or_revive(self) -> None:
        """Fills both. If one of them ends meanwhile, starts it again, once. Raises BackendError."""
        try:
            self._fill()
        except BackendError:
            if self.unavailable_reason() is None:
                raise
            self.revive()

    def _fill(self) -> None:
        """Puts the documents into Solr, and Solr's answer into the cache. Raises BackendError."""
        self._wait(self._solr, "/select?q=*:*&rows=0")
        documents.add(self._core(self._solr), self._documents)
        documents.verify(self._core(self._solr), self._documents)
        self._wait(self._cache, documents.query())
        documents.verify(self._core(self._cache), self._documents)

    def _wait(self, service: Service, path: str) -> None:
        """Waits until the service answers. Raises BackendError with the end of its log when it does not."""
        began, says = time.monotonic(), "nothing"
        while time.monotonic() - began < START_SECONDS:
            if reason := service.exit_reason():
                raise BackendError(f"{service.title} {reason} before it answered", service.log_tail())
            try:
                answer = client().get(self._core(service) + path, timeout=5.0)
                if answer.status_code == httpx.codes.OK:
                    return
                says = f"status {answer.status_code}"
            except httpx.HTTPError as error:
                says = str(error)
            time.sleep(0.05)
        raise BackendError(f"{service.title} does not answer within {START_SECONDS:.0f} s: {says}", service.log_tail())

    @staticmethod
    def _core(service: Service) -> str:
        return service.url + programs.CORE_PATH

    @property
    def front(self) -> str:
        """The address of the cache, without a path."""
        return self._cache.url

    @property
    def source(self) -> str:
        """The address of Solr itself, without a path."""
        return self._solr.url

    @property
    def query(self) -> str:
        """Path and parameters of the request that apps send most."""
        return programs.CORE_PATH + documents.query()

    def versions(self) -> str:
        """Returns the versions of both, such as "Solr 9.10.1, Varnish 7.1.1"."""
        solr = documents.solr_version(f"{self._solr.url}/solr")
        said = re.search(r"varnish-(\S+)", self._cache.run("sh", "-c", "varnishd -V 2>&1"))
        return f"Solr {solr}, Varnish {said[1] if said else 'of an unknown version'}"

    @contextmanager
    def holding(self, more: list[dict[str, Any]]) -> Iterator[None]:
        """Adds documents, and removes them when the context ends."""
        core = self._core(self._solr)
        documents.add(core, more)
        try:
            yield
        finally:
            documents.remove(core, [document["id"] for document in more])

    def requests(self) -> int:
        """Returns how many requests the cache has had. Call it only while nobody sends requests."""
        time.sleep(_COUNTED_SECONDS)
        field = "MAIN.client_req"
        said = json.loads(self._cache.run("varnishstat", "-n", self._work, "-1", "-j", "-f", field))
        return int(said["counters"][field]["value"])

    def resources(self) -> Resources:
        """Returns CPU time and memory of both together."""
        return self._solr.resources() + self._cache.resources()

    def unavailable_reason(self) -> str | None:
        """Returns None while both run, else which one ended, and how."""
        for service in (self._solr, self._cache):
            if reason := service.exit_reason():
                return f"{service.title} {reason}"
        return None

    def revive(self) -> None:
        """Starts what has ended, at its old address, and fills the backend. Raises BackendError."""
        for service in (self._solr, self._cache):
            if service.exit_reason():
                service.start()
        self._fill()

    @contextmanager
    def outage(self, kind: Outage) -> Iterator[None]:
        """Puts the backend out of order. When the context ends, waits until the backend answers again."""
        begin, end = {
            Outage.ERROR: (self._fail, self._heal),
            Outage.SILENCE: (self._cache.pause, self._cache.resume),
            Outage.GONE: (self._cache.stop, self._cache.start),
        }[kind]
        begin()
        try:
            yield
        finally:
            end()
            self._wait(self._cache, documents.query())

    def _fail(self) -> None:
        """Makes the cache answer 503: it forgets all answers, and it regards Solr as out of order."""
        self._tell_cache("backend.set_health", "*", "sick")
        self._tell_cache("ban", "obj.status", "!=", "0")

    def _heal(self) -> None:
        self._tell_cache("backend.set_health", "*", "auto")

    def _tell_cache(self, *arguments: str) -> None:
        self._cache.run("varnishadm", "-n", self._work, *arguments)
