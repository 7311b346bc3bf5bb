"""Data files for the page that compares frameworks in the browser. The version of their form is in the path.

data/v4/board.json    the frameworks with their facts, and their rows in each table of the first setting
data/v4/series/<language>/<framework>/<year>.json    what each run of a year found of a framework
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from restbench.board.models import FactsRow, Section
from restbench.board.rows import Row, Table
from restbench.catalog import Catalog
from restbench.catalog.titles import titles_of
from restbench.render.facts_columns import facts_grid, resources_grid
from restbench.render.formats import short
from restbench.render.labels import limited_by, reason
from restbench.render.row_attributes import certainties
from restbench.results.history import CellFigures
from restbench.results.models import RateKind
from restbench.site.points import EntrySetting, RunOfEntry
from restbench.site.write import compact

VERSION = "v4"

FACTS = ("version", "released", "licence", "runtime", "server", "OpenAPI", "packages", "size, MB", "start, s")
"""The facts that are compared side by side, as the tables of facts call them."""


def board_data(
    section: Section | None, catalog: Catalog, measured: Mapping[EntrySetting, Sequence[RunOfEntry]]
) -> Iterator[tuple[str, bytes]]:
    """`frameworks` has id, title, language, the years of which there is a file of runs, and the facts of FACTS.

    `runs` has the days on which something was measured, `suites` the titles of suites, and `cells` those of the cells
    that have runs. `tables` has the rows of each table, of which those that are compared come first, the fastest before
    others. `certain` has a text for each of these, with a letter for each of them (see `certainties`), and `scales` a
    number: only rows with the same one can be compared. `start` names two frameworks to begin with.
    """
    entries, titles = catalog.ranked, titles_of(catalog)
    numbers = {entry.id: number for number, entry in enumerate(entries)}
    facts = {row.entry.id: row for row in section.facts} if section else {}
    tables = [
        _table(suite.name, table, numbers) for suite in (section.suites if section else []) for table in suite.tables
    ]
    own = [each for (_, setting), found in measured.items() if section and setting == section.setting for each in found]
    document = {
        "cells": {name: titles(name) for name in sorted({name for each in own for name in each.line.cells})},
        "facts": FACTS,
        "frameworks": [
            [
                entry.id,
                entry.title,
                entry.language.manifest.title,
                sorted(_years(section, entry.id, measured)),
                _facts(facts.get(entry.id)),
            ]
            for entry in entries
        ],
        "runs": sorted({f"{each.run.at:%Y-%m-%d}" for each in own}),
        "start": [entry for entry in dict.fromkeys([*catalog.selections.default, *facts]) if entry in facts][:2],
        "suites": {suite.name: suite.title for suite in (section.suites if section else [])},
        "tables": tables,
    }
    yield f"data/{VERSION}/board.json", compact(document)


def _facts(facts: FactsRow | None) -> list[str]:
    """The facts of an entry as text, in the order of FACTS. Empty if nothing is known of it."""
    if facts is None:
        return []
    grids = [facts_grid([facts]), resources_grid([facts])]
    known = {h: c.text for grid in grids for h, c in zip(grid.headers, grid.lines[0].cells, strict=True)}
    return [known.get(name, "–") for name in FACTS]


def _table(suite: str, table: Table, numbers: Mapping[str, int]) -> dict[str, Any]:
    known = [row for row in table.rows if row.entry in numbers]
    compared = [row for row in known if row.compared]
    scales = [row.estimate.scale for row in compared if row.estimate]
    numbered = {scale: number for number, scale in enumerate(dict.fromkeys(scales))}
    return {
        "suite": suite,
        "name": table.name,
        "title": table.title,
        "rows": [_row(numbers[row.entry], row) for row in sorted(known, key=lambda row: not row.compared)],
        "certain": certainties(compared, table.certain),
        "scales": [numbered[scale] for scale in scales],
    }


def _row(number: int, row: Row) -> list[Any]:
    """What scripts/data.js names: the number of the framework, its variant, and so on.

    The share is in % of the first row's speed, with its bounds where they are known. Memory is in MB, latency in ms.
    """
    latency, share = row.latency.get(RateKind.COMMON), row.share
    return [
        number,
        row.variant,
        row.json_library,
        short(100 * share.middle) if share else None,
        short(100 * share.low) if share and share.certain else None,
        short(100 * share.high) if share and share.certain else None,
        short(row.throughput.middle) if row.throughput else None,
        short(latency.p50) if latency and latency.p50 else None,
        short(row.memory_bytes / 1e6) if row.memory_bytes else None,
        limited_by(row),
        None if row.compared else row.not_compared or reason(row),
    ]


def series_data(
    measured: Mapping[EntrySetting, Sequence[RunOfEntry]], section: Section | None
) -> Iterator[tuple[str, bytes]]:
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


def _years(section: Section | None, entry: str, measured: Mapping[EntrySetting, Sequence[RunOfEntry]]) -> Iterable[int]:
    return _by_year(measured.get((entry, section.setting), [])) if section else []


def _by_year(measured: Sequence[RunOfEntry]) -> dict[int, list[RunOfEntry]]:
    years: dict[int, list[RunOfEntry]] = defaultdict(list)
    for each in measured:
        years[each.run.at.year].append(each)
    return years


def _figures(cell: CellFigures | str | None) -> list[float] | None:
    if not isinstance(cell, CellFigures):
        return None
    own = [cell.cpu_us, cell.cpu_us_low, cell.cpu_us_high]
    cost = cell.relative_cost_interval
    return [*own, *([cost.middle, cost.low, cost.high] if cost else [])]
