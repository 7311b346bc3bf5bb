"""What changed as sentences and tables, for job summaries, README and the site."""

from collections.abc import Iterable, Mapping, Sequence

from restbench.changes.records import CellCost, ChangeRecord
from restbench.compare.models import Cause
from restbench.render import markdown
from restbench.render.formats import change, optional, versions
from restbench.render.grid import Column, Grid, make_grid

MOST_CAUSES = 3

NO_DIFFERENCE = "no difference seen"


def changes_markdown(records: Sequence[ChangeRecord], refused: Mapping[str, str], remarks: Iterable[str] = ()) -> str:
    """Returns a table of the new records, and the reasons why entries were not compared. Empty where there is neither.

    `remarks` are further lines, such as about a triage file that names an unknown record.
    """
    parts = []
    if records:
        parts.append(f"### What changed\n\n{markdown.table(make_grid(_COLUMNS, records))}\n")
    if refused:
        lines = [f"- {_safe(entry)}: {_safe(reason)}" for entry, reason in refused.items()]
        parts.append("\n".join(["Not compared with what they were:", "", *lines, ""]))
    parts += [f"{_safe(remark)}\n" for remark in remarks]
    return "\n".join(parts)


def newest_changes(records: Iterable[ChangeRecord], most: int = 10) -> Grid | None:
    """The newest records that claim a difference, newest first. None if there are none."""
    claiming = [record for record in records if record.claims]
    newest = sorted(claiming, key=lambda record: record.at, reverse=True)[:most]
    return make_grid(_LATELY, newest) if newest else None


def told(cost: CellCost | None) -> str:
    """A ratio as a change of CPU time per request: +6.2 % (+5.1 to +7.3), or that no difference was seen."""
    if cost is None or not cost.claimed or cost.ratio is None:
        return NO_DIFFERENCE
    return change(cost.ratio, cost.low, cost.high)


def causes_text(causes: Sequence[Cause], at_most: int = MOST_CAUSES) -> str:
    """The first causes as text, and how many more there are."""
    named = [str(cause) for cause in causes[:at_most]]
    more = [f"{len(causes) - at_most} more"] if len(causes) > at_most else []
    return ", ".join(named + more) or "nothing that results record"


def greatest(record: ChangeRecord) -> str | None:
    """The cell with the greatest difference that is claimed."""
    claimed = record.claimed
    if not claimed:
        return None
    name = max(claimed, key=lambda name: abs((claimed[name].ratio or 1.0) - 1))
    return f"{name}: {told(claimed[name])}"


def _safe(text: str) -> str:
    return markdown.escape(markdown.defused(text))


_WHAT: list[Column[ChangeRecord]] = [
    Column("entry", lambda record: record.entry, required=True),
    Column("version", lambda record: versions(record.version_before, record.version)),
    Column("CPU time per request, all cells", lambda record: told(record.together), number=True, required=True),
    Column("greatest change of a cell", lambda record: optional(str, greatest(record))),
    Column("what differs", lambda record: markdown.defused(causes_text(record.causes)), required=True),
]

_LATELY = [Column[ChangeRecord]("date", lambda record: record.day.isoformat()), *_WHAT]

_COLUMNS: list[Column[ChangeRecord]] = [
    *_WHAT,
    Column("record", lambda record: record.id, required=True),
]
