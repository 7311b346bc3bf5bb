"""Writes figures for github-action-benchmark, which keeps them on gh-pages and draws their history.

In one call, the action takes only figures where more is better, or only figures where less is better. Throughput and
cost are therefore in two files. The action compares a figure only with the one before it. That is wrong too often, so
its alerts are not used.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from restbench.results.figures import figures_of
from restbench.results.models import CellResult, DuetRounds, EntryResult, Limit, Run
from restbench.stats.intervals import Interval
from restbench.system.files import write_atomically

THROUGHPUT = "throughput.json"
COST = "cpu.json"


def write_figures(folder: Path, results: Iterable[EntryResult]) -> dict[str, int]:
    """Writes both files to the folder. Returns file name → number of figures.

    The throughput of a cell is written only where the app limited it. Otherwise it says nothing about the app. Cost is
    relative to the baseline where a cell has duet rounds. Else it is CPU time per request, unless noise was the limit.
    The two costs are series with different names, so that a run without duet rounds does not look like a step.
    """
    written: dict[str, list[dict[str, Any]]] = {THROUGHPUT: [], COST: []}
    for result in results:
        for cell in result.cells:
            figures = None if cell.failure else figures_of(cell)
            if figures is None:
                continue
            series, run = " · ".join(filter(None, [result.entry, *cell.key])), result.runs[cell.run]
            if figures.limit == Limit.APP:
                written[THROUGHPUT].append(_figure(series, "req/s", figures.throughput, run))
            if figures.relative_cost and cell.duets:
                relative = f"{series} · relative to {_partner(cell, cell.duets)}"
                written[COST].append(_figure(relative, "× its baseline", figures.relative_cost, run))
            elif figures.limit != Limit.NOISE:
                written[COST].append(_figure(series, "µs CPU/request", figures.cpu_us, run))
    for file, found in written.items():
        write_atomically(folder / file, json.dumps(found, indent=1, ensure_ascii=False).encode())
    return {file: len(found) for file, found in written.items()}


def _partner(cell: CellResult, duets: DuetRounds) -> str:
    """The baseline, with its variant where the cell has another variant."""
    other = duets.baseline_variant
    return f"{duets.baseline} · {other}" if other and other != cell.variant else duets.baseline


def _figure(series: str, unit: str, figure: Interval, run: Run) -> dict[str, Any]:
    """One figure in the action's format.

    `range` has to have the form "± N". The page shows `extra` when the mouse is over the point.
    """
    return {
        "name": series,
        "unit": unit,
        "value": float(f"{figure.middle:.6g}"),
        "range": f"± {(figure.high - figure.low) / 2:.3g}",
        "extra": "\n".join(
            [
                f"version {run.version or 'unknown'}",
                f"{figure.kind} {figure.low:.6g} to {figure.high:.6g}, {figure.n} rounds",
                f"{run.target}, {run.profile}, {run.machine.cpu_model}",
            ]
        ),
    }
