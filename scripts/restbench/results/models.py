"""The result schema; schemas/ is exported from these models. Units are in the names or said beside them."""

from datetime import date
from enum import StrEnum
from typing import Any, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, field_validator, model_validator

SCHEMA_VERSION: Literal[2] = 2

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


class Latencies(Record):
    """Milliseconds."""

    mean: float
    p50: float
    p75: float
    p90: float
    p99: float
    p999: float
    max: float


class Columns(Record):
    """Rounds as columns: every list of numbers or words has one value per round, in the order of measurement."""

    @model_validator(mode="after")
    def _of_one_length(self) -> "Columns":
        lengths = {len(column) for _, column in self if isinstance(column, list) and column}
        if len(lengths) > 1:
            raise ValueError("columns differ in length")
        return self


class SoloRounds(Columns):
    """Rounds in which the app was loaded alone, as they were measured. Only rounds that count are here.

    Shares are of the CPUs of that side, 1.0 being all of them for the whole round. `seconds` is how long a round sent
    load, or what a whole batch took; throughput × seconds are its requests. Latencies are those under saturation.
    """

    at: list[int] = Field([], description="seconds since the start of the run")
    seconds: list[float] = []
    throughput: list[float] = Field([], description="requests per second, in a closed loop or over a batch")
    cpu_us: list[float] = Field([], description="CPU microseconds of the app per request")
    app_cpu: list[float] = Field([], description="share of the app's CPUs that the app used")
    load_cpu: list[float] = Field([], description="share of the load generator's CPUs that it used")
    memory_bytes: list[int] = Field([], description="the most that was resident")
    p50_ms: list[float] = []
    p99_ms: list[float] = []
    overhead_ms: list[float] = Field([], description="of a batch that computes: time per request above the computing")
    limit: list[Limit] = []
    connections: int | None = Field(
        None, description="of the load generator, in the last round; not told by older runs"
    )

    @property
    def count(self) -> int:
        return len(self.throughput)


class DuetRounds(Columns):
    """Rounds in which app and baseline were loaded at the same time on the same CPUs. Only rounds that count."""

    baseline: str = Field(description="the entry that was loaded beside the app")
    baseline_variant: str | None = None
    at: list[int] = Field([], description="seconds since the start of the run")
    cpu_us: list[float] = Field([], description="CPU microseconds of the app per request")
    baseline_cpu_us: list[float] = Field([], description="CPU microseconds of the baseline per request")
    share: list[float] = Field([], description="the app's share of the CPU time that both used")
    baseline_throughput: float | None = Field(
        None, description="median requests per second of the baseline's solo rounds in the same group"
    )

    @property
    def count(self) -> int:
        return len(self.cpu_us)

    @property
    def relative_costs(self) -> list[float]:
        """CPU time per request of the app over that of its baseline, in each round."""
        return [app / baseline for app, baseline in zip(self.cpu_us, self.baseline_cpu_us, strict=True)]


class RateKind(StrEnum):
    """How a rate for latencies was chosen."""

    COMMON = "common"
    HALF = "half"


class LatencyRounds(Columns):
    """Rounds in an open loop at one rate. Milliseconds, from when a request was due to the end of its answer."""

    kind: RateKind = Field(description="common: one rate for all apps; half: of the app's own measured throughput")
    rate: int = Field(ge=1, description="requests per second that were sent")
    achieved: list[float] = Field([], description="requests per second that were answered")
    mean: list[float] = []
    p50: list[float] = []
    p75: list[float] = []
    p90: list[float] = []
    p99: list[float] = []
    p999: list[float] = []
    max: list[float] = []

    @property
    def count(self) -> int:
        return len(self.p50)


class Failure(Record):
    """Why there is no number: which check broke, what was asked, wanted and got; or what went wrong."""

    check: str
    request: str = ""
    expected: str = ""
    got: str

    @field_validator("request", "expected", "got", mode="before")
    @classmethod
    def _shortened(cls, text: Any) -> Any:
        """What an app answered may be as long as it likes, and have half a character, which no file can hold."""
        if not isinstance(text, str):
            return text
        whole = text.encode(errors="backslashreplace").decode()
        return whole[: LONGEST - 1] + "…" if len(whole) > LONGEST else whole

    def __str__(self) -> str:
        asked = f"{self.request}: " if self.request else ""
        wanted = f"expected {self.expected}, got " if self.expected else ""
        return f"{self.check}: {asked}{wanted}{self.got}"


class CellResult(Record):
    """A cell's rounds in one run, or the marks that it got in place of figures, or why it failed."""

    run: str
    suite: str
    scenario: str
    variant: str | None = None
    solo: SoloRounds = SoloRounds()
    duets: DuetRounds | None = None
    latency: list[LatencyRounds] = []
    refused: dict[str, int] = Field({}, description="solo rounds that do not count, by reason")
    refused_duets: dict[str, int] = Field({}, description="duet rounds that do not count, by reason")
    no_duets: str | None = Field(None, description="why there are no duet rounds, where there could be")
    marks: dict[str, bool] = {}
    failure: Failure | None = None
    not_run: str | None = Field(None, description="what this machine lacks for it; nothing is wrong with the app")
    last_good: AwareDatetime | None = Field(None, description="of a failed cell: when it was last measured")

    @property
    def key(self) -> tuple[str, str, str | None]:
        return self.suite, self.scenario, self.variant

    @property
    def measured(self) -> bool:
        """Whether a solo round was finished, whether or not it counts."""
        return bool(self.solo.count or self.refused)


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
    """What a backend gave in the group of an entry, without an app. Rates in requests per second, in a closed loop."""

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
    runtime: str | None = Field(None, description='what runs or compiled the entry, such as "CPython 3.13.5"')
    runtime_build: str | None = Field(None, description='how that was built, such as "PGO, LTO"')
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

    schema_version: Literal[2] = SCHEMA_VERSION
    entry: str
    runs: dict[str, Run]
    cells: list[CellResult]
    missed: Missed | None = Field(None, description="the newest run, where it brought nothing: the figures are stale")
