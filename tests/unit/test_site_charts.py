"""Trends as pictures."""

import re
from datetime import timedelta

from restbench.site.charts import trend_svg
from restbench.site.points import Point, Trend
from tests.unit.boards import WHEN


def trend(*middles: float, changed: str | None = None, gap_before: int | None = None) -> Trend:
    """Weekly points. `changed` is what differs before the last one. A gap of ten weeks is before that number."""
    points = []
    for number, middle in enumerate(middles):
        weeks = number + (10 if gap_before is not None and number >= gap_before else 0)
        last = number == len(middles) - 1
        points.append(
            Point(WHEN + timedelta(weeks=weeks), middle, middle * 0.99, middle * 1.01, "1.0", changed if last else None)
        )
    return Trend("hello/hello_world", True, points)


def heights(svg: str) -> list[float]:
    (line,) = re.findall(r'<polyline class="line" points="([^"]+)"', svg)
    return [float(point.split(",")[1]) for point in line.split()]


def test_a_slower_version_is_higher() -> None:
    first, *_, last = heights(trend_svg(trend(1.0, 1.0, 1.2)))
    assert last < first  # y grows downwards


def test_noise_does_not_fill_the_picture() -> None:
    ys = heights(trend_svg(trend(1.0, 1.002, 0.998, 1.0)))
    assert max(ys) - min(ys) < 10


def test_a_gap_stays_a_gap() -> None:
    svg = trend_svg(trend(1.0, 1.0, 1.0, 1.0, gap_before=2))
    assert svg.count("<polyline") == svg.count("<polygon") == 2


def test_a_point_between_gaps_is_a_dot() -> None:
    assert trend_svg(trend(1.0, 1.0, 1.0, gap_before=2)).count("<circle") == 1


def test_what_differs_is_a_mark_with_its_text() -> None:
    svg = trend_svg(trend(1.0, 1.0, changed="version <1> → 2"))
    assert svg.count('class="mark"') == 1
    assert "version &lt;1&gt; → 2" in svg
