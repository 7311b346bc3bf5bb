"""The schema of results, as exported to schemas/. Units are in the names of fields or in their descriptions.

Numbers have bounds that are far from anything that can be measured, because results may come from a stranger's job. A
number can be finite and still break what is computed from it: the square of 1e308 is not finite, and the logarithm of 0
does not exist.
"""

from datetime import date
from enum import StrEnum
from functools import cached_property
from itertools import repeat
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, field_validator, model_validator

from restbench.catalog.entry import CellKey
from restbench.stats.histograms import Histogram
from restbench.stats.intervals import LogSample, quiet_starts

Throughput = Annotated[float, Field(gt=0, le=1e9)]
"""Requests per second."""

Microseconds = Annotated[float, Field(gt=0, le=1e10)]
"""CPU time of a request."""

SignedMilliseconds = Annotated[float, Field(ge=-1e9, le=1e9)]
"""A difference of times."""

Seconds = Annotated[float, Field(ge=0, le=1e7)]
"""A duration, at most 116 days."""

PositiveSeconds = Annotated[float, Field(gt=0, le=1e7)]
"""A duration that throughput is computed from."""

Share = Annotated[float, Field(ge=0, le=1e9)]
"""A share of CPUs, where 1.0 is all of one side's."""

Bytes = Annotated[int, Field(ge=0, le=2**50)]

LogCost = Annotated[float, Field(ge=-50, le=50)]
"""The logarithm of a ratio of costs."""

Variance = Annotated[float, Field(ge=0, le=1e4)]
"""The variance of a logarithm."""

Count = Annotated[int, Field(ge=0, le=1_000_000_000)]
"""A number of rounds, connections, CPUs, packages or lines."""

Rate = Annotated[int, Field(ge=1, le=1_000_000_000)]
"""Requests per second that are sent."""


SCHEMA_VERSION: Literal[3] = 3

LONGEST = 2000
"""The most characters of any text in a result."""

MOST_EARLIER = 7
"""How many earlier runs a cell keeps: with the newest one it has up to eight."""


class Record(BaseModel):
    """Base of all records. Unknown fields are refused, values do not change, and numbers are finite."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, str_max_length=LONGEST)


Commit = Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]


class Limit(StrEnum):
    """What kept the throughput of a cell from being higher. Only `app` says something about the framework."""

    APP = "app"
    SOURCE = "source"
    BACKEND = "backend"
    WAITING = "waiting"
    HANDLERS = "handlers"
    LOAD_GENERATOR = "load generator"
    NOISE = "noise"


class Columns(Record):
    """Rounds as columns. Every list has one value per round, in the order of measurement."""

    @model_validator(mode="after")
    def _of_one_length(self) -> "Columns":
        if len({len(column) for _, column in self if isinstance(column, list)}) > 1:
            raise ValueError("columns differ in length")
        return self


class SoloRounds(Columns):
    """Rounds in which the app was loaded alone, as they were measured. Only rounds that count are here."""

    seconds: list[PositiveSeconds] | None = Field(None, description="how long a whole batch took; of a batch alone")
    throughput: list[Throughput] = Field([], description="requests per second, in a closed loop or over a batch")
    cpu_us: list[Microseconds] = Field([], description="CPU microseconds of the app per request")
    memory_bytes: Bytes = Field(0, description="peak memory of the app in all rounds; older results have each round's")
    overhead_ms: list[SignedMilliseconds] | None = Field(
        None, description="for a batch that computes: time per request minus that of the computing alone"
    )
    limit: list[Limit] = []
    connections: Count | None = Field(
        None, description="connections of the load generator in the last round; unknown in older runs"
    )

    @field_validator("memory_bytes", mode="before")
    @classmethod
    def _most(cls, found: Any) -> Any:
        """The most memory of the rounds of an older result."""
        of_rounds = isinstance(found, list) and all(isinstance(each, int) for each in found)
        return max(found, default=0) if of_rounds else found

    @property
    def count(self) -> int:
        return len(self.throughput)


class BaselineRounds(Columns):
    """The solo rounds of the baseline that a cell is compared with. Both were measured in turn, on one machine.

    The baseline's own cell has its own rounds here, those of its first team.
    """

    entry: str
    variant: str | None = None
    files_hash: str = Field(description="hash of the baseline's own and its language's shared files")
    cpu_us: list[Microseconds] = Field([], description="CPU microseconds of the baseline per request")
    throughput: Throughput | None = Field(
        None, description="median requests per second of these rounds; unknown in older runs"
    )
    start: list[Count] | None = Field(None, description="which start of the app each is of; None: all of one")
    unsteady: str | None = Field(None, description="why its cost is not steady, so that nothing is claimed by it")

    @cached_property
    def starts(self) -> list[list[float]]:
        """The CPU microseconds of the rounds of each start of the app."""
        found: dict[int, list[float]] = {}
        for start, cost in zip(self.start or repeat(0), self.cpu_us, strict=False):
            found.setdefault(start, []).append(cost)
        return list(found.values())

    @cached_property
    def cost(self) -> LogSample:
        """The cost of a request, over all starts. Raises ValueError where there is no round."""
        return quiet_starts(self.starts)

    def is_of(self, entry: str, variant: str | None) -> bool:
        """Whether these are the rounds of that entry and variant."""
        return (self.entry, self.variant) == (entry, variant)


class EarlierCost(Record):
    """A relative cost that was measured at another time, such as in an earlier run of the same code.

    `log_cost` is the natural logarithm of the relative cost. `variance` is that of `log_cost` due to the rounds.
    """

    at: AwareDatetime
    log_cost: LogCost
    variance: Variance


class RateKind(StrEnum):
    """How a rate for latencies was chosen."""

    COMMON = "common"
    HALF = "half"


class LatencyHistogram(Record):
    """The requests at one rate in an open loop, of all rounds that count, and of earlier runs of unchanged code.

    A latency is from when a request was due until its answer was complete.
    """

    kind: RateKind = Field(description="common: one rate for all apps; half: half of the app's own throughput")
    rate: Rate = Field(description="requests per second that were sent, in the last run")
    first: int = Field(0, ge=-400, le=400, description="the first bucket; bucket n begins at 10 ** (n / 24) ms")
    counts: list[Count] = Field([], max_length=400, description="requests in each bucket from the first one on")
    runs: int = Field(1, ge=1, le=MOST_EARLIER + 1, description="how many runs the requests are of, the last eight")
    refused: dict[str, Count] = Field({}, description="rounds of the last run that do not count, by reason")

    @property
    def histogram(self) -> Histogram:
        return Histogram(self.first, tuple(self.counts))


class Failure(Record):
    """Why a cell has no figure: the check that failed, the request, the expected answer and the answer that came.

    Where no answer was wrong, `got` says what happened.
    """

    check: str
    request: str = ""
    expected: str = ""
    got: str

    @field_validator("request", "expected", "got", mode="before")
    @classmethod
    def _shortened(cls, text: Any) -> Any:
        """Shortens an app's answer, which may have any length. Escapes unpaired surrogates, which no file can hold."""
        if not isinstance(text, str):
            return text
        whole = text.encode(errors="backslashreplace").decode()
        return whole[: LONGEST - 1] + "…" if len(whole) > LONGEST else whole

    def __str__(self) -> str:
        asked = f"{self.request}: " if self.request else ""
        wanted = f"expected {self.expected}, got " if self.expected else ""
        return f"{self.check}: {asked}{wanted}{self.got}"


class Missed(Record):
    """A run that was to measure an entry or a cell, and has no result of it.

    `slow_build`: the build of the entry ran out of time. It is the machine's fault once, and the entry's fault twice.
    """

    started: AwareDatetime
    reason: str
    slow_build: bool = False


class CellResult(Record):
    """The rounds of a cell in one run, or its feature checks in place of figures, or why it failed."""

    run: str
    suite: str
    scenario: str
    variant: str | None = None
    contract: Annotated[int, Field(ge=1, le=10_000)] = Field(
        1, description="the number of its suite's contract; figures of two contracts are of different work"
    )
    solo: SoloRounds = SoloRounds()
    baseline: BaselineRounds | None = None
    earlier: list[EarlierCost] = Field([], description="newest first; empty after a change", max_length=MOST_EARLIER)
    latency: list[LatencyHistogram] = []
    refused: dict[str, Count] = Field({}, description="solo rounds that do not count, by reason")
    disturbed_throughput: Throughput | None = Field(
        None, description="median throughput of the solo rounds where none counts; it is compared with nothing"
    )
    no_baseline: str | None = Field(None, description="why there are no rounds of a baseline")
    baseline_missed: bool = Field(False, description="the machine could not build or start the baseline")
    features: dict[str, bool] = {}
    json_library: str | None = Field(None, description="what read and wrote the JSON, as the entry's manifest said")
    remarks: list[str] = Field([], description="what a reader has to know about the figures")
    unsteady: str | None = Field(None, description="why its cost is not steady, so that nothing is claimed of it")
    failure: Failure | None = None
    not_run: str | None = Field(
        None, description="why it was not measured on this machine; nothing is wrong with the app"
    )
    slow_build: bool = Field(False, description="it was not measured because the build ran out of time")
    missed: Missed | None = Field(None, description="a newer run, if its machine could not measure the cell")
    last_good: AwareDatetime | None = Field(None, description="for a failed cell: when it was last measured")

    @model_validator(mode="before")
    @classmethod
    def _without_remarks_on_steadiness(cls, cell: Any) -> Any:
        """Reads older results, in which a cost that is not steady is one of the remarks."""
        if not isinstance(cell, dict) or not isinstance(remarks := cell.get("remarks"), list):
            return cell
        found = [each for each in remarks if str(each).startswith("its CPU time per request was not steady")]
        others = [each for each in remarks if each not in found]
        return {**cell, "remarks": others, "unsteady": "; ".join(map(str, found))} if found else cell

    @property
    def key(self) -> CellKey:
        return CellKey(self.suite, self.scenario, self.variant)

    @property
    def measured(self) -> bool:
        """Whether a solo round was finished, whether or not it counts."""
        return bool(self.solo.count or self.refused)

    @property
    def rounds(self) -> int:
        """How many solo rounds were finished, whether or not they count."""
        return self.solo.count + sum(self.refused.values())

    @property
    def has_verdict(self) -> bool:
        """Whether it says something of the app: figures, feature checks or a failure."""
        return self.measured or bool(self.features or self.failure)


MACHINE_CLASS = r"^[a-z0-9][a-z0-9_.-]{0,59}$"


class Machine(Record):
    """The machine that a run took place on."""

    machine_class: str = Field(pattern=MACHINE_CLASS, description="figures of two classes never share a table")
    cpu_model: str
    cpus: Count
    app_cpus: tuple[Count, ...]
    load_cpus: tuple[Count, ...]
    backend_cpus: tuple[Count, ...] = Field(
        (), description="CPUs of a backend; on a small machine they are those of the load generator"
    )
    pinned: bool
    cpu_quota: Annotated[float, Field(gt=0, le=1e9)] | None = Field(
        None, description="the smallest CPU quota, in CPUs; it may leave fewer CPUs than there are"
    )
    cpu_kind: str | None = Field(None, description="the kind of the cores, on a machine with several kinds")
    unused_cpus: str | None = Field(None, description="which CPUs are not used, or unlike, and why")
    governor: str | None = Field(None, description="the governors of the frequencies of the CPUs, where they are known")
    kind: str | None = Field(None, description="vm, wsl or laptop; other machines have none")
    memory_bytes: Bytes
    kernel: str
    runner: str | None = None
    docker: str | None = None
    load_generators: tuple[str, ...] = Field((), description="name and version of each that was installed: oha 1.16.0")
    restbench: str
    harness_hash: str
    commit: Commit | None = Field(
        None, description="the commit that was measured; unknown in older runs, and where files were changed since"
    )

    @property
    def hosted(self) -> bool:
        """Whether it is a hosted runner, which is another machine each time."""
        return self.machine_class.startswith("github-hosted")

    def had(self, load_generator: str) -> bool:
        """Whether the load generator of that name was installed."""
        return any(each.split()[0] == load_generator for each in self.load_generators)


class Ceiling(Record):
    """How fast a backend was on its own, without an app, in the team of an entry.

    Rates are in requests per second, in a closed loop.
    """

    backend: str
    versions: str
    cached: Throughput = Field(description="through the cache, as apps ask it")
    uncached: Throughput = Field(description="without the cache")
    start_seconds: Seconds = Field(description="from start until it was filled and gave right answers")
    memory_bytes: Bytes = Field(description="resident memory of all its programs")


RuntimeSettings = Annotated[
    dict[Annotated[str, Field(min_length=1, max_length=40)], Annotated[str, Field(max_length=80)]],
    Field(max_length=20),
]
"""What the runtime of an app runs with: setting → text."""


class Run(Record):
    """One run as far as it concerns one entry: the facts that are the same for all of the entry's cells."""

    id: str
    started: AwareDatetime
    target: Literal["native", "docker"]
    profile: str = Field(pattern=r"^[a-z][a-z0-9-]{0,39}$")
    machine: Machine
    version: str | None = Field(description="version of the framework")
    runtime: str | None = Field(None, description='what runs or compiled the entry, such as "CPython 3.13.5"')
    runtime_build: str | None = Field(None, description='how the runtime was built, such as "PGO, LTO"')
    runtime_settings: RuntimeSettings = Field(
        {}, description="what the runtime ran with, as the running app was asked: setting → text"
    )
    server: str | None = Field(None, description="what served the app, if it was not the framework's own server")
    files_hash: str = Field(description="hash of the entry's own and its language's shared files")
    build_seconds: Seconds | None = None
    size_bytes: Bytes | None = Field(None, description="bytes of the files of the image, or of the native environment")
    start_seconds: Seconds | None = Field(None, description="from start to the first correct answer")
    released: date | None = Field(None, description="release date of that version of the framework")
    licence: str | None = None
    packages: Count | None = Field(
        None, description="number of packages in the environment or image, the framework included"
    )
    code_lines: Count | None = Field(None, description="lines of the entry's own code that are not blank")
    head_bytes: Count | None = Field(None, description="bytes of status line and headers of the first right answer")
    dated: bool | None = Field(None, description="whether that answer has a Date")
    idle_cpu_share: Share | None = Field(None, description="share of one CPU, after start, before any load")
    memory_start_bytes: Bytes | None = None
    memory_peak_bytes: Bytes | None = None
    memory_after_bytes: Bytes | None = None
    ceiling: Ceiling | None = Field(None, description="where a suite of the run needs a backend")

    @model_validator(mode="before")
    @classmethod
    def _without_bases(cls, run: Any) -> Any:
        """Leaves out the base images, which older results name."""
        return {name: value for name, value in run.items() if name != "bases"} if isinstance(run, dict) else run


class EntryResult(Record):
    """results/latest/<language>/<framework>.json: every cell's newest rounds, and the runs they came from."""

    schema_version: Literal[3] = SCHEMA_VERSION
    entry: str
    runs: dict[str, Run]
    cells: list[CellResult]
    missed: Missed | None = Field(
        None, description="the newest run, if it has no result of the entry: then the figures are stale"
    )
