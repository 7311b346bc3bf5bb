"""What a pull request changes: each cell of an entry before and after it, measured in pairs on one machine."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from restbench.results.models import CellResult, EntryResult, Round
from restbench.stats import Estimate
from restbench.stats.figures import figures_of
from restbench.stats.pairs import Ratio, geometric_mean, ratio_of_pairs

FLOOR = 0.02
"""A difference smaller than this is not called one, however certain: nobody would act on it."""

Short = Annotated[str, Field(max_length=200)]
Said = Annotated[str, Field(max_length=4000)]
CLIPPED = 2000
Share = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Verdict(StrEnum):
    """What the pairs of a cell say of the change."""

    FASTER = "faster"
    SLOWER = "slower"
    SAME = "no difference seen"
    UNKNOWN = "cannot tell"
    FAILED = "failed"
    MENDED = "mended"


class _Plain(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Change(_Plain):
    """A ratio, head over base, with its 95 % interval; high is None where one pair leaves it open."""

    middle: Share
    low: Share
    high: Share | None
    pairs: int = Field(ge=1)
    certain: bool

    @classmethod
    def of(cls, ratio: Ratio) -> "Change":
        high = ratio.high if ratio.pairs > 1 else None
        return cls(middle=ratio.middle, low=ratio.low, high=high, pairs=ratio.pairs, certain=ratio.certain)

    @property
    def matters(self) -> bool:
        return self.certain and abs(self.middle - 1) >= FLOOR


class CellChange(_Plain):
    """One cell before and after. `limit` is the head's; `why` is what failed, or why nothing can be told."""

    suite: Short
    scenario: Short
    variant: Short | None
    verdict: Verdict
    throughput: Change | None = None
    cpu: Change | None = None
    limit: Short | None = None
    why: Said | None = None


class NewCell(_Plain):
    """One cell of an entry that is new. `of_reference`: throughput over the reference's; `usual`: the median of that
    among the entries of its language on the board, where there are any."""

    suite: Short
    scenario: Short
    variant: Short | None
    throughput: Share | None = None
    of_reference: Share | None = None
    usual: Share | None = None
    limit: Short | None = None
    why: Said | None = None


class EntryComparison(_Plain):
    """What came of one entry. `overall` has the ratios of all cells together."""

    entry: Short
    title: Short
    base_version: Short | None
    version: Short | None
    status: Literal["changed", "new", "failed"]
    cells: list[CellChange] = Field([], max_length=200)
    new_cells: list[NewCell] = Field([], max_length=200)
    throughput: Change | None = None
    cpu: Change | None = None
    why: Said | None = None


class Comparison(_Plain):
    """comparison.json: what a job of a pull request found."""

    schema_version: Literal[1] = 1
    base: Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]
    head: Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]
    profile: Short
    machine: Short
    minutes: Share
    entries: list[EntryComparison] = Field(max_length=300)


def compare_cells(base: EntryResult, head: EntryResult) -> list[CellChange]:
    """The cells that head has, against the same of base, in the order of head's."""
    before = {cell.key: cell for cell in base.cells}
    pairs = {cell.key: _pairs(before.get(cell.key), cell) for cell in head.cells}
    looked_at = 2 * sum(bool(found) for found in pairs.values())
    return [_compared(before.get(cell.key), cell, pairs[cell.key], looked_at) for cell in head.cells if not cell.marks]


def overall(base: EntryResult, head: EntryResult) -> tuple[Change | None, Change | None]:
    """Throughput and CPU per request of all cells together: in each round the geometric mean of their ratios."""
    by_round: dict[int, list[tuple[Round, Round]]] = {}
    before = {cell.key: cell for cell in base.cells}
    compared = [found for cell in head.cells if (found := _pairs(before.get(cell.key), cell))]
    for first, second in (pair for found in compared for pair in found):
        by_round.setdefault(second.index, []).append((first, second))
    # a round that lacks some of the cells would differ by which it lacks
    whole = [pairs for pairs in by_round.values() if len(pairs) == len(compared)]
    if not whole:
        return None, None
    faster = [geometric_mean([b.paced_throughput / a.paced_throughput for a, b in pairs]) for pairs in whole]
    dearer = [geometric_mean([b.paced_cpu_us / a.paced_cpu_us for a, b in pairs]) for pairs in whole]
    return _overall(faster), _overall(dearer)


def _overall(ratios: Sequence[float]) -> Change:
    return Change.of(ratio_of_pairs([(1.0, ratio) for ratio in ratios], looked_at=2))


def _pairs(before: CellResult | None, after: CellResult) -> list[tuple[Round, Round]]:
    """The rounds in which both were measured rightly."""
    if before is None:
        return []
    first = {r.index: r for r in before.rounds if _counts(r)}
    return [(first[r.index], r) for r in after.rounds if r.index in first and _counts(r)]


def _counts(r: Round) -> bool:
    return not r.invalid and r.throughput > 0 and r.cpu_us_per_request > 0


def _compared(
    before: CellResult | None, after: CellResult, pairs: list[tuple[Round, Round]], looked_at: int
) -> CellChange:
    names = {"suite": after.suite, "scenario": after.scenario, "variant": after.variant}
    if after.failure:
        return CellChange(**names, verdict=Verdict.FAILED, why=str(after.failure)[:CLIPPED])
    if before is None or before.failure:
        why = f"failed before: {before.failure}"[:CLIPPED] if before else "was not there before"
        return CellChange(**names, verdict=Verdict.MENDED, why=why)
    if not pairs:
        why = after.not_run or before.not_run or "no round in which both were measured rightly"
        return CellChange(**names, verdict=Verdict.UNKNOWN, why=why[:CLIPPED])
    throughput = Change.of(ratio_of_pairs([(a.paced_throughput, b.paced_throughput) for a, b in pairs], looked_at))
    cpu = Change.of(ratio_of_pairs([(a.paced_cpu_us, b.paced_cpu_us) for a, b in pairs], looked_at))
    limit = figures_of(after).limit
    return CellChange(**names, verdict=_verdict(throughput, cpu), throughput=throughput, cpu=cpu, limit=limit)


def _verdict(throughput: Change, cpu: Change) -> Verdict:
    """What both figures say; where they disagree, throughput, which is what clients see."""
    if throughput.matters:
        return Verdict.FASTER if throughput.middle > 1 else Verdict.SLOWER
    if cpu.matters:
        return Verdict.FASTER if cpu.middle < 1 else Verdict.SLOWER
    return Verdict.SAME if throughput.pairs > 1 else Verdict.UNKNOWN


def describe_new(result: EntryResult, usual: dict[tuple[str, str, str | None], float]) -> list[NewCell]:
    """The cells of an entry that has no base. `usual`: the ratios to the reference of its language on the board."""
    return [_new_cell(cell, usual.get(cell.key)) for cell in result.cells if not cell.marks]


def _new_cell(cell: CellResult, usual: float | None) -> NewCell:
    names = {"suite": cell.suite, "scenario": cell.scenario, "variant": cell.variant}
    if cell.failure or not cell.rounds:
        why = str(cell.failure) if cell.failure else cell.not_run or "no round was finished"
        return NewCell(**names, usual=usual, why=why[:CLIPPED])
    figures = figures_of(cell)
    return NewCell(
        **names,
        throughput=figures.throughput.median,
        of_reference=_median(figures.ratio),
        usual=usual,
        limit=figures.limit,
    )


def _median(figure: Estimate | None) -> float | None:
    return figure.median if figure else None


def usual_ratios(results: Iterable[EntryResult], target: str) -> dict[tuple[str, str, str | None], float]:
    """By cell, the median over entries of throughput over the reference's, as measured on that target."""
    seen: dict[tuple[str, str, str | None], list[float]] = {}
    for result in results:
        for cell in result.cells:
            if not cell.rounds or cell.failure or result.runs[cell.run].target != target:
                continue
            if ratio := figures_of(cell).ratio:
                seen.setdefault(cell.key, []).append(ratio.median)
    return {key: sorted(ratios)[len(ratios) // 2] for key, ratios in seen.items()}
