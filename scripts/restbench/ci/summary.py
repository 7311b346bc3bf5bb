"""What a pull request's comparison and a run of the board say, as Markdown for job summaries and comments.

Everything that is shown may come from strangers: all of it is escaped, and nothing of it is a link.
"""

from collections import Counter
from collections.abc import Sequence

from restbench import markdown
from restbench.ci.comparison import CellChange, Change, Comparison, EntryComparison, NewCell, Verdict
from restbench.ci.gather import Gathered
from restbench.ci.legs import RunPlan
from restbench.grid import Column, Grid, make_grid
from restbench.numbers import MISSING, figure, optional
from restbench.results.models import EntryResult
from restbench.stats.figures import figures_of

LONGEST = 60_000
"""Characters; a comment may have 65,536."""


def comparison_markdown(comparisons: Sequence[Comparison]) -> str:
    """Head against base, entry by entry, those with news first."""
    entries = [entry for comparison in comparisons for entry in comparison.entries]
    if not entries:
        return "No entry is changed by this: there was nothing to measure.\n"
    parts = [_entry(entry) for entry in sorted(entries, key=lambda e: (not _news(e), e.entry))]
    return _within("\n".join([*parts, *_footer(comparisons)]))


def _news(entry: EntryComparison) -> bool:
    return entry.status != "changed" or any(cell.verdict != Verdict.SAME for cell in entry.cells)


def _entry(entry: EntryComparison) -> str:
    version = markdown.escape(" → ".join(dict.fromkeys(filter(None, [entry.base_version, entry.version]))))
    lines = [f"### {markdown.escape(entry.title)} ({markdown.escape(entry.entry)}) {version}".rstrip(), ""]
    if entry.why:
        return "\n".join([*lines, f"**Not measured**: {markdown.escape(entry.why)}", ""])
    if entry.status == "new":
        return "\n".join([*lines, _about_new(entry.new_cells), "", markdown.table(_new_grid(entry.new_cells)), ""])
    table = markdown.table(_changes_grid(entry.cells))
    return "\n".join([*lines, _headline(entry), "", *_folded("every cell", table, not _news(entry)), ""])


def _headline(entry: EntryComparison) -> str:
    counts = Counter(cell.verdict for cell in entry.cells)
    said = [f"{count} {verdict}" for verdict, count in counts.items() if verdict != Verdict.SAME]
    verdict = f"**{', '.join(said)}**, of {len(entry.cells)} cells" if said else "**No difference seen**"
    together = ""
    if entry.throughput and entry.cpu:
        together = (
            f". All cells together: throughput {_percent(entry.throughput)}, CPU per request {_percent(entry.cpu)}, "
            f"in {entry.throughput.pairs} pairs of rounds"
        )
    return f"{verdict}{together}."


def _changes_grid(cells: Sequence[CellChange]) -> Grid:
    columns: list[Column[CellChange]] = [
        Column("suite", lambda cell: cell.suite),
        Column("scenario", lambda cell: cell.scenario),
        Column("variant", lambda cell: cell.variant or MISSING),
        Column("throughput", lambda cell: optional(_percent, cell.throughput), number=True, required=True),
        Column("CPU per request", lambda cell: optional(_percent, cell.cpu), number=True, required=True),
        Column("limited by", lambda cell: cell.limit or MISSING),
        Column("verdict", lambda cell: f"{cell.verdict}: {cell.why}" if cell.why else cell.verdict),
    ]
    return make_grid(columns, cells)


def _about_new(cells: Sequence[NewCell]) -> str:
    failed = sum(cell.why is not None for cell in cells)
    trouble = f"; {failed} of its {len(cells)} cells have no figure" if failed else ""
    return f"**New**, so there is no base to compare with: the reference and its language are{trouble}."


def _new_grid(cells: Sequence[NewCell]) -> Grid:
    columns: list[Column[NewCell]] = [
        Column("suite", lambda cell: cell.suite),
        Column("scenario", lambda cell: cell.scenario),
        Column("variant", lambda cell: cell.variant or MISSING),
        Column("req/s", lambda cell: optional(figure, cell.throughput), number=True, required=True),
        Column("% of reference", lambda cell: optional(_hundredfold, cell.of_reference), number=True),
        Column("median of its language", lambda cell: optional(_hundredfold, cell.usual), number=True),
        Column("limited by", lambda cell: cell.limit or MISSING),
        Column("no figure, because", lambda cell: cell.why or MISSING),
    ]
    return make_grid(columns, cells)


def _hundredfold(share: float) -> str:
    return figure(100 * share)


def _percent(change: Change) -> str:
    """A ratio as a change: +1.2 % (−0.8 to +3.1)."""
    if change.high is None:
        return f"{_signed(change.middle)} %"
    return f"{_signed(change.middle)} % ({_signed(change.low)} to {_signed(change.high)})"


def _signed(ratio: float) -> str:
    return f"{100 * (ratio - 1):+.1f}".replace("-", "−")


def _folded(title: str, text: str, fold: bool) -> list[str]:
    return ["<details>", f"<summary>{title}</summary>", "", text, "", "</details>"] if fold else [text]


def _footer(comparisons: Sequence[Comparison]) -> list[str]:
    first = comparisons[0]
    profile, machine = markdown.escape(first.profile), markdown.escape(first.machine)
    minutes = max(comparison.minutes for comparison in comparisons)
    return [
        f"Base {first.base[:10]}, head {first.head[:10]}; profile {profile}, {machine}; {minutes:.1f} minutes.",
        "Each round visits a cell of base and head one after the other; changes are head ÷ base with 95 % intervals.",
        "A difference is claimed where it holds at a level shared by all cells of an entry and is at least 2 %.",
        "",
    ]


def _within(text: str) -> str:
    """The text, cut at a line's end where a comment could not hold it."""
    if len(text) <= LONGEST:
        return text
    kept = text[:LONGEST].rpartition("\n")[0]
    closing = "\n</details>\n" * (kept.count("<details>") - kept.count("</details>"))
    return f"{kept}\n{closing}\nCut here: all of it is in the job summary.\n"


def run_markdown(plan: RunPlan, gathered: Gathered) -> str:
    """A run of the board: what each leg brought, and what the others did not bring, with why."""
    results = {result.entry: result for result in gathered.results}
    planned = [entry for leg in plan.legs for entry in leg.frameworks]
    lines = [f"{sum(e in results for e in planned)} of {len(planned)} entries brought results.", ""]
    if gathered.missed:
        lines += ["| entry | missing, because |", "| :-- | :-- |"]
        lines += [
            f"| {markdown.escape(entry)} | {markdown.escape(missed.reason)} |"
            for entry, missed in gathered.missed.items()
        ]
        lines.append("")
    measured = [results[entry] for entry in planned if entry in results]
    return _within("\n".join([*lines, markdown.table(_results_grid(measured)) if measured else "", ""]))


def _results_grid(results: Sequence[EntryResult]) -> Grid:
    def first_failure(result: EntryResult) -> str:
        return next((str(cell.failure)[:200] for cell in result.cells if cell.failure), MISSING)

    def hello(result: EntryResult) -> str:
        cell = next((c for c in result.cells if c.suite == "hello" and c.rounds and not c.failure), None)
        return figure(figures_of(cell).throughput.median) if cell else MISSING

    columns: list[Column[EntryResult]] = [
        Column("entry", lambda result: result.entry, required=True),
        Column("version", lambda result: max(result.runs.values(), key=lambda run: run.started).version or MISSING),
        Column("cells measured", lambda r: str(sum(bool(c.rounds) for c in r.cells)), number=True, required=True),
        Column("hello, req/s", hello, number=True),
        Column("failed", lambda r: str(sum(bool(c.failure) for c in r.cells)), number=True, required=True),
        Column("first failure", first_failure),
    ]
    return make_grid(columns, results)
