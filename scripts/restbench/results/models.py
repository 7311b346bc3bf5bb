"""The result schema; schemas/ is exported from these models. Units are in the names or said beside them."""

from datetime import date
from enum import StrEnum
from typing import Any, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, field_validator

SCHEMA_VERSION: Literal[1] = 1

LONGEST = 2000
"""Characters of any text in a result."""


class Record(BaseModel):
    """What all records share: nothing unknown is accepted, nothing changes, and numbers are numbers."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, str_max_length=LONGEST)


class Limit(StrEnum):
    """What kept a cell from being faster. Only `app` says something about the framework."""

    APP = "app"
    SOURCE = "source"
    BACKEND = "backend"
    WAITING = "waiting"
    HANDLERS = "handlers"
    LOAD_GENERATOR = "load generator"
    NOISE = "noise"


_OF_THE_CPU = (Limit.APP, Limit.LOAD_GENERATOR)
"""Limits under which a faster CPU would have given more."""


class Latencies(Record):
    """Milliseconds."""

    mean: float
    p50: float
    p75: float
    p90: float
    p99: float
    p999: float
    max: float


class FixedRate(Record):
    """Latency in an open loop at `rate` requests per second; `achieved` is what was answered per second."""

    rate: float
    achieved: float
    latency: Latencies
    errors: dict[str, int] = {}


class Round(Record):
    """One visit to a cell. Shares are of the CPUs of that side, 1.0 being all of them for the whole round."""

    index: int
    at: AwareDatetime
    requests: int
    connections: int | None = Field(None, description="of the load generator; not told by older runs")
    seconds: float
    throughput: float = Field(description="requests per second, in a closed loop or over a batch")
    saturated: Latencies
    cpu_us_per_request: float
    app_cpu_share: float
    load_cpu_share: float
    contention: float = Field(description="share of the app's CPUs that others took: steal and other processes")
    load_contention: float = Field(description="the same of the load generator's CPUs")
    probe_ms: float = Field(description="CPU time of a fixed piece of work beside the round; more is a slower CPU")
    pace: float | None = Field(None, description="probe_ms over its best; 1.6: everything takes 1.6 times as long")
    memory_peak_bytes: int
    errors: dict[str, int] = {}
    fixed_rate: FixedRate | None = None
    overhead_ms: float | None = Field(
        None,
        description="time of a request above the waiting, or above the computing alone, that the contract asks for",
    )
    reference_throughput: float | None = Field(
        None, description="of the reference in the same round of the same job, at the CPUs' best pace"
    )
    limit: Limit
    invalid: list[str] = Field([], description="why the round does not count; empty: it does")
    slow: bool = Field(False, description="the app's CPUs ran so slowly that it counts only where too few others do")

    @property
    def paced_throughput(self) -> float:
        """Requests per second, had the CPUs run at their best pace. Waiting goes on at the same pace always."""
        return self.throughput * self._scale

    @property
    def paced_seconds(self) -> float:
        """How long all requests took together, had the CPUs run at their best pace."""
        return self.seconds / self._scale

    @property
    def _scale(self) -> float:
        return self.pace if self.pace and self.limit in _OF_THE_CPU else 1.0

    @property
    def paced_cpu_us(self) -> float:
        """CPU microseconds per request, had the CPUs run at their best pace."""
        return self.cpu_us_per_request / (self.pace or 1.0)


class Failure(Record):
    """Why there is no number: which check broke, what was asked, wanted and got; or what went wrong."""

    check: str
    request: str = ""
    expected: str = ""
    got: str

    @field_validator("request", "expected", "got", mode="before")
    @classmethod
    def _shortened(cls, text: Any) -> Any:
        """What an app answered may be as long as it likes."""
        return text[: LONGEST - 1] + "…" if isinstance(text, str) and len(text) > LONGEST else text

    def __str__(self) -> str:
        asked = f"{self.request}: " if self.request else ""
        wanted = f"expected {self.expected}, got " if self.expected else ""
        return f"{self.check}: {asked}{wanted}{self.got}"


class CellResult(Record):
    """All rounds of a cell in one run, or the marks that it got in place of figures, or why it failed."""

    run: str
    suite: str
    scenario: str
    variant: str | None
    rounds: list[Round] = []
    marks: dict[str, bool] = {}
    failure: Failure | None = None
    not_run: str | None = Field(None, description="what this machine lacks for it; nothing is wrong with the app")
    last_good: AwareDatetime | None = Field(None, description="of a failed cell: when it was last measured")

    @property
    def key(self) -> tuple[str, str, str | None]:
        return self.suite, self.scenario, self.variant


class Machine(Record):
    """Where a run took place."""

    machine_class: str = Field(description="figures of two classes never share a table")
    cpu_model: str
    cpus: int
    app_cpus: tuple[int, ...]
    load_cpus: tuple[int, ...]
    backend_cpus: tuple[int, ...] = Field((), description="those of a backend; shared with the load generator if few")
    pinned: bool
    memory_bytes: int
    kernel: str
    runner: str | None = None
    docker: str | None = None
    wrk: str | None = None
    oha: str | None = None
    restbench: str
    harness_hash: str


class Ceiling(Record):
    """What a backend gave in the job of an entry, without an app. Rates in requests per second, in a closed loop."""

    backend: str
    versions: str
    cached: float = Field(description="through the cache, which is what apps ask")
    uncached: float = Field(description="without the cache")
    start_seconds: float = Field(description="from start until it was filled and answered right")
    memory_bytes: int = Field(description="resident, of all its programs")


class Run(Record):
    """One invocation, as far as it concerns one entry: what is the same for all of its cells."""

    id: str
    started: AwareDatetime
    target: Literal["native", "docker"]
    profile: str
    machine: Machine
    version: str | None = Field(description="of the framework")
    files_hash: str = Field(description="of the entry's own and its language's shared files")
    build_seconds: float | None = None
    size_bytes: int | None = Field(None, description="of the image, or the native environment")
    start_seconds: float | None = Field(None, description="from start to the first correct answer")
    released: date | None = Field(None, description="when that version of the framework was")
    licence: str | None = None
    packages: int | None = Field(None, description="installed in the environment or image, the framework included")
    code_lines: int | None = Field(None, description="of the entry's own code, without blank ones")
    idle_cpu_share: float | None = Field(None, description="of one CPU, after start, before any load")
    memory_start_bytes: int | None = None
    memory_peak_bytes: int | None = None
    memory_after_bytes: int | None = None
    ceiling: Ceiling | None = Field(None, description="where a suite of the run needs a backend")


class Missed(Record):
    """A run that was to measure the entry and brought nothing of it."""

    started: AwareDatetime
    reason: str


class EntryResult(Record):
    """results/latest/<language>/<framework>.json: every cell's newest rounds, and the runs they came from."""

    schema_version: Literal[1] = SCHEMA_VERSION
    entry: str
    runs: dict[str, Run]
    cells: list[CellResult]
    missed: Missed | None = Field(None, description="the newest run, where it brought nothing: the figures are stale")
