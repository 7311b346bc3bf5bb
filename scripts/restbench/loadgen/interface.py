"""What a load generator tells. Nothing outside this package knows the output of wrk or oha."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from restbench.requests import RequestShape


@dataclass(frozen=True)
class Load:
    """How hard and how long. Without a rate: closed loop, as many requests as the connections carry.

    `requests`: a batch of that many, however long they take up to `seconds`; only oha counts requests.
    `through`: words put before the command, such as those that run it in another network namespace.
    """

    seconds: float
    connections: int
    threads: int
    cpus: tuple[int, ...] | None
    rate: float | None = None
    requests: int | None = None
    through: tuple[str, ...] = ()


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
    """What one run of a load generator saw. `errors` counts by kind, and has no kind with a count of 0."""

    requests: int
    seconds: float
    latency: Latency
    errors: dict[str, int]
    cpu_seconds: float

    @property
    def throughput(self) -> float:
        """Requests per second."""
        return self.requests / self.seconds


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
    def run(self, base_url: str, shape: RequestShape, load: Load) -> LoadResult:
        """Sends load and waits for its end. Raises LoadError when the program fails or says what it should not."""
