"""Figures as they are printed."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

import pytest

from restbench.render import formats
from restbench.stats.intervals import Interval, Kind

INTERVAL = Interval(middle=12345.4, low=12100.2, high=12600.0, n=7, kind=Kind.INTERVAL)
RANGE = replace(INTERVAL, n=3, kind=Kind.RANGE)
SINGLE = replace(INTERVAL, low=12345.4, high=12345.4, n=1, kind=Kind.SINGLE)
MORNING, EVENING = (datetime(2026, 11, 20, hour, tzinfo=UTC) for hour in (8, 20))


@pytest.mark.parametrize(
    ("write", "values", "shown"),
    [
        (formats.figure, (0.0,), "0.000"),
        (formats.figure, (0.0123,), "0.012"),
        (formats.figure, (0.412,), "0.412"),
        (formats.figure, (0.9996,), "1.00"),
        (formats.figure, (5.126,), "5.13"),
        (formats.figure, (9.996,), "10.0"),
        (formats.figure, (51.26,), "51.3"),
        (formats.figure, (99.96,), "100"),
        (formats.figure, (999.6,), "1,000"),
        (formats.figure, (12345.4,), "12,300"),
        (formats.figure, (1234567.0,), "1,230,000"),
        (formats.interval, (INTERVAL,), "12,300 (12,100–12,600)"),
        (formats.interval, (RANGE,), "12,300 (range 12,100–12,600)"),
        (partial(formats.interval, name_range=False), (RANGE,), "12,300 (12,100–12,600)"),
        (formats.interval, (SINGLE,), "12,300"),
        (formats.at_least, ("134,000", True), "≥ 134,000"),
        (formats.at_least, ("134,000", False), "134,000"),
        (formats.megabytes, (93_400_000,), "93.4"),
        (formats.gibibytes, (16 * 2**30,), "16 GiB"),
        (formats.tenths, (97.44,), "97.4"),
        (formats.optional, (formats.figure, None), "–"),
        (formats.optional, (formats.figure, 0.0), "0.000"),
        (formats.dates, (MORNING, EVENING), "2026-11-20"),
        (formats.dates, (MORNING, datetime(2026, 11, 22, tzinfo=UTC)), "2026-11-20 to 2026-11-22"),
        (formats.cpu_numbers, ((),), ""),
        (formats.cpu_numbers, ((3,),), "3"),
        (formats.cpu_numbers, ((0, 1, 2, 3, 8),), "0–3, 8"),
        (formats.cpu_numbers, ((2, 0),), "0, 2"),
    ],
)
def test_figures_are_short_and_what_was_not_measured_is_a_dash(
    write: Callable[..., str], values: tuple[object, ...], shown: str
) -> None:
    assert write(*values) == shown
