"""Writes the job summary of a run of the board, and the speeds of entries for github-action-benchmark.

The summary is Markdown. Every text in it is escaped, because no job is trusted. github-action-benchmark keeps the
speeds on gh-pages and draws their history. There is one figure for each entry and suite: the chain of its change
records. The first version is 100. Throughputs are not written: they change with the machine of each week, and the
action compares a figure with the one before it.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from restbench.catalog.load import Titles
from restbench.changes.chain import chain_of
from restbench.changes.comparison_summary import LONGEST_LINE, within
from restbench.changes.records import ChangeRecord
from restbench.changes.summary import safe
from restbench.ci.gather import Gathered
from restbench.ci.matrix_jobs import RunPlan
from restbench.results.models import EntryResult
from restbench.system.files import write_atomically
from restbench.system.text import one_line

MOST_NEWS = 60
"""How many lines name what is not as before."""

SPEEDS = "speeds.json"
UNIT = "% of its first version"


def run_markdown(
    plan: RunPlan,
    gathered: Gathered,
    before: Mapping[str, EntryResult],
    titles: Titles,
    changes: str = "",
    board: str | None = None,
) -> str:
    """Returns how much a run measured, what is not as it was before, and what changed.

    `before`: the results of each entry before this run. `changes`: Markdown about the change records of the run.
    `board`: the address of the board.
    """
    results = {result.entry: result for result in gathered.results}
    planned = [entry for job in plan.boards for entry in job.frameworks]
    measured = [results[entry] for entry in planned if entry in results]
    figures = sum(cell.measured for result in measured for cell in result.cells)
    failed = sum(bool(cell.failure) for result in measured for cell in result.cells)
    brought = f"{len(measured)} of {len(planned)} entries measured"
    lines = [f"## {brought}: {figures:,} cells have figures, {failed} fail", ""]
    lines += [f"[The board]({board})", ""] if board else []
    news = [f"{safe(titles(entry))} is missing: {safe(missed.reason)}" for entry, missed in gathered.missed.items()]
    if gathered.links_missed:
        news.append(
            f"the baselines were not measured together: {safe(gathered.links_missed)}. The links between languages "
            "stay as they are"
        )
    news += [line for result in measured for line in _not_as_before(result, before.get(result.entry), titles)]
    if news:
        lines += ["### Not as before", "", *(f"- {line}" for line in news[:MOST_NEWS])]
        lines += [f"- {len(news) - MOST_NEWS} more"] if len(news) > MOST_NEWS else []
    else:
        lines.append("All entries are there, and the same cells are right as before.")
    return within("\n".join([*lines, "", *([changes, ""] if changes else [])]))


def _not_as_before(result: EntryResult, before: EntryResult | None, titles: Titles) -> Iterator[str]:
    """The cells that fail now and did not, and those that are right again."""
    failed = {cell.key: cell.failure for cell in before.cells} if before else {}
    for cell in result.cells:
        name = safe(f"{titles(result.entry)}, {titles(str(cell.key))}")
        if cell.failure and not failed.get(cell.key):
            yield f"{name} fails: {safe(one_line(str(cell.failure), LONGEST_LINE))}"
        elif failed.get(cell.key) and not cell.failure and (cell.measured or cell.features):
            yield f"{name} is right again"


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
