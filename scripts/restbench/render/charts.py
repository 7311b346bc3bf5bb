"""Makes one Chart.js 4 config per scenario, for the QuickChart pictures of README and for the charts of the report.

A config is pure JSON. QuickChart draws with Chart.js 4.0.1 and has no plugins, so a config must not need a plugin or a
function. Intervals are therefore thin floating bars over the bars. QuickChart also ignores `options.color` for most
texts, so each text names its own colour.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from restbench.board.models import Board
from restbench.board.rows import Row, Table, best_rows
from restbench.render.columns import group
from restbench.render.formats import BEHIND, short

Config = dict[str, Any]

URL_LIMIT = 3500
"""Length of a chart's URL in characters, which has to stay below this. GitHub does not document the limit of its image
proxy. QuickChart's own server accepts four times as much."""

PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00")
"""Colours of Okabe and Ito, which people with every kind of colour vision can tell apart. Black and yellow are left
out: intervals are black, and yellow does not show on white. Each colour is light enough for a black line on it. Colours
repeat if there are more entries than colours: labels identify the bars."""

NOT_COMPARED = "#BBBBBB"
TEXT = "#222"
WIDTH = 460
"""Pixels. Two pictures stand side by side on GitHub, and one fills a phone."""

AXIS = 120
"""Where the axis of shares ends, so that pictures side by side have the same scale. The first row has 100."""

LINES_HEIGHT = 320
_ROW_HEIGHT = 17
_FRAME_HEIGHT = 120  # title, axis and its lines of text

MOST_BARS = 16
"""How many frameworks a picture shows at most."""


def entry_colours(board: Board) -> dict[str, str]:
    """Entry → colour, the same in every chart of the board.

    Entries have the colour of their language if the board has several languages, else a colour of their own.
    """
    return _colours(
        row for section in board.sections for suite in section.suites for t in suite.tables for row in t.rows
    )


def chart_config(table: Table, colours: Mapping[str, str] | None = None) -> Config:
    """The config with a bar for each row that was measured. Rows that are not compared are grey."""
    return _config(table.title, "", table.measured, colours or _colours(table.rows))


def fitting_config(table: Table, colours: Mapping[str, str] | None = None) -> Config | None:
    """The config with as many rows as fit into the URL. It says which rows are shown if some are left out.

    None if there is nothing to draw.
    """
    for which, rows in _choices(table):
        config = _config(table.title, which, rows, colours or _colours(table.rows))
        if fits(config):
            return config
    return None


def fits(config: Config) -> bool:
    """Whether the URL of the config's picture is short enough."""
    return len(_url(config)) < URL_LIMIT


def chart_size(config: Config) -> tuple[int, int]:
    """Width and height in CSS pixels. The height has room for the label of every bar."""
    if config["type"] == "line":
        return WIDTH, LINES_HEIGHT
    return WIDTH, _FRAME_HEIGHT + _ROW_HEIGHT * len(config["data"]["labels"])


def quickchart_url(config: Config) -> str:
    """The URL of the config's picture. The config has to come from `fitting_config`, which keeps URLs short enough."""
    url = _url(config)
    assert len(url) < URL_LIMIT, f"a chart URL of {len(url)} characters: make the config with fitting_config"
    return url


def _url(config: Config) -> str:
    width, height = chart_size(config)
    compact = json.dumps(config, ensure_ascii=False, separators=(",", ":"))
    # only these may stay as they are: parentheses would end a Markdown link, and a plus sign would become a space
    return f"https://quickchart.io/chart?v=4&w={width}&h={height}&bkg=white&c={quote(compact, safe=':,/!')}"


def _choices(table: Table) -> Iterator[tuple[str, list[Row]]]:
    """Yields what a chart shows, and its rows: all, then the best of each framework, down to the one best row."""
    rows, best = table.measured, list(best_rows(table.measured).values())
    if 0 < len(rows) <= MOST_BARS:
        yield "", rows
    if len(best) < len(rows) and len(best) <= MOST_BARS:
        yield "the best variant of each framework", best
    first = {row.key for chain in table.chains for group in chain.groups[:1] for row in group}
    rule = "the first group of each language, then the fastest" if first else "the fastest"
    ranked = sorted(range(len(best)), key=lambda place: (best[place].key not in first, place))
    for count in range(min(len(best), MOST_BARS), 0, -1):
        yield f"{count} of {len(best)} frameworks: {rule}", [best[n] for n in sorted(ranked[:count])]


def _colours(rows: Iterable[Row]) -> dict[str, str]:
    by_entry = {row.entry.id: row for row in rows}
    if len({row.language for row in by_entry.values()}) > 1:
        return {entry: row.entry.language.colour or NOT_COMPARED for entry, row in by_entry.items()}
    return {entry: PALETTE[number % len(PALETTE)] for number, entry in enumerate(sorted(by_entry))}


def _config(title: str, which: str, rows: Sequence[Row], colours: Mapping[str, str]) -> Config:
    shares = [row.share.scaled(100) if row.share else None for row in rows]
    intervals = [[_short(s.low), _short(s.high)] if s and s.certain else None for s in shares]
    linked = any(shares)
    rates = [row.throughput.middle if row.throughput else 0.0 for row in rows]
    bars = {
        "label": "share" if linked else "requests per second",
        "data": [_short(s.middle) if s else 0 for s in shares] if linked else [short(rate) for rate in rates],
        "grouped": False,
        "backgroundColor": [colours[row.entry.id] if row.compared else NOT_COMPARED for row in rows],
    }
    # Chart.js draws the first dataset last, so that it is over the bars
    over = {"label": "95 % interval", "data": intervals, "grouped": False, "barThickness": 3, "backgroundColor": "#000"}
    several = len({row.language for row in rows}) > 1
    return {
        "type": "bar",
        "data": {
            "labels": [_label(row, rows, several) for row in rows],
            "datasets": [over, bars] if any(intervals) else [bars],
        },
        "options": {
            "indexAxis": "y",
            "plugins": {
                "legend": {"display": False},
                "title": {"display": True, "text": title, "color": TEXT, "font": {"size": 15}},
                "subtitle": {"display": bool(which), "text": which, "color": TEXT},
            },
            "scales": {
                "x": {
                    **({"suggestedMax": AXIS} if linked else {}),
                    "title": {"display": True, "text": _axis(rows), "color": TEXT},
                    "ticks": {"color": TEXT},
                },
                "y": {"grid": {"display": False}, "ticks": {"color": TEXT, "autoSkip": False}},
            },
        },
    }


def _label(row: Row, rows: Sequence[Row], several: bool) -> str:
    """The number of the group, and the name: with the variant if others of the framework are shown too.

    The language follows in brackets. A name that has brackets of its own is long, so only its colour shows it, because
    Chart.js cuts off what is longer than half of a picture.
    """
    variants = sum(other.entry.id == row.entry.id for other in rows) > 1
    name = row.label if variants else row.name
    language = f" ({row.language})" if several and "(" not in name else ""
    return f"{f'{group(row)}  ' if row.group else ''}{name}{language}"


def _axis(rows: Sequence[Row]) -> list[str]:
    """The legend under the chart: lines of text that explain bars, lines and colours."""
    if not any(row.share for row in rows):
        return ["requests per second, as measured", "colour: language; nothing links the languages"]
    by_cost = any(row.compared for row in rows)
    lines = ["% of the first row's speed (CPU time)" if by_cost else "% of the first row's throughput"]
    if any(row.share and row.share.certain for row in rows):
        lines.append("black: 95 % interval against that row")
    several = by_cost and len({row.language for row in rows}) > 1
    behind = any(row.behind for row in rows)
    numbers = f"number: group{f' ({BEHIND}: slower than its first)' if behind else ''}"
    signs = {numbers: any(row.group for row in rows), "colour: language": several}
    if any(signs.values()):
        lines.append("; ".join(sign for sign, there in signs.items() if there))
    grey = [row for row in rows if not row.compared]
    if by_cost and grey:
        lines.append("grey: not compared" if any(row.unsteady for row in grey) else "grey: not compared, by throughput")
    return lines


def _short(value: float) -> float:
    """The value with no more digits than a bar can show."""
    return round(value) if value >= 100 else round(value, 1)
