"""Writes the job summary of a run of the board as Markdown. Every text is escaped, because no job is trusted."""

from collections.abc import Sequence

from restbench.changes.comparison_summary import within
from restbench.ci.gather import Gathered
from restbench.ci.matrix_jobs import RunPlan
from restbench.render import markdown
from restbench.render.formats import MISSING
from restbench.render.grid import Column, Grid, make_grid
from restbench.results.models import EntryResult


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
        said = markdown.escape(gathered.links_missed)
        lines += [
            f"The baselines were not measured together: {said}. The links between languages stay as they are.",
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
