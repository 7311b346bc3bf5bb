"""The error rates of the rules for changes, on made figures: what they claim without a change, and what they miss.

This loads nothing. It takes about a minute on one core.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from restbench.trust.simulated_bumps import CHANGES, Bumps, simulate_all_bumps, simulate_bumps
from restbench.trust.simulated_weeks import (
    LATER,
    SOON,
    SPREADS,
    STEPS,
    Hindsight,
    Weeks,
    simulate_hindsight,
    simulate_weeks,
)

__all__ = ["simulate", "simulate_bumps", "simulate_weeks"]


def simulate(years: int, bumps: int, seed: int) -> str:
    """Returns Markdown tables of the error rates.

    `years` is the length of the weekly series without a change, and the number of series with one. `bumps` is the
    number of comparisons of equal versions for each noise. The same `seed` gives the same tables.
    """
    rng = np.random.default_rng(seed)
    tables = [
        bumps_table(simulate_all_bumps(bumps, rng)),
        weeks_table([simulate_weeks(spread, years, rng) for spread in SPREADS]),
        hindsight_table([simulate_hindsight(spread, years, rng) for spread in SPREADS]),
    ]
    return "\n".join(tables)


def bumps_table(found: Sequence[Bumps]) -> str:
    """Returns a table with a line for each number of cells and noise."""
    everywhere = (f"{change:.0%} slower found" for change in CHANGES)
    in_one = (f"{change:.0%} in one cell" for change in CHANGES)
    claims = "equal versions called different"
    return _table(
        "Comparisons of two versions",
        ["cells", "luck of a start", "spread of rounds", claims, *everywhere, *in_one],
        (
            [
                f"{each.cells}",
                f"{each.noise.luck:.1%}",
                f"{each.noise.spread:.0%}",
                _count(each.claims, each.comparisons),
                *(f"{each.found[change]:.0%}" for change in CHANGES),
                *(f"{each.found_in_one[change]:.0%}" for change in CHANGES),
            ]
            for each in found
        ),
    )


def weeks_table(found: Sequence[Weeks]) -> str:
    """Returns a table with a line for each spread of the runs: alarms without a change, and steps that are found."""
    steps = (f"{step:.0%} found within {SOON} and {LATER} runs" for step in STEPS)
    return _table(
        "Weekly series",
        ["spread of runs", "years without a change", "alarms in these", "alarms per year", *steps],
        (
            [
                f"{each.spread:.1%}",
                f"{each.years}",
                f"{each.alarms}",
                f"{each.alarms / each.years:.2f}",
                *("{:.0%}, {:.0%}".format(*each.within[step]) for step in STEPS),
            ]
            for each in found
        ),
    )


def hindsight_table(found: Sequence[Hindsight]) -> str:
    """Returns a table with a line for each spread of the runs: change points of a year that are none, and are found."""
    steps = (f"{step:.0%} found, others" for step in STEPS)
    return _table(
        "Change points of a year in hindsight",
        ["spread of runs", "years", "years without a change that have one", *steps],
        (
            [
                f"{each.spread:.1%}",
                f"{each.series}",
                f"{each.false[0.0]:.0%}",
                *(f"{each.found[step]:.0%}, {each.false[step]:.0%}" for step in STEPS),
            ]
            for each in found
        ),
    )


def _count(part: int, whole: int) -> str:
    return f"{part} of {whole} ({part / whole:.1%})"


def _table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return f"{title}\n\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines)
