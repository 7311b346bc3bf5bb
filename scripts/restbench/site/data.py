"""Data files for the pages that are made in the browser: compare and trends. The version of their form is in the path.

data/v2/board.json    the frameworks, and the figures of each table of the first setting
data/v2/series/<language>/<framework>/<year>.json    what each run of a year found of a framework
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from restbench.board.models import Section
from restbench.board.rows import Row
from restbench.catalog import Entry
from restbench.render.formats import short
from restbench.render.labels import limited_by
from restbench.results.history_lines import CellFigures
from restbench.site.points import Measured, Place
from restbench.site.write import compact

VERSION = "v2"


def board_data(
    section: Section | None, entries: Sequence[Entry], measured: Mapping[Place, Sequence[Measured]]
) -> Iterator[tuple[str, bytes]]:
    """`frameworks` has id, title, language, and the years of which there is a file of runs.

    `runs` has the days on which something was measured. `tables` has the rows of each table; a row has the number of
    its framework in `frameworks` first.
    """
    numbers = {entry.id: number for number, entry in enumerate(entries)}
    tables = [
        {
            "suite": suite.name,
            "name": table.name,
            "title": f"{suite.title}: {table.title}",
            "rows": [_row(numbers[row.entry], row) for row in table.rows if row.entry in numbers],
        }
        for suite in (section.suites if section else [])
        for table in suite.tables
    ]
    document = {
        "frameworks": [
            [entry.id, entry.title, entry.language.manifest.title, sorted(_years(section, entry.id, measured))]
            for entry in entries
        ],
        "runs": sorted(
            {
                f"{each.run.at:%Y-%m-%d}"
                for (_, setting), found in measured.items()
                if section and setting == section.setting
                for each in found
            }
        ),
        "tables": tables,
    }
    yield f"data/{VERSION}/board.json", compact(document)


def _row(number: int, row: Row) -> list[Any]:
    """Framework, variant, group, % of the best, relative cost and throughput with their bounds, bottleneck."""
    cost, rate = row.relative_cost, row.throughput
    return [
        number,
        row.variant,
        row.group,
        short(100 * row.share.middle) if row.share else None,
        [1] if row.is_baseline else [short(each) for each in (cost.middle, cost.low, cost.high)] if cost else None,
        [short(each) for each in (rate.middle, rate.low, rate.high)] if rate else None,
        limited_by(row),
    ]


def series_data(measured: Mapping[Place, Sequence[Measured]], section: Section | None) -> Iterator[tuple[str, bytes]]:
    """The runs of each framework under the first setting, year by year. Years that are over never change.

    `runs` has when each run started, and the version. `cells` has, for each run, CPU time per request with its bounds,
    and the relative cost with its bounds. A run without a figure of the cell has null.
    """
    if section is None:
        return
    for (entry, setting), found in measured.items():
        if setting != section.setting:
            continue
        for year, of_year in _by_year(found).items():
            cells = sorted({key for each in of_year for key in each.line.cells})
            document = {
                "runs": [[f"{each.run.at:%Y-%m-%d}", each.line.version] for each in of_year],
                "cells": {cell: [_figures(each.line.cells.get(cell)) for each in of_year] for cell in cells},
            }
            yield f"data/{VERSION}/series/{entry}/{year}.json", compact(document)


def _years(section: Section | None, entry: str, measured: Mapping[Place, Sequence[Measured]]) -> Iterable[int]:
    return _by_year(measured.get((entry, section.setting), [])) if section else []


def _by_year(measured: Sequence[Measured]) -> dict[int, list[Measured]]:
    years: dict[int, list[Measured]] = defaultdict(list)
    for each in measured:
        years[each.run.at.year].append(each)
    return years


def _figures(cell: CellFigures | str | None) -> list[float] | None:
    if not isinstance(cell, CellFigures):
        return None
    own = [cell.cpu_us, cell.cpu_us_low, cell.cpu_us_high]
    cost = cell.relative_cost_interval
    return [*own, *([cost.middle, cost.low, cost.high] if cost else [])]
