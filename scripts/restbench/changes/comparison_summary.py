"""Writes a comparison as Markdown, for job summaries and comments.

Every text may come from a stranger, so every text is escaped, and none becomes a link.
"""

from collections import Counter
from collections.abc import Sequence

from restbench.changes.comparison import CellChange, Comparison, Cost, EntryComparison, Place, Verdict
from restbench.changes.evidence import FLOOR
from restbench.render import markdown
from restbench.render.formats import MISSING, figure, optional, speed_change, versions
from restbench.render.grid import Column, Grid, make_grid

LONGEST = 60_000
"""The most characters of the Markdown. A comment on GitHub may have 65,536."""

MOST_NAMED = 10
"""The most causes that are named. An update may change a hundred packages."""

DIFFERENT = (Verdict.FASTER, Verdict.SLOWER)


def comparison_markdown(comparisons: Sequence[Comparison]) -> str:
    """Returns the comparison of head and base, entry by entry. Entries with news come first."""
    entries = [entry for comparison in comparisons for entry in comparison.entries]
    if not entries:
        return "No entry was changed, so nothing was measured.\n"
    parts = [_entry(entry) for entry in sorted(entries, key=lambda e: (not _news(e), e.entry))]
    return within("\n".join([*parts, *_footer(comparisons)]))


def within(text: str, reserve: int = 0) -> str:
    """Returns the text. Where it is too long for a comment, it is cut at the end of a line.

    `reserve`: how many characters are still to come. GitHub counts characters beyond the basic plane twice.
    """
    most = LONGEST - reserve
    units = text.encode("utf-16-le", errors="replace")
    if len(units) <= 2 * most:
        return text
    start = units[: 2 * most].decode("utf-16-le", errors="ignore").rpartition("\n")[0]
    closing = "\n</details>\n" * (start.count("<details>") - start.count("</details>"))
    return f"{start}\n{closing}\nThe rest was cut to fit into a comment. The artifacts of the run have all results.\n"


def _news(entry: EntryComparison) -> bool:
    if entry.status != "changed" or entry.why or (entry.together and entry.together.verdict in DIFFERENT):
        return True
    return any(cell.verdict not in (Verdict.SAME, Verdict.ONCE) for cell in entry.cells)


def _entry(entry: EntryComparison) -> str:
    version = markdown.escape(versions(entry.base_version, entry.version))
    lines = [f"### {markdown.escape(entry.title)} ({markdown.escape(entry.entry)}) {version}".rstrip(), ""]
    if entry.status == "failed":
        return "\n".join([*lines, f"**Not measured**: {markdown.escape(entry.why or 'no reason was given')}", ""])
    if entry.status == "new":
        places = [*map(_place, entry.places), ""] if entry.places else []
        return "\n".join([*lines, _about_new(entry), "", *places, markdown.table(_cells_grid(entry)), ""])
    if entry.why:
        lines += [f"**Cannot tell**: {markdown.escape(entry.why)}", ""]
    causes = [markdown.escape(str(cause)) for cause in entry.causes[:MOST_NAMED]]
    causes += [f"and {len(entry.causes) - MOST_NAMED} more"] if len(entry.causes) > MOST_NAMED else []
    # nothing differs where copies are compared
    lines += [_headline(entry), "", f"What differs: {', '.join(causes) or 'nothing that is recorded'}.", ""]
    table = [markdown.table(_cells_grid(entry))]
    if not _news(entry):
        table = ["<details>", "<summary>every cell</summary>", "", *table, "", "</details>"]
    return "\n".join([*lines, *table, ""])


def _headline(entry: EntryComparison) -> str:
    counts = Counter(cell.verdict for cell in entry.cells)
    verdicts = [f"{count} {verdict}" for verdict, count in counts.items() if verdict != Verdict.SAME]
    cells = f"{len(entry.cells)} cell{'s' * (len(entry.cells) != 1)}"
    verdict = f"**{', '.join(verdicts)}**, of {cells}" if verdicts else f"**No difference seen** in {cells}"
    if entry.together is None:
        return f"{verdict}."
    return f"{verdict}. All cells together: {_speed(entry.together.cost)}, {_short(entry.together.verdict)}."


def _speed(cost: Cost) -> str:
    return speed_change(cost.ratio, cost.low, cost.high)


def _short(verdict: Verdict) -> str:
    """A verdict beside a change of speed, which says the direction."""
    return "seen twice" if verdict in DIFFERENT else verdict


def _cells_grid(entry: EntryComparison) -> Grid:
    """Every cell: how its speed changed, or for a new entry its cost against that of the baseline of its language."""

    def against_baseline(cost: Cost) -> str:
        return f"{figure(cost.ratio)} ({figure(cost.low)}–{figure(cost.high)})"

    def verdict(cell: CellChange) -> str:
        text = _short(cell.verdict) if cell.cost else cell.verdict
        return f"{text}: {cell.why}" if cell.why else text

    if entry.status == "new":
        title = f"CPU time per request ÷ {entry.baseline}'s"
        cost = Column[CellChange](title, lambda cell: optional(against_baseline, cell.cost), number=True)
    else:
        cost = Column("speed", lambda cell: optional(_speed, cell.cost), number=True, required=True)
    columns: list[Column[CellChange]] = [
        Column("suite", lambda cell: cell.suite),
        Column("scenario", lambda cell: cell.scenario),
        Column("variant", lambda cell: cell.variant or MISSING),
        cost,
        Column("verdict", verdict, required=True),
    ]
    return make_grid(columns, entry.cells)


def _about_new(entry: EntryComparison) -> str:
    text = f"**No base**: {markdown.escape(entry.why)}." if entry.why else "**New**: there is no base."
    if entry.places:
        text += " This is its place among the frameworks of its language, the fastest first."
    elif any(cell.verdict == Verdict.NEW for cell in entry.cells):
        text += " No framework of its language was measured on such a machine."
    if lacking := sum(cell.verdict != Verdict.NEW for cell in entry.cells):
        text += f" {lacking} of its {len(entry.cells)} cells {'has' if lacking == 1 else 'have'} no figure."
    return text


def _place(place: Place) -> str:
    """A line of a list, in which the entry's own name is bold."""
    table = f"- {markdown.escape(place.table)} ({markdown.escape(place.suite)})"
    if place.why:
        return f"{table}: {markdown.escape(place.why)}"
    own, shown = markdown.escape(place.name), [[markdown.escape(name) for name in group] for group in place.groups]
    return f"{table}: " + " › ".join(", ".join(f"**{n}**" if n == own else n for n in group) for group in shown)


def _footer(comparisons: Sequence[Comparison]) -> list[str]:
    first = comparisons[0]
    profile, machine = markdown.escape(first.profile), markdown.escape(first.machine)
    minutes = max(comparison.minutes for comparison in comparisons)
    return [
        f"{_versions(first)}; profile {profile}, {machine}; {minutes:.1f} minutes.",
        "Both apps were started several times, and loaded at the same time on the same CPUs. Speed is requests per",
        "second of CPU time. A new entry has its CPU time per request ÷ that of its baseline. 95 % intervals are in",
        "parentheses.",
        (
            f"A difference is claimed where it is at least {100 * FLOOR:g} % and a second series of fresh processes "
            "showed it too (seen twice). Time in which an app waits and uses no CPU is not compared."
        ),
        "",
    ]


def _versions(comparison: Comparison) -> str:
    base = _state(comparison.base, comparison.base_dirty)
    head = _state(comparison.head, comparison.head_dirty)
    if base == head and not comparison.head_dirty:
        return f"Base and head are {'the same commit, ' if comparison.head else ''}{head}"
    return f"Base {base}, head {head}"


def _state(commit: str | None, dirty: bool) -> str:
    if commit is None:
        return "files that no commit has"
    return f"{commit[:10]} with uncommitted changes" if dirty else commit[:10]
