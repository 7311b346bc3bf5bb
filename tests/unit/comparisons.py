"""Made comparisons."""

from restbench.compare.models import CellChange, Comparison, Cost, EntryComparison, Together, Verdict

SHA = "0123456789" * 4


def a_cost(ratio: float = 1.0, reach: float = 0.009, starts: int = 4) -> Cost:
    """A ratio whose interval reaches that far to both sides."""
    return Cost(ratio=ratio, low=ratio - reach, high=ratio + reach, starts=starts, rounds=12 * starts)


def a_change(verdict: Verdict = Verdict.SAME, cost: Cost | None = None, why: str | None = None) -> CellChange:
    return CellChange(suite="hello", scenario="hello_world", variant=None, verdict=verdict, cost=cost, why=why)


def changed(title: str = "Falcon", *cells: CellChange, together: Together | None = None) -> EntryComparison:
    """An entry of which no difference was seen, unless other cells are given."""
    return EntryComparison(
        entry="python/falcon",
        title=title,
        base_version="4.0.0",
        version="4.1.0",
        status="changed",
        cells=list(cells) or [a_change(cost=a_cost())],
        together=together,
    )


def a_comparison(*entries: EntryComparison) -> Comparison:
    return Comparison(base=SHA, head=SHA, profile="pr", machine="local", minutes=4.2, entries=list(entries))
