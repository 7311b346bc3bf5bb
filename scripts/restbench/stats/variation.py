"""How noisy figures are."""

from collections.abc import Sequence


def relative_spread(values: Sequence[float]) -> float:
    """The largest of the figures over the smallest, minus 1: 0.05 is a spread of 5 %. One figure has a spread of 0.

    ValueError: there is no figure, or one is not positive.
    """
    if not values or min(values) <= 0:
        raise ValueError(f"expected at least one figure, all positive, got {list(values)}")
    return max(values) / min(values) - 1
