"""Writes the job summary of a run of the board, and the speeds of entries for github-action-benchmark.

The summary is Markdown. Every text in it is escaped, because no job is trusted. github-action-benchmark keeps the
speeds on gh-pages and draws their history. There is one figure for each entry and suite: the chain of its change
records. The first version is 100. Throughputs are not written: they change with the machine of each week, and the
action compares a figure with the one before it.
"""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from restbench.changes.chain import chain_of
from restbench.changes.comparison_summary import within
from restbench.changes.records import ChangeRecord
from restbench.ci.gather import Gathered
from restbench.ci.matrix_jobs import RunPlan
from restbench.render import markdown
from restbench.render.formats import MISSING
from restbench.render.grid import Column, Grid, make_grid
from restbench.results.models import EntryResult
from restbench.system.files import write_atomically

SPEEDS = "speeds.json"
UNIT = "% of its first version"


def run_markdown(plan: RunPlan, gathered: Gathered, changes: str = "") -> str:
    """Returns how many entries have results, the missing ones with their reasons, and a table of the results.

    `changes` is Markdown about what changed, which comes before the table.
    """
    results = {result.entry: result for result in gathered.results}
    planned = [entry for job in plan.boards for entry in job.frameworks]
    lines = [f"{sum(e in results for e in planned)} of {len(planned)} entries brought results.", ""]
    if gathered.missed:
        lines += ["| missing entry | reason |", "| :-- | :-- |"]
        lines += [
            f"| {markdown.escape(entry)} | {markdown.escape(missed.reason)} |"
            for entry, missed in gathered.missed.items()
        ]
        lines.append("")
    if gathered.links_missed:
        reason = markdown.escape(gathered.links_missed)
        lines += [
            f"The baselines were not measured together: {reason}. The links between languages stay as they are.",
            "",
        ]
    if changes:
        lines += [changes, ""]
    measured = [results[entry] for entry in planned if entry in results]
    return within("\n".join([*lines, markdown.table(_results_grid(measured)) if measured else "", ""]))


def _results_grid(results: Sequence[EntryResult]) -> Grid:
    def first_failure(result: EntryResult) -> str:
        return next((str(cell.failure)[:200] for cell in result.cells if cell.failure), MISSING)

    columns: list[Column[EntryResult]] = [
        Column("entry", lambda result: result.entry, required=True),
        Column("version", lambda result: max(result.runs.values(), key=lambda run: run.started).version or MISSING),
        Column("cells measured", lambda r: str(sum(c.measured for c in r.cells)), number=True, required=True),
        Column("failed", lambda r: str(sum(bool(c.failure) for c in r.cells)), number=True, required=True),
        Column("first failure", first_failure),
    ]
    return make_grid(columns, results)


def write_speeds(folder: Path, results: Iterable[EntryResult], records: Sequence[ChangeRecord]) -> int:
    """Writes speeds.json to the folder: a figure for each suite of which a result has finished rounds.

    Rounds that do not count are enough, because a figure is made of change records. Returns the number of figures.
    """
    figures = []
    for result in results:
        run = max(result.runs.values(), key=lambda run: run.started)
        suites = dict.fromkeys(cell.suite for cell in result.cells if cell.measured)
        for suite in suites:
            links = chain_of(records, result.entry, suite)
            newest = f"newest change {links[-1].record}, {links[-1].at:%Y-%m-%d}" if links else "no change was seen"
            figures.append(
                {
                    "name": f"{result.entry} · {suite}",
                    "unit": UNIT,
                    "value": float(f"{100 * (links[-1].speed if links else 1.0):.5g}"),
                    # shown when the mouse is over the point
                    "extra": f"version {run.version or 'unknown'}\n{newest}",
                }
            )
    write_atomically(folder / SPEEDS, json.dumps(figures, indent=1, ensure_ascii=False).encode())
    return len(figures)
