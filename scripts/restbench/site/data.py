"""Data files, for the scripts of the site and for everybody else. The version of their form is in the path.

data/v5/board.json    the frameworks with their facts, and all rows of all tables
data/v5/board.csv    only the rows, flat
data/v5/series/<language>/<framework>/<year>.json    what each run of a year found of a framework
"""

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from restbench.board.models import Board, FactsRow, Section
from restbench.board.rows import Table
from restbench.catalog import Catalog
from restbench.catalog.load import Titles, titles_of
from restbench.render.columns import COLUMNS
from restbench.render.facts_columns import facts_grid, resources_grid
from restbench.render.formats import MISSING, short
from restbench.render.grid import Column, Grid, Text, make_grid
from restbench.render.row_attributes import certainties
from restbench.results.files import dump_entry
from restbench.results.history import CellFigures
from restbench.results.models import EntryResult
from restbench.site.points import EntrySetting, RunOfEntry
from restbench.site.write import compact

FOLDER = "data/v5"

FACTS = ("version", "released", "licence", "runtime", "server", "OpenAPI", "packages", "size, MB", "start, s")
"""The facts that are compared side by side, as the tables of facts call them."""

NAMES = (
    *("framework", "variant", "version", "JSON", "measured", "group", "speed, % of the first", "relative cost"),
    *("req/s measured", "p50 / p90 / p99", "peak memory", "total", "bottleneck", "CPU µs per request"),
)
"""The columns of rows that are for programs."""

FIELDS = {field: about for name in NAMES for field, about in COLUMNS[name].data.items()}
"""Field of a row → what it holds. It is empty where a figure was not measured."""

FIELDS_OF_TABLES = {
    "target": "native or docker",
    "profile": "how long and how hard was measured",
    "machine_class": "figures of two classes cannot be compared",
    "suite": "hello, issue-tracker, solr or workload",
    "scenario": "the table: the scenario, with -raw or -schema where a suite has both",
}


def board_data(
    board: Board, catalog: Catalog, measured: Mapping[EntrySetting, Sequence[RunOfEntry]]
) -> Iterator[tuple[str, bytes]]:
    """`fields` says what a row has, in order, and `settings` has all tables, those of the first page first.

    `certain` has a text for each row of a table with a letter for each of them (see `certainties`), and `scales` a
    number: only rows with the same one can be compared. It is null in a row that is not compared.

    `frameworks` has id, title, language, the years of which there is a file of runs, and the facts of FACTS. `runs` has
    the days on which something was measured, and `cells` the titles of the cells that have runs, both under the first
    setting. `start` names two frameworks to begin with.
    """
    titles, section = titles_of(catalog), next(iter(board.sections), None)
    facts = {row.entry.id: row for row in section.facts} if section else {}
    own = [each for (_, setting), found in measured.items() if section and setting == section.setting for each in found]
    settings: list[dict[str, Any]] = [
        {
            **asdict(each.setting),
            "suites": {suite.name: suite.title for suite in each.suites},
            "tables": [_table(suite.name, table) for suite in each.suites for table in suite.tables],
        }
        for each in board.sections
    ]
    document = {
        "cells": {name: titles(name) for name in sorted({name for each in own for name in each.line.cells})},
        "facts": FACTS,
        "fields": FIELDS,
        "frameworks": [
            [
                entry.id,
                entry.title,
                entry.language.manifest.title,
                sorted(_by_year(measured.get((entry.id, section.setting), []))) if section else [],
                _facts(facts.get(entry.id)),
            ]
            for entry in catalog.ranked
        ],
        "runs": sorted({f"{each.run.at:%Y-%m-%d}" for each in own}),
        "settings": settings,
        "start": [entry for entry in dict.fromkeys([*catalog.selections.default, *facts]) if entry in facts][:2],
    }
    yield f"{FOLDER}/board.json", compact(document)
    yield f"{FOLDER}/board.csv", _csv(settings)


def _facts(facts: FactsRow | None) -> list[str]:
    """The facts of an entry as text, in the order of FACTS. Empty if nothing is known of it."""
    if facts is None:
        return []
    grids = [facts_grid([facts]), resources_grid([facts])]
    known = {h: c.text for grid in grids for h, c in zip(grid.headers, grid.lines[0].cells, strict=True)}
    return [known.get(name, "–") for name in FACTS]


def _table(suite: str, table: Table) -> dict[str, Any]:
    rows = [[v for name in NAMES for v in COLUMNS[name].for_programs(row).values()] for row in table.rows]
    scales = list(dict.fromkeys(row.estimate.scale for row in table.rows if row.estimate))
    return {
        "suite": suite,
        "scenario": table.name,
        "title": table.title,
        "rows": [[short(value) if isinstance(value, float) else value for value in row] for row in rows],
        "certain": certainties(table.rows, table.certain),
        "scales": [scales.index(row.estimate.scale) if row.estimate else None for row in table.rows],
    }


def _csv(settings: Sequence[dict[str, Any]]) -> bytes:
    """The rows of all tables, with what says which table each is in."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*FIELDS_OF_TABLES, *FIELDS])
    for setting in settings:
        for table in setting["tables"]:
            of_table = [(setting | table)[name] for name in FIELDS_OF_TABLES]
            writer.writerows(map(_flat, [*of_table, *row]) for row in table["rows"])
    return text.getvalue().encode()


def _flat(value: Any) -> Any:
    """A list becomes a text. What a spreadsheet would run as a formula gets an apostrophe (OWASP, CSV injection)."""
    if isinstance(value, list):
        return " ".join(map(str, value))
    return f"'{value}" if isinstance(value, str) and value[:1] in "=+-@\t\r" else value


def series_data(
    measured: Mapping[EntrySetting, Sequence[RunOfEntry]], section: Section | None
) -> Iterator[tuple[str, bytes]]:
    """The runs of each framework under the first setting, year by year. Years that are over never change.

    `runs` has when each run started, and the version. `cells` has, for each run, CPU time per request with its bounds,
    and the relative cost of that run alone with its bounds. A run without a figure of the cell has null.
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
            yield f"{FOLDER}/series/{entry}/{year}.json", compact(document)


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


DOWNLOADS = "downloads/results"


def result_files(results: Sequence[EntryResult]) -> Iterator[tuple[str, bytes]]:
    """The newest result of each entry, as results/latest has it."""
    for result in results:
        yield result_path(result.entry), dump_entry(result)


def result_path(entry: str) -> str:
    return f"{DOWNLOADS}/{entry}.json"


def raw_grid(run_ids: set[str], results: Sequence[EntryResult], root: str, titles: Titles) -> Grid | None:
    """The rounds that those runs refused, by reason, and the files with all of their rounds.

    None where newer runs have taken the place of all of their results.
    """
    own = [result for result in results if run_ids & result.runs.keys()]
    if not own:
        return None
    columns: list[Column[EntryResult]] = [
        Column("framework", lambda r: titles(r.entry), required=True),
        Column("rounds that do not count", lambda r: _refused(r, run_ids)),
        Column("all rounds", lambda r: Text("JSON", f"{root}{result_path(r.entry)}"), required=True),
    ]
    return make_grid(columns, sorted(own, key=lambda result: titles(result.entry).casefold()))


def _refused(result: EntryResult, run_ids: set[str]) -> str:
    found: Counter[str] = Counter()
    for cell in result.cells:
        if cell.run in run_ids:
            found.update(cell.refused)
    return "; ".join(f"{count} × {reason}" for reason, count in found.most_common()) or MISSING
