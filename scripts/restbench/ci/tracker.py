"""Writes the speeds of entries for github-action-benchmark, which keeps them on gh-pages and draws their history.

There is one figure for each entry and suite: the chain of its change records. The first version is 100. Throughputs are
not written: they change with the machine of each week, and the action compares a figure with the one before it.
"""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from restbench.changes.chain import chain_of
from restbench.changes.records import ChangeRecord
from restbench.results.models import EntryResult, Run
from restbench.system.files import write_atomically

SPEEDS = "speeds.json"
UNIT = "% of its first version"


def write_speeds(folder: Path, results: Iterable[EntryResult], records: Sequence[ChangeRecord]) -> int:
    """Writes speeds.json to the folder: a figure for each suite of which a result has finished rounds.

    Rounds that do not count are enough, because a figure is made of change records. Returns the number of figures.
    """
    figures = []
    for result in results:
        run = max(result.runs.values(), key=lambda run: run.started)
        suites = dict.fromkeys(cell.suite for cell in result.cells if cell.measured)
        figures += [_figure(result.entry, suite, run, records) for suite in suites]
    write_atomically(folder / SPEEDS, json.dumps(figures, indent=1, ensure_ascii=False).encode())
    return len(figures)


def _figure(entry: str, suite: str, run: Run, records: Sequence[ChangeRecord]) -> dict[str, Any]:
    """A figure in the action's format. The page shows `extra` when the mouse is over the point."""
    links = chain_of(records, entry, suite)
    newest = f"newest change {links[-1].record}, {links[-1].at:%Y-%m-%d}" if links else "no change was seen"
    return {
        "name": f"{entry} · {suite}",
        "unit": UNIT,
        "value": float(f"{100 * (links[-1].speed if links else 1.0):.5g}"),
        "extra": f"version {run.version or 'unknown'}\n{newest}",
    }
