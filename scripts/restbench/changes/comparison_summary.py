"""Writes a comparison as Markdown, for job summaries and comments. Its first line is the verdict.

Every text may come from a stranger, so every text is escaped, and none becomes a link.
"""

import html
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby

from restbench.catalog.load import Titles
from restbench.catalog.manifests import DEFAULT_JSON
from restbench.changes.comparison import CellChange, Comparison, Cost, EntryComparison, Place, Verdict
from restbench.changes.evidence import FLOOR
from restbench.changes.records import CLAIMED, CellCost
from restbench.changes.summary import NO_DIFFERENCE, causes_text, change_title, changed_grid, extents, verdict
from restbench.render import markdown
from restbench.render.formats import MISSING, figure, optional, speed_change
from restbench.render.grid import Column, make_grid
from restbench.results.models import Failure
from restbench.system.text import one_line

LONGEST = 60_000
"""The most characters of the Markdown. A comment on GitHub may have 65,536."""

MOST_CAUSES, MOST_CHANGED, MOST_FAILED, MOST_PLACES, MOST_NAMES = 5, 6, 2, 4, 3
"""How many causes, changed cells, failures and tables are shown before what is folded, and names of a group."""

LONGEST_LINE = 160
"""The most characters of a line that quotes an app."""

CANNOT_TELL = Verdict.UNKNOWN.value
MARKS = {
    "failed": "🔴",
    "slower": "🔴",
    "slower and faster": "🟡",
    CANNOT_TELL: "🟡",
    "new": "🟢",
    "faster": "🟢",
    NO_DIFFERENCE: "⚪",
}
"""The outcomes of an entry, what needs somebody first, each with the mark of its title."""

_ENDING = 500
"""The most characters that `within` writes behind a text that it cuts."""

_OUTCOMES = list(MARKS)

_NEVER_RAN = {"build": "does not build", "start": "does not start", "alive": "ends while it is measured"}
"""What an entry does of which nothing could be measured, by the check that failed."""


def comparison_markdown(
    comparisons: Sequence[Comparison], titles: Titles, remarks: Iterable[str] = (), reserve: int = 0
) -> str:
    """Returns the comparison of head and base, what needs somebody first. Its first line is the title.

    `remarks` are paragraphs of Markdown that stand between what was found and how it was measured. They are not cut.
    `reserve`: as in `within`.
    """
    entries = [entry for comparison in comparisons for entry in comparison.entries]
    if not entries:
        return "\n".join(["## No entry was changed, so nothing was measured", "", *remarks])
    entries.sort(key=lambda entry: (_OUTCOMES.index(_outcome(entry)), entry.entry))
    first, *others = entries
    target = comparisons[0].target
    lines = [f"## {_marked(_title(first) if not others else _counts(entries), first)}", ""]
    if others:
        lines += [f"### {_marked(_title(first), first)}", ""]
    lines += _body(first, titles, target)
    for entry in others:
        lines += _folded(f"{MARKS[_outcome(entry)]} {_title(entry)}", _body(entry, titles, target))
    end = "\n".join([*remarks, *_method(comparisons, first)])
    found = within("\n".join(lines), reserve + len(end) + _ENDING)
    return within(f"{found}\n{end}", reserve)


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


def _outcome(entry: EntryComparison) -> str:
    """The outcome of an entry, one of MARKS."""
    if entry.failed:
        return "failed"
    if entry.status == "new":
        return "new"
    found = {cell.verdict for cell in entry.cells} | ({entry.together.verdict} if entry.together else set())
    claimed = [word for word in ("slower", "faster") if word in found]
    if claimed:
        return " and ".join(claimed)
    return NO_DIFFERENCE if any(cell.cost for cell in entry.cells) else CANNOT_TELL


def _title(entry: EntryComparison) -> str:
    """The verdict on an entry in words and one figure. A failed head has only its own version."""
    own, cells = " ".join(filter(None, [entry.title, entry.version])), len(entry.cells)
    failed = sum(cell.verdict is Verdict.FAILED for cell in entry.cells)
    if entry.status == "failed":
        check = entry.failure.check if entry.failure else ""
        return f"{own} {_NEVER_RAN.get(check, 'could not be measured')}"
    if failed:
        new = "is new, and " if entry.status == "new" else ""
        return f"{own} {new}fails in {failed} of {_scenarios(cells)}"
    if entry.status == "new":
        return f"{own} is new: {_cost_of_new(entry) or _scenarios(cells)}"
    told = CANNOT_TELL if _outcome(entry) == CANNOT_TELL else verdict(_together(entry), _costs(entry))
    return change_title(entry.title, entry.base_version, entry.version, told)


def _counts(entries: Sequence[EntryComparison]) -> str:
    """How many entries have which outcome."""
    counts = Counter(map(_outcome, entries))
    return f"{len(entries)} entries: " + ", ".join(f"{counts[each]} {each}" for each in _OUTCOMES if counts[each])


def _marked(text: str, entry: EntryComparison) -> str:
    return f"{MARKS[_outcome(entry)]} {markdown.escape(text)}"


def _folded(summary: str, lines: Iterable[str]) -> list[str]:
    """Lines of Markdown that are hidden below a summary, which is HTML."""
    shown = html.escape(one_line(summary))
    return ["<details>", f"<summary>{shown}</summary>", "", *lines, "", "</details>", ""]


def _scenarios(count: int) -> str:
    return "1 scenario" if count == 1 else f"{count} scenarios"


def _together(entry: EntryComparison) -> CellCost | None:
    return CellCost.of(entry.together.verdict, entry.together.cost) if entry.together else None


def _costs(entry: EntryComparison) -> dict[str, CellCost]:
    """The cells as change records have them."""
    return {str(cell.key): CellCost.of(cell.verdict, cell.cost) for cell in entry.cells}


def _body(entry: EntryComparison, titles: Titles, target: str) -> list[str]:
    """What stands below the title of an entry."""
    if entry.status == "failed":
        command = f"make build FRAMEWORK={entry.entry} TARGET={target}"
        return _quoted(entry.failure or entry.why or "no reason was given", command)
    lines = _failures(entry, titles, target)
    if entry.status == "new":
        return lines + _new(entry, titles)
    if entry.why:
        lines += [f"**Cannot tell**: {markdown.escape(entry.why)}.", ""]
    costs = _costs(entry)
    if entry.failed:
        lines += [f"The others: {markdown.escape(verdict(_together(entry), costs))}.", ""]
    sentences = extents(costs, entry.causes, titles)
    if entry.causes or sentences:
        sentences.append(f"What differs: {causes_text(entry.causes, MOST_CAUSES)}.")
    lines += [markdown.escape(" ".join(sentences)), ""] if sentences else []
    if any(cell.claimed for cell in costs.values()):
        lines += [markdown.table(changed_grid(costs, titles, MOST_CHANGED)), ""]
    return lines + _every_cell(entry, titles)


def _failures(entry: EntryComparison, titles: Titles, target: str) -> list[str]:
    """The first failures, each with the command that repeats it, and the others below a fold."""
    blocks = []
    for cell in (cell for cell in entry.cells if cell.verdict is Verdict.FAILED):
        command = f"make verify FRAMEWORK={entry.entry} SUITES={cell.suite} TARGET={target}"
        quoted = _quoted(cell.failure or cell.why or "no reason was given", command)
        blocks.append([f"**{markdown.escape(titles(str(cell.key)))}**", "", *quoted])
    shown, others = blocks[:MOST_FAILED], blocks[MOST_FAILED:]
    lines = [line for block in shown for line in block]
    if others:
        lines += _folded(f"{len(others)} more that fail", [line for block in others for line in block])
    return lines


def _quoted(failure: Failure | str, command: str) -> list[str]:
    """What failed as a block of code, in which nothing of an app's answer is markup."""
    if isinstance(failure, str):
        told = {"got": failure}
    else:
        told = {"check": failure.check, "request": failure.request, "expected": failure.expected, "got": failure.got}
    parts = {name: one_line(text, LONGEST_LINE) for name, text in {**told, "repeat": command}.items()}
    return code_block([f"{name:<8}  {text}" for name, text in parts.items() if text])


def code_block(lines: Sequence[str]) -> list[str]:
    """Lines as a block of code, which none of them ends. They are from `one_line`."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", "\n".join(lines))), default=0))
    return [f"{fence}text", *lines, fence, ""]


def _new(entry: EntryComparison, titles: Titles) -> list[str]:
    """Where a new entry stands, what it costs, and what it lacks."""
    lines = []
    if entry.why:
        lines += [f"**No base**: {markdown.escape(entry.why)}.", ""]
    if entry.places:
        lines += ["**Where it stands** among the frameworks of its language, on this machine:", ""]
        lines += [*map(_place, entry.places[:MOST_PLACES]), ""]
    elif any(cell.cost for cell in entry.cells):
        lines += ["No framework of its language was measured on such a machine, so it has no place among them.", ""]
    sentences = [*_beside_raw(entry), *(f"It lacks: {markdown.escape(lack)}." for lack in entry.lacks)]
    reasons = Counter(cell.why or "" for cell in entry.cells if cell.verdict is Verdict.UNKNOWN)
    sentences += [f"No figure in {_scenarios(count)}: {markdown.escape(why)}." for why, count in reasons.items()]
    lines += [" ".join(sentences), ""] if sentences else []
    if more := entry.places[MOST_PLACES:]:
        lines += _folded(f"its place in {len(more)} more tables", map(_place, more))
    return lines + _every_cell(entry, titles)


def _cost_of_new(entry: EntryComparison) -> str | None:
    """The smallest and the largest of a new entry's costs, against the baseline of its language."""
    ratios = [cell.cost.ratio for cell in entry.cells if cell.cost]
    if not ratios or not entry.baseline:
        return None
    bounds = dict.fromkeys(figure(ratio) for ratio in (min(ratios), max(ratios)))
    return f"{' to '.join(bounds)} × the CPU time of {entry.baseline} per request"


def _beside_raw(entry: EntryComparison) -> list[str]:
    """A sentence for each variant with types: its CPU time against that of the variant without, in equal scenarios."""
    plain = {(c.suite, c.scenario): c.cpu_us for c in entry.cells if c.variant == DEFAULT_JSON and c.cpu_us}
    typed = sorted(
        (cell.variant, cell.cpu_us / plain[cell.suite, cell.scenario])
        for cell in entry.cells
        if cell.variant not in (None, DEFAULT_JSON) and cell.cpu_us and (cell.suite, cell.scenario) in plain
    )
    sentences = []
    for variant, pairs in groupby(typed, key=lambda pair: pair[0]):
        ratios = [ratio for _, ratio in pairs]
        bounds = dict.fromkeys(figure(ratio) for ratio in (ratios[0], ratios[-1]))
        sentences.append(
            f"{markdown.escape(str(variant))} takes {' to '.join(bounds)} × the CPU time of {DEFAULT_JSON}, in the "
            f"{_scenarios(len(ratios))} that {'has' if len(ratios) == 1 else 'have'} both."
        )
    return sentences


def _place(place: Place) -> str:
    """A line of a list: the groups beside the entry's own in a table, with its own name in bold."""
    table = f"- {markdown.escape(place.table)}"
    if place.why:
        return f"{table}: {markdown.escape(place.why)}"
    own = next((i for i, group in enumerate(place.groups) if place.name in group), 0)
    near = place.groups[max(0, own - 1) : own + 2]
    shown = [", ".join(_names(group, place.name)) for group in near]
    shown = [*(["…"] if own > 1 else []), *shown, *(["…"] if own + 2 < len(place.groups) else [])]
    return f"{table}: {' › '.join(shown)}"


def _names(group: Sequence[str], own: str) -> list[str]:
    """The names of a group. Of many, those that stand beside the entry's own."""
    at = group.index(own) if own in group else 0
    start = max(0, min(at - MOST_NAMES // 2, len(group) - MOST_NAMES))
    shown = group[start : start + MOST_NAMES]
    named = [f"**{markdown.escape(name)}**" if name == own else markdown.escape(name) for name in shown]
    return [*named, *([f"{len(group) - len(shown)} more"] if len(group) > len(shown) else [])]


def _every_cell(entry: EntryComparison, titles: Titles) -> list[str]:
    """All cells but those that failed, below a fold."""
    cells = [cell for cell in entry.cells if cell.verdict is not Verdict.FAILED]
    if not cells:
        return []
    new = entry.status == "new"

    def cost(cell: CellChange) -> str:
        return optional(_against_baseline if new else _speed, cell.cost)

    def verdict_of(cell: CellChange) -> str:
        text = "seen twice" if cell.verdict in CLAIMED else MISSING if cell.verdict is Verdict.NEW else cell.verdict
        return f"{text}: {cell.why}" if cell.why else text

    columns: list[Column[CellChange]] = [
        Column("scenario", lambda cell: titles(str(cell.key)), required=True),
        Column(f"CPU time per request ÷ {entry.baseline}'s" if new else "speed", cost, number=True, required=not new),
        Column("verdict", verdict_of),
    ]
    same = sum(cell.verdict in (Verdict.SAME, Verdict.ONCE) for cell in cells)
    summary = f"{_scenarios(len(cells))}, {same} without a difference" if same else _scenarios(len(cells))
    return _folded(summary, [markdown.table(make_grid(columns, cells))])


def _speed(cost: Cost) -> str:
    return speed_change(cost.ratio, cost.low, cost.high)


def _against_baseline(cost: Cost) -> str:
    return f"{figure(cost.ratio)} ({figure(cost.low)}–{figure(cost.high)})"


def _method(comparisons: Sequence[Comparison], shown: EntryComparison) -> list[str]:
    """How it was measured and what repeats it, below a fold. A head that never ran was not measured."""
    first = comparisons[0]
    if all(entry.status == "failed" for comparison in comparisons for entry in comparison.entries):
        return [f"{_versions(first)}.", ""]
    kinds = {entry.status for comparison in comparisons for entry in comparison.entries}
    minutes = max(comparison.minutes for comparison in comparisons)
    again = f"make compare BASE={first.base} FRAMEWORK={one_line(shown.entry)} TARGET={first.target}"
    lines = code_block([again]) if first.base else []
    setting = markdown.escape(f"profile {first.profile}, {first.machine}")
    lines.append(f"{_versions(first)}; {setting}; {minutes:.1f} minutes.")
    if "new" in kinds:
        lines.append("A new entry has its CPU time per request ÷ that of its baseline, each loaded alone.")
    if "changed" in kinds:
        lines.append(
            "Both versions were started several times, and loaded at the same time on the same CPUs. Speed is requests "
            f"per second of CPU time. A difference is claimed where it is at least {100 * FLOOR:g} % and a second "
            "series of fresh processes showed it too. Time in which an app waits and uses no CPU is not compared."
        )
    return _folded("Repeat it, and how this was measured", [*lines, "95 % intervals are in parentheses."])


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
