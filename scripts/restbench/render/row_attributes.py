"""What scripts have to know of the rows of a table: by what they are found, their groups, and what is certain."""

from collections.abc import Mapping, Sequence

from restbench.board.models import FactsRow
from restbench.board.order import groups_of
from restbench.board.rows import Row, Table, best_rows
from restbench.stats.estimates import certainly_faster

FASTER, SLOWER, LEVEL = "f", "s", "-"
"""What a row is against another one: certainly more than 10 % faster, certainly slower, or neither."""

Attributes = dict[str, str]


def attributes_of(table: Table, facts: Mapping[str, FactsRow]) -> list[Attributes]:
    """Returns the attributes of each row of a table. Values that a row lacks are left out.

    `groups` has three numbers, with 0 for none: the row's group among all rows, among the best rows of all frameworks,
    and among the best rows of its language. `extra`: it is not the best row of its framework. `against` has a letter
    for each row that is compared, in order: what that row is against this one. `place` is its own place among them.
    """
    best = best_rows(table.rows)
    compared = [row for row in best.values() if row.estimate]
    numbers = groups_of(row.estimate for row in compared if row.estimate)
    among = {row.place: number for row, number in zip(compared, numbers, strict=True)}
    own = {
        row.place: number
        for chain in table.chains
        for number, group in enumerate(chain.groups, start=1)
        for row in group
    }
    against = certainties(table.compared)
    places = {row.place: number for number, row in enumerate(table.compared)}
    found = []
    for row in table.rows:
        groups = (row.group, among.get(row.place), own.get(row.place))
        attributes = {
            "entry": row.entry,
            "variant": row.variant or "",
            "language": row.language,
            "search": search_text(row, facts.get(row.entry)),
            "status": "unmaintained" if row.unmaintained else "",
            "groups": " ".join(str(group or 0) for group in groups),
            "extra": "" if best[row.entry] is row else "yes",
        }
        if row.place in places:
            attributes |= {"place": str(places[row.place]), "against": against[places[row.place]]}
        found.append({name: value for name, value in attributes.items() if value})
    return found


def facts_attributes(facts: Sequence[FactsRow]) -> list[Attributes]:
    """Returns the attributes of each row of a table of facts."""
    return [
        {
            "entry": row.entry.id,
            "language": row.language,
            "search": _words(row.entry.title, row.entry.id, row.language, row.server, *_of_facts(row)),
        }
        | ({"status": "unmaintained"} if row.entry.manifest.status == "unmaintained" else {})
        for row in facts
    ]


def _of_facts(facts: FactsRow) -> list[str]:
    return [facts.entry.manifest.interface, *facts.entry.language.manifest.also_called]


def _words(*texts: str) -> str:
    """The words of some texts, each once, as a search compares them."""
    return " ".join(dict.fromkeys(" ".join(texts).casefold().split()))


def search_text(row: Row, facts: FactsRow | None) -> str:
    """Returns the words by which a reader may look for a row."""
    own = [row.title, row.entry, row.language, row.variant or "", row.server or "", row.json_library or ""]
    return _words(*own, *(_of_facts(facts) if facts else []))


def certainties(rows: list[Row]) -> list[str]:
    """Returns a text for each of these rows with a letter for each of them: FASTER, SLOWER or LEVEL."""
    certain = certainly_faster([row.estimate for row in rows if row.estimate])
    places = range(len(rows))
    return [
        "".join(FASTER if (j, i) in certain else SLOWER if (i, j) in certain else LEVEL for j in places) for i in places
    ]
