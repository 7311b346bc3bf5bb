"""Finds mistakes in the names of folders, and names that several entries have.

Languages, suites and entries are called as their folders. Every function gives mistakes as text with the remedy.
"""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from restbench.catalog.entry import Entry
from restbench.catalog.manifests import NAME

LONGEST_LANGUAGE, LONGEST_NAME = 30, 60
"""The most characters of the folder of a language, and of that of an entry or a suite. A job's name has both."""

NO_LANGUAGE = {"solr": "the images of the backend are called so"}
NO_SUITE = {"entries": "a page of the board is called so"}
"""Names that a language or a suite would share with something else."""


def folder_mistake(
    name: str, longest: int = LONGEST_NAME, taken: Mapping[str, str] = MappingProxyType({})
) -> str | None:
    """What is wrong with the name of a folder. None where images, artifacts, jobs and addresses can have it.

    `taken`: names that it must not have, with the reason.
    """
    if not re.fullmatch(NAME, name):
        return "its folder has to have a name of small letters, digits and single hyphens between them; rename it"
    if len(name) > longest:
        return f"the name of its folder has {len(name)} characters; at most {longest} fit into the names of jobs"
    return f"its folder must not be called {name}, because {taken[name]}" if name in taken else None


def name_clashes(entries: Iterable[Entry]) -> Iterable[tuple[Entry, str]]:
    """Yields each entry that an earlier one leaves no name to, with the mistake as text.

    Charts need different titles in a language; upper and lower case count as equal. Jobs and images need different
    names on the whole board.
    """
    taken: dict[tuple[str, ...], Entry] = {}
    for entry in entries:
        first = taken.setdefault((entry.language.name, entry.title.casefold()), entry)
        if first is not entry:
            yield entry, f"title: {entry.title} is used by {first.id} already; rename one"
        joined = f"{entry.language.name}-{entry.name}"
        first = taken.setdefault((joined,), entry)
        if first is not entry:
            yield entry, f"name: its job and image would be called {joined}, as those of {first.id} are; rename one"
