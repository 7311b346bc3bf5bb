"""The pictures of trends in README: the fastest framework of each language, and the frameworks that changed most.

A line is the chain of an entry's change records. Throughputs of different weeks are not shown: they change with the
machine of each week, and a picture has no room for intervals. The pages of the site have them.
"""

import logging
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import NamedTuple

from restbench.board.models import Section, Setting
from restbench.board.rows import Row
from restbench.board.summary import Summary
from restbench.changes.chain import chain_of
from restbench.changes.records import ChangeRecord
from restbench.render.charts import PALETTE, TEXT, Config, fits
from restbench.render.formats import short
from restbench.render.readme import picture
from restbench.results.history import read_history

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


log = logging.getLogger(__name__)

RUNS = 26
"""How many runs a picture shows. Runs of all entries are weekly, so it is half a year."""

SHARE_OF_ALL = 0.5
"""A day counts as a run of all entries if at least this share of them was measured on it."""

AXIS = (
    "speed in % of that in the first of these runs,",
    "from changes that were measured side by side",
)


@dataclass(frozen=True)
class _Speeds:
    """The speed of an entry in a suite on each day, in percent of that on the first day."""

    label: str
    values: list[float]

    @property
    def moved(self) -> float:
        """How far the last speed is from the first one, as the size of a logarithm."""
        return abs(math.log(self.values[-1] / self.values[0]))


class DaysOfRuns(NamedTuple):
    """The last days on which most entries were measured, oldest first.

    `anew`: the suites of which runs of earlier days were left out, because their contract has changed since.
    """

    days: list[date]
    anew: list[str]


def trend_pictures(
    section: Section, summary: Summary, days: Sequence[date], records: Sequence[ChangeRecord]
) -> list[str]:
    """The Markdown of the pictures. There are none with fewer than two runs, and none of what did not change."""
    if len(days) < 2:
        return []
    own = [record for record in records if record.target == section.setting.target]
    pictures = []
    for suite in section.suites:
        for table in (table for table in suite.tables if table in summary.tables[:1]):
            first: dict[str, Row] = {}
            for row in table.rows:
                if row.compared:
                    first.setdefault(row.language, row)
            fastest = [_speeds(row, suite.name, days, own, row.language) for row in first.values()]
            pictures.append(_picture(["The fastest of each language", table.title], days, fastest))
    pictures.append(_picture(["What changed most"], days, _moved(section, days, own)))
    return [picture for picture in pictures if picture]


def days_of_runs(folder: Path, section: Section, contracts: Mapping[str, int], most: int = RUNS) -> DaysOfRuns:
    """The last days on which most entries of a section were measured under its setting.

    `contracts`: suite → the number of its present contract. What was measured by an earlier one was other work, and
    does not count. Months are read from the newest on, until there are enough days. Only what is damaged is missing.
    """
    entries = {row.entry.id for suite in section.suites for table in suite.tables for row in table.rows}
    days: list[date] = []
    anew: set[str] = set()
    for path in sorted(folder.glob("*.jsonl"), reverse=True):
        history = read_history(path)
        if history.damage:
            log.warning(history.damage)
        measured: dict[date, set[str]] = defaultdict(set)
        for line in history.entries:
            run = history.runs[line.run]
            if Setting(run.target, run.profile, run.machine) != section.setting:
                continue
            outdated = {suite for suite, number in line.contracts_of_suites.items() if number < contracts.get(suite, 1)}
            if not outdated:
                measured[run.at.date()].add(line.entry)
            anew |= outdated
        days += [day for day, found in measured.items() if len(found) >= SHARE_OF_ALL * len(entries)]
        if len(days) >= most:
            break
    return DaysOfRuns(sorted(days)[-most:], sorted(anew))


def _moved(section: Section, days: Sequence[date], records: Sequence[ChangeRecord]) -> list[_Speeds]:
    """What changed, the greatest change first. Each entry has one line: that of the suite in which it changed most."""
    greatest: dict[str, _Speeds] = {}
    rows = {
        (suite.name, row.entry.id): (suite, row) for suite in section.suites for t in suite.tables for row in t.rows
    }
    for suite, row in rows.values():
        speeds = _speeds(row, suite.name, days, records, suite.title)
        if speeds.moved > (greatest[row.entry.id].moved if row.entry.id in greatest else 0):
            greatest[row.entry.id] = speeds
    return sorted(greatest.values(), key=lambda speeds: -speeds.moved)


def _speeds(row: Row, suite: str, days: Sequence[date], records: Sequence[ChangeRecord], what: str) -> _Speeds:
    """What a day's run shows is what was published until the end of that day."""
    links = chain_of(records, row.entry.id, suite)
    speeds = [next((link.speed for link in reversed(links) if link.at.date() <= day), 1.0) for day in days]
    return _Speeds(f"{row.title} ({what})", [100 * speed / speeds[0] for speed in speeds])


def _picture(title: Sequence[str], days: Sequence[date], speeds: Sequence[_Speeds]) -> str | None:
    if not any(each.moved for each in speeds):
        return None
    labels = [f"{each.label} {each.values[-1]:.4g} %" for each in speeds]
    lines = [Curve(label, each.values) for label, each in zip(labels, speeds, strict=True)]
    config = line_config(title, days, lines, AXIS)
    if config is None:
        return None
    last = ", ".join(labels[:MOST_LINES])
    return picture(config, f"Lines of {': '.join(title)}, from {days[0]} to {days[-1]}; last: {last}")
