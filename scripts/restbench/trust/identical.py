"""A/A test: identical apps are measured as if they were different entries, and no difference may be found."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median

from restbench.results.models import EntryResult
from restbench.stats.comparisons import different_ratios, holm
from restbench.stats.intervals import ratio_interval
from restbench.stats.rank_ranges import rank_ranges
from restbench.stats.variation import relative_spread

ERROR_RATE = 0.05
Key = tuple[str, str, str | None]


@dataclass(frozen=True)
class IdenticalCell:
    """One cell of all copies.

    `copies`: the number of copies. `pairs`: the number of pairs of copies. `different`: how many pairs are called
    different, by Holm's method within the cell. `may_lead`: how many copies have rank 1 in their rank range.
    `spread`: highest speed ÷ lowest speed, minus 1. `half_width`: the median half-width of the copies' 95 % intervals
    of relative cost, 0.05 for ±5 %.
    """

    key: Key
    copies: int
    pairs: int
    different: int
    may_lead: int
    spread: float
    half_width: float


@dataclass(frozen=True)
class Identical:
    """The comparison of the copies of an entry in all cells."""

    cells: list[IdenticalCell]

    @property
    def pairs(self) -> int:
        return sum(cell.pairs for cell in self.cells)

    @property
    def different(self) -> int:
        return sum(cell.different for cell in self.cells)

    @property
    def tables_with_difference(self) -> int:
        """The number of cells, each a table of the board, in which any pair is called different.

        This is what ERROR_RATE limits. One odd copy differs from several others at once, so the pairs of a table are
        not independent.
        """
        return sum(cell.different > 0 for cell in self.cells)

    @property
    def copies(self) -> int:
        return sum(cell.copies for cell in self.cells)

    @property
    def may_lead(self) -> int:
        return sum(cell.may_lead for cell in self.cells)

    @property
    def spread(self) -> float:
        """The median of the cells' spreads."""
        return median(cell.spread for cell in self.cells)

    @property
    def half_width(self) -> float:
        """The median of the cells' half-widths."""
        return median(cell.half_width for cell in self.cells)


def judge_identical(results: Sequence[EntryResult]) -> Identical:
    """Compares copies with each other as the board compares entries of one language.

    `results`: a result for each copy. A copy is left out of a cell that it failed or has no duet rounds of. A cell that
    fewer than two copies have is left out.
    """
    by_key: dict[Key, list[list[float]]] = {}
    for result in results:
        for cell in result.cells:
            if cell.duets and cell.duets.count and not cell.failure:
                by_key.setdefault(cell.key, []).append(cell.duets.relative_costs)
    return Identical([_judge(key, costs) for key, costs in by_key.items() if len(costs) > 1])


def _judge(key: Key, costs: list[list[float]]) -> IdenticalCell:
    pairs = list(combinations(range(len(costs)), 2))
    p_values = holm([different_ratios(costs[i], costs[j]) for i, j in pairs])
    different = {pair for pair, p in zip(pairs, p_values, strict=True) if p < ERROR_RATE}
    intervals = [ratio_interval(each) for each in costs]
    speeds = [1 / interval.middle for interval in intervals]
    ranges = rank_ranges(speeds, lambda i, j: (min(i, j), max(i, j)) in different and speeds[i] > speeds[j])
    return IdenticalCell(
        key=key,
        copies=len(costs),
        pairs=len(pairs),
        different=len(different),
        may_lead=sum(rank.first == 1 for rank in ranges),
        spread=relative_spread(speeds),
        half_width=median(interval.half_width for interval in intervals),
    )
