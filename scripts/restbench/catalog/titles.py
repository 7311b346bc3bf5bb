"""What people call frameworks and cells: their titles, in place of ids."""

from collections.abc import Callable

from restbench.catalog.load import Catalog

Titles = Callable[[str], str]
"""Turns the id of an entry, or the name of a cell, into the words of the board."""


def titles_of(catalog: Catalog) -> Titles:
    """Returns what turns language/entry, suite/scenario or suite/scenario/variant into the words of the board.

    What the catalogue does not have, such as an entry that was removed, keeps its name.
    """
    scenarios = {
        f"{suite.name}/{each.name}": each.title for suite in catalog.suites.values() for each in suite.scenarios
    }
    known = scenarios | {entry.id: entry.title for entry in catalog.entries.values()}

    def title(name: str) -> str:
        place, _, variant = name.rpartition("/") if name.count("/") > 1 else (name, "", "")
        return " · ".join(filter(None, [known.get(place, place), variant]))

    return title
