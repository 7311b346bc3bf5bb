"""Apache Solr with an HTTP cache in front of it, as processes or as containers."""

import json
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Self

import httpx

from restbench.backends import programs
from restbench.backends.numbers import NumberedText, Numbers
from restbench.backends.query import QUERY
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


_CLIENT_SECONDS = 60.0
"""Long, because a commit waits for the disk, and other programs may be writing to the disk."""

_QUERY = f"/select?{QUERY}"
"""The query as apps send it: path and parameters, to be appended to the core's URL."""

NUMBER_ELEMENT = "<esi:include src='/number'/>"
"""What Solr's documents have where the cache puts a number in."""


@cache
def _client() -> httpx.Client:
    """The one client with which the harness itself sends requests to Solr and the cache.

    A new client reads this machine's certificates, which takes longer than an answer. The client keeps no connection
    open, because the server may have been restarted since the last request.
    """
    return httpx.Client(timeout=_CLIENT_SECONDS, trust_env=False, limits=httpx.Limits(max_keepalive_connections=0))


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


class Service(ABC):
    """One program of a backend. After a stop it can be started again, at the same address."""

    title: str
    url: str
    """The address for the harness, without a path. It is known once the program runs."""

    @abstractmethod
    def start(self) -> None:
        """Starts the program without waiting for its first answer. Raises BackendError."""

    @abstractmethod
    def stop(self) -> None:
        """Sends SIGTERM and, after 5 s, SIGKILL. It may also be called when the program never ran."""

    @abstractmethod
    def pause(self) -> None:
        """Freezes the program: it keeps its port and its connections, and does nothing."""

    @abstractmethod
    def resume(self) -> None:
        """Lets the program go on after a pause."""

    @abstractmethod
    def run(self, *arguments: str) -> str:
        """Runs a command where the program runs, such as one for its statistics, and returns the output.

        Raises BackendError when the command fails.
        """

    @abstractmethod
    def resources(self) -> Resources:
        """Returns CPU time and memory. Both are zero when the program does not run."""

    @abstractmethod
    def exit_reason(self) -> str | None:
        """Returns None while the program runs, else how it ended."""

    @abstractmethod
    def log_tail(self, lines: int = 20) -> str:
        """Returns the last lines that the program wrote."""


@cache
def read_documents(fixtures: Path) -> list[dict[str, Any]]:
    """Returns the documents of fixtures/solr/documents.json. All callers share the list: do not change it."""
    documents: list[dict[str, Any]] = json.loads((fixtures / "solr" / "documents.json").read_bytes())
    return documents


NUMBERED_TEXT = NumberedText((99, "child_objects", 9, "name"))
"""The text that ends in the number of the cache. It is the last, so that an app waits for all others."""


class Backend:
    """Solr and a cache as a context manager. Apps send their requests to the cache.

    Entering starts and fills both, and waits until the cache answers right. Raises BackendError when that fails.
    Leaving stops both.

    `work`: the cache's working folder, by which its tools find it. `numbers`: those that the cache puts into answers.
    `clean_up` is called after both are stopped.
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
        numbers: Numbers,
        clean_up: Callable[[], None],
    ) -> None:
        self.access = access
        self.start_seconds = 0.0
        self._solr = solr
        self._cache = cache
        self._work = work
        self._documents = read_documents(fixtures)
        self.numbers = numbers
        self._clean_up = clean_up

    def __enter__(self) -> Self:
        began = time.monotonic()
        try:
            self._solr.start()
            self._cache.start()
            try:
                self._fill()
            except BackendError:
                if self.unavailable_reason() is None:
                    raise
                self.revive()  # one of them ended meanwhile, and is started again, once
        except BaseException:
            self._stop()
            raise
        self.start_seconds = time.monotonic() - began
        return self

    def __exit__(self, *raised: object) -> None:
        self._stop()

    def _stop(self) -> None:
        # Ctrl-C while one of them is stopped must not keep the others from being stopped
        with ExitStack() as each:
            each.callback(self._clean_up)
            each.callback(self._solr.stop)
            each.callback(self._cache.stop)

    def _fill(self) -> None:
        """Puts the documents into Solr, and Solr's answer into the cache. Raises BackendError."""
        self._wait(self._solr, "/select?q=*:*&rows=0")
        self._update(NUMBERED_TEXT.with_end(self._documents, NUMBER_ELEMENT))
        self._verify(self._solr)
        self._wait(self._cache, _QUERY)
        self._verify(self._cache)

    def _update(self, command: object) -> None:
        """Sends documents, or a command, to Solr, and waits for the commit. Raises BackendError."""
        try:
            answer = _client().post(f"{self._core(self._solr)}/update", params={"commit": "true"}, json=command)
            answer.raise_for_status()
        except httpx.HTTPError as error:
            raise BackendError(f"Solr does not take an update: {error}") from error

    def _verify(self, service: Service) -> None:
        """Raises BackendError unless the query returns all documents unchanged, with their children nested.

        The cache has to put a number into them.
        """
        answered = _get(self._core(service) + _QUERY)["response"]["docs"]
        if len(answered) != len(self._documents):
            raise BackendError(f"{service.title} brings back {len(answered)} of {len(self._documents)} documents")
        end = NUMBER_ELEMENT if service is self._solr else NUMBERED_TEXT.number_in(answered)
        for given, got in zip(NUMBERED_TEXT.with_end(self._documents, end), answered, strict=True):
            if given != got:
                what = f"{service.title} brings document {given['id']} back differently"
                raise BackendError(what, f"{given}\n{got}")

    def _wait(self, service: Service, path: str) -> None:
        """Waits until the service answers. Raises BackendError with the end of its log when it does not."""
        began, says = time.monotonic(), "nothing"
        while time.monotonic() - began < START_SECONDS:
            if reason := service.exit_reason():
                raise BackendError(f"{service.title} {reason} before it answered", service.log_tail())
            try:
                answer = _client().get(self._core(service) + path, timeout=5.0)
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
        return programs.CORE_PATH + _QUERY

    def versions(self) -> str:
        """Returns the versions of both, such as "Solr 9.10.1, Varnish 7.1.1"."""
        solr = _get(f"{self._solr.url}/solr/admin/info/system")["lucene"]["solr-spec-version"]
        match = re.search(r"varnish-(\S+)", self._cache.run("sh", "-c", "varnishd -V 2>&1"))
        return f"Solr {solr}, Varnish {match[1] if match else 'of an unknown version'}"

    @contextmanager
    def holding(self, more: list[dict[str, Any]]) -> Iterator[None]:
        """Adds documents, and removes them when the context ends."""
        self._update(more)
        try:
            yield
        finally:
            roots = " ".join(f'"{document["id"]}"' for document in more)  # their children go with them
            self._update({"delete": {"query": f"_root_:({roots})"}})

    def requests(self, *, numbered: bool = True) -> int:
        """Returns how many requests the cache has had. Call it only while nobody sends requests.

        `numbered`: only those that got documents with a number, which are `GET` of the right address with status 200.
        """
        time.sleep(_COUNTED_SECONDS)
        field = "MAIN.esi_req" if numbered else "MAIN.client_req"
        statistics = json.loads(self._cache.run("varnishstat", "-n", self._work, "-1", "-j", "-f", field))
        return int(statistics["counters"][field]["value"])

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
        ways: dict[Outage, tuple[Callable[[], None], Callable[[], None]]] = {
            Outage.ERROR: (self._fail, lambda: self._tell_cache("backend.set_health", "*", "auto")),
            Outage.SILENCE: (self._cache.pause, self._cache.resume),
            Outage.GONE: (self._cache.stop, self._cache.start),
        }
        begin, end = ways[kind]
        begin()
        try:
            yield
        finally:
            end()
            self._wait(self._cache, _QUERY)

    def _fail(self) -> None:
        """Makes the cache answer 503: it forgets all answers, and it regards Solr as out of order."""
        self._tell_cache("backend.set_health", "*", "sick")
        self._tell_cache("ban", "obj.status", "!=", "0")

    def _tell_cache(self, *arguments: str) -> None:
        self._cache.run("varnishadm", "-n", self._work, *arguments)


def _get(url: str) -> Any:
    try:
        return _client().get(url).raise_for_status().json()
    except (httpx.HTTPError, ValueError) as error:
        raise BackendError(f"Solr does not answer as it should: {error}") from error
