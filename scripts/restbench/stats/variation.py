"""Measures how much figures vary."""

from collections.abc import Sequence


def relative_spread(values: Sequence[float]) -> float:
    """The largest figure ÷ the smallest figure − 1: 0.05 is a spread of 5 %. One figure has a spread of 0.

    Raises ValueError if there is no figure, or if a figure is not positive.
    """
    if not values or min(values) <= 0:
        raise ValueError(f"expected at least one figure, all positive, got {list(values)}")
    return max(values) / min(values) - 1
