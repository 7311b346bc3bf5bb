"""What a load generator tells. Nothing outside this package knows the output of wrk or oha."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from restbench.loadgen.request_shapes import RequestShape


@dataclass(frozen=True)
class Load:
    """How hard and how long. Without a rate: closed loop, as many requests as the connections carry.

    Requests are sent for `seconds`, of which any fraction will do. Those that are under way then are waited for.
    `threads` share the connections evenly: `threads_for` tells how many can.
    `rate` is in requests per second; only oha keeps one.
    `requests`: a batch of that many, however long they take up to `seconds`; only oha counts requests.
    `through`: words put before the command, such as those that run it in another network namespace.
    """

    seconds: float
    connections: int
    threads: int
    cpus: tuple[int, ...] | None
    rate: int | None = None
    requests: int | None = None
    through: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raises ValueError for a load that wrk would run with fewer connections."""
        if self.connections % self.threads:
            raise ValueError(f"{self.threads} threads cannot share {self.connections} connections evenly")


@dataclass(frozen=True)
class Latency:
    """Milliseconds from sending a request to the end of its answer."""

    mean: float
    p50: float
    p75: float
    p90: float
    p99: float
    p999: float
    max: float


@dataclass(frozen=True)
class LoadResult:
    """What one run of a load generator saw.

    `requests` are those that were answered. `seconds`: of wrk from the first request to the last answer, so that the
    opening of connections is no part of it; of oha its whole run. `errors` counts by kind, and has no kind with a count
    of 0. `connections` is how many were opened. `received`: bytes of all answers, and
    of their bodies alone unless it `counts_heads`.
    """

    requests: int
    seconds: float
    latency: Latency
    errors: dict[str, int]
    cpu_seconds: float
    connections: int
    received: int = 0
    counts_heads: bool = True

    @property
    def throughput(self) -> float:
        """Requests per second."""
        return self.requests / self.seconds


METHODS_WITH_BODY = ("POST", "PUT", "PATCH")
"""Of these a request without a body says that its length is 0 (RFC 9110, 8.6)."""

RequestWriter = Callable[[str, str, str, Mapping[str, str], bytes | None], bytes]
"""Method, path, host with port, headers and body → a request as a load generator sends it."""


class LoadGenerator(ABC):
    """A program that sends one request shape over and over, with a fresh id each time."""

    name: str

    @abstractmethod
    def missing(self) -> str | None:
        """None where the program is on this machine, else how to get it."""

    @abstractmethod
    def version(self) -> str | None:
        """The program's version, or None where it is missing."""

    @abstractmethod
    def write(self, method: str, path: str, host: str, headers: Mapping[str, str], content: bytes | None) -> bytes:
        """A request, byte for byte as this load generator sends it."""

    @abstractmethod
    def run(self, base_url: str, shape: RequestShape, load: Load) -> LoadResult:
        """Sends load and waits for its end. Raises LoadError when the program fails or says what it should not."""
