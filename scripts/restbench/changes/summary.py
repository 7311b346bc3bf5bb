"""What changed as sentences and tables, for job summaries, README and the site."""

from collections.abc import Collection, Iterable, Mapping, Sequence, Sized
from math import log

from restbench.catalog.load import Titles
from restbench.changes.comparison import Cause, CauseKind
from restbench.changes.records import CLAIMED, CellCost, ChangeRecord
from restbench.render import markdown
from restbench.render.formats import MISSING, optional, speed_change, versions
from restbench.render.grid import Column, Grid, make_grid
from restbench.results.history import suite_of

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


def verdict(together: CellCost | None, cells: Mapping[str, CellCost]) -> str:
    """What two versions differ by, in a few words. What is claimed of all cells together comes first.

    Examples: "5.3 % slower (4.9 to 5.7)", "up to 8.8 % slower in 3 of 23 scenarios".
    """
    whole = together if together and together.claimed else None
    parts = [speed_text(whole)] if whole else []
    for way in CLAIMED:
        own = [cell for cell in cells.values() if cell.verdict is way]
        if own and (whole is None or whole.verdict is not way):
            most = speed_change(max((cell.ratio or 1.0 for cell in own), key=lambda ratio: abs(log(ratio))))
            parts.append(f"{'up to ' if len(own) > 1 else ''}{most} in {_share(own, cells)}")
    return ", but ".join(parts) or NO_DIFFERENCE


def headline(record: ChangeRecord) -> str:
    """What a change did, in a few words."""
    return NOT_COMPARED if record.uncompared else verdict(record.together, record.cells)


def change_title(title: str, before: str | None, after: str | None, told: str) -> str:
    """The title of what is said of two versions: "Falcon 4.3.0 → 4.4.0: 5.3 % slower (4.9 to 5.7)"."""
    return f"{' '.join(filter(None, [title, versions(before, after)]))}: {told}"


def extents(cells: Mapping[str, CellCost], causes: Sequence[Cause], titles: Titles) -> list[str]:
    """A sentence for each direction in which cells changed: how many, by how much, and what they alone have in common.

    Example: "3 of 9 scenarios are 4.8 to 8.3 % slower: those of pydantic (pydantic-core 2.49 → 2.50)."
    """
    compared = {name: cell for name, cell in cells.items() if cell.ratio}
    sentences = []
    for way in CLAIMED:
        own = {name: cell for name, cell in compared.items() if cell.verdict is way}
        if not own:
            continue
        common = _common(own.keys(), compared.keys(), causes, titles)
        changed = f"{_share(own, compared)} {'is' if len(own) == 1 else 'are'} {speeds_text(own.values())}"
        sentences.append(f"{changed}: those of {common}." if common else f"{changed}.")
    return sentences


def speeds_text(cells: Iterable[CellCost]) -> str:
    """The smallest and the largest of changes in one direction: "4.8 to 8.3 % slower"."""
    ratios = sorted((cell.ratio for cell in cells if cell.ratio), key=lambda ratio: abs(log(ratio)))
    least, most = (speed_change(ratio) for ratio in (ratios[0], ratios[-1]))
    return most if least == most else f"{least.partition(' ')[0]} to {most}"


def _share(part: Sized, cells: Sized) -> str:
    return f"{len(part)} of {len(cells)} scenario{'s' * (len(cells) != 1)}"


def _common(own: Collection[str], cells: Collection[str], causes: Sequence[Cause], titles: Titles) -> str | None:
    """What all of several cells have in common, and no other cell has: a variant, a suite, or a variant in a suite.

    A dependency that differs and is called as the variant is named with it.
    """
    if not 1 < len(own) < len(cells):
        return None
    traits = {(suite, variant) for suite in {None, *map(suite_of, own)} for variant in {None, *map(_variant_of, own)}}
    # what needs fewer words comes first, and names in one order
    for suite, variant in sorted(traits - {(None, None)}, key=lambda trait: (sum(map(bool, trait)), str(trait))):
        having = {c for c in cells if suite in (None, suite_of(c)) and variant in (None, _variant_of(c))}
        if having == set(own):
            named = " in ".join(filter(None, [variant, titles(suite) if suite else None]))
            same = [c for c in causes if variant and c.kind is CauseKind.DEPENDENCY and _is_of(c.name, variant)]
            return f"{named} ({causes_text(same)})" if same else named
    return None


def _scenario_of(cell: str) -> str:
    return "/".join(cell.split("/")[:2])


def _variant_of(cell: str) -> str | None:
    return cell.split("/")[2] if cell.count("/") > 1 else None


def _is_of(package: str, variant: str) -> bool:
    """Whether a package is that of a variant, as pydantic and pydantic-core are of pydantic."""
    return package == variant or package.startswith((f"{variant}-", f"{variant}_"))


def changed_grid(cells: Mapping[str, CellCost], titles: Titles, most: int) -> Grid:
    """The cells in which a difference is claimed, the greatest first. The last lines sum up those beyond `most`."""
    changed = sorted(
        ((name, cell) for name, cell in cells.items() if cell.claimed and cell.ratio),
        key=lambda part: -abs(log(part[1].ratio or 1.0)),
    )
    left = [cell for _, cell in changed[most:]]
    sums = [own for way in CLAIMED if (own := [cell for cell in left if cell.verdict is way])]
    rows = [(titles(_scenario_of(name)), _variant_of(name), speed_text(cell)) for name, cell in changed[:most]]
    rows += [(f"{len(own)} more", None, speeds_text(own)) for own in sums]
    columns: list[Column[tuple[str, str | None, str]]] = [
        Column("scenario", lambda row: row[0], required=True),
        Column("variant", lambda row: row[1] or MISSING),
        Column("speed", lambda row: row[2], number=True, required=True),
    ]
    return make_grid(columns, rows)


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
