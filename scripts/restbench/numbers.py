"""How figures are printed, wherever they are printed. Values that were not measured become a dash."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeVar

from restbench.stats import Estimate

MISSING = "–"

T = TypeVar("T")


def figure(value: float) -> str:
    """Three significant digits below 1,000, thousands grouped above: 0.412, 5.13, 51.3, 513, 12,345."""
    size = abs(value)
    if size >= 99.95:
        return f"{value:,.0f}"
    decimals = 1 if size >= 9.995 else 2 if size >= 0.9995 else 3
    return f"{value:.{decimals}f}"


def interval(estimate: Estimate) -> str:
    """The median with its 95 % interval, "12,345 (12,100–12,600)", or alone where one round gives none."""
    if not estimate.has_interval:
        return figure(estimate.median)
    return f"{figure(estimate.median)} ({figure(estimate.low)}–{figure(estimate.high)})"


def mean_sd(estimate: Estimate) -> str:
    """Mean and standard deviation over rounds, "12,345 ± 210"; one round has no deviation."""
    if not estimate.has_interval:
        return figure(estimate.mean)
    return f"{figure(estimate.mean)} ± {figure(estimate.sd)}"


def percent(value: float) -> str:
    """A percentage with one decimal: 97.4."""
    return f"{value:.1f}"


def tenths(value: float) -> str:
    """To one decimal, however large: what varies too much from one time to the next for more digits."""
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
