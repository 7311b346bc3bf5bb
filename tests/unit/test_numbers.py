"""Figures as they are printed."""

from datetime import UTC, datetime

import pytest

from restbench import numbers
from restbench.stats import Estimate

ESTIMATE = Estimate(median=12345.4, low=12100.2, high=12600.0, mean=12330.0, sd=210.4, rounds=5)
ONE_ROUND = Estimate(median=12345.4, low=12345.4, high=12345.4, mean=12345.4, sd=0.0, rounds=1)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0.000"),
        (0.0123, "0.012"),
        (0.412, "0.412"),
        (0.9996, "1.00"),
        (5.126, "5.13"),
        (9.996, "10.0"),
        (51.26, "51.3"),
        (99.96, "100"),
        (999.6, "1,000"),
        (12345.4, "12,345"),
        (1234567.0, "1,234,567"),
    ],
)
def test_figures_have_three_significant_digits_and_grouped_thousands(value: float, shown: str) -> None:
    assert numbers.figure(value) == shown


def test_an_interval_has_an_en_dash() -> None:
    assert numbers.interval(ESTIMATE) == "12,345 (12,100–12,600)"


def test_one_round_has_neither_interval_nor_deviation() -> None:
    assert numbers.interval(ONE_ROUND) == "12,345"
    assert numbers.mean_sd(ONE_ROUND) == "12,345"


def test_mean_and_deviation() -> None:
    assert numbers.mean_sd(ESTIMATE) == "12,330 ± 210"


def test_units() -> None:
    assert numbers.megabytes(93_400_000) == "93.4"
    assert numbers.gibibytes(16 * 2**30) == "16 GiB"
    assert numbers.percent(97.44) == "97.4"
    assert numbers.times(1.529) == "1.53×"


def test_what_was_not_measured_is_a_dash_and_zero_is_not() -> None:
    assert numbers.optional(numbers.figure, None) == "–"
    assert numbers.optional(numbers.figure, 0.0) == "0.000"


def test_dates_of_one_day_are_one_day() -> None:
    morning, evening = datetime(2026, 11, 20, 8, tzinfo=UTC), datetime(2026, 11, 20, 20, tzinfo=UTC)
    assert numbers.dates(morning, evening) == "2026-11-20"
    assert numbers.dates(morning, datetime(2026, 11, 22, tzinfo=UTC)) == "2026-11-20 to 2026-11-22"


@pytest.mark.parametrize(("cpus", "shown"), [((), ""), ((3,), "3"), ((0, 1, 2, 3, 8), "0–3, 8"), ((2, 0), "0, 2")])
def test_cpu_numbers_fold_runs(cpus: tuple[int, ...], shown: str) -> None:
    assert numbers.cpu_numbers(cpus) == shown
