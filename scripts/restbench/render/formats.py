"""Formats figures, in the same way everywhere. Values that were not measured become a dash."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeVar

from restbench.stats.intervals import Interval, Kind

MISSING = "–"

BEHIND = "▼"
"""Marks a row that is certainly slower than the first row of its group."""

T = TypeVar("T")


def figure(value: float) -> str:
    """A figure with three significant digits and at most three decimals; thousands are grouped.

    Examples: 0.412, 5.13, 51.3, 513, 12,300.
    """
    size = abs(value)
    if size >= 99.95:
        return f"{float(f'{value:.3g}'):,.0f}"
    decimals = 1 if size >= 9.995 else 2 if size >= 0.9995 else 3
    return f"{value:.{decimals}f}"


def short(value: float) -> float:
    """The figure with the four significant digits that data files and pictures have."""
    return float(f"{value:.4g}")


def interval(value: Interval, name_range: bool = True) -> str:
    """A figure with its bounds: "12,300 (12,100–12,600)". A single value has no bounds.

    With `name_range`, bounds that are a range and no 95 % interval are marked: "12,300 (range 12,100–12,600)".
    """
    if value.kind is Kind.SINGLE:
        return figure(value.middle)
    mark = "range " if name_range and value.kind is Kind.RANGE else ""
    return f"{figure(value.middle)} ({mark}{figure(value.low)}–{figure(value.high)})"


def sentence(clause: str) -> str:
    """The clause with a capital letter."""
    return clause[0].upper() + clause[1:]


def percent(ratio: float) -> str:
    """A ratio as a change in percent: +6.2, −1.0."""
    return f"{100 * (ratio - 1):+.1f}".replace("-", "−")


def speed_change(ratio: float, low: float | None = None, high: float | None = None) -> str:
    """A ratio of CPU times, after ÷ before, as a change of speed, with its bounds if they are known.

    Examples: 5.9 % slower (4.9 to 6.8), 11.1 % faster.
    """
    word, sign = ("slower", -1) if ratio > 1 else ("faster", 1)

    def gain(bound: float) -> float:
        return round(100 * sign * (1 / bound - 1), 1) + 0.0  # which is never −0.0

    text = f"{gain(ratio):.1f} % {word}"
    if low is None or high is None:
        return text
    bounds = (f"{bound:.1f}".replace("-", "−") for bound in sorted((gain(low), gain(high))))
    return f"{text} ({' to '.join(bounds)})"


def versions(before: str | None, after: str | None) -> str:
    """The versions before and after a change, each if it is known: 4.3.0 → 4.4.0, or 4.4.0 if they are equal."""
    return " → ".join(dict.fromkeys(filter(None, [before, after])))


def at_least(text: str, really: bool) -> str:
    """The text, marked as a lower bound if `really` is true: ≥ 134,000."""
    return f"≥ {text}" if really else text


def tenths(value: float) -> str:
    """A figure with one decimal, whatever its size. Used for percentages and for seconds that vary much."""
    return f"{value:.1f}"


def megabytes(value: float) -> str:
    """Bytes as a number of MB (1,000,000 bytes), without the unit."""
    return figure(value / 1e6)


def gibibytes(value: float) -> str:
    """Bytes as a whole number of GiB (2³⁰ bytes), with the unit: 16 GiB."""
    return f"{value / 2**30:.0f} GiB"


def optional(show: Callable[[T], str], value: T | None) -> str:
    """The value as `show` prints it, or a dash."""
    return MISSING if value is None else show(value)


def dates(first: datetime, last: datetime) -> str:
    """A period of days: "2026-03-01 to 2026-03-08", or one date if both are equal."""
    start, end = first.date().isoformat(), last.date().isoformat()
    return start if start == end else f"{start} to {end}"


def cpu_numbers(cpus: Sequence[int]) -> str:
    """CPU numbers in ascending order, with ranges for neighbours: 0–3, 8."""
    runs: list[list[int]] = []
    for cpu in sorted(cpus):
        if runs and cpu == runs[-1][-1] + 1:
            runs[-1].append(cpu)
        else:
            runs.append([cpu])
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
