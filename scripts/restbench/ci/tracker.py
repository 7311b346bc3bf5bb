"""Figures for github-action-benchmark, which keeps them on gh-pages and draws their history.

It takes one direction a call, so throughput and cost are two files; it compares a figure with the one before alone,
which is wrong too often to alarm anybody: alarms are not asked of it.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from restbench.results.files import write_atomically
from restbench.results.models import CellResult, EntryResult, Limit, Run
from restbench.stats import Estimate
from restbench.stats.figures import figures_of


@dataclass(frozen=True)
class Direction:
    """A file of figures: what they are called, and in which unit."""

    file: str
    unit: str


THROUGHPUT = Direction("throughput.json", "req/s")
COST = Direction("cpu.json", "µs CPU/request")


def write_figures(folder: Path, results: Iterable[EntryResult]) -> dict[str, int]:
    """Writes both files. Throughput is that of cells that the app limited, as that of others says nothing of it; what
    a request costs is told of all cells but noise. Returns how many figures each file has."""
    written: dict[Direction, list[dict[str, Any]]] = {THROUGHPUT: [], COST: []}
    for result in results:
        for cell in result.cells:
            if not cell.rounds or cell.failure:
                continue
            figures, run = figures_of(cell), result.runs[cell.run]
            name = " · ".join(filter(None, [result.entry, cell.suite, cell.scenario, cell.variant]))
            if figures.limit == Limit.APP:
                written[THROUGHPUT].append(_figure(name, THROUGHPUT, figures.throughput, cell, run))
            if figures.limit != Limit.NOISE:
                written[COST].append(_figure(name, COST, figures.cpu_us, cell, run))
    for direction, found in written.items():
        write_atomically(folder / direction.file, json.dumps(found, indent=1, ensure_ascii=False).encode())
    return {direction.file: len(found) for direction, found in written.items()}


def _figure(name: str, direction: Direction, value: Estimate, cell: CellResult, run: Run) -> dict[str, Any]:
    """One figure as the action wants it: `range` has to read "± N"; `extra` is shown where one points at it."""
    return {
        "name": name,
        "unit": direction.unit,
        "value": float(f"{value.median:.6g}"),
        "range": f"± {(value.high - value.low) / 2:.3g}",
        "extra": "\n".join(
            [
                f"version {run.version or 'unknown'}",
                f"95 % interval {value.low:.6g} to {value.high:.6g}, {len(cell.rounds)} rounds",
                f"{run.target}, {run.profile}, {run.machine.cpu_model}",
            ]
        ),
    }
