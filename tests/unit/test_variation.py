"""How noisy figures are."""

import pytest

from restbench.stats.variation import relative_spread


def test_the_relative_spread_is_the_largest_over_the_smallest_minus_one() -> None:
    assert relative_spread([100, 90, 108]) == pytest.approx(0.2)
    assert relative_spread([5]) == 0


@pytest.mark.parametrize("values", [[], [1.0, 0.0], [-1.0, 2.0]])
def test_a_relative_spread_is_of_positive_figures(values: list[float]) -> None:
    with pytest.raises(ValueError, match="all positive"):
        relative_spread(values)
