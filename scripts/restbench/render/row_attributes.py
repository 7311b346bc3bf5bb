"""What scripts have to know of the rows of a table: by what they are found, their groups, and what is certain."""

from collections.abc import Iterable, Sequence

from restbench.board.models import FactsRow
from restbench.board.order import in_groups
from restbench.board.rows import Certain, Row, RowKey, Table, best_rows
from restbench.render.columns import group

FASTER, SLOWER, LEVEL = "f", "s", "-"
"""What a row is against another one: certainly more than 10 % faster, certainly slower, or neither."""

Attributes = dict[str, str]


def attributes_of(table: Table) -> list[Attributes]:
    """Returns the attributes of each row of a table. Values that a row lacks are left out.

    `groups` has three, as a column of groups shows them: the row's group among all rows, among the best rows of all
    frameworks, and among the best rows of its language. `extra`: it is not the best row of its framework. `against` has
    a letter for each row that is compared, in order: what that row is against this one. `place` is its own place among
    them. `own-against` and `own-place` are the same where only the best rows of its language are compared.
    """
    best = best_rows(table.rows)
    among = {row.key: row for row in (in_groups(best.values(), table.certain) if table.linked else [])}
    # where no link places rows, they are in the order of throughputs, and a chain is not: groups are of what is shown
    places = {row.key: place for place, row in enumerate(table.rows)}
    own: dict[RowKey, Row] = {}
    for chain in table.chains:
        shown = sorted((row for each in chain.groups for row in each), key=lambda row: places[row.key])
        own |= {row.key: row for row in in_groups(shown, chain.certain)}
    letters = _letters(table.compared, table.certain, "")
    for chain in table.chains:
        for place, more in _letters([row for each in chain.groups for row in each], chain.certain, "own-").items():
            letters.setdefault(place, {}).update(more)
    found = []
    for row in table.rows:
        groups = [group(each.get(row.key, row) if each else row) for each in (None, among, own)]
        attributes = {
            "entry": row.entry.id,
            "variant": row.cell.variant or "",
            "language": row.language,
            "search": search_text(row),
            "status": "unmaintained" if row.entry.unmaintained else "",
            "groups": " ".join(groups),
            "extra": "" if best[row.entry.id] is row else "yes",
        }
        attributes |= letters.get(row.key, {})
        found.append({name: value for name, value in attributes.items() if value})
    return found


def _letters(rows: Sequence[Row], certain: Certain, prefix: str) -> dict[RowKey, Attributes]:
    return {
        row.key: {f"{prefix}place": str(number), f"{prefix}against": against}
        for number, (row, against) in enumerate(zip(rows, certainties(rows, certain), strict=True))
    }


def facts_attributes(facts: Sequence[FactsRow]) -> list[Attributes]:
    """Returns the attributes of each row of a table of facts."""
    return [
        {
            "entry": row.entry.id,
            "language": row.language,
            "search": _words(row.entry.title, row.entry.id, row.language, row.server, *_further(row)),
        }
        | ({"status": "unmaintained"} if row.entry.unmaintained else {})
        for row in facts
    ]


def also_called(facts: Iterable[FactsRow]) -> dict[str, str]:
    """The languages that have another name → the first of their other names."""
    manifests = [row.entry.language.manifest for row in facts]
    return {manifest.title: manifest.also_called[0] for manifest in manifests if manifest.also_called}


def _further(row: Row | FactsRow) -> list[str]:
    manifest = row.entry.manifest
    return [manifest.interface, *manifest.also_called, *row.entry.language.manifest.also_called]


def _words(*texts: str) -> str:
    """The words of some texts, each once, as a search compares them."""
    return " ".join(dict.fromkeys(" ".join(texts).casefold().split()))


def search_text(row: Row) -> str:
    """Returns the words by which a reader may look for a row."""
    used = filter(None, [row.cell.variant, row.run.server, row.cell.json_library])
    return _words(row.title, row.entry.id, row.language, *used, *_further(row))


def certainties(rows: Sequence[Row], certain: Certain) -> list[str]:
    """Returns a text for each of these rows with a letter for each of them: FASTER, SLOWER or LEVEL."""
    places = [row.key for row in rows]
    return [
        "".join(FASTER if (j, i) in certain else SLOWER if (i, j) in certain else LEVEL for j in places) for i in places
    ]
