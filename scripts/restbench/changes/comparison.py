"""The content of comparison.json. The file may come from a stranger's job, so every length is limited."""

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator
from pydantic_core import PydanticCustomError

from restbench.catalog import CellKey
from restbench.results.models import Failure
from restbench.stats.starts import Effect

SCHEMA_VERSION: Literal[6] = 6

Short = Annotated[str, Field(max_length=200)]
Long = Annotated[str, Field(max_length=4000)]
MOST_CAUSES = 1000
CLIPPED = 2000
"""Characters that are stored of an app's answer. It gets longer when it is made harmless, so `Long` allows more."""
Positive = Annotated[float, Field(gt=1e-9, le=1e9, allow_inf_nan=False)]
Commit = Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]
Amount = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]


class Verdict(StrEnum):
    """The verdict on a cell, or on all cells together."""

    FASTER = "faster"
    SLOWER = "slower"
    SAME = "no difference seen"
    ONCE = "not confirmed"
    NEW = "new"
    UNKNOWN = "cannot tell"
    FAILED = "failed"
    MENDED = "mended"


class _Plain(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CauseKind(StrEnum):
    """What kind of thing differs, the most specific first."""

    FRAMEWORK = "framework"
    SERVER = "server"
    DEPENDENCY = "dependency"
    RUNTIME = "runtime"
    IMAGE = "image"
    CODE = "code"


class Cause(_Plain):
    """One thing that differs. `before` is None for what was not there, `after` for what is gone."""

    kind: CauseKind
    name: Short
    before: Short | None = None
    after: Short | None = None

    def __str__(self) -> str:
        if self.before is None or self.after is None:
            return f"{self.kind} {self.name} {'added' if self.before is None else 'removed'}"
        return f"{self.kind} {self.name} {self.before} → {self.after}"


class Cost(_Plain):
    """A ratio of CPU time per request with its 95 % interval, and the numbers of starts and duet rounds behind it."""

    ratio: Positive
    low: Positive
    high: Positive
    starts: int = Field(ge=1, le=1000)
    rounds: int = Field(ge=1, le=1_000_000)

    @classmethod
    def of(cls, effect: Effect) -> "Cost":
        low, high = effect.interval()
        return cls(ratio=effect.ratio, low=low, high=high, starts=effect.starts, rounds=effect.rounds)


class CellChange(_Plain):
    """One cell before and after a change, or one of a new entry.

    `cost` is head over base, of a new entry over the baseline of its language. `cpu_us` is the CPU time of a request of
    a new entry, in microseconds. `why` is the reason for the verdict, where it needs one, and `failure` what failed.
    """

    suite: Short
    scenario: Short
    variant: Short | None
    verdict: Verdict
    cost: Cost | None = None
    cpu_us: Positive | None = None
    why: Long | None = None
    failure: Failure | None = None

    @property
    def key(self) -> CellKey:
        return CellKey(self.suite, self.scenario, self.variant)


class Place(_Plain):
    """Where a new entry stands in a table.

    `name` is that of its best row. `groups` are the frameworks of its language, the fastest first. There are none where
    the row is not compared; `why` is the reason.
    """

    suite: Short
    table: Short
    name: Short
    groups: list[Annotated[list[Short], Field(max_length=100)]] = Field([], max_length=100)
    why: Long | None = None


class Together(_Plain):
    """All cells together: the geometric mean of their ratios."""

    verdict: Verdict
    cost: Cost


BASE_LOST = "the base could not be measured"
"""The beginning of `EntryComparison.why` where it is the version before that failed."""


class EntryComparison(_Plain):
    """The comparison of one entry.

    `causes` are what differs between both versions. A new entry has `places` in the tables of its language, `baseline`
    is the title of the entry that it was measured against, and `lacks` says what it cannot have. `why` is the reason
    why the whole entry failed or could not be compared, or why there is no base. `failure` is that of an entry that
    failed.
    """

    entry: Short
    title: Short
    base_version: Short | None
    version: Short | None
    status: Literal["changed", "new", "failed"]
    cells: list[CellChange] = Field([], max_length=200)
    places: list[Place] = Field([], max_length=200)
    together: Together | None = None
    causes: list[Cause] = Field([], max_length=MOST_CAUSES)
    baseline: Short | None = None
    lacks: list[Short] = Field([], max_length=100)
    why: Long | None = None
    failure: Failure | None = None

    @property
    def why_never(self) -> str | None:
        """Why both versions never can be compared, because of the version before. None where a cell was compared."""
        if self.status != "changed" or any(cell.cost for cell in self.cells):
            return None
        if self.why and self.why.startswith(BASE_LOST):
            return self.why
        broken = next((cell.why for cell in self.cells if cell.verdict is Verdict.MENDED), None)
        return f"the version before does not keep today's contract: {broken}" if broken else None

    @property
    def failed(self) -> bool:
        """Whether the head failed, or one of its cells."""
        return self.status == "failed" or any(cell.verdict == Verdict.FAILED for cell in self.cells)


class Comparison(_Plain):
    """The content of comparison.json: the comparisons of all entries of one job or command.

    `base` and `head` are commits, None for files that no commit has. They are dirty where files were changed since.
    """

    schema_version: Literal[6] = SCHEMA_VERSION
    base: Commit | None
    head: Commit | None
    base_dirty: bool = False
    head_dirty: bool = False
    target: Literal["native", "docker"]
    profile: Short
    machine: Short
    minutes: Amount
    entries: list[EntryComparison] = Field(max_length=300)

    @field_validator("schema_version", mode="before")
    @classmethod
    def _known(cls, version: Any) -> Any:
        if version != SCHEMA_VERSION:
            was = f"{version}" if isinstance(version, int) and 0 <= version < 1000 else "another"
            remedy = "bring the main branch into the pull request, and it is measured anew"
            raise PydanticCustomError(
                "schema", "written by another restbench (schema {was}, this one reads {reads}): {remedy}",
                {"was": was, "reads": SCHEMA_VERSION, "remedy": remedy},
            )  # fmt: skip
        return version


def clipped_name(text: str) -> str:
    """The text as long as `Short` allows."""
    return text[:200]


def clipped(text: str) -> str:
    return text[:CLIPPED]
