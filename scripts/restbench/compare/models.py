"""comparison.json: what came of a comparison. It may come from a stranger's job, so every length is bounded."""

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator
from pydantic_core import PydanticCustomError

from restbench.stats.starts import Effect

SCHEMA_VERSION: Literal[2] = 2

Short = Annotated[str, Field(max_length=200)]
Said = Annotated[str, Field(max_length=4000)]
CLIPPED = 2000
"""Characters that are kept of what an app answered; what makes it harmless may lengthen it to what `Said` allows."""
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Amount = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Verdict(StrEnum):
    """What is said of a cell, or of all cells together."""

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


class Cost(_Plain):
    """A ratio of CPU time per request with its 95 % interval, and of how many starts and duet rounds it is."""

    ratio: Positive
    low: Positive
    high: Positive
    starts: int = Field(ge=1, le=1000)
    rounds: int = Field(ge=1, le=1_000_000)

    @classmethod
    def of(cls, effect: Effect) -> "Cost":
        low, high = effect.interval()
        return cls(ratio=effect.ratio, low=low, high=high, starts=effect.starts, rounds=effect.rounds)

    @property
    def speed(self) -> float:
        """The change of speed: 0.05 is 5 % faster."""
        return 1 / self.ratio - 1


class CellChange(_Plain):
    """One cell before and after. `cost` is head over base; `why` is what failed, or why nothing can be told."""

    suite: Short
    scenario: Short
    variant: Short | None
    verdict: Verdict
    cost: Cost | None = None
    why: Said | None = None


class NewCell(_Plain):
    """One cell of an entry that has no base. `verdict` is NEW, FAILED or UNKNOWN; `why` says why it is not the first.

    `cost` is over the baseline of its language, `usual_cost` the median of that among the entries of its language on
    the board. `throughput` is in requests per second, `usual_throughput` the median of its language on the board, of
    the same class of machines. `no_cost` says why there is a throughput and no cost.
    """

    suite: Short
    scenario: Short
    variant: Short | None
    verdict: Verdict
    throughput: Amount | None = None
    usual_throughput: Amount | None = None
    cost: Cost | None = None
    usual_cost: Positive | None = None
    limit: Short | None = None
    no_cost: Said | None = None
    why: Said | None = None


class Together(_Plain):
    """All cells together: the geometric mean of their ratios."""

    verdict: Verdict
    cost: Cost


class EntryComparison(_Plain):
    """What came of one entry. `baseline` is what a new entry was measured against; `why` is of the whole entry."""

    entry: Short
    title: Short
    base_version: Short | None
    version: Short | None
    status: Literal["changed", "new", "failed"]
    cells: list[CellChange] = Field([], max_length=200)
    new_cells: list[NewCell] = Field([], max_length=200)
    together: Together | None = None
    baseline: Short | None = None
    why: Said | None = None

    @property
    def failed(self) -> bool:
        """Whether a cell of the head failed, or all of it."""
        verdicts = {cell.verdict for cell in self.cells} | {cell.verdict for cell in self.new_cells}
        return self.status == "failed" or Verdict.FAILED in verdicts


class Comparison(_Plain):
    """comparison.json: what a job of a pull request found."""

    schema_version: Literal[2] = SCHEMA_VERSION
    base: Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]
    head: Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]
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


def clipped(text: str) -> str:
    return text[:CLIPPED]
