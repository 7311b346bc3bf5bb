"""What a person asked for: python/falcon "rust/*", --suite hello."""

from fnmatch import fnmatchcase

from restbench.catalog.entry import Entry
from restbench.catalog.load import Catalog
from restbench.errors import CatalogError, UsageError
from restbench.system.text import did_you_mean

TARGETS = ("auto", "native", "docker")
"""Where apps run. auto: natively where this machine can run every entry, else in Docker where it answers."""

NEW = "python/apiflask"
"""A name that has no entry: the example of help texts and of docs/ADDING-A-FRAMEWORK.md."""

DEFAULT = ("python/falcon", "python/fastapi", "python/starlette")
"""The small set that a first `make bench` runs."""


def select_entries(catalog: Catalog, patterns: list[str]) -> list[Entry]:
    """The entries that match any pattern, competitors only unless one is named in full; "all" is every competitor.

    Raises UsageError for a pattern that matches nothing, CatalogError for one that matches broken entries alone.
    """
    ids = list(catalog.entries)
    ranked = {entry.id for entry in catalog.ranked}
    chosen: set[str] = set()
    for pattern in patterns:
        matched = {i for i in ids if _matches(i, pattern) and (i in ranked or i == pattern)}
        broken = broken_entries(catalog, [pattern])
        if not matched and broken:
            raise CatalogError(broken)
        if not matched:
            hint = did_you_mean(pattern, ids, listing="restbench list shows all")
            raise UsageError(f"no framework is called {pattern}{hint}")
        chosen |= matched
    return [catalog.entries[i] for i in ids if i in chosen]


def broken_entries(catalog: Catalog, patterns: list[str]) -> list[str]:
    """The mistakes that keep entries out which the patterns ask for, one line each."""
    return [
        line
        for about, lines in catalog.mistakes.items()
        # "python/*" for a broken language.toml stands for each of its entries; fixtures concern everybody
        if about.startswith("fixtures/") or any(_matches(about, p) or _matches(p, about) for p in patterns)
        for line in lines
    ]


def _matches(entry: str, pattern: str) -> bool:
    return pattern == "all" or fnmatchcase(entry, pattern)


def select_suites(catalog: Catalog, names: list[str]) -> list[str]:
    """The suites asked for, or all of them, in the catalogue's order. A name may hold several, with commas between.

    Raises UsageError for one that does not exist.
    """
    names = [name.strip() for text in names for name in text.split(",") if name.strip()]
    for name in names:
        if name not in catalog.suites:
            raise UsageError(f"no suite is called {name}{did_you_mean(name, catalog.suites)}")
    return [name for name in catalog.suites if not names or name in names]
