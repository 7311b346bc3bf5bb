"""Trends as SVG, drawn in Python so that they are there without JavaScript."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup

from restbench.render.formats import figure
from restbench.site.points import GAP, Point, Trend

WIDTH, HEIGHT = 640, 180
LEFT, RIGHT, TOP, BOTTOM = 56, 8, 10, 24

LEAST_SPAN = 0.05
"""The axis reaches at least so far above and below the median, as a share. Noise is not enlarged to fill the chart."""

FEW = 5
"""With fewer points a chart has no line: two runs are no trend."""

LABEL = 60
"""The least distance of two names of versions, in pixels."""


@dataclass(frozen=True)
class _Scale:
    """Where times and figures are in the picture."""

    first: datetime
    last: datetime
    low: float
    high: float

    def x(self, at: datetime) -> float:
        whole = (self.last - self.first).total_seconds()
        share = (at - self.first).total_seconds() / whole if whole else 0.5
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    def y(self, value: float) -> float:
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM), 1)


def trend_svg(trend: Trend, others: bool = True) -> Markup:
    """A line of the figures, a band of their intervals, and a mark where something else than the figures changed.

    Few points are drawn one by one, with their intervals. Own versions have their names at their marks. `others`: also
    mark where something else than the own version changed.
    """
    scale = _scale(trend.points)
    parts = [
        Markup('<svg class="trend" viewBox="0 0 {} {}" role="img" aria-label="{}">').format(
            WIDTH, HEIGHT, f"{trend.title} of {trend.cell}, {len(trend.points)} runs"
        ),
        *_axis(scale),
        *_marks(trend.points, scale, others),
    ]
    pieces = [[point] for point in trend.points] if len(trend.points) < FEW else _pieces(trend.points)
    for piece in pieces:
        parts += _piece(piece, scale)
    return Markup("").join([*parts, Markup("</svg>")])


def _scale(points: Sequence[Point]) -> _Scale:
    middles = sorted(point.middle for point in points)
    median = middles[len(middles) // 2]
    low = min(middles[0], median * (1 - LEAST_SPAN))
    high = max(middles[-1], median * (1 + LEAST_SPAN))
    room = (high - low) * 0.1
    return _Scale(points[0].at, points[-1].at, low - room, high + room)


def _axis(scale: _Scale) -> Iterator[Markup]:
    for value in (scale.low, (scale.low + scale.high) / 2, scale.high):
        y = scale.y(value)
        yield Markup('<line class="grid" x1="{}" y1="{}" x2="{}" y2="{}"/>').format(LEFT, y, WIDTH - RIGHT, y)
        yield Markup('<text x="{}" y="{}" text-anchor="end">{}</text>').format(LEFT - 6, y + 4, figure(value))
    ends = {LEFT: ("start", scale.first), WIDTH - RIGHT: ("end", scale.last)}
    for x, (anchor, at) in ends.items():
        yield Markup('<text x="{}" y="{}" text-anchor="{}">{}</text>').format(x, HEIGHT - 6, anchor, f"{at:%Y-%m-%d}")


def _marks(points: Sequence[Point], scale: _Scale, others: bool) -> Iterator[Markup]:
    """A line for each new version of its own, and a short one where something else changed, such as the baseline."""
    named = 0.0
    for before, point in zip([points[0], *points], points, strict=False):
        if not point.changed:
            continue
        own, x = point.version != before.version, scale.x(point.at)
        if not own and not others:
            continue
        yield Markup('<line class="{}" x1="{}" y1="{}" x2="{}" y2="{}"><title>{}</title></line>').format(
            "mark" if own else "mark other",
            x,
            TOP if own else HEIGHT - BOTTOM - 8,
            x,
            HEIGHT - BOTTOM,
            f"{point.at:%Y-%m-%d}: {point.changed}",
        )
        if own and x - named >= LABEL:
            named = x
            at_end = x > WIDTH - LABEL
            yield Markup('<text x="{}" y="{}" text-anchor="{}">{}</text>').format(
                x - 3 if at_end else x + 3, TOP + 9, "end" if at_end else "start", point.version or ""
            )


def _pieces(points: Sequence[Point]) -> Iterator[list[Point]]:
    """Points in pieces without gaps."""
    piece: list[Point] = []
    for point in points:
        if piece and point.at - piece[-1].at > GAP:
            yield piece
            piece = []
        piece.append(point)
    if piece:
        yield piece


def _piece(piece: Sequence[Point], scale: _Scale) -> Iterator[Markup]:
    if len(piece) == 1:
        (point,) = piece
        x = scale.x(point.at)
        yield Markup('<line class="line" x1="{}" y1="{}" x2="{}" y2="{}"/>').format(
            x, scale.y(point.low), x, scale.y(point.high)
        )
        yield Markup('<circle class="line" cx="{}" cy="{}" r="2.5"/>').format(x, scale.y(point.middle))
        return
    upper = [(scale.x(point.at), scale.y(point.high)) for point in piece]
    lower = [(scale.x(point.at), scale.y(point.low)) for point in reversed(piece)]
    middle = [(scale.x(point.at), scale.y(point.middle)) for point in piece]
    yield Markup('<polygon class="band" points="{}"/>').format(_coordinates([*upper, *lower]))
    yield Markup('<polyline class="line" points="{}"/>').format(_coordinates(middle))


def _coordinates(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in points)
