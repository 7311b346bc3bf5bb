"""Finds the entries and suites that a command line names, such as: python/falcon "rust/*" --suite hello."""

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase

from restbench.catalog.entry import Entry
from restbench.catalog.load import Catalog
from restbench.errors import CatalogError, UsageError
from restbench.system.advice import command_line
from restbench.system.text import did_you_mean

TARGETS = ("auto", "native", "docker")
"""Where apps run. auto: natively if this machine can run every entry, else in Docker if Docker answers."""

ALL = "all"
"""A pattern that names every ranked entry."""

BASELINES = "baselines"
"""A pattern that names the baseline of each language."""

_BETWEEN = re.compile(r"[,\s]+")
"""What may stand between several names in one argument."""

NEW = "python/apiflask"
"""A name that has no entry: the example of help texts and of docs/ADDING-A-FRAMEWORK.md."""


def select_both(catalog: Catalog, patterns: list[str], suites: list[str]) -> tuple[list[Entry], list[str]]:
    """The entries and the suites, as the functions below choose them.

    Raises UsageError also when none of the entries takes part in the suites.
    """
    entries, chosen = select_entries(catalog, patterns), select_suites(catalog, suites)
    if not any(entry.cells(chosen) for entry in entries):
        raise UsageError(f"none of {', '.join(entry.id for entry in entries)} takes part in {', '.join(chosen)}")
    return entries, chosen


def select_entries(catalog: Catalog, patterns: list[str]) -> list[Entry]:
    """The entries that match any pattern. "all" matches every ranked entry, and a language all of its entries.

    "baselines" matches the baseline of each language. The reference is included only where a pattern is its full name.
    Without a pattern the catalogue's default selection is taken. Raises UsageError when a pattern matches nothing, or
    when there is neither a pattern nor a default selection. Raises CatalogError when a pattern matches only entries
    with mistakes.
    """
    patterns = names_in(patterns) or catalog.selections.default
    if not patterns:
        raise UsageError("no framework is named, and frameworks/selections.toml has no default: name one")
    ids = list(catalog.entries)
    ranked, baselines = ({entry.id for entry in found} for found in (catalog.ranked, catalog.baselines))
    chosen: set[str] = set()
    for pattern in patterns:
        matched = {i for i in ids if matches(i, pattern) and (i in ranked or i == pattern)}
        matched |= baselines if pattern == BASELINES else set()
        broken = broken_entries(catalog, [pattern])
        if not matched and broken:
            raise CatalogError(broken)
        if not matched:
            raise UsageError(f"no framework is called {pattern}{_meant(pattern, catalog)}")
        chosen |= matched
    return [catalog.entries[i] for i in ids if i in chosen]


def broken_entries(catalog: Catalog, patterns: list[str]) -> list[str]:
    """The mistakes of entries that match any pattern, and those of all suites, one line each."""
    patterns = names_in(patterns) or catalog.selections.default
    return [
        line
        for about, lines in catalog.mistakes.items()
        # "python/*", of a broken language.toml, concerns each of its entries; fixtures concern all entries
        if about.startswith("fixtures/") or any(matches(about, p) or matches(p, about) for p in patterns)
        for line in lines
    ]


def select_suites(catalog: Catalog, names: list[str]) -> list[str]:
    """The suites of those names, or all suites without a name, in the catalogue's order.

    Raises UsageError for a suite that does not exist.
    """
    names = names_in(names)
    for name in names:
        if name not in catalog.suites:
            raise UsageError(f"no suite is called {name}{did_you_mean(name, catalog.suites)}")
    return [name for name in catalog.suites if not names or name in names]


def names_in(arguments: Iterable[str]) -> list[str]:
    """The names in arguments, each of which may have several names with commas or spaces between them."""
    return [name for argument in arguments for name in _BETWEEN.split(argument) if name]


def matches(entry: str, pattern: str) -> bool:
    """Whether a pattern names the entry: by a full name, with wildcards, by its language, or by "all"."""
    return pattern.removesuffix("/") in (ALL, entry.partition("/")[0]) or fnmatchcase(entry, pattern)


def _meant(pattern: str, catalog: Catalog) -> str:
    """The end of a message about a pattern that matches nothing: the names that are near it."""
    known = set(catalog.entries)
    _, slash, name = pattern.partition("/")
    if name in ("", "*"):
        known |= {f"{entry.language.name}{slash}{name}" for entry in catalog.ranked}
    return did_you_mean(pattern, known, listing=f"{command_line('list')} shows all")
