"""Figures as they are printed."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from restbench.render import formats
from restbench.stats.intervals import Interval, Kind

INTERVAL = Interval(middle=12345.4, low=12100.2, high=12600.0, n=7, kind=Kind.INTERVAL)
RANGE = replace(INTERVAL, n=3, kind=Kind.RANGE)
SINGLE = replace(INTERVAL, low=12345.4, high=12345.4, n=1, kind=Kind.SINGLE)


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
        (12345.4, "12,300"),
        (1234567.0, "1,230,000"),
    ],
)
def test_figures_have_three_significant_digits_and_grouped_thousands(value: float, shown: str) -> None:
    assert formats.figure(value) == shown


def test_an_interval_has_an_en_dash() -> None:
    assert formats.interval(INTERVAL) == "12,300 (12,100–12,600)"


def test_a_range_says_that_it_is_one_unless_its_header_does() -> None:
    assert formats.interval(RANGE) == "12,300 (range 12,100–12,600)"
    assert formats.interval(RANGE, name_range=False) == "12,300 (12,100–12,600)"


def test_a_single_value_has_no_bounds() -> None:
    assert formats.interval(SINGLE) == "12,300"


def test_a_lower_bound_is_marked() -> None:
    assert formats.at_least("134,000", really=True) == "≥ 134,000"
    assert formats.at_least("134,000", really=False) == "134,000"


def test_units() -> None:
    assert formats.megabytes(93_400_000) == "93.4"
    assert formats.gibibytes(16 * 2**30) == "16 GiB"
    assert formats.tenths(97.44) == "97.4"


def test_what_was_not_measured_is_a_dash_and_zero_is_not() -> None:
    assert formats.optional(formats.figure, None) == "–"
    assert formats.optional(formats.figure, 0.0) == "0.000"


def test_dates_of_one_day_are_one_day() -> None:
    morning, evening = datetime(2026, 11, 20, 8, tzinfo=UTC), datetime(2026, 11, 20, 20, tzinfo=UTC)
    assert formats.dates(morning, evening) == "2026-11-20"
    assert formats.dates(morning, datetime(2026, 11, 22, tzinfo=UTC)) == "2026-11-20 to 2026-11-22"


@pytest.mark.parametrize(("cpus", "shown"), [((), ""), ((3,), "3"), ((0, 1, 2, 3, 8), "0–3, 8"), ((2, 0), "0, 2")])
def test_cpu_numbers_fold_runs(cpus: tuple[int, ...], shown: str) -> None:
    assert formats.cpu_numbers(cpus) == shown
