"""How figures are printed, wherever they are printed. Values that were not measured become a dash."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeVar

from restbench.stats.intervals import Interval, Kind

MISSING = "–"

T = TypeVar("T")


def figure(value: float) -> str:
    """Three significant digits below 1,000, thousands grouped above: 0.412, 5.13, 51.3, 513, 12,345."""
    size = abs(value)
    if size >= 99.95:
        return f"{value:,.0f}"
    decimals = 1 if size >= 9.995 else 2 if size >= 0.9995 else 3
    return f"{value:.{decimals}f}"


def interval(value: Interval, name_range: bool = True) -> str:
    """A figure with its bounds, "12,345 (12,100–12,600)"; alone where there are none.

    With `name_range`, bounds that are no 95 % interval say so: "12,345 (range 12,100–12,600)".
    """
    if value.kind is Kind.SINGLE:
        return figure(value.middle)
    said = "range " if name_range and value.kind is Kind.RANGE else ""
    return f"{figure(value.middle)} ({said}{figure(value.low)}–{figure(value.high)})"


def at_least(text: str, really: bool) -> str:
    """The text, marked as a lower bound if it really is one: ≥ 134,000."""
    return f"≥ {text}" if really else text


def rank_range(first: int, last: int) -> str:
    """The ranks that a row may have: 3–5, or 3."""
    return str(first) if first == last else f"{first}–{last}"


def tenths(value: float) -> str:
    """To one decimal, however large: percentages, and seconds that vary much from one time to the next."""
    return f"{value:.1f}"


def times(value: float) -> str:
    """How many times as much: 1.53×."""
    return f"{value:.2f}×"


def megabytes(value: float) -> str:
    """Bytes as a number of MB (1,000,000 bytes), without the unit."""
    return figure(value / 1e6)


def gibibytes(value: float) -> str:
    """Bytes as memory is sold: 16 GiB."""
    return f"{value / 2**30:.0f} GiB"


def optional(show: Callable[[T], str], value: T | None) -> str:
    """The value as `show` prints it, or a dash."""
    return MISSING if value is None else show(value)


def dates(first: datetime, last: datetime) -> str:
    """One day, or two with "to" between them."""
    start, end = first.date().isoformat(), last.date().isoformat()
    return start if start == end else f"{start} to {end}"


def cpu_numbers(cpus: Sequence[int]) -> str:
    """CPU numbers with runs folded: 0–3, 8."""
    runs: list[list[int]] = []
    for cpu in sorted(cpus):
        if runs and cpu == runs[-1][-1] + 1:
            runs[-1].append(cpu)
        else:
            runs.append([cpu])
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
