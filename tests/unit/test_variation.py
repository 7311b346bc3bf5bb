"""How noisy figures are."""

import pytest

from restbench.stats.variation import coefficient_of_variation, relative_spread


def test_the_relative_spread_is_the_largest_over_the_smallest_minus_one() -> None:
    assert relative_spread([100, 90, 108]) == pytest.approx(0.2)
    assert relative_spread([5]) == 0


def test_the_coefficient_of_variation_is_the_deviation_of_a_sample_over_its_mean() -> None:
    assert coefficient_of_variation([90, 100, 110]) == pytest.approx(0.1)
    assert coefficient_of_variation([7, 7]) == 0


@pytest.mark.parametrize("values", [[], [1.0, 0.0], [-1.0, 2.0]])
def test_a_relative_spread_is_of_positive_figures(values: list[float]) -> None:
    with pytest.raises(ValueError, match="all positive"):
        relative_spread(values)


@pytest.mark.parametrize("values", [[], [1.0]])
def test_one_figure_does_not_vary(values: list[float]) -> None:
    with pytest.raises(ValueError, match="at least two figures"):
        coefficient_of_variation(values)
