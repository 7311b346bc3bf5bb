"""What changed as sentences and tables, for job summaries, README and the site."""

from collections.abc import Iterable, Mapping, Sequence

from restbench.catalog.load import Titles
from restbench.changes.comparison import Cause, CauseKind
from restbench.changes.records import CellCost, ChangeRecord
from restbench.render import markdown
from restbench.render.formats import MISSING, optional, speed_change, versions
from restbench.render.grid import Column, Grid, make_grid

MOST_CAUSES = 3

NO_DIFFERENCE = "no difference seen"
NOT_COMPARED = "not compared"


def changes_markdown(
    records: Sequence[ChangeRecord], refused: Mapping[str, str], titles: Titles, remarks: Iterable[str] = ()
) -> str:
    """Returns a table of the new records, and the reasons why entries were not compared. Empty where there is neither.

    `remarks` are further lines, such as about a triage file that names an unknown record.
    """
    parts = []
    if records:
        columns = [*_what(titles), Column[ChangeRecord]("record", lambda record: record.id, required=True)]
        parts.append(f"### What changed\n\n{markdown.table(make_grid(columns, records))}\n")
    if refused:
        lines = [f"- {safe(titles(entry))}: {safe(reason)}" for entry, reason in refused.items()]
        parts.append("\n".join(["Not compared with what they were:", "", *lines, ""]))
    parts += [f"{safe(remark)}\n" for remark in remarks]
    return "\n".join(parts)


def newest_changes(records: Iterable[ChangeRecord], titles: Titles, most: int = 10) -> Grid | None:
    """The newest records that are news to readers, newest first. None if there are none."""
    news = [record for record in records if record.is_news]
    newest = sorted(news, key=lambda record: record.at, reverse=True)[:most]
    date = Column[ChangeRecord]("date", lambda record: record.day.isoformat())
    return make_grid([date, *_what(titles)], newest) if newest else None


def speed_text(cost: CellCost | None) -> str:
    """A ratio as a change of speed, or that no difference was seen."""
    if cost is None or not cost.claimed or cost.ratio is None:
        return NO_DIFFERENCE
    return speed_change(cost.ratio, cost.low, cost.high)


def whole(record: ChangeRecord) -> str:
    """What the record says of all cells together, or why there is nothing to say."""
    return f"{NOT_COMPARED}: {record.uncompared}" if record.uncompared else speed_text(record.together)


def headline(record: ChangeRecord) -> str:
    """What a change did, in a few words: "5.3 % slower (4.9 to 5.7)", or "3 of 23 cells: up to 8.8 % slower"."""
    if record.uncompared:
        return NOT_COMPARED
    if record.together and record.together.claimed:
        return speed_text(record.together)
    most = greatest(record)
    if most is None:
        return NO_DIFFERENCE
    return f"{len(record.claimed)} of {len(record.cells)} cells: up to {speed_change(most[1].ratio or 1.0)}"


def causes_text(causes: Sequence[Cause], at_most: int = MOST_CAUSES) -> str:
    """The first causes as text, and how many more there are."""
    named = [str(cause) for cause in causes[:at_most]]
    more = [f"{len(causes) - at_most} more"] if len(causes) > at_most else []
    return ", ".join(named + more) or "nothing that results record"


def beside_version(record: ChangeRecord) -> str:
    """What differs, where the versions stand beside it: all causes but the new version itself.

    Nobody looked for causes where both versions were not compared.
    """
    if record.uncompared:
        return MISSING
    own = CauseKind.FRAMEWORK, record.version_before, record.version
    return causes_text([cause for cause in record.causes if (cause.kind, cause.before, cause.after) != own])


def greatest(record: ChangeRecord) -> tuple[str, CellCost] | None:
    """The cell with the greatest difference that is claimed."""
    return max(record.claimed.items(), key=lambda cell: abs((cell[1].ratio or 1.0) - 1), default=None)


def safe(text: str) -> str:
    """The text of a stranger as Markdown: escaped, and without what notifies somebody or becomes a link."""
    return markdown.escape(markdown.defused(text))


def _what(titles: Titles) -> list[Column[ChangeRecord]]:
    """The columns of a table of records."""

    def most_affected(cell: tuple[str, CellCost]) -> str:
        return f"{titles(cell[0])}: {speed_text(cell[1])}"

    return [
        Column("framework", lambda record: titles(record.entry), required=True),
        Column("version", lambda record: versions(record.version_before, record.version) or MISSING),
        Column("speed, all cells", lambda record: whole(record), required=True),
        Column("greatest change of a cell", lambda record: optional(most_affected, greatest(record))),
        Column("what else differs", lambda record: markdown.defused(beside_version(record)), required=True),
    ]
