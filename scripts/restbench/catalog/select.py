"""Finds the entries and suites that a command line names, such as: python/falcon "rust/*" --suite hello."""

import re
from fnmatch import fnmatchcase

from restbench.catalog.entry import Entry
from restbench.catalog.load import Catalog
from restbench.errors import CatalogError, UsageError
from restbench.system.text import did_you_mean

TARGETS = ("auto", "native", "docker")
"""Where apps run. auto: natively if this machine can run every entry, else in Docker if Docker answers."""

BASELINES = "baselines"
"""A pattern that names the baseline of each language."""

_BETWEEN = re.compile(r"[,\s]+")
"""What may stand between the names of suites in one argument."""

NEW = "python/apiflask"
"""A name that has no entry: the example of help texts and of docs/ADDING-A-FRAMEWORK.md."""


def select_entries(catalog: Catalog, patterns: list[str]) -> list[Entry]:
    """The entries that match any pattern. "all" matches every ranked entry.

    "baselines" matches the baseline of each language. The reference is included only where a pattern is its full name.
    Without a pattern the catalogue's default selection is taken. Raises UsageError when a pattern matches nothing, or
    when there is neither a pattern nor a default selection. Raises CatalogError when a pattern matches only entries
    with mistakes.
    """
    patterns = patterns or catalog.selections.default
    if not patterns:
        raise UsageError("no framework is named, and frameworks/selections.toml has no default: name one")
    ids = list(catalog.entries)
    ranked, baselines = ({entry.id for entry in found} for found in (catalog.ranked, catalog.baselines))
    chosen: set[str] = set()
    for pattern in patterns:
        matched = {i for i in ids if _matches(i, pattern) and (i in ranked or i == pattern)}
        matched |= baselines if pattern == BASELINES else set()
        broken = broken_entries(catalog, [pattern])
        if not matched and broken:
            raise CatalogError(broken)
        if not matched:
            hint = did_you_mean(pattern, ids, listing="restbench list shows all")
            raise UsageError(f"no framework is called {pattern}{hint}")
        chosen |= matched
    return [catalog.entries[i] for i in ids if i in chosen]


def broken_entries(catalog: Catalog, patterns: list[str]) -> list[str]:
    """The mistakes of entries that match any pattern, and those of all suites, one line each."""
    patterns = patterns or catalog.selections.default
    return [
        line
        for about, lines in catalog.mistakes.items()
        # "python/*", of a broken language.toml, concerns each of its entries; fixtures concern all entries
        if about.startswith("fixtures/") or any(_matches(about, p) or _matches(p, about) for p in patterns)
        for line in lines
    ]


def _matches(entry: str, pattern: str) -> bool:
    return pattern == "all" or fnmatchcase(entry, pattern)


def select_suites(catalog: Catalog, names: list[str]) -> list[str]:
    """The suites of those names, or all suites without a name, in the catalogue's order.

    A name may be several names, with commas or spaces between them. Raises UsageError for a suite that does not exist.
    """
    names = [name.strip() for text in names for name in _BETWEEN.split(text) if name.strip()]
    for name in names:
        if name not in catalog.suites:
            raise UsageError(f"no suite is called {name}{did_you_mean(name, catalog.suites)}")
    return [name for name in catalog.suites if not names or name in names]
