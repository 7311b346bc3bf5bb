"""Makes a Chart.js 4 config of lines over days, for the QuickChart pictures of trends in README."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from restbench.render.charts import PALETTE, TEXT, Config, fits
from restbench.render.formats import short

MARKERS = ("circle", "triangle", "rect", "crossRot", "rectRot", "star")
"""Shapes of points. Lines differ in their shape too, because not everybody can tell colours apart."""

MOST_LINES = len(MARKERS)

LEAST_SPAN = 5
"""The axis reaches at least so many percent above and below 100, so that small changes look small."""


@dataclass(frozen=True)
class Curve:
    """Values in percent, one for each day."""

    label: str
    values: Sequence[float]


def line_config(
    title: Sequence[str], days: Sequence[date], lines: Sequence[Curve], axis: Sequence[str]
) -> Config | None:
    """The config of the first lines: as many as have a marker of their own, and fit into the URL.

    `title` and `axis` have lines of text, above and below the chart. None if there is nothing to draw.
    """
    for count in range(min(len(lines), MOST_LINES), 0, -1):
        config = _config(title, days, lines[:count], axis)
        if fits(config):
            return config
    return None


def _config(title: Sequence[str], days: Sequence[date], lines: Sequence[Curve], axis: Sequence[str]) -> Config:
    return {
        "type": "line",
        "data": {
            "labels": [day.isoformat() for day in days],
            "datasets": [_dataset(line, number) for number, line in enumerate(lines)],
        },
        "options": {
            "plugins": {
                "legend": {"position": "bottom", "labels": {"usePointStyle": True, "color": TEXT}},
                "title": {"display": True, "text": list(title), "color": TEXT, "font": {"size": 13}},
            },
            "scales": {
                "x": {"title": {"display": True, "text": list(axis), "color": TEXT}, "ticks": {"color": TEXT}},
                "y": {
                    "suggestedMin": 100 - LEAST_SPAN,
                    "suggestedMax": 100 + LEAST_SPAN,
                    "ticks": {"color": TEXT},
                },
            },
        },
    }


def _dataset(line: Curve, number: int) -> Config:
    return {
        "label": line.label,
        "data": [short(value) for value in line.values],
        "stepped": True,
        "borderWidth": 2,
        "borderColor": PALETTE[number],
        "backgroundColor": PALETTE[number],
        "pointStyle": MARKERS[number],
    }
